import { fold } from '../../domain/text.ts'
import type { Db } from './db.ts'
import { sql, type Statement } from './sql.ts'

export interface PageRequest {
  limit: number
  page: number
}

/** Optional conditions of a list. */
export type Filter<Names extends string, Value = string> = { [Name in Names]?: Value | undefined }

export interface Page<T> {
  rows: T[]
  total: number
}

/** Totals of lists that may be too long to count are counted up to here. */
export const COUNTED = 100_000

/** A page of a list that may be too long to count. */
export interface BoundedPage<T> extends Page<T> {
  /** Whether there are more rows than `total`, which is counted up to a limit. */
  isMore: boolean
}

interface Parts {
  /** A statement for an expensive search, materialized as `found` for use in `from`. */
  found?: Statement
  /** The FROM and WHERE clauses. */
  from: Statement
  order: Statement
  /** Columns that identify the rows of the page; few enough for an index-only scan where possible. */
  pick: Statement
  /** A statement per `picked` row that reads further columns. */
  show?: Statement
  /** The limit of the total; absent to count all. */
  counted?: number
}

/** Reads the rows of a page and the total in one statement, so that both are of the same moment, even past the last page. */
export async function pageOf<T>(db: Db, { limit, page }: PageRequest, parts: Parts): Promise<BoundedPage<T>> {
  const { found, from, order, pick, show = sql`select picked.*`, counted } = parts
  const all = counted === undefined ? from : sql`from (select ${from} limit ${counted + 1}) bounded`
  // The last `offset 0` keeps the planner from merging the two steps, which would read `show` for skipped rows too.
  const rows = await db<(T & { total: number })[]>`
    ${found ? sql`with found as materialized (${found})` : sql``}
    select counted.total, entry.*
    from (select count(*)::int as total ${all}) counted
    left join lateral (
      select true as present, shown.*
      from (select ${pick} ${from} order by ${order} limit ${limit} offset ${(page - 1) * limit}) picked
      cross join lateral (${show} offset 0) shown
    ) entry on true`
  const total = rows[0]?.total ?? 0
  return {
    rows: rows.filter((row) => 'present' in row && row.present),
    total: Math.min(total, counted ?? total),
    isMore: total > (counted ?? total),
  }
}

/** A condition that a folded column contains a text, if given; `%`, `_` and `\` are literal. */
export function contains(column: Statement, text: string | undefined): Statement {
  if (text === undefined) return sql``
  const folded = fold(text)
  // A trigram index cannot help with fewer than three characters, and would cost more than a scan.
  if (!/[a-z0-9]{3}/.test(folded)) return sql`and position(${folded} in ${column}) > 0`
  return sql`and ${column} like ${`%${folded.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`
}
