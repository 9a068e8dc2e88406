import { FOLDED_AT_ONCE } from '../store/orders/counts.ts'
import type { Store } from '../store/store.ts'

/** Rounds of one kind of work in one go; what is left then waits for the next. */
const ROUNDS = 50

/** What has to be done every second or so, by any node: several may try at once. One that fails does not stop the rest. */
export async function keepHouse(store: Store, now: Date): Promise<void> {
  const done = await Promise.allSettled([
    store.renewStatistics(),
    inRounds(async () => (await store.transaction((tx) => tx.orderCounts.fold())) === FOLDED_AT_ONCE).then(() =>
      inRounds(() => store.transaction((tx) => tx.orderCounts.splitLargest())),
    ),
    inRounds(() => store.idempotency.forgetOld(now)),
    inRounds(() => store.deliveryRecords.forgetOld()),
    inRounds(() => store.notificationQuota.forgetOld()),
    inRounds(() => store.mailbox.forgetOld()),
    inRounds(() => store.refusedMessages.forgetOld()),
    inRounds(() => store.links.forgetOld()),
  ])
  const failure = done.find(({ status }) => status === 'rejected')
  if (failure?.status === 'rejected') throw failure.reason
}

/** As long as there may be more to do. */
async function inRounds(work: () => Promise<boolean>): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) if (!(await work())) return
}
