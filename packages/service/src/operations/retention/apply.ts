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
  pruneBefore,
  type RetentionVerdict,
} from '../../domain/retention/periods.ts'
import { JUDGED_AT_ONCE, type OrderRecord } from '../../store/retention/retention.ts'
import type { Store, Transaction } from '../../store/store.ts'
import type { AuditRecorder } from '../audit/audit.ts'
import type { OnProgress } from '../progress.ts'
import { pruneAudit } from './prune-audit.ts'
import { removeOrders } from './remove-orders.ts'

/** Expired records of a kind: deleted (in a dry run: deletable), kept by a legal hold, and kept because the law requires it. */
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
  /** Counts without deleting. */
  isDryRun: boolean
  /** Gets the records that were checked or deleted. */
  onProgress?: OnProgress
}

/** Orders checked and deleted per transaction. */
const BATCH = 200

/** Deletes and counts expired records in batches. Each batch is recorded by the transaction that deletes it. */
export async function applyRetention(request: RetentionRun): Promise<RetentionCount[]> {
  const { policy, tenantId, store, record, isDryRun } = request
  const { keep } = policy
  const isOwner = await store.auditPruning.isAllowed()
  const notOwner = 'Only the owner of the schema can prune the audit log: run this with its DATABASE_URL.'
  if (keep.audit !== undefined && !isOwner) throw refuse('invalidState', notOwner)
  const counts = new Counts()
  const run = { ...request, counts }
  if (keep.orders || keep.regulatedOrders) await removeOldOrders(run, isOwner)
  await removeByAge(run, 'notifications', ['countNotifications', 'removeNotifications'])
  await removeByAge(run, 'webhookEvents', ['countEvents', 'removeEvents'])
  await removeByAge(run, 'webhookAttempts', ['countAttempts', 'removeAttempts'])
  await removeByOrder(run, 'resultReports', ['findDismissedReports', 'removeReports'])
  await removeByOrder(run, 'documents', ['findDocuments', 'removeDocuments'])
  if (keep.audit !== undefined)
    counts.of('audit').due = await pruneAudit(run, pruneBefore(run.now, parsePeriod(keep.audit)))
  if (!isDryRun) {
    const after = { keep, counts: counts.list().filter(({ due }) => due > 0) }
    const subject = { type: 'tenant', id: tenantId }
    await store.transaction((tx) => record(tenantId, { action: 'retention.apply', subject, after }, tx))
  }
  return counts.list()
}

type CountedRun = RetentionRun & { counts: Counts }

class Counts {
  readonly #counts = new Map<string, RetentionCount>()

  of(kind: string): RetentionCount {
    const count = this.#counts.get(kind) ?? { kind, due: 0, held: 0, required: 0 }
    this.#counts.set(kind, count)
    return count
  }

  add(kind: string, verdict: RetentionVerdict): void {
    if (verdict !== 'kept') this.of(kind)[verdict]++
  }

