import type * as contract from '@order-testing/contract'
import { canReadParticipant } from '../../domain/access/caller.ts'
import { cancel } from '../../domain/orders/life.ts'
import { composeView, renderPage, renderView, withoutParticipant } from '../../domain/orders/view.ts'
import { notFound } from '../../domain/refusal.ts'
import type { Operation } from '../operation.ts'
import { changeOrders } from './change.ts'

export const readOrder: Operation<typeof contract.readOrder> = async ({ params }, context) => {
  const view = await context.store.readOrder(context.caller, params.id)
  if (!view) throw notFound()
  return { status: 200, text: renderView(view) }
}

export const listOrders: Operation<typeof contract.listOrders> = async ({ query }, { caller, store }) => {
  const found = await store.orderList.page(caller, query)
  return { status: 200, text: renderPage(found, query) }
}

export const cancelOrder: Operation<typeof contract.cancelOrder> = ({ params, body }, context) =>
  context.store.transaction(async (tx) => {
    const { caller, now, random } = context
    const order = await tx.orders.lockVisible(caller, params.id)
    if (!order) throw notFound()
    const cancelled = cancel(order, body?.reason ?? null, now())
    if (cancelled !== order) {
      await changeOrders([{ tenantId: caller.tenantId, before: order, after: cancelled }], tx, random)
    }
    const view = composeView(cancelled)
    return { status: 200, text: renderView(canReadParticipant(caller) ? view : withoutParticipant(view)) }
  })
