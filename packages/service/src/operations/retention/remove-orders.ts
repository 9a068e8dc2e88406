import type { Transaction } from '../../store/store.ts'
import type { AuditedAction, AuditRecorder } from '../audit/audit.ts'

interface RemovalOptions {
  tenantId: string
  tx: Transaction
  record: AuditRecorder
  /** Whether the details of audit entries about the orders go with them, which takes the owner of the schema. */
  erasesDetails: boolean
  deed: Pick<AuditedAction, 'action' | 'reason'> & { after?: object }
}

/**
 * Removes orders that this transaction has locked, with everything about them, and records each. One that is held stays. Gives the
 * ids of those that are gone. The record names the entries whose details were erased: any other that lacks its details is a fault.
 */
export async function removeOrders(ids: readonly string[], removing: RemovalOptions): Promise<string[]> {
  const { tenantId, tx, record, erasesDetails, deed } = removing
  const entries = erasesDetails ? await tx.auditPruning.detailedEntries(tenantId, ids) : new Map<string, string[]>()
  const removed = await tx.orderRemoval.remove(tenantId, ids)
  for (const id of removed) {
    const erasedDetails = entries.get(id)
    const after = deed.after || erasedDetails ? { ...deed.after, erasedDetails: erasedDetails ?? [] } : null
    const entryId = await record(tenantId, { ...deed, subject: { type: 'order', id }, after }, tx)
    if (erasedDetails) await tx.auditPruning.eraseDetails(tenantId, erasedDetails, entryId)
  }
  return removed
}
