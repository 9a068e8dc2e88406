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
import { deliveryListing, deliverySheet, receiverListing, replaySummary } from '../output/deliveries.ts'
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
  const deliveries = ots.command('deliveries').description('look after events on their way to callbacks')

  withQuery(deliveries.command('list'), DELIVERY_STATES)
    .description('list deliveries, newest first')
    .option('--limit <number>', 'deliveries a page', readCountFrom(1, 1_000), 20)
    .option('--page <number>', 'which page', readCountFrom(1, 1_000_000), 1)
    .option('--json', 'as JSON')
    .action(async ({ limit, page, json, ...options }: ListOptions) => {
      const found = await looking((store) => listDeliveries(queryOf(options), { limit, page }, store))
      const { rows, ...totals } = found
      print(json ? asJson({ data: rows, limit, page, ...totals }) : deliveryListing(found, { limit, page }))
    })

  deliveries
    .command('show')
    .description('show a delivery and every attempt of the last 30 days')
    .argument('<id>', 'id of the delivery')
    .option('--tenant <id>', 'tenant it must belong to')
    .option('--json', 'as JSON')
    .action(async (id: string, { tenant, json }: ShowOptions) => {
      const found = await looking((store) => readDelivery({ id, tenantId: tenant }, store))
      print(json ? asJson({ ...found.delivery, log: found.attempts }) : deliverySheet(found))
    })

  withQuery(deliveries.command('replay').argument('[id]', 'id of one delivery'), ['delivered', 'failed'])
    .description('send deliveries that have ended once more: one, or all of an order, an origin, a span of time')
    .action(async (id: string | undefined, options: QueryOptions, command: Command) => {
      const { tenant, ...filters } = options
      if (id !== undefined && Object.keys(filters).length > 0)
        command.error('error: name a delivery by its id, or several by options, not both')
      print(await changing((store) => replay(id, options, store)))
    })

  const receiver = ['<origin>', 'such as https://hooks.example.com; the path of a longer address is ignored'] as const
  const tenant = ['--tenant <id>', 'tenant whose deliveries; may be left out where only one uses the origin'] as const

  deliveries
    .command('pause')
    .description('keep deliveries to an origin back until it is resumed; those of v1 end after an hour all the same')
    .argument(...receiver, readOrigin)
    .option(...tenant)
    .action(async (origin: string, options: TenantOptions) => {
      const paused = await changingReceiver('receiver.pause', origin, (tx) =>
        pauseReceiver({ origin, tenantId: options.tenant }, tx),
      )
      print(
        paused.outcome === 'paused'
          ? `Deliveries of tenant "${paused.tenantId}" to ${origin} are paused.`
          : `Deliveries of tenant "${paused.tenantId}" to ${origin} were paused before.`,
      )
      if (!paused.isKnown) process.stderr.write('Nothing was ever sent there: is the origin spelt right?\n')
    })

  deliveries
    .command('resume')
    .description('let deliveries to an origin go again, also after failures')
    .argument(...receiver, readOrigin)
    .option(...tenant)
    .action(async (origin: string, options: TenantOptions) => {
      const resumed = await changingReceiver('receiver.resume', origin, (tx) =>
        resumeReceiver({ origin, tenantId: options.tenant }, tx),
      )
      print(
        resumed.outcome === 'resumed'
          ? `Deliveries of tenant "${resumed.tenantId}" to ${origin} are resumed.`
          : `Deliveries of tenant "${resumed.tenantId}" to ${origin} were not kept back.`,
      )
    })

  deliveries
    .command('receivers')
    .description('list origins that are paused or failing: breaker state, backlog and its age')
    .option('--tenant <id>', 'only those of this tenant')
    .option('--held', 'also origins that are neither, but have deliveries held')
    .option('--json', 'as JSON')
    .action(async (options: ShowOptions & { held?: boolean }) => {
      const filter = { tenantId: options.tenant, withHeld: options.held }
      const found = await looking((store) => listReceivers(filter, store))
      print(options.json ? asJson(found) : receiverListing(found, new Date()))
    })
}

/** The options that say which deliveries are meant. */
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
  if (id === undefined) return replaySummary(await replayDeliveries(queryOf(options), store, record))
  await store.transaction(async (tx) => {
    const tenantId = await replayDelivery({ id, tenantId: options.tenant }, tx)
    await record(tenantId, { action: 'delivery.replay', subject: { type: 'delivery', id } }, tx)
  })
  return `Delivery "${id}" is being sent again.`
}

const looking = <T>(work: (store: Store) => Promise<T>) => withStore(readConfig(process.env), work, { readOnly: true })
const changing = <T>(work: (store: Store) => Promise<T>) => withStore(readConfig(process.env), work)

/** Changes a receiver, with an audit entry where that changed anything. */
const changingReceiver = <T extends { tenantId: string; outcome: string }>(
  action: string,
  origin: string,
  change: (tx: Transaction) => Promise<T>,
): Promise<T> =>
  changing((store) =>
    store.transaction(async (tx) => {
      const changed = await change(tx)
      if (changed.outcome !== 'already')
        await recorder()(changed.tenantId, { action, subject: { type: 'receiver', id: origin } }, tx)
      return changed
    }),
  )

const asJson = (value: unknown) => JSON.stringify(value, null, 2)
