import type { Caller } from '../domain/caller.ts'
import type { Order } from '../domain/orders.ts'
import type { Db } from './db/db.ts'
import { sql, type Statement } from './db/sql.ts'
import type { Keyring } from './keyring.ts'
import { arrayText, columnsOf } from './lists.ts'
import { openOrder, openParticipant, type ReadyOrder, type WholeOrder } from './order-rows.ts'

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

/** How many orders a search finds at most. The narrow bound is also that of `orders_overtaken` in the migrations. */
export const MOST_ALIKE = { narrow: 50, wide: 200 }

/** A search that has been made, and the orders that it found. */
export interface Searched {
  search: Search
  found: string[]
}

/** An order on file, as far as a new one is compared with it. */
export interface Alike {
  id: string
  person: Order['participant']
  /** Only for the profile that asks for them. */
  source: string | null
  testReason: string | null
}

interface AlikeRow extends Omit<ReadyOrder, 'head'>, Pick<WholeOrder, 'sealedContent' | 'content'> {
  place: number
  identifiers: Buffer | null
}

/** Orders on file that new ones may repeat. */
export const alike = (db: Db, keyring: Keyring) => ({
  /** Keeps other creates for the same people and purposes waiting until this transaction has ended. */
  async lock(search: Search): Promise<void> {
    await db`select count(*) from (select pg_advisory_xact_lock(key) from unnest(${locksOf(keyring, [search])}::bigint[]) as key offset 0) locked`
  },

  /** For each search the orders that share a blocking key with it, newest first, with what is compared of them. */
  async find(searches: Search[]): Promise<Alike[][]> {
    const rows = await db<AlikeRow[]>`
      select s.place::int, o.id, o.sealed_answer, o.participant, o.identifiers,
        case when s.profile <> 'standard' then o.sealed_content end as sealed_content,
        case when s.profile <> 'standard' then o.content end as content
      from unnest(${lists(keyring, searches)}, ${searches.map(({ isWide }) => MOST_ALIKE[isWide ? 'wide' : 'narrow'])}::int[])
        with ordinality as s (tenant_id, company_ids, keys, since, at, profile, most, place)
      cross join lateral orders_alike(s.tenant_id, s.company_ids::text[], s.keys::bigint[], s.since::timestamptz,
        s.at::timestamptz, s.profile, s.most) o
      order by s.place, o.id desc`
    const found = searches.map((): Alike[] => [])
    for (const { place, ...row } of rows) {
      const { tenantId } = searches[place - 1]!.caller
      const whole = row.sealedContent || row.content ? openOrder(keyring, tenantId, row) : null
      found[place - 1]!.push({
        id: row.id,
        source: whole?.source ?? null,
        testReason: whole?.testReason ?? null,
        person: JSON.parse(openParticipant(keyring, tenantId, row)) as Alike['person'],
      })
    }
    return found
  },
})

/**
 * The ids of new orders that somebody else has placed one like since it was searched for, as a part of the statement
 * that places them: whoever wants to place another like them waits from here until it has ended.
 */
export function overtaken(keyring: Keyring, all: (Searched & { id: string })[]): Statement {
  const column = columnsOf(all)
  const searches = all.map(({ search }) => search)
  return sql`
    select id from orders_overtaken(${locksOf(keyring, searches)}::bigint[],
      ${column(({ id }) => id)}::text[],
      ${column(({ found }) => arrayText(found))}::text[],
      ${lists(keyring, searches)}) as id`
}

/** One list for each of what the searches say. */
function lists(keyring: Keyring, searches: Search[]): Statement {
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
