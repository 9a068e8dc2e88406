import type { Db, Fragment } from './database.ts'

export interface PageRequest {
  limit: number
  page: number
}

export interface Page<T> {
  rows: T[]
  total: number
}

/** Rows of a page and the total in one statement, so that both tell of the same moment, also past the last page. */
export async function pageOf<T>(
  db: Db,
  { limit, page }: PageRequest,
  parts: { select: Fragment; from: Fragment; order: Fragment },
): Promise<Page<T>> {
  const rows = await db<(T & { total: number })[]>`
    select counted.total, entry.*
    from (select count(*)::int as total ${parts.from}) counted
    left join lateral (
      select true as present, ${parts.select} ${parts.from} order by ${parts.order}
      limit ${limit} offset ${(page - 1) * limit}
    ) entry on true`
  return { rows: rows.filter((row) => 'present' in row && row.present), total: rows[0]?.total ?? 0 }
}

/** A condition that holds where a folded column has the folded text in it; `%`, `_` and `\` are plain text. */
export function contains(db: Db, column: Fragment, folded: string | undefined): Fragment {
  if (folded === undefined) return db``
  return db`and ${column} like ${`%${folded.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`}`
}
