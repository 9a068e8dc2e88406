import type { TroubleKind } from '@order-testing/contract'
import type { Db } from '../db/db.ts'

/** A delivery that was held back is sent this long after the event that overtakes it. */
const RELEASED_AFTER_SECONDS = 2

export interface OrderKey {
  tenantId: string
  orderId: string
}

/** Trouble for the next event of an order. A row with an event has been used: that event waits to be overtaken. */
export const troubles = (db: Db) => ({
  /** Arms trouble, in place of what was armed before. */
  async arm({ tenantId, orderId }: OrderKey, kind: TroubleKind, at: Date): Promise<void> {
    await db`
      insert into sandbox_troubles (tenant_id, order_id, kind, armed_at) values (${tenantId}, ${orderId}, ${kind}, ${at})
      on conflict (tenant_id, order_id) do update
        set kind = excluded.kind, armed_at = excluded.armed_at, event_id = null`
  },

  /** Uses up the trouble of the order. Deliveries that the event overtakes follow it. */
  async use({ tenantId, orderId, id }: OrderKey & { id: string }): Promise<void> {
    await db`
      with used as (
        delete from sandbox_troubles
        where tenant_id = ${tenantId} and order_id = ${orderId} and (kind <> 'reorder' or event_id is not null)
        returning event_id),
      held as (
        update sandbox_troubles set event_id = ${id}
        where tenant_id = ${tenantId} and order_id = ${orderId} and kind = 'reorder' and event_id is null)
      update deliveries d set due_at = now() + ${RELEASED_AFTER_SECONDS}::float8 * interval '1 second'
      from used where d.tenant_id = ${tenantId} and d.order_id = ${orderId} and d.event_id = used.event_id
        and d.state = 'waiting' and d.attempts = 0`
  },
})
