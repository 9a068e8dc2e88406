import { normaliseCode } from '../../domain/orders/code.ts'
import { refuse } from '../../domain/refusal.ts'
import type { AttemptRecord } from '../../store/webhooks/attempts.ts'
import type {
  DeliveryFilter,
  DeliveryPage,
  DeliveryRecord,
  DeliveryState,
  ReplayOutcome,
} from '../../store/webhooks/records.ts'
import type { ReceiverFilter, ReceiverRecord } from '../../store/webhooks/receiver-records.ts'
import type { ReceiverId } from '../../store/webhooks/receivers.ts'
import type { PageRequest } from '../../store/db/page.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { recordNothing, type Recorder } from '../audit/audit.ts'

/** Selects deliveries; an empty query selects all. */
export interface DeliveryQuery {
  tenantId?: string | undefined
  /** Id or code of an order. */
  order?: string | undefined
  origin?: string | undefined
  state?: DeliveryState | undefined
  createdFrom?: Date | undefined
  createdTo?: Date | undefined
}

/** One delivery. Ids are unique across tenants, so the tenant is optional. */
export interface DeliveryId {
  id: string
  tenantId?: string | undefined
}

export type Replayed = Record<ReplayOutcome, number>

/** The parts of the store, or of a transaction, used here. */
type Parts = Pick<Transaction, 'catalog' | 'deliveryRecords' | 'receiverRecords'>

/** Deliveries replayed by one statement, which must finish before its timeout. */
const REPLAY_BATCH = 1_000

const MAX_RECEIVERS = 10_000

export function listDeliveries(query: DeliveryQuery, page: PageRequest, store: Parts): Promise<DeliveryPage> {
  return store.deliveryRecords.list(filterOf(query), page)
}

export async function readDelivery(
  id: DeliveryId,
  store: Parts,
): Promise<{ delivery: DeliveryRecord; attempts: AttemptRecord[] }> {
  const [delivery] = (await store.deliveryRecords.list(id, { limit: 1, page: 1 })).rows
  if (!delivery) throw unknownDelivery(id)
  return { delivery, attempts: await store.deliveryRecords.attempts(delivery.tenantId, delivery.id) }
}

/** Queues a delivery that has ended again, and returns its tenant. */
export async function replayDelivery(id: DeliveryId, store: Parts): Promise<string> {
  const [delivery] = await store.deliveryRecords.replay(id, { before: null, most: 1 })
  if (!delivery) throw unknownDelivery(id)
  if (delivery.outcome !== 'replayed') throw refuse('invalidState', `Delivery "${id.id}" ${WHY_NOT[delivery.outcome]}.`)
  return delivery.tenantId
}

/**
 * Replays every delivery that a query selects; those that cannot be replayed are counted by reason. Each batch commits
 * with its own audit entries.
 */
export async function replayDeliveries(
  query: DeliveryQuery,
  store: Store,
  record: Recorder = recordNothing,
): Promise<Replayed> {
  const counts: Replayed = { ...NONE }
  let last: string | null = null
  do {
    const batch: ReplayedBatch = await store.transaction(async (tx) => {
      const done = await replayBatch(query, last, tx)
      for (const [tenantId, replayed] of done.byTenant)
        await record(tenantId, { ...replayDeed(query), after: { ...query, ...replayed } }, tx)
      return done
    })
    for (const outcome of OUTCOMES) counts[outcome] += batch.counts[outcome]
    last = batch.last
  } while (last !== null)
  return counts
}

/** The audit entry of a replay. It names only a valid order or origin: other input may be anything, and stays in the sealed details. */
export function replayDeed({ order, origin }: DeliveryQuery): {
  action: string
  subject: { type: string; id: string }
} {
  const named = order === undefined ? undefined : (normaliseCode(order) ?? (/^ord_\w+$/.test(order) ? order : 'order'))
  return { action: 'deliveries.replay', subject: { type: 'deliveries', id: named ?? origin ?? 'span' } }
}

export interface ReplayedBatch {
  counts: Replayed
  byTenant: Map<string, Replayed>
  /** The last delivery of the batch, if there may be more after it; otherwise null. */
  last: string | null
}

