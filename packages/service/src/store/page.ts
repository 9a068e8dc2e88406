import type { Db, Fragment } from './database.ts'

export interface PageRequest {
  limit: number
  page: number
}

export interface Page<T> {
  rows: T[]
  total: number
}

interface Parts {
  /** A statement that finds once what is costly to find, as a table for `from`. */
  found?: Fragment
  /** What there is, without order or limit. */
  from: Fragment
  order: Fragment
  /** The columns that tell the rows of the page; few, where an index can answer alone. */
  pick: Fragment
  /** A statement for each `picked` row, where more is to be shown than was picked. */
  show?: Fragment
}

/** Rows of a page and the total in one statement, so that both tell of the same moment, also past the last page. */
export async function pageOf<T>(db: Db, { limit, page }: PageRequest, parts: Parts): Promise<Page<T>> {
  const { found, from, order, pick, show = db`select picked.*` } = parts
  // The last `offset 0` keeps the planner from merging the two steps, and so from showing rows that are skipped.
  const rows = await db<(T & { total: number })[]>`
    ${found ? db`with found as materialized (${found})` : db``}
    select counted.total, entry.*
    from (select count(*)::int as total ${from}) counted
    left join lateral (
      select true as present, shown.*
      from (select ${pick} ${from} order by ${order} limit ${limit} offset ${(page - 1) * limit}) picked
      cross join lateral (${show} offset 0) shown
    ) entry on true`
  return { rows: rows.filter((row) => 'present' in row && row.present), total: rows[0]?.total ?? 0 }
}

/** A condition that holds where a folded column has the folded text in it; `%`, `_` and `\` are plain text. */
export function contains(db: Db, column: Fragment, folded: string | undefined): Fragment {
  if (folded === undefined) return db``
  // Of less than three letters in a row a trigram index knows nothing, and asking it is dearer than reading on.
  if (!/[a-z0-9]{3}/.test(folded)) return db`and position(${folded} in ${column}) > 0`
  return db`and ${column} like ${`%${folded.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`
}
