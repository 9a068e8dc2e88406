import { concat, identifiers, sql, type Statement } from '../db/sql.ts'

/** Tables with an `order_id` whose rows may be the subject of an audit entry. */
const TABLES = ['result_reports', 'notifications', 'deliveries', 'callbacks']

/** The subjects of audit entries about orders, as rows of `order_id` and `subject_id`. `orders` selects ids as `order_id`. */
export const selectSubjects = (tenantId: string, orders: Statement): Statement => sql`
  with named as materialized (${orders})
  select order_id, order_id as subject_id from named
  union all
  select named.order_id, d.id from named cross join lateral (
    select d.id from result_reports r join documents d on d.tenant_id = r.tenant_id and d.result_id = r.id
    where r.tenant_id = ${tenantId} and r.order_id = named.order_id offset 0) d
  ${concat(TABLES.map((table) => selectFrom(table, tenantId)))}`

/** `offset 0` makes the planner look up each order by the table's index. */
const selectFrom = (table: string, tenantId: string): Statement => sql`
  union all
  select named.order_id, b.id from named cross join lateral (
    select id from ${identifiers(table)} where tenant_id = ${tenantId} and order_id = named.order_id offset 0) b`
