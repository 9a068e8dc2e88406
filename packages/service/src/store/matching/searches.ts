import type { Caller } from '../../domain/access/caller.ts'
import { arrayText } from '../db/arrays.ts'
import type { Db } from '../db/db.ts'
import { sql, type Statement } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'

/** A search for the orders that share one of these blocking keys with a new order. */
export interface Search {
  caller: Caller
  blockingKeys: string[]
  since: Date
  now: Date
  profile: string
  /** Whether the blocking keys include the one that all orders with the same purpose share. */
  isWide: boolean
}

/** The most candidates that a search finds. `find_overtaken` in the migrations has the narrow limit too. */
export const MOST_CANDIDATES = { narrow: 50, wide: 200 }

/** A completed search, and the ids of the orders that it found. */
export interface CompletedSearch {
  search: Search
  found: string[]
}

/** Makes other creates for the same people and purposes wait until this transaction ends. */
export async function lockSearch(db: Db, keyring: Keyring, search: Search): Promise<void> {
  await db`select count(*) from (select pg_advisory_xact_lock(key) from unnest(${locksOf(keyring, [search])}::bigint[]) as key offset 0) locked`
}

/**
 * Selects the ids of new orders for which another candidate was placed after their search, as part of the statement that
 * places them. It takes the locks of `lockSearch`, which are held until that statement ends.
 */
export function selectWithNewCandidates(keyring: Keyring, searched: (CompletedSearch & { id: string })[]): Statement {
  const searches = searched.map(({ search }) => search)
  return sql`
    select id from find_overtaken(${locksOf(keyring, searches)}::bigint[],
      ${searched.map(({ id }) => id)}::text[],
      ${searched.map(({ found }) => arrayText(found))}::text[],
      ${listsOf(keyring, searches)}) as id`
}

/** The searches as one array for each of their members. */
export const listsOf = (keyring: Keyring, searches: Search[]): Statement => sql`
  ${searches.map(({ caller }) => caller.tenantId)}::text[],
  ${searches.map(({ caller }) => arrayText(caller.companyIds))}::text[],
  ${searches.map((search) => arrayText(hashKeys(keyring, search).map(String)))}::text[],
  ${searches.map(({ since }) => since)}::text[],
  ${searches.map(({ now }) => now)}::text[],
  ${searches.map(({ profile }) => profile)}::text[]`

/** Sorted, so that transactions take their locks in the same order and cannot deadlock. */
const locksOf = (keyring: Keyring, searches: Search[]) =>
  searches
    .flatMap((search) => hashKeys(keyring, search))
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map(String)

/** Under every key of the keyring: during a rotation, nodes differ in which one is current. */
const hashKeys = (keyring: Keyring, { caller, blockingKeys }: Search) =>
  blockingKeys.flatMap((key) => keyring.hashes(`${caller.tenantId} ${key}`))
