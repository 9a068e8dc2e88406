import { Option, type Command } from 'commander'
import { DELIVERY_STATES } from '@order-testing/contract'
import type { Delivery, Receiver } from '@order-testing/contract/operator'
import { Api, ApiRefusal, withService, type ApiOptions } from '../api.ts'
import { confirm } from '../confirm.ts'
import { withExamples } from '../help.ts'
import { readOrigin, readTime, withPaging, type PageOptions } from '../option-values.ts'
import { deliveryListing, deliverySheet, receiverListing, replaySummary } from '../output/deliveries.ts'
import { note, show, showDone } from '../output/print.ts'
import { formatCount } from '../output/table.ts'

interface FilterOptions extends ApiOptions {
  order?: string
  origin?: string
  state?: Delivery['state']
  from?: Date
  to?: Date
}

interface ReceiverOptions extends ApiOptions, PageOptions {
  origin?: string
  held?: true
  recent?: true
  version?: 'v1'
}

type ReplayOptions = FilterOptions & { yes?: true }

export function define(deliveries: Command): void {
  withExamples(
    withPaging(withFilter(withService(deliveries.command('list')), DELIVERY_STATES)),
    'ots deliveries list --state failed --from 2027-01-31',
    'ots deliveries list --order K7M4-2QXD --json',
  )
    .description('List deliveries, newest first.')
    .action(async ({ limit, page, ...options }: FilterOptions & PageOptions) => {
      const query = { ...toFilter(options), limit, page }
      const found = await new Api(options).ask('listDeliveries', { query })
      show(found, deliveryListing)
    })

  withExamples(withService(deliveries.command('show')), 'ots deliveries show dlv_01hx3v9m2c8k4t6w0q5r7y1z3b')
    .description('Show a delivery. Lists its attempts of the last 30 days, those to come, and what is sent.')
    .argument('<id>', 'id of the delivery')
    .action(async (id: string, options: ApiOptions) => {
      show(await new Api(options).ask('readDelivery', { params: { id } }), deliverySheet)
    })

  withExamples(
    withFilter(withService(deliveries.command('replay')), ['delivered', 'failed']),
    'ots deliveries replay dlv_01hx3v9m2c8k4t6w0q5r7y1z3b',
    'ots deliveries replay --origin https://hooks.example.com --state failed',
  )
    .description(
      'Send deliveries that have ended once more. Give the id of one, or select them by order, origin or time.',
    )
    .argument('[id]', 'id of one delivery')
    .option('--yes', 'send again what was delivered, without asking')
    .action(async (id: string | undefined, { yes, ...options }: ReplayOptions, command: Command) => {
      const filter = toFilter(options)
      const isFiltered = Object.values(filter).some((value) => value !== undefined)
      if (id !== undefined && isFiltered) command.error('error: give the id of a delivery or filter options, not both')
      const api = new Api(options)
      if (id === undefined) return showDone(await replayAll(api, filter, yes), replaySummary)
      const { state } = await api.ask('readDelivery', { params: { id } })
      if (state === 'delivered' && !yes) await confirm(`Delivery ${id} was delivered. Send it once more?`)
      const request = { params: { id }, body: { includeDelivered: state === 'delivered' } }
      showDone(await api.ask('replayDelivery', request), () => `Replaying delivery ${id}.`)
    })

  addReceiverCommands(deliveries)
}

