import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { Option, type Command } from 'commander'
import { TEST_REASONS, type Order } from '@order-testing/contract'
import { ORDER_SOURCES } from '@order-testing/contract/operator'
import { Api, ApiRefusal, IntegratorApi, withIntegratorService, withService, type ApiOptions } from '../api.ts'
import { withExamples } from '../help.ts'
import { readCount } from '../option-values.ts'
import { changeLine, placedText, summarySheet } from '../output/integrator-orders.ts'
import { show, showDone, showEntry } from '../output/print.ts'
import { withProgress, type Reporter } from '../output/progress.ts'

interface CreateOptions extends ApiOptions {
  location?: string
  package?: string
  name?: string
  email?: string
  testReason: string
  externalId?: string
  callback?: string
  secret?: string
  idempotencyKey?: string
  source?: string
  company?: string
}

const POLL_MS = 1_000

/** Adds the commands for tokens of integrators. */
export function addIntegratorCommands(orders: Command): void {
  addCreate(orders)

  withExamples(withIntegratorService(orders.command('get')), 'ots orders get ord_01hx3v9m2c8k4t6w0q5r7y1z3b')
    .description('Print an order.')
    .argument('<id>', 'id of the order')
    .action(async (id: string, options: ApiOptions) => {
      show(await new IntegratorApi(options).ask('readOrder', { params: { id } }), summarySheet)
    })

  withExamples(
    withSimulation(withIntegratorService(orders.command('simulate'))),
    'ots orders simulate ord_01hx3v9m2c8k4t6w0q5r7y1z3b negative',
    'ots orders simulate ord_01hx3v9m2c8k4t6w0q5r7y1z3b positive --delay 2 --wait',
  )
    .description('Move an order of a sandbox to an outcome.')
    .argument('<id>', 'id of the order')
    .argument('<outcome>', 'result such as negative, or noShow, lostInTransit, expired, refusal')
    .action(async (id: string, outcome: string, options: SimulateOptions) => {
      show(await simulate(new IntegratorApi(options), { id, outcome }, options), summarySheet)
    })

  withExamples(
    withIntegratorService(orders.command('watch')),
    'ots orders watch',
    'ots orders watch ord_01hx3v9m2c8k4t6w0q5r7y1z3b --json',
  )
    .description('Print changes of orders as they happen. With an order, ends when it is closed.')
    .argument('[id]', 'id of one order')
    .action(async (id: string | undefined, options: ApiOptions) => {
      const api = new IntegratorApi(options)
      await withProgress('Watching', (reporter) =>
        id === undefined ? watchAll(api, reporter) : watchOne(id, api, reporter),
      )
    })
}

export interface SimulateOptions extends ApiOptions {
  until?: string
  delay?: number
  wait?: true
}

/** Adds the options of commands that simulate an order. */
export const withSimulation = (command: Command) =>
  command
    .option('--until <status>', 'service status to stop at, such as collected')
    .option('--delay <seconds>', 'time between two steps (default: none)', readCount)
    .option('--wait', 'wait until the order is closed, or has reached --until')

/** Simulates an order and returns it as it is then. */
export async function simulate(
  api: IntegratorApi,
  { id, outcome }: { id: string; outcome: string },
  { until, delay, wait: isAwaited }: SimulateOptions,
): Promise<Order> {
  const body = { outcome, until, delaySeconds: delay }
  const order = await api.ask('simulateOrder', { params: { id }, body })
  const isDone = ({ services, ...each }: Order) => isClosed(each) || services.every(({ status }) => status === until)
  return isAwaited ? withProgress('Waiting', ({ wait }) => followOrder(api, { order, isDone, onPoll: wait })) : order
}

async function followOrder(
  api: IntegratorApi,
  { order, isDone, onPoll }: { order: Order; isDone: (order: Order) => boolean; onPoll: (text: string) => void },
): Promise<Order> {
  let latest = order
  while (!isDone(latest)) {
    onPoll(waitingText(latest))
    await sleep(POLL_MS)
    latest = await api.ask('readOrder', { params: { id: order.id } })
  }
  return latest
}

