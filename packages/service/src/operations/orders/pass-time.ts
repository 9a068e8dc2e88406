import { elapse } from '../../domain/orders/life.ts'
import type { Store } from '../../store/store.ts'
import { changeOrders } from './change.ts'
import type { Random } from '../operation.ts'

/** Few enough that nobody waits for the locks: a create never does, and a cancel for some milliseconds. */
const AT_ONCE = 50

/**
 * Lets orders expire and bookings be missed whose time has come by the database's clock. Any number of workers may:
 * each takes what no other holds. Tells whether there may be more.
 */
export async function passTime(store: Store, random: Random): Promise<boolean> {
  try {
    return await passFor(AT_ONCE, store, random)
  } catch (error) {
    // One that cannot be read must not hold up the others: it is put off, and the rest goes one by one.
    for (let each = 0; each < AT_ONCE; each++) {
      await passFor(1, store, random).catch(() => store.orders.putOffDue())
    }
    throw error
  }
}

function passFor(most: number, store: Store, random: Random): Promise<boolean> {
  return store.transaction(async (tx) => {
    const due = await tx.orders.lockDue(most)
    const changes = due.map(({ tenantId, order, now }) => ({ tenantId, before: order, after: elapse(order, now) }))
    if (changes.length > 0) await changeOrders(changes, tx, random)
    return due.length === most
  })
}
