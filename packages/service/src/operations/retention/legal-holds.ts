import type { LegalHold } from '../../store/retention/legal-holds.ts'
import type { Store, Transaction } from '../../store/store.ts'
import type { AuditRecorder } from '../audit/audit.ts'
import { selectOrders, type OrderParts, type Selection } from './persons.ts'

export interface HoldRequest {
  selection: Selection
  reason: string
  record: AuditRecorder
  now: Date
}

/** The result for one order; `gone` if it was deleted meanwhile. */
export type HoldOutcome = { code: string; outcome: 'changed' | 'unchanged' | 'gone' }

/** Keeps everything about orders until the hold is released, regardless of retention periods. */
export function placeHolds(request: HoldRequest, store: OrderParts): Promise<HoldOutcome[]> {
  const { selection, reason, record, now } = request
  const { tenantId } = selection
  return changeEach(selection, store, async (id, tx) => {
    // Deletion and erasure also lock the order: either they see the hold, or this finds no order.
    const isThere = (await tx.orders.lockNamed([{ tenantId, id }])).flat().length > 0
    if (!isThere) return 'gone'
    if ((await tx.legalHolds.findHeld(tenantId, [id])).size > 0) return 'unchanged'
    const entryId = await record(tenantId, { action: 'order.hold', subject: { type: 'order', id }, reason }, tx)
    await tx.legalHolds.place(tenantId, id, { at: now, entryId })
    return 'changed'
  })
}

export function releaseHolds(request: HoldRequest, store: OrderParts): Promise<HoldOutcome[]> {
  const { selection, reason, record } = request
  return changeEach(selection, store, async (id, tx) => {
    if (!(await tx.legalHolds.release(selection.tenantId, id))) return 'unchanged'
    await record(selection.tenantId, { action: 'order.release', subject: { type: 'order', id }, reason }, tx)
    return 'changed'
  })
}

/** Lists the current holds with their reasons from the audit log. */
export async function listHolds(
  tenantId: string,
  store: Pick<Store, 'audit' | 'legalHolds'>,
): Promise<(LegalHold & { reason: string | null })[]> {
  const holds = await store.legalHolds.list(tenantId)
  return Promise.all(
    holds.map(async (hold) => {
      const entries = await store.audit.changesOf(tenantId, hold.orderId, 1_000)
      return { ...hold, reason: entries.find(({ id }) => id === hold.entryId)?.reason ?? null }
    }),
  )
}

async function changeEach(
  selection: Selection,
  store: OrderParts,
  change: (orderId: string, tx: Transaction) => Promise<HoldOutcome['outcome']>,
): Promise<HoldOutcome[]> {
  const outcomes: HoldOutcome[] = []
  for (const { id, code } of await selectOrders(selection, store))
    outcomes.push({ code, outcome: await store.transaction((tx) => change(id, tx)) })
  return outcomes
}
