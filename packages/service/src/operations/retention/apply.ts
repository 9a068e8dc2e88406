import type { RetentionPolicy } from '@order-testing/contract'
import type { Order } from '../../domain/orders/order.ts'
import { refuse } from '../../domain/refusal.ts'
import {
  subtractPeriod,
  outcomeClassOf,
  REMOVABLE_STATUSES,
  isRegulated,
  judgeOrder,
  judgeRemoval,
  parsePeriod,
  type RetentionVerdict,
} from '../../domain/retention/periods.ts'
import { JUDGED_AT_ONCE, type OrderRecord } from '../../store/retention/retention.ts'
import type { Store, Transaction } from '../../store/store.ts'
import type { AuditRecorder } from '../audit/audit.ts'
import { pruneAudit } from './prune-audit.ts'
import { removeOrders } from './remove-orders.ts'

/**
 * Records of a kind whose period is over: those that go, or, unless it was a dry run, are gone; those a legal hold keeps; those the
 * law has kept longer.
 */
export interface RetentionCount {
  kind: string
  due: number
  held: number
  required: number
}

export interface RetentionRun {
  policy: RetentionPolicy
  tenantId: string
  store: Store
  record: AuditRecorder
  now: Date
  /** Counts, and deletes nothing. */
  isDryRun: boolean
}

/** Orders looked at, and removed, by one transaction. */
const BATCH = 200

/** Deletes what is past its period, a batch at a time, and counts it. Each batch is recorded by the transaction that deletes it. */
export async function applyRetention(applying: RetentionRun): Promise<RetentionCount[]> {
  const { policy, tenantId, store, record, isDryRun } = applying
  const { keep } = policy
  const isOwner = await store.auditPruning.isAllowed()
  if (keep.audit !== undefined && !isOwner)
    throw refuse('invalidState', 'Pruning the audit log takes the owner of the schema: run this with its DATABASE_URL.')
  const counts = [
    ...(keep.orders || keep.regulatedOrders ? await removeOldOrders(applying, isOwner) : []),
    ...(await removeOthers(applying)),
    ...(keep.audit === undefined ? [] : [await pruneAudit(applying, parsePeriod(keep.audit))]),
  ]
  if (!isDryRun) {
    const after = { keep, counts: counts.filter(({ due }) => due > 0) }
    await store.transaction((tx) =>
      record(tenantId, { action: 'retention.apply', subject: subjectOf(tenantId), after }, tx),
    )
  }
  return counts
}

const subjectOf = (tenantId: string) => ({ type: 'tenant', id: tenantId })

async function removeOldOrders(applying: RetentionRun, erasesDetails: boolean): Promise<RetentionCount[]> {
  const { policy, tenantId, store, record, now, isDryRun } = applying
  const counts = new Counts()
  const judgeAll = (orders: readonly Order[], from: Pick<Transaction, 'legalHolds'>) =>
    judge(orders, (order, isHeld) => judgeOrder(order, policy, isHeld, now), tenantId, from)
  for (let last = ''; ;) {
    const batch = await store.orders.after(tenantId, last, BATCH, REMOVABLE_STATUSES)
    const judged = await judgeAll(batch, store)
    const due = judged.filter(({ verdict }) => verdict === 'due').map(({ order }) => order.id)
    const stays = judged.filter(({ verdict }) => isDryRun || verdict !== 'due')
    for (const { order, verdict } of stays) counts.add(kindOf(order), verdict)
    if (!isDryRun && due.length > 0)
      await store.transaction(async (tx) => {
        // As they are now: an operator may have corrected one since.
        const locked = (await tx.orders.lockNamed(due.map((id) => ({ tenantId, id })))).flat()
        const again = await judgeAll(locked, tx)
        const ids = again.filter(({ verdict }) => verdict === 'due').map(({ order }) => order.id)
        const deed = { action: 'order.delete' }
        const gone = new Set(await removeOrders(ids, { tenantId, tx, record, erasesDetails, deed }))
        for (const { order, verdict } of again)
          if (verdict !== 'due' || gone.has(order.id)) counts.add(kindOf(order), verdict)
      })
    if (batch.length < BATCH) return counts.list()
    last = batch.at(-1)!.id
  }
}

const kindOf = (order: Order) => `${isRegulated(order) ? 'regulatedOrders' : 'orders'}.${outcomeClassOf(order)}`

/** What belongs to orders that stay, or to none. */
async function removeOthers(applying: RetentionRun): Promise<RetentionCount[]> {
  const { keep } = applying.policy
  const counts = new Counts()
  const simple = [
    ['notifications', 'countNotifications', 'removeNotifications'],
    ['webhookEvents', 'countEvents', 'removeEvents'],
    ['webhookAttempts', 'countAttempts', 'removeAttempts'],
  ] as const
  for (const [kind, count, remove] of simple)
    if (keep[kind] !== undefined) counts.set(await removeExpired(applying, kind, [count, remove]))
  const ofOrders = [
    ['resultReports', 'dismissedReports', 'removeReports'],
    ['documents', 'oldDocuments', 'removeDocuments'],
  ] as const
  for (const [kind, find, remove] of ofOrders)
    if (keep[kind] !== undefined) await removeByOrder(applying, kind, [find, remove], counts)
  return counts.list()
}

