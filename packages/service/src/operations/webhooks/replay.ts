import { normaliseCode } from '../../domain/orders/code.ts'
import { notFound, refuse } from '../../domain/refusal.ts'
import type { Store, Transaction } from '../../store/store.ts'
import type { DeliveryFilter, ReplayOutcome } from '../../store/webhooks/records.ts'

/** Selects the deliveries to replay: those of an order, an origin or a time range. */
export interface ReplayQuery extends Omit<DeliveryFilter, 'id' | 'orderId' | 'orderCode'> {
  tenantId: string
  /** Id or code. */
  order?: string | undefined
}

/** What was delivered is sent again only if the request says so: receivers may act on it twice. */
export function refuseDelivered(state: string | undefined, includesDelivered = false): void {
  if (state === 'delivered' && !includesDelivered)
    throw refuse('required', 'This was delivered. Set `includeDelivered` to send it once more.', '/includeDelivered')
}

export type ReplayCounts = Record<ReplayOutcome, number>

/** Deliveries replayed by one statement, which has to finish in time. */
const BATCH_SIZE = 1_000

/** Sends a delivery that has ended once more. */
export async function replayDelivery(
  delivery: { tenantId: string; id: string },
  { deliveryRecords }: Pick<Transaction, 'deliveryRecords'>,
): Promise<void> {
  const [replayed] = await deliveryRecords.replay(delivery, { before: null, most: 1 })
  if (!replayed) throw notFound()
  if (replayed.outcome !== 'replayed')
    throw refuse('invalidState', `Delivery "${delivery.id}" ${OBSTACLES[replayed.outcome]}.`)
}

/** Replays everything the query finds. Each batch commits with its own audit entry, so that a long replay blocks nothing. */
export async function replayDeliveries(
  query: ReplayQuery,
  store: Store,
  recordBatch: (counts: ReplayCounts, tx: Transaction) => Promise<void>,
): Promise<ReplayCounts> {
  const { order, origin, createdFrom, createdTo } = query
  if ([order, origin, createdFrom, createdTo].every((value) => value === undefined))
    throw refuse('required', 'Select what to replay: a delivery, an order, an origin or a time range.')
  const filter = toFilter(query)
  const total = { ...NONE }
  let before: string | null = null
  do {
    before = await store.transaction(async (tx): Promise<string | null> => {
      const batch = await tx.deliveryRecords.replay(filter, { before, most: BATCH_SIZE })
      const counts = { ...NONE }
      for (const { outcome } of batch) {
        counts[outcome]++
        total[outcome]++
      }
      await recordBatch(counts, tx)
      return batch.length < BATCH_SIZE ? null : batch.at(-1)!.id
    })
  } while (before !== null)
  return total
}

/** The subject of an audit entry is stored in plain text, so it names only ids and origins. */
export function toReplaySubject({ order, origin }: ReplayQuery): { type: string; id: string } {
  const named = order === undefined ? undefined : (normaliseCode(order) ?? (/^ord_\w+$/.test(order) ? order : 'order'))
  return { type: 'deliveries', id: named ?? origin ?? 'span' }
}

export function toFilter({ order, ...filter }: ReplayQuery): DeliveryFilter {
  if (order === undefined) return filter
  const code = normaliseCode(order)
  return code === null ? { ...filter, orderId: order } : { ...filter, orderCode: code }
}

const NONE: ReplayCounts = { replayed: 0, waiting: 0, ended: 0, forgotten: 0 }

const OBSTACLES: Record<Exclude<ReplayOutcome, 'replayed'>, string> = {
  waiting: 'has not ended yet: it will be sent anyway',
  ended: 'cannot be replayed: its callback has ended',
  forgotten: 'cannot be replayed: what was sent is deleted after 30 days',
}
