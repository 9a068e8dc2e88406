import type { Transaction } from '../../store/store.ts'
import type { AuditedAction, AuditRecorder } from '../audit/audit.ts'

interface RemovalOptions {
  tenantId: string
  tx: Transaction
  record: AuditRecorder
  /** Whether to erase the details of audit entries about the orders, which takes the owner of the schema. */
  erasesDetails: boolean
  audited: Pick<AuditedAction, 'action' | 'reason'> & { after?: object }
}

/**
 * Deletes orders that this transaction has locked, with everything about them, and returns their ids. Orders on legal hold stay.
 * Each record names the entries whose details were erased: verification reports any other missing details as a fault.
 */
export async function removeOrders(ids: readonly string[], options: RemovalOptions): Promise<string[]> {
  const { tenantId, tx, record, erasesDetails, audited } = options
  const entries = erasesDetails ? await tx.auditPruning.findDetailedEntries(tenantId, ids) : new Map<string, string[]>()
  const removed = await tx.orderRemoval.remove(tenantId, ids)
  for (const id of removed) {
    const erasedDetails = entries.get(id)
    const after = audited.after || erasedDetails ? { ...audited.after, erasedDetails: erasedDetails ?? [] } : null
    const entryId = await record(tenantId, { ...audited, subject: { type: 'order', id }, after }, tx)
    if (erasedDetails) await tx.auditPruning.eraseDetails(tenantId, erasedDetails, entryId)
  }
  return removed
}
