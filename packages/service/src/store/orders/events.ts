import type { Caller } from '../../domain/access/caller.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { Db } from '../db/db.ts'
import { sql, type Statement } from '../db/sql.ts'
import { lockCounts } from './counts.ts'
import { startOf } from './positions.ts'
import { contentColumns, openOrder, type ContentRow } from './rows.ts'
import type { Keyring } from '../sealing/keyring.ts'

/** An event with its order. */
export interface FoundEvent {
  id: string
  createdAt: Date
  order: Order
}

interface Row extends ContentRow {
  position: string
  eventId: string
  eventAt: Date
}

/** Events of all orders, in the order of their commits. */
export const events = (db: Db, keyring: Keyring) => ({
  /** The events after a position, and the position of the last one. Events that were sent again are listed again if wanted. */
  async after(
    { tenantId, companyIds }: Caller,
    from: string,
    { limit, withResends }: { limit: number; withResends: boolean },
  ) {
    const position = await startOf(db, 'event_positions', { tenantId, companyIds }, from)
    const rows = await db<Row[]>`
      with picked as (
        select p.* from unnest(${companyIds}::text[]) as company(id) cross join lateral (
          select position, event_id, order_id from event_positions
          where tenant_id = ${tenantId} and company_id = company.id and position > ${position}
            ${withResends ? sql`` : sql`and not is_resend`}
          order by position limit ${limit}) p
        order by p.position limit ${limit})
      select p.position::text, e.id as event_id, e.created_at as event_at, o.*
      from picked p
      cross join lateral (
        select id, created_at from events where tenant_id = ${tenantId} and id = p.event_id limit 1) e
      cross join lateral (
        select ${contentColumns()} from orders where tenant_id = ${tenantId} and id = p.order_id limit 1) o
      order by p.position`
    const { total } = await db.only<{ total: number }>`
      select coalesce(sum(n), 0)::int as total from event_counts
      where tenant_id = ${tenantId} and company_id = any(${companyIds})`
    return {
      rows: rows.map((row): FoundEvent => ({
        id: row.eventId,
        createdAt: row.eventAt,
        order: openOrder(keyring, tenantId, row),
      })),
      total,
      position: rows.at(-1)?.position ?? position,
    }
  },
})

/**
 * Deletes events, and takes them off the list of all events. Must run in a transaction, as late as possible: nothing is folded until
 * it ends. Orders are locked before events, and events before deliveries, so that transactions cannot deadlock.
 */
export async function removeEvents(db: Db, tenantId: string, condition: Statement): Promise<number> {
  const gone = await lockEvents(db, tenantId, condition)
  if (gone.length === 0) return 0
  // Events get their positions under this lock: none may get one while it is removed.
  await lockCounts(db)
  await db`delete from events where tenant_id = ${tenantId} and id = any(${gone.map(({ id }) => id)})`
  await db`
    with unlisted as (
      delete from event_positions p
      using unnest(${gone.map(({ orderId }) => orderId)}::text[], ${gone.map(({ id }) => id)}::text[]) as gone (order_id, id)
      where p.tenant_id = ${tenantId} and p.order_id = gone.order_id and p.event_id = gone.id
      returning p.company_id, p.is_resend)
    update event_counts c set n = c.n - unlisted.n
    from (select company_id, count(*) as n from unlisted where not is_resend group by 1) unlisted
    where c.tenant_id = ${tenantId} and c.company_id = unlisted.company_id`
  return gone.length
}

export const lockEvents = (db: Db, tenantId: string, condition: Statement) => db<{ orderId: string; id: string }[]>`
  select order_id, id from events where tenant_id = ${tenantId} and ${condition} for update`
