import type { RetentionPolicy } from '@order-testing/contract'
import type { Order } from '../domain/orders.ts'
import { refuse } from '../domain/refusal.ts'
import {
  beginOf,
  classOf,
  REMOVABLE_STATUSES,
  isRegulated,
  judgeOrder,
  judgeRemoval,
  parsePeriod,
  type Verdict,
} from '../domain/retention.ts'
import type { OfOrder } from '../store/retention.ts'
import type { Store, Transaction } from '../store/store.ts'
import type { Recorder } from './audit.ts'
import { pruneAudit } from './prune-audit.ts'

/** Records of a kind whose period is over: those that go, those a legal hold keeps, those the law has kept longer. */
export interface RetentionCount {
  kind: string
  due: number
  held: number
  required: number
}

export interface Applying {
  policy: RetentionPolicy
  tenantId: string
  store: Store
  record: Recorder
  now: Date
  /** Counts, and deletes nothing. */
  isDryRun: boolean
}

/** Orders looked at, and removed, by one transaction. */
const BATCH = 200

/** Deletes what is past its period, a batch at a time, and counts it. */
export async function applyRetention(applying: Applying): Promise<RetentionCount[]> {
  const { policy, tenantId, store, record, isDryRun } = applying
  const { keep } = policy
  if (keep.audit !== undefined && !(await store.auditPruning.isAllowed()))
    throw refuse('invalidState', 'Pruning the audit log takes the owner of the schema: run this with its DATABASE_URL.')
  const counts = [
    ...(keep.orders || keep.regulatedOrders ? await removeOrders(applying) : []),
    ...(await removeOthers(applying)),
    ...(keep.audit === undefined ? [] : [await pruneAudit(applying, parsePeriod(keep.audit))]),
  ]
  if (!isDryRun) {
    const after = { keep, counts: counts.filter(({ due }) => due > 0) }
    const subject = { type: 'tenant', id: tenantId }
    await store.transaction((tx) => record(tenantId, { action: 'retention.apply', subject, after }, tx))
  }
  return counts
}

async function removeOrders({ policy, tenantId, store, record, now, isDryRun }: Applying): Promise<RetentionCount[]> {
  const counts = new Counts()
  for (let last = ''; ;) {
    const batch = await store.orders.after(tenantId, last, BATCH, REMOVABLE_STATUSES)
    const judged = await judge(batch, (order, isHeld) => judgeOrder(order, policy, isHeld, now), tenantId, store)
    for (const { order, verdict } of judged) counts.add(kindOf(order), verdict)
    const due = judged.filter(({ verdict }) => verdict === 'due').map(({ order }) => order.id)
    if (!isDryRun && due.length > 0)
      await store.transaction(async (tx) => {
        // As they are now: an operator may have corrected one since.
        const locked = (await tx.orders.lockNamed(due.map((id) => ({ tenantId, id })))).flat()
        const again = await judge(locked, (order, isHeld) => judgeOrder(order, policy, isHeld, now), tenantId, tx)
        const ids = again.filter(({ verdict }) => verdict === 'due').map(({ order }) => order.id)
        for (const id of await tx.orderRemoval.remove(tenantId, ids))
          await record(tenantId, { action: 'order.delete', subject: { type: 'order', id } }, tx)
      })
    if (batch.length < BATCH) return counts.list()
    last = batch.at(-1)!.id
  }
}

const kindOf = (order: Order) => `${isRegulated(order) ? 'regulatedOrders' : 'orders'}.${classOf(order)}`

/** What belongs to orders that stay, or to none. */
async function removeOthers(applying: Applying): Promise<RetentionCount[]> {
  const { policy, tenantId, store, now, isDryRun } = applying
  const { retention } = store
  const { keep } = policy
  const counts = new Counts()
  const before = (period: string) => beginOf(now, parsePeriod(period))
  const simple = [
    ['notifications', keep.notifications, retention.countNotifications, retention.removeNotifications],
    ['webhookEvents', keep.webhookEvents, retention.countEvents, retention.removeEvents],
    ['webhookAttempts', keep.webhookAttempts, retention.countAttempts, retention.removeAttempts],
  ] as const
  for (const [kind, period, count, remove] of simple) {
    if (period === undefined) continue
    counts.set({ kind, required: 0, ...(await count(tenantId, before(period))) })
    if (!isDryRun) await remove(tenantId, before(period))
  }
  const ofOrders = [
    ['resultReports', keep.resultReports, retention.dismissedReports, 'removeReports'],
    ['documents', keep.documents, retention.oldDocuments, 'removeDocuments'],
  ] as const
  for (const [kind, period, find, remove] of ofOrders) {
    if (period === undefined) continue
    for (let last: string | undefined = ''; last !== undefined;) {
      const batch: OfOrder[] = await find(tenantId, before(period), last)
      const due = await judgeByOrder(batch, applying, (verdict) => counts.add(kind, verdict))
      if (!isDryRun && due.length > 0) await store.transaction((tx) => tx.retention[remove](tenantId, due))
      last = batch.at(-1)?.id
    }
    counts.touch(kind)
  }
  return counts.list()
}

/** Which records may go, by the orders they belong to. What belongs to an open order stays. */
async function judgeByOrder(
  batch: readonly OfOrder[],
  { tenantId, store, now }: Applying,
  count: (verdict: Verdict) => void,
): Promise<string[]> {
  const orderIds = [...new Set(batch.flatMap(({ orderId }) => orderId ?? []))]
  const orders = await Promise.all(orderIds.map((id) => store.orders.whole(tenantId, id)))
  const found = orders.filter((order) => order !== undefined)
  const byOrder = (order: Order, isHeld: boolean): Verdict =>
    classOf(order) === undefined && !isHeld ? 'kept' : judgeRemoval(order, isHeld, now)
  const verdicts = new Map(
    (await judge(found, byOrder, tenantId, store)).map(({ order, verdict }) => [order.id, verdict]),
  )
  return batch.flatMap(({ id, orderId }) => {
    const verdict = (orderId !== null && verdicts.get(orderId)) || 'due'
    count(verdict)
    return verdict === 'due' ? [id] : []
  })
}

async function judge(
  orders: readonly Order[],
  verdictOf: (order: Order, isHeld: boolean) => Verdict,
  tenantId: string,
  { legalHolds }: Pick<Transaction, 'legalHolds'>,
): Promise<{ order: Order; verdict: Verdict }[]> {
  const held = await legalHolds.among(
    tenantId,
    orders.map(({ id }) => id),
  )
  return orders.map((order) => ({ order, verdict: verdictOf(order, held.has(order.id)) }))
}

class Counts {
  readonly #counts = new Map<string, RetentionCount>()

  set(count: RetentionCount): void {
    this.#counts.set(count.kind, count)
  }

  touch(kind: string): RetentionCount {
    const count = this.#counts.get(kind) ?? { kind, due: 0, held: 0, required: 0 }
    this.#counts.set(kind, count)
    return count
  }

  add(kind: string, verdict: Verdict): void {
    if (verdict !== 'kept') this.touch(kind)[verdict]++
  }

  list = (): RetentionCount[] => [...this.#counts.values()]
}
