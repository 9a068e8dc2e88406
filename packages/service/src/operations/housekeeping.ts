import { FOLDED_AT_ONCE } from '../store/orders/counts.ts'
import type { Store } from '../store/store.ts'

/** Batches of one task per run; the rest waits for the next run. */
const MAX_BATCHES = 50

/** Runs the periodic maintenance tasks. Safe on several nodes at once; a failing task does not stop the others. */
export async function runHousekeeping(store: Store, now: Date): Promise<void> {
  const done = await Promise.allSettled([
    store.renewStatistics(),
    keepCounts(store),
    repeat(() => store.idempotency.forgetOld(now)),
    repeat(() => store.deliveryRecords.forgetOld()),
    repeat(() => store.receiverActivity.forgetOld()),
    repeat(() => store.notificationQuota.forgetOld()),
    repeat(() => store.mailbox.forgetOld()),
    repeat(() => store.refusedMessages.forgetOld()),
    repeat(() => store.links.forgetOld()),
    repeat(() => store.tasks.forgetOld()),
    repeat(() => store.requests.forgetOld()),
    repeat(() => store.tokenUses.forgetOld()),
    repeat(() => store.sessions.forgetOld(now)),
    repeat(() => store.invitations.forgetOld(now)),
    repeat(() => store.challenges.forgetOld(now)),
  ])
  const failure = done.find(({ status }) => status === 'rejected')
  if (failure?.status === 'rejected') throw failure.reason
}

/** Chunks are split once all changes are folded: beside many that are not, it would take too long to ever end. */
async function keepCounts(store: Store): Promise<void> {
  const hasMore = await repeat(async () => (await store.transaction((tx) => tx.orderCounts.fold())) === FOLDED_AT_ONCE)
  if (!hasMore) await repeat(() => store.transaction((tx) => tx.orderCounts.splitLargest(), { isUnlimited: true }))
}

/** Repeats a task while it reports that there may be more to do, and returns whether there still may be. */
async function repeat(task: () => Promise<boolean>): Promise<boolean> {
  for (let batch = 0; batch < MAX_BATCHES; batch++) if (!(await task())) return false
  return true
}
