import { elapse } from '../../domain/orders/life.ts'
import { Unavailable } from '../../store/db/errors.ts'
import type { DueName } from '../../store/orders/orders.ts'
import type { Store } from '../../store/store.ts'
import type { Random } from '../operation.ts'
import { changeOrders } from './change.ts'

/** Small enough that a request hardly waits for the locks: a create never does, a cancellation some milliseconds. */
const AT_ONCE = 50

/**
 * Expires orders and marks missed bookings whose time has passed by the database's clock. Workers may run it concurrently: each
 * takes orders that no other has locked. Returns whether there may be more.
 */
export async function applyDueChanges(store: Store, random: Random): Promise<boolean> {
  try {
    return await applyBatch({ most: AT_ONCE }, store, random)
  } catch (error) {
    // An order that fails must not block the others: it is postponed, and the others are changed one by one.
    for (const due of await store.orders.findDue(AT_ONCE)) {
      const postpone = (failure: unknown) => store.orders.postponeDue(due, minutesAfter(failure))
      await applyBatch({ most: 1, only: due }, store, random).catch(postpone)
    }
    throw error
  }
}

/** A lock or a slow database is over soon; an order that cannot be changed waits for somebody to read the log. */
const minutesAfter = (failure: unknown) => (failure instanceof Unavailable ? 1 : 60)

function applyBatch({ most, only }: { most: number; only?: DueName }, store: Store, random: Random): Promise<boolean> {
  return store.transaction(async (tx, commitWith) => {
    const due = await tx.orders.lockDue(most, only)
    const changes = due.map(({ tenantId, order, now }) => ({ tenantId, before: order, after: elapse(order, now) }))
    if (changes.length > 0) await changeOrders(changes, tx, random, { commitWith })
    return due.length === most
  })
}