/** Replays one batch, starting after the delivery `before`. */
export async function replayBatch(query: DeliveryQuery, before: string | null, store: Parts): Promise<ReplayedBatch> {
  const { order, origin, createdFrom, createdTo } = query
  if ([order, origin, createdFrom, createdTo].every((value) => value === undefined))
    throw refuse('required', 'Select what to replay: a delivery, an order, an origin or a time range.')
  const batch = await store.deliveryRecords.replay(filterOf(query), { before, most: REPLAY_BATCH })
  const counts: Replayed = { ...NONE }
  const byTenant = new Map<string, Replayed>()
  for (const { tenantId, outcome } of batch) {
    const ofTenant = byTenant.get(tenantId) ?? { ...NONE }
    byTenant.set(tenantId, ofTenant)
    ofTenant[outcome]++
    counts[outcome]++
  }
  return { counts, byTenant, last: batch.length < REPLAY_BATCH ? null : batch.at(-1)!.id }
}

const OUTCOMES = ['replayed', 'waiting', 'ended', 'forgotten'] as const
export const NONE: Replayed = { replayed: 0, waiting: 0, ended: 0, forgotten: 0 }

export async function listReceivers(filter: ReceiverFilter, store: Parts): Promise<ReceiverRecord[]> {
  return (await store.receiverRecords.page(filter, { limit: MAX_RECEIVERS, page: 1 })).rows
}

interface ReceiverRequest {
  origin: string
  /** Optional if only one tenant uses the origin. */
  tenantId?: string | undefined
}

/** Parks deliveries to an origin until it is resumed. */
export async function pauseReceiver(
  request: ReceiverRequest,
  store: Parts,
): Promise<ReceiverId & { outcome: 'paused' | 'already'; isKnown: boolean }> {
  const { receiver, isKnown } = await resolveReceiver(request, store)
  const isPaused = await store.receiverRecords.pause(receiver)
  return { ...receiver, outcome: isPaused ? 'paused' : 'already', isKnown }
}

/** Ends a pause, and closes an open circuit breaker. */
export async function resumeReceiver(
  request: ReceiverRequest,
  store: Parts,
): Promise<ReceiverId & { outcome: 'resumed' | 'already'; isKnown: boolean }> {
  const { receiver, isKnown } = await resolveReceiver(request, store)
  const isResumed = await store.receiverRecords.resume(receiver)
  return { ...receiver, outcome: isResumed ? 'resumed' : 'already', isKnown }
}

const WHY_NOT: Record<Exclude<ReplayOutcome, 'replayed'>, string> = {
  waiting: 'cannot be replayed: it is still being delivered',
  ended: 'cannot be replayed: its registration has ended',
  forgotten: 'cannot be replayed: its body was deleted after 30 days',
}

const unknownDelivery = ({ id, tenantId }: DeliveryId) =>
  refuse('notFound', `No delivery "${id}"${tenantId === undefined ? '' : ` in tenant "${tenantId}"`}.`)

function filterOf({ order, ...filter }: DeliveryQuery): DeliveryFilter {
  if (order === undefined) return filter
  const code = normaliseCode(order)
  return code === null ? { ...filter, orderId: order } : { ...filter, orderCode: code }
}

async function resolveReceiver({ origin, tenantId }: ReceiverRequest, store: Parts) {
  const tenants = (await store.catalog.tenants()).map(({ id }) => id)
  if (tenantId !== undefined && !tenants.includes(tenantId))
    throw refuse('notFound', `Unknown tenant "${tenantId}".`, '/tenantId')
  const known = await store.deliveryRecords.tenantsOf(origin)
  const candidates = tenantId !== undefined ? [tenantId] : known.length > 0 ? known : tenants
  const [chosen] = candidates
  if (chosen === undefined) throw refuse('required', 'There are no tenants yet. Apply a catalog file first.')
  if (candidates.length > 1)
    throw refuse('required', `Several tenants use this origin. Name one: ${candidates.join(', ')}.`, '/tenantId')
  return { receiver: { tenantId: chosen, origin }, isKnown: known.includes(chosen) }
}
