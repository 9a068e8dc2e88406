import type { MatchingOptions } from '../domain/order-settings.ts'
import { Batches } from '../store/batches.ts'
import type { KeptAnswer } from '../store/idempotency.ts'
import type { NewOrder } from '../store/order-insertion.ts'
import type { Search } from '../store/orders.ts'
import type { Store, Transaction } from '../store/store.ts'
import { bestMatch, searchFor, type Match } from './match-order.ts'
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

/** A transaction each, of several turns: worth waiting a moment for more to share it. */
const BATCH = { most: 32, atOnce: 2, lingerMs: 3, pick: withoutSharedWords }

/** Those of each store that wait to be placed together. */
const waiting = new WeakMap<Store, Batches<Searching, Outcome>>()

/** Places the order, unless it is on file: of equal ones that come at the same time, the first is placed. */
export async function placeUnmatched(candidate: Candidate): Promise<Outcome> {
  const { added, matching, context, kept } = candidate
  const { caller, store, now } = context
  const search = searchFor(added.order, matching, { caller, now: now() })
  const searching = { ...candidate, search }
  if (kept) return (await placeTogether([searching], store))[0]!
  if (search.words.length === 0) return store.placeOrder(added)
  const batches = waiting.get(store) ?? new Batches((all) => placeTogether(all, store), BATCH)
  waiting.set(store, batches)
  return batches.add(searching)
}

type Searching = Candidate & { search: Search }

/** Those that could be for the same person and purpose go one after the other, all others together. */
function withoutSharedWords(all: Searching[]): Searching[] {
  const taken = new Set<string>()
  return all.filter(({ search: { caller, words } }) => {
    const keys = words.map((word) => `${caller.tenantId} ${word}`)
    if (keys.some((key) => taken.has(key))) return false
    for (const key of keys) taken.add(key)
    return true
  })
}

/** Others who want to place the same orders wait at the lock, and then find what this transaction has written. */
function placeTogether(all: Searching[], store: Store): Promise<Outcome[]> {
  return store.transaction(async (tx) => {
    const searches = all.map(({ search }) => search)
    // Sent together, one after the other: what is found is found behind the lock.
    const [, alike] = await Promise.all([tx.orders.lockWords(searches), tx.orders.findAlike(searches)])
    const matches: (Match | undefined)[] = []
    for (const [i, { added, matching, context }] of all.entries()) {
      const { caller } = context
      // Found itself, an order was placed by a try whose answer was lost.
      const others = alike[i]!.filter(({ id }) => id !== added.order.id)
      matches.push(
        others.length < alike[i]!.length ? undefined : await bestMatch(added.order, others, matching, { caller, tx }),
      )
    }
    const fresh = all.filter((_, i) => !matches[i])
    const added = fresh.map((each) => each.added)
    // A key is only ever among these when it is alone.
    const isPlaced = added.length > 0 && (await tx.orders.insert(added, fresh[0]!.kept))
    const outcomes: Outcome[] = []
    for (const [i, { matched }] of all.entries()) {
      const match = matches[i]
      outcomes.push(match ? (await matched(match, tx)) && match : isPlaced)
    }
    return outcomes
  })
}
