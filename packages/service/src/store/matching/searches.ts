import type { Caller } from '../../domain/access/caller.ts'
import { arrayText, columnsOf } from '../db/arrays.ts'
import type { Db } from '../db/db.ts'
import { sql, type Statement } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'

/** What a new order is compared with: orders that share one of these blocking keys. */
export interface Search {
  caller: Caller
  words: string[]
  since: Date
  now: Date
  profile: string
  /** Whether the keys include the one that all orders for the same purpose share. */
  isWide: boolean
}

/** How many orders a search finds at most. The narrow bound is also that of `find_overtaken` in the migrations. */
export const MOST_ALIKE = { narrow: 50, wide: 200 }

/** A search that has been made, and the orders that it found. */
export interface Searched {
  search: Search
  found: string[]
}

/** Keeps other creates for the same people and purposes waiting until this transaction has ended. */
export async function lockSearch(db: Db, keyring: Keyring, search: Search): Promise<void> {
  await db`select count(*) from (select pg_advisory_xact_lock(key) from unnest(${locksOf(keyring, [search])}::bigint[]) as key offset 0) locked`
}

/**
 * The ids of new orders that somebody else has placed one like since it was searched for, as a part of the statement
 * that places them: whoever wants to place another like them waits from here until it has ended.
 */
export function overtaken(keyring: Keyring, all: (Searched & { id: string })[]): Statement {
  const column = columnsOf(all)
  const searches = all.map(({ search }) => search)
  return sql`
    select id from find_overtaken(${locksOf(keyring, searches)}::bigint[],
      ${column(({ id }) => id)}::text[],
      ${column(({ found }) => arrayText(found))}::text[],
      ${listsOf(keyring, searches)}) as id`
}

/** The searches as one array for each of their members. */
export function listsOf(keyring: Keyring, searches: Search[]): Statement {
  const column = columnsOf(searches)
  return sql`
    ${column(({ caller }) => caller.tenantId)}::text[],
    ${column(({ caller }) => arrayText(caller.companyIds))}::text[],
    ${column((search) => arrayText(keysOf(keyring, search).map(String)))}::text[],
    ${column(({ since }) => since)}::text[],
    ${column(({ now }) => now)}::text[],
    ${column(({ profile }) => profile)}::text[]`
}

/** All in the same order, so that nobody waits for someone who waits for him. */
const locksOf = (keyring: Keyring, searches: Search[]) =>
  searches
    .flatMap((search) => keysOf(keyring, search))
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map(String)

/** Under every key: other nodes may already have another current one, or not yet. */
const keysOf = (keyring: Keyring, { caller, words }: Search) =>
  words.flatMap((word) => keyring.hashes(`${caller.tenantId} ${word}`))
