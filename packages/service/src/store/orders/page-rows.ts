import type { Page } from '../db/page.ts'
import { sql, type Statement } from '../db/sql.ts'
import type { Scope } from './kept-lists.ts'
import type { SealedRow } from './views.ts'

/** Without a total if the lists of the tenant cannot be used. */
export type PageRow = SealedRow & { total: number | null; present: boolean | null }

/** The picked orders and the total in one result, which has a row with the total even if the page is empty. */
export const selectPage = ({ tenantId, columns }: Scope, total: Statement) => sql`
  select counted.total, shown.*
  from (select ${total} as total) counted
  left join lateral (
    select true as present, o.* from picked cross join lateral (
      -- 'offset 0' keeps the planner from joining by a scan of all orders.
      select ${columns} from orders
      where tenant_id = ${tenantId} and id = picked.id offset 0) o
    order by o.id desc
  ) shown on true`

export const toPage = (rows: PageRow[]): Page<SealedRow> | undefined => {
  const total = rows[0]!.total
  return total === null ? undefined : { rows: rows.filter((row) => row.present), total }
}