type Kind = Exclude<keyof RetentionPolicy['keep'], 'orders' | 'regulatedOrders' | 'audit'>

/** The latest time that a record may be of to be past its period. */
const beforeOf = ({ policy: { keep }, now }: RetentionRun, kind: Kind) => subtractPeriod(now, parsePeriod(keep[kind]!))

/** Counting and removing look at everything that is past its period: there may be very much of it. */
const UNLIMITED = { isUnlimited: true }

/** Removes what its own age alone decides on. */
async function removeExpired(
  applying: RetentionRun,
  kind: Kind,
  [count, remove]: readonly [
    'countNotifications' | 'countEvents' | 'countAttempts',
    'removeNotifications' | 'removeEvents' | 'removeAttempts',
  ],
): Promise<RetentionCount> {
  const { tenantId, store, isDryRun } = applying
  const before = beforeOf(applying, kind)
  const { due, held } = await store.transaction((tx) => tx.retention[count](tenantId, before), UNLIMITED)
  if (isDryRun) return { kind, due, held, required: 0 }
  let total = 0
  for (let isMore = true; isMore;)
    isMore = await store.transaction(async (tx) => {
      const step = await tx.retention[remove](tenantId, before)
      await noteRemoved(applying, kind, step.removed, tx)
      total += step.removed
      return step.isMore
    }, UNLIMITED)
  return { kind, due: total, held, required: 0 }
}

/** Removes what may go only when its order may. The orders are locked meanwhile, so that none is held or corrected. */
async function removeByOrder(
  applying: RetentionRun,
  kind: Kind,
  [find, remove]: readonly ['dismissedReports' | 'oldDocuments', 'removeReports' | 'removeDocuments'],
  counts: Counts,
): Promise<void> {
  const { tenantId, store, isDryRun } = applying
  const before = beforeOf(applying, kind)
  counts.touch(kind)
  for (let last: string | undefined = ''; last !== undefined;) {
    const from: string = last
    last = await store.transaction(async (tx) => {
      const batch = await tx.retention[find](tenantId, before, from)
      const { due, others } = await judgeByOrder(batch, applying, tx)
      const removed = isDryRun ? due.length : await tx.retention[remove](tenantId, due)
      if (!isDryRun) await noteRemoved(applying, kind, removed, tx)
      counts.touch(kind).due += removed
      for (const verdict of others) counts.add(kind, verdict)
      return batch.length < JUDGED_AT_ONCE ? undefined : batch.at(-1)!.id
    }, UNLIMITED)
  }
}

async function noteRemoved(
  { tenantId, record }: RetentionRun,
  kind: Kind,
  deleted: number,
  tx: Transaction,
): Promise<void> {
  if (deleted === 0) return
  await record(tenantId, { action: 'retention.delete', subject: subjectOf(tenantId), after: { kind, deleted } }, tx)
}

/** Which records may go, by the orders they belong to, and what becomes of the others. What belongs to an open order stays. */
async function judgeByOrder(
  batch: readonly OrderRecord[],
  { tenantId, now, isDryRun }: RetentionRun,
  tx: Transaction,
): Promise<{ due: string[]; others: RetentionVerdict[] }> {
  const orderIds = [...new Set(batch.flatMap(({ orderId }) => orderId ?? []))]
  const found = isDryRun
    ? (await Promise.all(orderIds.map((id) => tx.orders.whole(tenantId, id)))).filter((order) => order !== undefined)
    : (await tx.orders.lockNamed(orderIds.map((id) => ({ tenantId, id })))).flat()
  const byOrder = (order: Order, isHeld: boolean): RetentionVerdict =>
    outcomeClassOf(order) === undefined && !isHeld ? 'kept' : judgeRemoval(order, isHeld, now)
  const judged = await judge(found, byOrder, tenantId, tx)
  const verdicts = new Map(judged.map(({ order, verdict }) => [order.id, verdict]))
  const verdictOf = ({ orderId }: OrderRecord): RetentionVerdict => (orderId !== null && verdicts.get(orderId)) || 'due'
  return {
    due: batch.filter((each) => verdictOf(each) === 'due').map(({ id }) => id),
    others: batch.map((each) => verdictOf(each)).filter((verdict) => verdict !== 'due'),
  }
}

async function judge(
  orders: readonly Order[],
  verdictOf: (order: Order, isHeld: boolean) => RetentionVerdict,
  tenantId: string,
  { legalHolds }: Pick<Transaction, 'legalHolds'>,
): Promise<{ order: Order; verdict: RetentionVerdict }[]> {
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

  add(kind: string, verdict: RetentionVerdict): void {
    if (verdict !== 'kept') this.touch(kind)[verdict]++
  }

  list = (): RetentionCount[] => [...this.#counts.values()]
}
