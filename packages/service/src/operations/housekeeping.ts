import type { Store } from '../store/store.ts'

/** Rounds of folding, or of forgetting, in one go; what is left then waits for the next. */
const ROUNDS = 50

/** What has to be done every second or so, by any node: several may try at once. */
export async function keepHouse(store: Store, now: Date): Promise<void> {
  await foldCounts(store)
  await store.idempotency.forgetOld(now)
  for (let round = 0; round < ROUNDS; round++) {
    const isMore = await store.deliveryRecords.forgetOld()
    if (!isMore) break
  }
}

async function foldCounts(store: Store): Promise<void> {
  for (let round = 0; round < ROUNDS; round++) {
    const folded = await store.transaction((tx) => tx.orderCounts.fold())
    if (folded > 0) continue
    const isSplit = await store.transaction((tx) => tx.orderCounts.splitLargest())
    if (!isSplit) break
  }
}
