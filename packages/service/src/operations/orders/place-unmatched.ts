import { partyOf } from '../../domain/access/caller.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { MatchingOptions } from '../../domain/orders/settings.ts'
import type { Search } from '../../store/matching/searches.ts'
import type { SavedResponse } from '../../store/orders/idempotency.ts'
import type { NewOrder } from '../../store/orders/insertion.ts'
import type { Transaction } from '../../store/store.ts'
import { composeSearch, findEquivalents, firstEquivalent, type Match } from '../matching/match.ts'
import type { Context } from '../operation.ts'

/** An order to place unless an equivalent one is on file. */
export interface UnmatchedOrder {
  added: NewOrder
  matching: MatchingOptions
  context: Context
  /** The response to save for the idempotency key if the order is placed. */
  response: SavedResponse | undefined
  /** Runs in the transaction of a match; returns false if another request has the idempotency key. */
  onMatch: (match: Match, tx: Transaction) => Promise<boolean>
  /** Runs in the transaction that places the order. */
  onPlaced: ((tx: Transaction) => Promise<void>) | undefined
}

/** The match, or whether the order was placed: false if another request has the idempotency key. */
export type Outcome = Match | boolean

/**
 * Places the order unless an equivalent one is on file. Of equivalent orders that arrive at the same time, the first is
 * placed. Most orders are new: they are searched for and placed in batches, one statement each. A transaction is needed only
 * if there may be an equivalent order, for an `Idempotency-Key`, and for wide searches.
 */
export async function placeUnmatched(unmatched: UnmatchedOrder): Promise<Outcome> {
  const { added, matching, context, response, onPlaced } = unmatched
  const { caller, store, now } = context
  const search = composeSearch(added.order, matching, { caller, now: now() })
  if (response || onPlaced || search.isWide) return placeAlone(unmatched, search)
  if (search.blockingKeys.length === 0) return store.placeOrder(added)
  const candidates = await store.findMatchCandidates(search)
  const isNew = (await findEquivalents(added.order, candidates, matching)).length === 0
  const searched = { search, found: candidates.map(({ id }) => id) }
  return (isNew && (await store.placeOrder({ ...added, searched }))) || placeAlone(unmatched, search)
}

/**
 * Creates of equivalent orders wait at the lock, and then find what this transaction has written. Few of them take a
 * connection at once: those that share a blocking key would hold theirs only to wait.
 */
function placeAlone(
  { added, matching, context, response, onMatch, onPlaced }: UnmatchedOrder,
  search: Search,
): Promise<Outcome> {
  const { caller, store } = context
  const turns = search.isWide ? store.wideSearches : store.singlePlacements
  const work = async (tx: Transaction) => {
    // Both statements are sent at once and run in order, so the search runs with the lock held.
    const [, [candidates = []]] = await Promise.all([
      tx.matchCandidates.lock(search),
      tx.matchCandidates.find([search]),
    ])
    // An order that finds itself was placed by an earlier try whose reply was lost.
    const isPlaced = candidates.some(({ id }) => id === added.order.id)
    const ids = isPlaced ? [] : await findEquivalents(added.order, candidates, matching)
    const match = await firstEquivalent(added.order, ids, matching, (id) => tx.orders.lockVisible(caller, id))
    if (match) return (await onMatch(match, tx)) && match
    const [isWritten = false] = await tx.orders.insert([added], response)
    if (isWritten) await onPlaced?.(tx)
    return isWritten
  }
  return turns.run(partyOf(caller), () => store.transaction(work))
}

/** The order on file that a create would return. Nothing is locked, so another request may change the answer at any time. */
export async function findMatch(order: Order, matching: MatchingOptions, context: Context): Promise<Match | undefined> {
  const { caller, store, now } = context
  const search = composeSearch(order, matching, { caller, now: now() })
  if (search.blockingKeys.length === 0) return undefined
  const candidates = search.isWide
    ? await store.wideSearches.run(partyOf(caller), async () => (await store.matchCandidates.find([search]))[0]!)
    : await store.findMatchCandidates(search)
  const ids = await findEquivalents(order, candidates, matching)
  return firstEquivalent(order, ids, matching, (id) => store.orders.findVisible(caller, { id }))
}
