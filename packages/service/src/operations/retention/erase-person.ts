import type { Order } from '../../domain/orders/order.ts'
import { refuse } from '../../domain/refusal.ts'
import { outcomeClassOf, judgeRemoval, findLegalMinimum, requiredUntil } from '../../domain/retention/periods.ts'
import type { Store, Transaction } from '../../store/store.ts'
import type { AuditRecorder } from '../audit/audit.ts'
import { selectOrders, type Selection } from './persons.ts'
import { removeOrders } from './remove-orders.ts'

export interface ErasureRequest {
  selection: Selection
  reason: string
  record: AuditRecorder
  now: Date
  /** Reports what would be erased without erasing it. */
  isDryRun: boolean
}

/** The result for one order: erased, reduced to what the law requires, or untouched because of a legal hold or because it is open. */
export interface Erasure {
  code: string
  orderId: string
  outcome: 'erased' | 'reduced' | 'held' | 'open'
  /** For a reduced order: how long the rest is kept, and the section that requires it. */
  until: Date | null
  section: string | null
}

/** Erases the data of a person, except what must be kept. Only the owner of the schema can erase details of the audit log. */
export async function erasePerson(
  { selection, ...request }: ErasureRequest,
  store: Pick<Store, 'auditPruning' | 'orders' | 'transaction'>,
): Promise<Erasure[]> {
  if (!(await store.auditPruning.isAllowed()))
    throw refuse('invalidState', 'Only the owner of the schema can erase data: run this with its DATABASE_URL.')
  const { tenantId } = selection
  const erasures: Erasure[] = []
  for (const { id } of await selectOrders(selection, store)) {
    const erasure = await store.transaction(async (tx) => {
      const [order] = (await tx.orders.lockNamed([{ tenantId, id }])).flat()
      return order && eraseOrder(tenantId, order, tx, request)
    })
    if (erasure) erasures.push(erasure)
  }
  return erasures
}

async function eraseOrder(
  tenantId: string,
  order: Order,
  tx: Transaction,
  { reason, record, now, isDryRun }: Omit<ErasureRequest, 'selection'>,
): Promise<Erasure> {
  const isHeld = (await tx.legalHolds.findHeld(tenantId, [order.id])).size > 0
  const outcome = judge(order, isHeld, now)
  const isReduced = outcome === 'reduced'
  const erasure = {
    code: order.code,
    orderId: order.id,
    outcome,
    until: isReduced ? requiredUntil(order) : null,
    section: isReduced ? (findLegalMinimum(order)?.section ?? null) : null,
  }
  if (isDryRun || outcome === 'held' || outcome === 'open') return erasure
  await tx.idempotency.forgetOrders(tenantId, [order.id])
  const audited = { action: 'order.erase', reason, after: { outcome } }
  if (isReduced) {
    await tx.orderRemoval.strip(tenantId, [order.id])
    const after = { outcome, erasedDetails: [] }
    await record(tenantId, { ...audited, subject: { type: 'order', id: order.id }, after }, tx)
    return erasure
  }
  const removed = await removeOrders([order.id], { tenantId, tx, record, erasesDetails: true, audited })
  return removed.length === 0 ? { ...erasure, outcome: 'held' } : erasure
}

function judge(order: Order, isHeld: boolean, now: Date): Erasure['outcome'] {
  if (isHeld) return 'held'
  if (outcomeClassOf(order) === undefined) return 'open'
  return judgeRemoval(order, false, now) === 'required' ? 'reduced' : 'erased'
}
