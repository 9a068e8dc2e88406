import { normaliseCode } from '../../domain/orders/code.ts'
import { refuse } from '../../domain/refusal.ts'
import type { AttemptRecord } from '../../store/webhooks/deliveries.ts'
import type {
  DeliveryFilter,
  DeliveryPage,
  DeliveryRecord,
  DeliveryState,
  ReplayOutcome,
} from '../../store/webhooks/records.ts'
import type { ReceiverFilter, ReceiverRecord } from '../../store/webhooks/receiver-records.ts'
import type { Receiver } from '../../store/webhooks/receivers.ts'
import type { PageRequest } from '../../store/db/page.ts'
import type { Store, Transaction } from '../../store/store.ts'
import { recordNothing, type Recorder } from '../audit/audit.ts'

/** Which deliveries an operator means; nothing said is all of them. */
export interface DeliveryQuery {
  tenantId?: string | undefined
  /** Id or code. */
  order?: string | undefined
  origin?: string | undefined
  state?: DeliveryState | undefined
  createdFrom?: Date | undefined
  createdTo?: Date | undefined
}

/** One delivery; its tenant can be left out, as no two have the same id. */
export interface DeliveryId {
  id: string
  tenantId?: string | undefined
}

export type Replayed = Record<ReplayOutcome, number>

/** What is needed of the store, or of a transaction of it. */
type Parts = Pick<Transaction, 'catalog' | 'deliveryRecords' | 'receiverRecords'>

/** Deliveries replayed by one statement: it has to end in time. */
const REPLAYED_AT_ONCE = 1_000

/** More than anybody reads. */
const MOST_RECEIVERS = 10_000

export function listDeliveries(query: DeliveryQuery, page: PageRequest, store: Parts): Promise<DeliveryPage> {
  return store.deliveryRecords.list(filterOf(query), page)
}

export async function readDelivery(
  wanted: DeliveryId,
  store: Parts,
): Promise<{ delivery: DeliveryRecord; attempts: AttemptRecord[] }> {
  const [delivery] = (await store.deliveryRecords.list(wanted, { limit: 1, page: 1 })).rows
  if (!delivery) throw unknown(wanted)
  return { delivery, attempts: await store.deliveryRecords.attempts(delivery.tenantId, delivery.id) }
}

/** Sends a delivery that has ended once more, and gives its tenant. */
export async function replayDelivery(wanted: DeliveryId, store: Parts): Promise<string> {
  const [delivery] = await store.deliveryRecords.replay(wanted, { before: null, most: 1 })
  if (!delivery) throw unknown(wanted)
  if (delivery.outcome !== 'replayed')
    throw refuse('invalidState', `Delivery "${wanted.id}" ${WHY_NOT[delivery.outcome]}.`)
  return delivery.tenantId
}

/**
 * The same for all that a query finds; those that cannot be replayed are counted by the reason. Each batch is committed with
 * its own audit entries.
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

/** What an audit entry of a replay names. Whatever else was typed may be anything, so it is left to the sealed details. */
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
  /** The last delivery that was looked at, where there may be more behind it. */
  last: string | null
}

/** As many as one statement can, from behind a delivery. */
export async function replayBatch(query: DeliveryQuery, before: string | null, store: Parts): Promise<ReplayedBatch> {
  const { order, origin, createdFrom, createdTo } = query
  if ([order, origin, createdFrom, createdTo].every((value) => value === undefined))
    throw refuse('required', 'Select what to replay: a delivery, an order, an origin or a time range.')
  const batch = await store.deliveryRecords.replay(filterOf(query), { before, most: REPLAYED_AT_ONCE })
  const counts: Replayed = { ...NONE }
  const byTenant = new Map<string, Replayed>()
  for (const { tenantId, outcome } of batch) {
    const ofTenant = byTenant.get(tenantId) ?? { ...NONE }
    byTenant.set(tenantId, ofTenant)
    ofTenant[outcome]++
    counts[outcome]++
  }
  return { counts, byTenant, last: batch.length < REPLAYED_AT_ONCE ? null : batch.at(-1)!.id }
}

const OUTCOMES = ['replayed', 'waiting', 'ended', 'forgotten'] as const
export const NONE: Replayed = { replayed: 0, waiting: 0, ended: 0, forgotten: 0 }

export async function listReceivers(filter: ReceiverFilter, store: Parts): Promise<ReceiverRecord[]> {
  return (await store.receiverRecords.page(filter, { limit: MOST_RECEIVERS, page: 1 })).rows
}

interface ReceiverRequest {
  origin: string
  /** May be left out where one tenant alone has to do with the origin. */
  tenantId?: string | undefined
}

/** Keeps deliveries to an origin back until it is resumed. */
export async function pauseReceiver(
  request: ReceiverRequest,
  store: Parts,
): Promise<Receiver & { outcome: 'paused' | 'already'; isKnown: boolean }> {
  const { receiver, isKnown } = await resolveReceiver(request, store)
  const isPaused = await store.receiverRecords.pause(receiver)
  return { ...receiver, outcome: isPaused ? 'paused' : 'already', isKnown }
}

/** Lets deliveries go again that a pause, or a break after failures, has kept back. */
export async function resumeReceiver(
  request: ReceiverRequest,
  store: Parts,
): Promise<Receiver & { outcome: 'resumed' | 'already'; isKnown: boolean }> {
  const { receiver, isKnown } = await resolveReceiver(request, store)
  const isResumed = await store.receiverRecords.resume(receiver)
  return { ...receiver, outcome: isResumed ? 'resumed' : 'already', isKnown }
}

const WHY_NOT: Record<Exclude<ReplayOutcome, 'replayed'>, string> = {
  waiting: 'has not ended yet and will still be sent',
  ended: 'cannot be replayed: its callback has ended',
  forgotten: 'cannot be replayed: its body was deleted after 30 days',
}

const unknown = ({ id, tenantId }: DeliveryId) =>
  refuse('notFound', `${tenantId === undefined ? 'There is' : `Tenant "${tenantId}" has`} no delivery "${id}".`)

function filterOf({ order, ...filter }: DeliveryQuery): DeliveryFilter {
  if (order === undefined) return filter
  const code = normaliseCode(order)
  return code === null ? { ...filter, orderId: order } : { ...filter, orderCode: code }
}

async function resolveReceiver({ origin, tenantId }: ReceiverRequest, store: Parts) {
  const tenants = (await store.catalog.tenants()).map(({ id }) => id)
  if (tenantId !== undefined && !tenants.includes(tenantId))
    throw refuse('notFound', `There is no tenant "${tenantId}".`, '/tenantId')
  const known = await store.deliveryRecords.tenantsOf(origin)
  const candidates = tenantId !== undefined ? [tenantId] : known.length > 0 ? known : tenants
  const [chosen] = candidates
  if (chosen === undefined) throw refuse('required', 'There are no tenants yet.')
  if (candidates.length > 1) throw refuse('required', `Choose a tenant: ${candidates.join(', ')}.`, '/tenantId')
  return { receiver: { tenantId: chosen, origin }, isKnown: known.includes(chosen) }
}