function addReceiverCommands(deliveries: Command): void {
  withExamples(
    withPaging(withService(deliveries.command('receivers'))),
    'ots deliveries receivers --held',
    'ots deliveries receivers --version v1',
  )
    .description('List receivers that are paused or failing. Shows their circuit breaker, last 24 hours and backlog.')
    .option('--origin <origin>', 'only this receiver, even if it is healthy', readOrigin)
    .option('--held', 'also receivers that are neither but have parked deliveries')
    .option('--recent', 'also every receiver that anything was sent to in the last 30 days')
    .addOption(
      new Option('--version <version>', 'only receivers that v1 events were sent to in the last 30 days').choices([
        'v1',
      ]),
    )
    .action(async ({ origin: only, held, recent, version, limit, page, ...options }: ReceiverOptions) => {
      const flags = { held: held && 'true', recent: recent && 'true', version } as const
      const query = { origin: only, ...flags, limit, page }
      const found = await new Api(options).ask('listReceivers', { query })
      show(found, () => receiverListing(found, new Date()))
    })

  const origin = ['<origin>', 'such as https://hooks.example.com; a path is ignored'] as const

  withExamples(withService(deliveries.command('pause')), 'ots deliveries pause https://hooks.example.com')
    .description('Park deliveries to an origin until it is resumed. Those of v1 still end after an hour.')
    .argument(...origin, readOrigin)
    .action(async (address: string, options: ApiOptions) => {
      const receiver = await new Api(options).ask('pauseReceiver', { body: { origin: address } })
      showDone(receiver, ({ origin: to, pausedAt }) => `Deliveries to ${to} are paused since ${pausedAt}.`)
      if (!receiver.isKnown) note('Nothing was ever sent to this origin. Is it spelled correctly?')
    })

  withExamples(withService(deliveries.command('resume')), 'ots deliveries resume https://hooks.example.com')
    .description('Send deliveries to an origin again. Also closes its circuit breaker.')
    .argument(...origin, readOrigin)
    .action(async (address: string, options: ApiOptions) => {
      const receiver = await new Api(options).ask('resumeReceiver', { body: { origin: address } })
      showDone(receiver, ({ origin: to }) => `Deliveries to ${to} are resumed.`)
    })

  withExamples(withService(deliveries.command('probe')), 'ots deliveries probe https://hooks.example.com')
    .description('Probe a receiver whose circuit breaker is open.')
    .argument(...origin, readOrigin)
    .action(async (address: string, options: ApiOptions) => {
      showDone(await new Api(options).ask('probeReceiver', { body: { origin: address } }), probeText)
    })
}

function probeText({ origin, state, pausedAt, held }: Receiver): string {
  if (pausedAt !== null) return `Deliveries to ${origin} are paused: resume them instead.`
  if (state === 'closed') return `The circuit breaker of ${origin} is closed: deliveries are sent.`
  return `${held > 0 ? 'A parked' : 'The next'} delivery to ${origin} is sent as a probe.`
}

const withFilter = (command: Command, states: readonly string[]) =>
  command
    .option('--order <order>', 'only those of this order, by its id or code')
    .option('--origin <origin>', 'only those to this origin, such as https://hooks.example.com', readOrigin)
    .addOption(new Option('--state <state>', 'only those in this state').choices(states))
    .option('--from <time>', 'only those created at this time or later, such as 2027-01-31T12:00:00Z', readTime)
    .option('--to <time>', 'only those created before this time', readTime)

const toFilter = ({ order, origin, state, from, to }: FilterOptions) => ({
  order,
  origin,
  state,
  createdFrom: from?.toISOString(),
  createdTo: to?.toISOString(),
})

/** Asks before anything that was delivered is sent once more. */
async function replayAll(api: Api, filter: ReturnType<typeof toFilter>, isConfirmed = false) {
  const { order, origin, createdFrom, createdTo } = filter
  if ((order ?? origin ?? createdFrom ?? createdTo) === undefined)
    throw new ApiRefusal('Select what to replay: the id of a delivery, --order, --origin, --from or --to.')
  if (filter.state === 'failed') return api.ask('replayDeliveries', { body: filter })
  const { total, isMore } = await api.ask('listDeliveries', { query: { ...filter, state: 'delivered', limit: 1 } })
  if (total > 0 && !isConfirmed)
    await confirm(
      `${isMore ? 'More than ' : ''}${formatCount(total, 'delivery was', 'deliveries were')} delivered before. Send ${total === 1 ? 'it' : 'them'} once more?`,
    )
  return api.ask('replayDeliveries', { body: { ...filter, includeDelivered: true } })
}
