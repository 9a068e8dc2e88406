import { sql, type Statement } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { columnsOf } from '../db/arrays.ts'
import { changingValues, givenOrders, type WrittenOrder } from './columns.ts'

/** One statement for any number of orders. They must be locked, since their counts follow from the previous rows. */
export function updateStatement(keyring: Keyring, changed: WrittenOrder[]): Statement {
  const column = columnsOf(changed)
  return sql`
    with given as (
      select tenant_id, id, ${changingValues()}
      from ${givenOrders(keyring, changed, {
        names: sql`tenant_id, id`,
        lists: sql`${column(({ tenantId }) => tenantId)}::text[], ${column(({ order }) => order.id)}::text[]`,
      })}),
    before as (
      select o.tenant_id, o.company_id, o.location_id, o.id, o.status, o.updated_at
      from orders o join given g on o.tenant_id = g.tenant_id and o.id = g.id),
    changed as (
      update orders o set status = g.status, updated_at = g.updated_at, expires_at = g.expires_at, due_at = g.due_at,
        awaited_clinic_id = g.awaited_clinic_id, appointment_at = g.appointment_at, specimen_keys = g.specimen_keys, blocking_keys = g.blocking_keys,
        sealed_answer = g.sealed_answer, sealed_content = g.sealed_content,
        -- Plain text of earlier builds.
        head = null, participant = null, identifiers = null, content = null, specimen_ids = '{}'
      from given g where o.tenant_id = g.tenant_id and o.id = g.id)
    insert into order_changes (tenant_id, company_id, location_id, order_id, old_status, new_status, old_updated_at, new_updated_at)
    select b.tenant_id, b.company_id, b.location_id, b.id, b.status, g.status, b.updated_at, g.updated_at
    from before b join given g on b.tenant_id = g.tenant_id and b.id = g.id
    where (b.status, b.updated_at) is distinct from (g.status, g.updated_at)`
}
