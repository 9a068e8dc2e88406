import { refuse } from '../../domain/refusal.ts'
import { pruneBefore, type Period } from '../../domain/retention/periods.ts'
import type { RetentionRun, RetentionCount } from './apply.ts'
import { linkAllAudit } from '../audit/link.ts'
import { verifyAudit } from '../audit/verify.ts'

/**
 * Removes whole months of the audit log, the oldest first, each in a transaction that leaves a signed checkpoint. What cannot be
 * verified is evidence, so that nothing is pruned from a log with faults.
 */
export async function pruneAudit(applying: RetentionRun, period: Period): Promise<RetentionCount> {
  const { tenantId, store, now, isDryRun } = applying
  const before = pruneBefore(now, period)
  // No service may be running that would link what was recorded so far.
  await linkAllAudit(store)
  const { faultCount } = await verifyAudit(tenantId, store)
  if (faultCount > 0)
    throw refuse('invalidState', 'The audit log has faults, so it is not pruned. "ots audit verify" names them.')
  const count = { kind: 'audit', due: 0, held: 0, required: 0 }
  if (isDryRun) {
    const all = await store.transaction((tx) => tx.auditPruning.prunable(tenantId, before, 'all'), {
      isUnlimited: true,
    })
    return { ...count, due: all?.links ?? 0 }
  }
  for (;;) {
    const links = await pruneMonth(applying, before)
    if (links === 0) return count
    count.due += links
  }
}

/** Removes the oldest month, up to where a legal hold stops it now, and counts what is gone. */
const pruneMonth = ({ tenantId, store, record }: RetentionRun, before: Date): Promise<number> =>
  store.transaction(
    async (tx) => {
      await tx.auditPruning.lock(tenantId)
      const month = await tx.auditPruning.prunable(tenantId, before, 'month')
      if (!month) return 0
      const { links, ...checkpoint } = month
      await tx.auditPruning.prune(checkpoint)
      const after = { entries: links, until: checkpoint.until }
      const subject = { type: 'audit', id: `${checkpoint.seq}:${checkpoint.hash}` }
      await record(tenantId, { action: 'audit.prune', subject, after }, tx)
      return links
    },
    { isUnlimited: true },
  )
