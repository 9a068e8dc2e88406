import { Option, type Command } from 'commander'
import { DELIVERY_STATES } from '@order-testing/contract'
import type { Delivery } from '@order-testing/contract/operator'
import { Api, ApiRefusal, withService, type ApiOptions } from '../api.ts'
import { readOrigin, readTime, withPaging, type PageOptions } from '../option-values.ts'
import { deliveryListing, deliverySheet, receiverListing, replaySummary } from '../output/deliveries.ts'
import { print, toJson } from '../output/table.ts'

interface FilterOptions extends ApiOptions {
  order?: string
  origin?: string
  state?: Delivery['state']
  from?: Date
  to?: Date
}

export function define(deliveries: Command): void {
  withPaging(withFilter(withService(deliveries.command('list')), DELIVERY_STATES))
    .description('List deliveries, newest first.')
    .action(async ({ limit, page, json, ...options }: FilterOptions & PageOptions) => {
      const query = { ...toFilter(options), limit, page }
      const found = await new Api(options).ask('listDeliveries', { query })
      print(json ? toJson(found) : deliveryListing(found))
    })

  withService(deliveries.command('show'))
    .description('Show a delivery with all attempts of the last 30 days.')
    .argument('<id>', 'id of the delivery')
    .option('--json', 'print JSON')
    .action(async (id: string, { json, ...options }: ApiOptions & { json?: boolean }) => {
      const delivery = await new Api(options).ask('readDelivery', { params: { id } })
      print(json ? toJson(delivery) : deliverySheet(delivery))
    })

  withFilter(withService(deliveries.command('replay')), ['delivered', 'failed'])
    .description('Send deliveries that have ended once more: one, or all of an order, an origin or a time range.')
    .argument('[id]', 'id of one delivery')
    .action(async (id: string | undefined, options: FilterOptions, command: Command) => {
      const filter = toFilter(options)
      const isFiltered = Object.values(filter).some((value) => value !== undefined)
      if (id !== undefined && isFiltered) command.error('error: give the id of a delivery or filter options, not both')
      print(await replay(new Api(options), id, filter))
    })

  addReceiverCommands(deliveries)
}

function addReceiverCommands(deliveries: Command): void {
  withPaging(withService(deliveries.command('receivers')))
    .description('List receivers that are paused or failing, with their circuit breaker and backlog.')
    .option('--held', 'also receivers that are neither but have parked deliveries')
    .action(async ({ held, limit, page, json, ...options }: ApiOptions & PageOptions & { held?: true }) => {
      const query = { held: held && 'true', limit, page }
      const found = await new Api(options).ask('listReceivers', { query })
      print(json ? toJson(found) : receiverListing(found, new Date()))
    })

  const origin = ['<origin>', 'such as https://hooks.example.com; a path is ignored'] as const

  withService(deliveries.command('pause'))
    .description('Stop deliveries to an origin until it is resumed. Those of v1 still end after an hour.')
    .argument(...origin, readOrigin)
    .action(async (address: string, options: ApiOptions) => {
      const receiver = await new Api(options).ask('pauseReceiver', { body: { origin: address } })
      print(`Deliveries to ${receiver.origin} are paused since ${receiver.pausedAt}.`)
      if (!receiver.isKnown) process.stderr.write('Nothing was ever sent to this origin. Is it spelled correctly?\n')
    })

  withService(deliveries.command('resume'))
    .description('Send deliveries to an origin again. Also closes its circuit breaker.')
    .argument(...origin, readOrigin)
    .action(async (address: string, options: ApiOptions) => {
      const receiver = await new Api(options).ask('resumeReceiver', { body: { origin: address } })
      print(`Deliveries to ${receiver.origin} are resumed.`)
    })
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

async function replay(api: Api, id: string | undefined, filter: ReturnType<typeof toFilter>): Promise<string> {
  if (id !== undefined) {
    await api.ask('replayDelivery', { params: { id } })
    return `Replaying delivery ${id}.`
  }
  const { order, origin, createdFrom, createdTo } = filter
  if ((order ?? origin ?? createdFrom ?? createdTo) === undefined)
    throw new ApiRefusal('Select what to replay: the id of a delivery, --order, --origin, --from or --to.')
  return replaySummary(await api.ask('replayDeliveries', { body: filter }))
}
