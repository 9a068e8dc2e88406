import type { MatchingOptions } from '../../domain/orders/settings.ts'
import type { Search } from '../../store/matching/searches.ts'
import type { KeptAnswer } from '../../store/orders/idempotency.ts'
import type { NewOrder } from '../../store/orders/insertion.ts'
import type { Transaction } from '../../store/store.ts'
import { equivalents, firstEquivalent, searchFor, type Match } from '../matching/match.ts'
import type { Context } from '../operation.ts'

/** An order to be placed unless it is on file already. */
export interface Candidate {
  added: NewOrder
  matching: MatchingOptions
  context: Context
  /** What to keep for the key of the request, should the order be placed. */
  kept: KeptAnswer | undefined
  /** What belongs to a match, in the same transaction; false where another request holds the key. */
  matched: (match: Match, tx: Transaction) => Promise<boolean>
  /** What belongs to a new order, in the same transaction. */
  placed: ((tx: Transaction) => Promise<void>) | undefined
}

/** The match, or whether the order was placed: false where another request holds the key. */
export type Outcome = Match | boolean

/**
 * Places the order unless an equivalent one is on file; of equal orders that arrive at the same time, the first is placed.
 * Most orders are new: they are searched for and placed in batches, with one statement each. A transaction is only needed
 * where an order on file may be equivalent, for an `Idempotency-Key`, and for wide searches.
 */
export async function placeUnmatched(candidate: Candidate): Promise<Outcome> {
  const { added, matching, context, kept, placed } = candidate
  const { caller, store, now } = context
  const search = searchFor(added.order, matching, { caller, now: now() })
  if (kept || placed || search.isWide) return placeAlone(candidate, search)
  if (search.words.length === 0) return store.placeOrder(added)
  const alike = await store.findAlike(search)
  const isNew = (await equivalents(added.order, alike, matching)).length === 0
  const searched = { search, found: alike.map(({ id }) => id) }
  return (isNew && (await store.placeOrder({ ...added, searched }))) || placeAlone(candidate, search)
}

/**
 * Others that place an equal order wait at the lock, and then find what this transaction has written. Few take a connection
 * at once: those that share a blocking key would hold theirs only to wait.
 */
function placeAlone({ added, matching, context, kept, matched, placed }: Candidate, search: Search): Promise<Outcome> {
  const { caller, store } = context
  const turns = search.isWide ? store.wideSearches : store.singlePlacements
  const work = async (tx: Transaction) => {
    // Sent together and answered in order: the search runs once the lock is held.
    const [, [alike = []]] = await Promise.all([tx.alike.lock(search), tx.alike.find([search])])
    // An order that finds itself was placed by an earlier attempt whose answer was lost.
    const isPlaced = alike.some(({ id }) => id === added.order.id)
    const ids = isPlaced ? [] : await equivalents(added.order, alike, matching)
    const match = await firstEquivalent(added.order, ids, matching, { caller, tx })
    if (match) return (await matched(match, tx)) && match
    const [isWritten = false] = await tx.orders.insert([added], kept)
    if (isWritten) await placed?.(tx)
    return isWritten
  }
  return turns.run(`${caller.tenantId} ${caller.tokenId}`, () => store.transaction(work))
}
