import { refuse } from '../domain/refusal.ts'
import { pruneBefore, type Period } from '../domain/retention.ts'
import type { Applying, RetentionCount } from './apply-retention.ts'
import { verifyAudit } from './verify-audit.ts'

/**
 * Removes whole months of the audit log, the oldest first, each in a transaction that leaves a signed checkpoint. What cannot be
 * verified is evidence, so that nothing is pruned from a log with faults.
 */
export async function pruneAudit(
  { tenantId, store, record, now, isDryRun }: Applying,
  period: Period,
): Promise<RetentionCount> {
  const before = pruneBefore(now, period)
  const { faultCount } = await verifyAudit(tenantId, store)
  if (faultCount > 0)
    throw refuse('invalidState', 'The audit log has faults, so it is not pruned. "ots audit verify" names them.')
  const all = await store.auditPruning.prunable(tenantId, before, 'all')
  const count = { kind: 'audit', due: all?.links ?? 0, held: 0, required: 0 }
  if (isDryRun) return count
  for (;;) {
    const month = await store.auditPruning.prunable(tenantId, before, 'month')
    if (!month) return count
    const { links, ...checkpoint } = month
    await store.transaction(
      async (tx) => {
        await tx.auditPruning.prune(checkpoint)
        const after = { entries: links, until: checkpoint.until }
        const subject = { type: 'audit', id: `${checkpoint.seq}:${checkpoint.hash}` }
        await record(tenantId, { action: 'audit.prune', subject, after }, tx)
      },
      { isUnlimited: true },
    )
  }
}
