import type { Db } from '../db/db.ts'
import { sql, type Statement } from '../db/sql.ts'

export interface LegalHold {
  orderId: string
  code: string
  placedAt: Date
  /** The audit entry with the user and the reason. */
  entryId: string
}

/** Orders under a legal hold, of which nothing may be deleted. */
export const legalHolds = (db: Db) => ({
  list: (tenantId: string) => db<LegalHold[]>`
    select h.order_id, o.code, h.placed_at, h.entry_id from legal_holds h
    join orders o on o.tenant_id = h.tenant_id and o.id = h.order_id
    where h.tenant_id = ${tenantId} order by h.placed_at, h.order_id`,

  /** Returns those of the orders that are on legal hold. */
  async findHeld(tenantId: string, orderIds: readonly string[]): Promise<Set<string>> {
    return new Set(
      await db.values`select order_id from legal_holds where tenant_id = ${tenantId} and order_id = any(${orderIds})`,
    )
  },

  /** Places a hold on an order that this transaction has locked and that has none. */
  async place(tenantId: string, orderId: string, { at, entryId }: { at: Date; entryId: string }): Promise<void> {
    await db`
      insert into legal_holds (tenant_id, order_id, placed_at, entry_id)
      values (${tenantId}, ${orderId}, ${at}, ${entryId})`
  },

  /** Returns false if the order was not on hold. */
  async release(tenantId: string, orderId: string): Promise<boolean> {
    return (await db.count`delete from legal_holds where tenant_id = ${tenantId} and order_id = ${orderId}`) > 0
  },
})

/** The SQL condition that an order is on legal hold. */
export const isOnLegalHold = (tenantId: string, orderId: Statement): Statement =>
  sql`exists (select from legal_holds h where h.tenant_id = ${tenantId} and h.order_id = ${orderId})`
