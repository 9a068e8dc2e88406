import type * as contract from '@order-testing/contract'
import { renderView } from '../../domain/orders/view.ts'
import { orNotFound } from '../../domain/refusal.ts'
import { advance, advanceOf } from '../../domain/sandbox/clock.ts'
import type { Operation } from '../operation.ts'
import { changeOrders } from '../orders/change.ts'

/** Lets what is due for an order by a later time happen now. */
export const advanceClock: Operation<typeof contract.advanceClock> = async ({ params, body }, context) => {
  const { caller, store, now, random, trace } = context
  const { tenantId } = caller
  await store.transaction(async (tx) => {
    const order = orNotFound(await tx.orders.lockVisible(caller, params.id))
    const ms = advanceOf(body, now())
    await tx.sandboxClock.advance({ tenantId, orderId: order.id }, ms)
    const advanced = advance(order, ms, now())
    if (!advanced) return
    const change = { tenantId, before: order, notifiedFrom: advanced.moved, after: advanced.after, trace }
    await changeOrders([change], tx, random)
  })
  return { status: 200, text: renderView(orNotFound(await store.readOrder(caller, params.id))) }
}
