import { refuse } from '../../domain/refusal.ts'
import type { Store } from '../../store/store.ts'
import type { AuditRecorder } from '../audit/audit.ts'
import { linkAllAudit } from '../audit/link.ts'
import type { OnProgress } from '../progress.ts'
import { verifyAudit } from '../audit/verify.ts'

interface PruneRequest {
  tenantId: string
  store: Store
  record: AuditRecorder
  /** Counts without deleting. */
  isDryRun: boolean
  onProgress?: OnProgress
}

/**
 * Prunes the audit log before a time and returns the number of entries. Deletes whole months, oldest first, each in a
 * transaction that leaves a signed checkpoint. A log with faults is evidence, so nothing of it is pruned.
 */
export async function pruneAudit(request: PruneRequest, before: Date): Promise<number> {
  const { tenantId, store, isDryRun, onProgress } = request
  // There may be no running service that links the latest entries.
  await linkAllAudit(store)
  const { faultCount } = await verifyAudit(tenantId, store, { onProgress })
  if (faultCount > 0)
    throw refuse('invalidState', 'The audit log has faults, so it is not pruned. List them with "ots audit verify".')
  if (isDryRun) {
    const all = await store.transaction((tx) => tx.auditPruning.findPrunable(tenantId, before, 'all'), UNLIMITED)
    return all?.links ?? 0
  }
  for (let total = 0; ;) {
    const links = await pruneMonth(request, before)
    if (links === 0) return total
    total += links
    onProgress?.({ kind: 'old audit entries', done: total })
  }
}

const UNLIMITED = { isUnlimited: true }

/** Deletes the oldest month, or its part before the first entry about an order on legal hold. Returns the number of entries. */
const pruneMonth = ({ tenantId, store, record }: PruneRequest, before: Date): Promise<number> =>
  store.transaction(async (tx) => {
    await tx.auditPruning.lock(tenantId)
    const month = await tx.auditPruning.findPrunable(tenantId, before, 'month')
    if (!month) return 0
    const { links, ...checkpoint } = month
    await tx.auditPruning.prune(checkpoint)
    const after = { entries: links, until: checkpoint.until }
    const subject = { type: 'audit', id: `${checkpoint.seq}:${checkpoint.hash}` }
    await record(tenantId, { action: 'audit.prune', subject, after }, tx)
    return links
  }, UNLIMITED)
