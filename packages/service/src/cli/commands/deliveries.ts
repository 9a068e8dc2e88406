import { Option, type Command } from 'commander'
import { DELIVERY_STATES } from '@order-testing/contract'
import {
  listDeliveries,
  listReceivers,
  pauseReceiver,
  readDelivery,
  replayDeliveries,
  replayDelivery,
  resumeReceiver,
  type DeliveryQuery,
} from '../../operations/webhooks/deliveries.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { readConfig } from '../run/settings.ts'
import { withStore } from '../run/database.ts'
import { formatDeliveryList, formatDelivery, formatReceiverList, formatReplay } from '../output/deliveries.ts'
import { recorder } from '../run/local-actor.ts'
import { readCountFrom, readOrigin, readTime } from '../option-values.ts'

interface QueryOptions {
  tenant?: string
  order?: string
  origin?: string
  state?: NonNullable<DeliveryQuery['state']>
  from?: Date
  to?: Date
}

interface ListOptions extends QueryOptions {
  limit: number
  page: number
  json?: boolean
}

type TenantOptions = { tenant?: string }
type ShowOptions = TenantOptions & { json?: boolean }

export function addDeliveriesCommand(ots: Command, print: (text: string) => void): void {
  const deliveries = ots.command('deliveries').description('list, replay and pause deliveries of events to callbacks')

  withQuery(deliveries.command('list'), DELIVERY_STATES)
    .description('list deliveries, newest first')
    .option('--limit <number>', 'deliveries per page', readCountFrom(1, 1_000), 20)
    .option('--page <number>', 'page number', readCountFrom(1, 1_000_000), 1)
    .option('--json', 'print JSON')
    .action(async ({ limit, page, json, ...options }: ListOptions) => {
      const found = await read((store) => listDeliveries(queryOf(options), { limit, page }, store))
      const { rows, ...totals } = found
      print(json ? asJson({ data: rows, limit, page, ...totals }) : formatDeliveryList(found, { limit, page }))
    })

  deliveries
    .command('show')
    .description('show a delivery and its attempts of the last 30 days')
    .argument('<id>', 'id of the delivery')
    .option('--tenant <id>', 'only if it belongs to this tenant')
    .option('--json', 'print JSON')
    .action(async (id: string, { tenant, json }: ShowOptions) => {
      const found = await read((store) => readDelivery({ id, tenantId: tenant }, store))
      print(json ? asJson({ ...found.delivery, log: found.attempts }) : formatDelivery(found))
    })

  withQuery(deliveries.command('replay').argument('[id]', 'id of one delivery'), ['delivered', 'failed'])
    .description('send finished deliveries again: one, or all of an order, an origin or a time range')
    .action(async (id: string | undefined, options: QueryOptions, command: Command) => {
      const { tenant, ...filters } = options
      if (id !== undefined && Object.keys(filters).length > 0)
        command.error('error: select a delivery by id, or several by options, not both')
      print(await change((store) => replay(id, options, store)))
    })

  const receiver = ['<origin>', 'such as https://hooks.example.com; a path is ignored'] as const
  const tenant = ['--tenant <id>', 'tenant; optional if only one uses the origin'] as const

  deliveries
    .command('pause')
    .description('hold deliveries to an origin until it is resumed; v1 deliveries still expire after an hour')
    .argument(...receiver, readOrigin)
    .option(...tenant)
    .action(async (origin: string, options: TenantOptions) => {
      const paused = await changeReceiver('receiver.pause', origin, (tx) =>
        pauseReceiver({ origin, tenantId: options.tenant }, tx),
      )
      print(
        paused.outcome === 'paused'
          ? `Deliveries of tenant "${paused.tenantId}" to ${origin} are paused.`
          : `Deliveries of tenant "${paused.tenantId}" to ${origin} were already paused.`,
      )
      if (!paused.isKnown) process.stderr.write('Nothing was ever sent to this origin. Check its spelling.\n')
    })

  deliveries
    .command('resume')
    .description('resume deliveries to an origin that is paused or has an open circuit breaker')
    .argument(...receiver, readOrigin)
    .option(...tenant)
    .action(async (origin: string, options: TenantOptions) => {
      const resumed = await changeReceiver('receiver.resume', origin, (tx) =>
        resumeReceiver({ origin, tenantId: options.tenant }, tx),
      )
      print(
        resumed.outcome === 'resumed'
          ? `Deliveries of tenant "${resumed.tenantId}" to ${origin} are resumed.`
          : `Deliveries of tenant "${resumed.tenantId}" to ${origin} were not held.`,
      )
    })

  deliveries
    .command('receivers')
    .description('list paused and failing origins with breaker state, backlog and its age')
    .option('--tenant <id>', 'only those of this tenant')
    .option('--held', 'also list healthy origins with held deliveries')
    .option('--json', 'print JSON')
    .action(async (options: ShowOptions & { held?: boolean }) => {
      const filter = { tenantId: options.tenant, withParked: options.held }
      const found = await read((store) => listReceivers(filter, store))
      print(options.json ? asJson(found) : formatReceiverList(found, new Date()))
    })
}

/** Adds the options that select deliveries. */
const withQuery = (command: Command, states: readonly string[]) =>
  command
    .option('--tenant <id>', 'only those of this tenant')
    .option('--order <order>', 'only those of this order, by its id or code')
    .option('--origin <origin>', 'only those to this origin, such as https://hooks.example.com', readOrigin)
    .addOption(new Option('--state <state>', 'only those in this state').choices(states))
    .option('--from <time>', 'only those created at this time or later, such as 2027-01-31T12:00:00Z', readTime)
    .option('--to <time>', 'only those created before this time', readTime)

const queryOf = ({ tenant, order, origin, state, from, to }: QueryOptions): DeliveryQuery => ({
  tenantId: tenant,
  order,
  origin,
  state,
  createdFrom: from,
  createdTo: to,
})

async function replay(id: string | undefined, options: QueryOptions, store: Store): Promise<string> {
  const record = recorder()
  if (id === undefined) return formatReplay(await replayDeliveries(queryOf(options), store, record))
  await store.transaction(async (tx) => {
    const tenantId = await replayDelivery({ id, tenantId: options.tenant }, tx)
    await record(tenantId, { action: 'delivery.replay', subject: { type: 'delivery', id } }, tx)
  })
  return `Delivery "${id}" is being sent again.`
}

const read = <T>(work: (store: Store) => Promise<T>) => withStore(readConfig(process.env), work, { readOnly: true })
const change = <T>(work: (store: Store) => Promise<T>) => withStore(readConfig(process.env), work)

/** Changes a receiver, with an audit entry if anything changed. */
const changeReceiver = <T extends { tenantId: string; outcome: string }>(
  action: string,
  origin: string,
  apply: (tx: Transaction) => Promise<T>,
): Promise<T> =>
  change((store) =>
    store.transaction(async (tx) => {
      const changed = await apply(tx)
      if (changed.outcome !== 'already')
        await recorder()(changed.tenantId, { action, subject: { type: 'receiver', id: origin } }, tx)
      return changed
    }),
  )

const asJson = (value: unknown) => JSON.stringify(value, null, 2)
