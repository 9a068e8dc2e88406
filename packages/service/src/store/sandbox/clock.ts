import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'

/** Moves what waits for its time around an order. The times of the order itself are part of it. */
export const sandboxClock = (db: Db, queued: () => void) => ({
  async advance({ tenantId, orderId }: { tenantId: string; orderId: string }, ms: number): Promise<void> {
    const ofOrder = sql`tenant_id = ${tenantId} and order_id = ${orderId}`
    const shift = sql`${ms}::float8 * interval '1 millisecond'`
    // A reminder refers to a time of the order, which moves as far.
    await db`
      update notifications set due_at = due_at - ${shift}, refers_to = refers_to - ${shift}
      where ${ofOrder} and state = 'waiting'`
    await db`update deliveries set due_at = due_at - ${shift} where ${ofOrder} and state in ('waiting', 'held')`
    // Breaks pass in real time, so their receivers are probed at once. A probe in flight is left alone.
    await db`
      update receivers r set open_until = least(r.open_until, date_trunc('milliseconds', now()))
      where r.open_until is not null and r.probed_at is null and (r.tenant_id, r.origin) in (
        select tenant_id, origin from deliveries
        where ${ofOrder} and state in ('waiting', 'held') and due_at <= now())`
    await db`update sandbox_simulations set due_at = due_at - ${shift} where ${ofOrder}`
    queued()
  },
})
