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
    await db`update sandbox_simulations set due_at = due_at - ${shift} where ${ofOrder}`
    queued()
  },
})