function addCreate(orders: Command): void {
  withExamples(
    withService(orders.command('create'), 'an operator or API token'),
    'ots orders create order.json',
    'ots orders create --location loc-anvil-commerce-city --package pkg-hair \\',
    "  --name 'Ann Lee' --email ann@example.com",
    'ots orders create order.json --json | jq -r .id',
    'ots orders create order.json --source portal',
  )
    .description('Place an order. Give a file with the body of the request, or options. Operators give its source.')
    .argument('[file]', 'JSON file; "-" reads standard input')
    .option('--location <id>', 'location of the order')
    .option('--package <id>', 'package to test')
    .option('--name <name>', 'first and last name of the participant')
    .option('--email <address>', 'where the participant gets the link')
    .addOption(
      new Option('--test-reason <reason>', 'why the test is made').choices(TEST_REASONS).default('preEmployment'),
    )
    .option('--external-id <id>', 'your own id of the order')
    .option('--callback <url>', 'address that receives events')
    .option('--secret <key>', 'key that signs events; requires --callback')
    .option('--idempotency-key <key>', 'key of this request (default: a new one)')
    .addOption(
      new Option('--source <source>', 'with an operator token: where the order comes from').choices(ORDER_SOURCES),
    )
    .option('--company <id>', 'with an operator token: company of the location, if several have one of that name')
    .action(async (file: string | undefined, options: CreateOptions, command: Command) => {
      const { source, company } = options
      if (company !== undefined && source === undefined) command.error('error: --company requires --source')
      const body = file === undefined ? toBody(options) : await readBody(file, options)
      const headers = { 'Idempotency-Key': options.idempotencyKey ?? randomUUID() }
      if (source === undefined) {
        showDone(await new IntegratorApi(options).ask('createOrder', { body, headers }), placedText)
        return
      }
      const placed = { ...body, source, ...(company !== undefined && { company: { id: company } }) }
      showDone(await new Api(options).ask('operatorCreateOrder', { body: placed, headers }), placedText)
    })
}

/** The body that options describe: an order by link. */
function toBody(options: CreateOptions): object {
  const { location, package: packageId, name, email, testReason, externalId, callback, secret } = options
  if (location === undefined || packageId === undefined || name === undefined || email === undefined)
    throw new ApiRefusal('Give a file, or --location, --package, --name and --email.')
  const [firstName = '', ...rest] = name.trim().split(/\s+/)
  const participant = { firstName, lastName: rest.join(' ') || firstName }
  const tested = { locationId: location, packageId, participant, email, testReason }
  return { ...composeLinkOrder(tested), externalId, ...composeCallback(callback, secret) }
}

/** An order by link, which needs no more than a name and an address. */
export const composeLinkOrder = (order: {
  locationId: string
  packageId: string
  participant: { firstName: string; lastName: string }
  email: string
  testReason: string
}) => ({
  location: { id: order.locationId },
  package: { id: order.packageId },
  participant: order.participant,
  requester: { email: order.email, firstName: 'ots', lastName: 'orders' },
  deliveryMethods: [{ type: 'email', to: order.email }],
  settings: { schedulingOption: 'link' },
  testReason: order.testReason,
})

/** The callback of an order, if there is one. It is signed if its credentials have a key; these have nothing else. */
export const composeCallback = (url: string | undefined, secretKey: string | undefined) =>
  url === undefined
    ? {}
    : { callback: { url, ...(secretKey !== undefined && { auth: { type: 'custom', custom: {}, secretKey } }) } }

async function readBody(file: string, options: CreateOptions): Promise<object> {
  const { location, package: packageId, name, email, externalId, callback, secret } = options
  if ([location, packageId, name, email, externalId, callback, secret].some((value) => value !== undefined))
    throw new ApiRefusal('Give a file or options that describe the order, not both.')
  const text = await (file === '-' ? readText(process.stdin) : readFile(file, 'utf8')).catch((error: Error) => {
    throw new ApiRefusal(`Cannot read ${file}: ${error.message}.`)
  })
  try {
    return JSON.parse(text) as object
  } catch (error) {
    throw new ApiRefusal(`${file === '-' ? 'Standard input' : file} is not JSON: ${(error as Error).message}.`)
  }
}

/** Prints the orders of the token as they change, until the command is stopped. */
async function watchAll(api: IntegratorApi, { wait }: Reporter): Promise<void> {
  const known = new Map<string, string>()
  for (let cursor = 'latest'; ;) {
    const { data, nextCursor } = await api.ask('listOrders', { query: { sort: 'updatedAt', cursor } })
    for (const order of data) {
      showEntry(order, () => changeLine(order, known.get(order.id)))
      known.set(order.id, order.status)
    }
    cursor = nextCursor!
    wait('Waiting for changes … Press Ctrl-C to stop.')
    if (data.length === 0) await sleep(POLL_MS)
  }
}

async function watchOne(id: string, api: IntegratorApi, { wait }: Reporter): Promise<void> {
  for (let [status, updatedAt] = [undefined as string | undefined, '']; ; await sleep(POLL_MS)) {
    const order = await api.ask('readOrder', { params: { id } })
    if (order.updatedAt !== updatedAt) showEntry(order, () => changeLine(order, status))
    if (isClosed(order)) return
    wait(waitingText(order))
    ;[status, updatedAt] = [order.status, order.updatedAt]
  }
}

const CLOSED = new Set(['cancelled', 'expired', 'noShow'])

const isClosed = ({ isFinal, status }: Pick<Order, 'isFinal' | 'status'>) => isFinal || CLOSED.has(status)

const waitingText = ({ code, status, services }: Order) =>
  `Waiting: order ${code} is ${status} (${services.map((each) => each.status).join(', ')}) …`
