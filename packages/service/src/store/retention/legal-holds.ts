import type { Db } from '../db/db.ts'
import { sql, type Statement } from '../db/sql.ts'

export interface LegalHold {
  orderId: string
  code: string
  placedAt: Date
  /** The audit entry that says who placed it, and why. */
  entryId: string
}

/** Orders of which nothing is deleted. */
export const legalHolds = (db: Db) => ({
  list: (tenantId: string) => db<LegalHold[]>`
    select h.order_id, o.code, h.placed_at, h.entry_id from legal_holds h
    join orders o on o.tenant_id = h.tenant_id and o.id = h.order_id
    where h.tenant_id = ${tenantId} order by h.placed_at, h.order_id`,

  /** Of these orders, those that are held. */
  async among(tenantId: string, orderIds: readonly string[]): Promise<Set<string>> {
    const rows = await db<{ orderId: string }[]>`
      select order_id from legal_holds where tenant_id = ${tenantId} and order_id = any(${orderIds})`
    return new Set(rows.map(({ orderId }) => orderId))
  },

  /** Holds an order that this transaction has locked, and that is not held. */
  async place(tenantId: string, orderId: string, { at, entryId }: { at: Date; entryId: string }): Promise<void> {
    await db`
      insert into legal_holds (tenant_id, order_id, placed_at, entry_id)
      values (${tenantId}, ${orderId}, ${at}, ${entryId})`
  },

  /** False where the order was not held. */
  async release(tenantId: string, orderId: string): Promise<boolean> {
    return (await db.count`delete from legal_holds where tenant_id = ${tenantId} and order_id = ${orderId}`) > 0
  },
})

/** Whether an order is held, as a condition of a statement. */
export const isHeld = (tenantId: string, orderId: Statement): Statement =>
  sql`exists (select from legal_holds h where h.tenant_id = ${tenantId} and h.order_id = ${orderId})`