  list = (): RetentionCount[] => [...this.#counts.values()]
}

async function removeOldOrders(run: CountedRun, erasesDetails: boolean): Promise<void> {
  const { policy, tenantId, store, record, now, isDryRun, counts, onProgress } = run
  let checked = 0
  const judgeAll = (orders: readonly Order[], from: Pick<Transaction, 'legalHolds'>) =>
    judge(orders, (order, isHeld) => judgeOrder(order, policy, isHeld, now), tenantId, from)
  for (let last = ''; ;) {
    const batch = await store.orders.listAfter(tenantId, last, BATCH, REMOVABLE_STATUSES)
    const judged = await judgeAll(batch, store)
    const due = judged.filter(({ verdict }) => verdict === 'due').map(({ order }) => order.id)
    const stays = judged.filter(({ verdict }) => isDryRun || verdict !== 'due')
    for (const { order, verdict } of stays) counts.add(kindOf(order), verdict)
    if (!isDryRun && due.length > 0)
      await store.transaction(async (tx) => {
        // Check again under the lock: an operator may have corrected an order since.
        const locked = (await tx.orders.lockNamed(due.map((id) => ({ tenantId, id })))).flat()
        const again = await judgeAll(locked, tx)
        const ids = again.filter(({ verdict }) => verdict === 'due').map(({ order }) => order.id)
        const audited = { action: 'order.delete' }
        const gone = new Set(await removeOrders(ids, { tenantId, tx, record, erasesDetails, audited }))
        for (const { order, verdict } of again)
          if (verdict !== 'due' || gone.has(order.id)) counts.add(kindOf(order), verdict)
      })
    onProgress?.({ kind: 'orders', done: (checked += batch.length) })
    if (batch.length < BATCH) return
    last = batch.at(-1)!.id
  }
}

const kindOf = (order: Order) => `${isRegulated(order) ? 'regulatedOrders' : 'orders'}.${outcomeClassOf(order)}`

type Kind = Exclude<keyof RetentionPolicy['keep'], 'orders' | 'regulatedOrders' | 'audit'>

/** Records from before this time are expired. Undefined if the policy keeps the kind forever. */
function cutoffOf({ policy: { keep }, now }: RetentionRun, kind: Kind): Date | undefined {
  const period = keep[kind]
  return period === undefined ? undefined : subtractPeriod(now, parsePeriod(period))
}

/** There may be very many expired records to count and delete. */
const UNLIMITED = { isUnlimited: true }

/** Removes records on which only their own age decides. */
async function removeByAge(
  run: CountedRun,
  kind: Kind,
  [count, remove]: readonly [
    'countNotifications' | 'countEvents' | 'countAttempts',
    'removeNotifications' | 'removeEvents' | 'removeAttempts',
  ],
): Promise<void> {
  const { tenantId, store, isDryRun, counts, onProgress } = run
  const before = cutoffOf(run, kind)
  if (!before) return
  const { due, held } = await store.transaction((tx) => tx.retention[count](tenantId, before), UNLIMITED)
  const counted = Object.assign(counts.of(kind), { due: isDryRun ? due : 0, held })
  onProgress?.({ kind, done: counted.due })
  for (let isMore = !isDryRun; isMore;) {
    isMore = await store.transaction(async (tx) => {
      const step = await tx.retention[remove](tenantId, before)
      await recordRemoved(run, kind, step.removed, tx)
      counted.due += step.removed
      return step.isMore
    }, UNLIMITED)
    onProgress?.({ kind, done: counted.due })
  }
}

/** Removes records that may be deleted only if their order may. Locks the orders, so that none is put on hold or corrected meanwhile. */
async function removeByOrder(
  run: CountedRun,
  kind: Kind,
  [find, remove]: readonly ['findDismissedReports' | 'findDocuments', 'removeReports' | 'removeDocuments'],
): Promise<void> {
  const { tenantId, store, isDryRun, counts, onProgress } = run
  const before = cutoffOf(run, kind)
  if (!before) return
  const counted = counts.of(kind)
  let checked = 0
  for (let last: string | undefined = ''; last !== undefined;) {
    const from: string = last
    last = await store.transaction(async (tx) => {
      const batch = await tx.retention[find](tenantId, before, from)
      const { due, others } = await judgeByOrder(batch, run, tx)
      const removed = isDryRun ? due.length : await tx.retention[remove](tenantId, due)
      if (!isDryRun) await recordRemoved(run, kind, removed, tx)
      counted.due += removed
      for (const verdict of others) counts.add(kind, verdict)
      checked += batch.length
      return batch.length < JUDGED_AT_ONCE ? undefined : batch.at(-1)!.id
    }, UNLIMITED)
    onProgress?.({ kind, done: checked })
  }
}

async function recordRemoved(
  { tenantId, record }: RetentionRun,
  kind: Kind,
  deleted: number,
  tx: Transaction,
): Promise<void> {
  const subject = { type: 'tenant', id: tenantId }
  if (deleted > 0) await record(tenantId, { action: 'retention.delete', subject, after: { kind, deleted } }, tx)
}

/** Sorts records by the verdict on their orders. Records of an open order stay. */
async function judgeByOrder(
  batch: readonly OrderRecord[],
  { tenantId, now, isDryRun }: RetentionRun,
  tx: Transaction,
): Promise<{ due: string[]; others: RetentionVerdict[] }> {
  const orderIds = [...new Set(batch.flatMap(({ orderId }) => orderId ?? []))]
  const found = isDryRun
    ? (await Promise.all(orderIds.map((id) => tx.orders.find(tenantId, id)))).filter((order) => order !== undefined)
    : (await tx.orders.lockNamed(orderIds.map((id) => ({ tenantId, id })))).flat()
  const judgeOne = (order: Order, isHeld: boolean): RetentionVerdict =>
    outcomeClassOf(order) === undefined && !isHeld ? 'kept' : judgeRemoval(order, isHeld, now)
  const judged = await judge(found, judgeOne, tenantId, tx)
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
  const ids = orders.map(({ id }) => id)
  const held = await legalHolds.findHeld(tenantId, ids)
  return orders.map((order) => ({ order, verdict: verdictOf(order, held.has(order.id)) }))
}
