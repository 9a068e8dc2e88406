import { isWide } from '../domain/match-gates.ts'
import type { MatchingOptions } from '../domain/order-settings.ts'
import type { Search } from '../store/alike.ts'
import type { KeptAnswer } from '../store/idempotency.ts'
import type { NewOrder } from '../store/order-insertion.ts'
import type { Transaction } from '../store/store.ts'
import { equivalents, firstEquivalent, searchFor, type Match } from './match-order.ts'
import type { Context } from './operation.ts'

/** An order to be placed unless it is on file already. */
export interface Candidate {
  added: NewOrder
  matching: MatchingOptions
  context: Context
  /** What to keep for the key of the request, should the order be placed. */
  kept: KeptAnswer | undefined
  /** What belongs to a match, in the same transaction; false where another request holds the key. */
  matched: (match: Match, tx: Transaction) => Promise<boolean>
}

/** The match, or whether the order was placed: false where another request holds the key. */
export type Outcome = Match | boolean

/**
 * Places the order, unless it is on file: of equal ones that come at the same time, the first is placed. Most are new, and
 * are searched for and placed with others, in one statement each; only what may be on file takes a transaction of its own.
 */
export async function placeUnmatched(candidate: Candidate): Promise<Outcome> {
  const { added, matching, context, kept } = candidate
  const { caller, store, now } = context
  const search = searchFor(added.order, matching, { caller, now: now() })
  // Who looks through all behind a gate keeps nobody else waiting.
  if (kept || isWide(matching.minScore)) return placeAlone(candidate, search)
  if (search.words.length === 0) return store.placeOrder(added)
  const alike = await store.findAlike(search)
  const isNew = equivalents(added.order, alike, matching).length === 0
  const searched = { search, found: alike.map(({ id }) => id) }
  return (isNew && (await store.placeOrder({ ...added, searched }))) || placeAlone(candidate, search)
}

/** Others who want to place the same order wait at the lock, and then find what this transaction has written. */
function placeAlone({ added, matching, context, kept, matched }: Candidate, search: Search): Promise<Outcome> {
  const { caller, store } = context
  return store.transaction(async (tx) => {
    // Sent together, one after the other: what is found is found behind the lock.
    const [, [alike = []]] = await Promise.all([tx.alike.lock(search), tx.alike.find([search])])
    // Found itself, it was placed by a try whose answer was lost.
    const isPlaced = alike.some(({ id }) => id === added.order.id)
    const match = isPlaced
      ? undefined
      : await firstEquivalent(added.order, equivalents(added.order, alike, matching), matching, { caller, tx })
    if (match) return (await matched(match, tx)) && match
    const [isWritten = false] = await tx.orders.insert([added], kept)
    return isWritten
  })
}
