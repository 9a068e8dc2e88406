import type { Db } from './db.ts'
import { sql, type Statement } from './sql.ts'

export interface PageRequest {
  limit: number
  page: number
}

export interface Page<T> {
  rows: T[]
  total: number
}

/** A page of what there may be too much of to count it all. */
export interface BoundedPage<T> extends Page<T> {
  /** Whether there are more than the total says: it is counted no further than a limit. */
  isMore: boolean
}

interface Parts {
  /** A statement that finds once what is costly to find, as a table for `from`. */
  found?: Statement
  /** What there is, without order or limit. */
  from: Statement
  order: Statement
  /** The columns that tell the rows of the page; few, where an index can answer alone. */
  pick: Statement
  /** A statement for each `picked` row, where more is to be shown than was picked. */
  show?: Statement
  /** Up to which number they are counted, where that is not all of them. */
  counted?: number
}

/** Rows of a page and the total in one statement, so that both tell of the same moment, also past the last page. */
export async function pageOf<T>(db: Db, { limit, page }: PageRequest, parts: Parts): Promise<BoundedPage<T>> {
  const { found, from, order, pick, show = sql`select picked.*`, counted } = parts
  const all = counted === undefined ? from : sql`from (select ${from} limit ${counted + 1}) bounded`
  // The last `offset 0` keeps the planner from merging the two steps, and so from showing rows that are skipped.
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

/** A condition that holds where a folded column has the folded text in it; `%`, `_` and `\` are plain text. */
export function contains(column: Statement, folded: string | undefined): Statement {
  if (folded === undefined) return sql``
  // Of less than three letters in a row a trigram index knows nothing, and asking it is dearer than reading on.
  if (!/[a-z0-9]{3}/.test(folded)) return sql`and position(${folded} in ${column}) > 0`
  return sql`and ${column} like ${`%${folded.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`
}
