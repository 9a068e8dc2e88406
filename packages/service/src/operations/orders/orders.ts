import type * as contract from '@order-testing/contract'
import { canReadParticipant } from '../../domain/access/caller.ts'
import { cancel } from '../../domain/orders/order.ts'
import { notFound } from '../../domain/refusal.ts'
import { changeOrders } from './change.ts'
import type { Operation } from '../operation.ts'
import { orderText, presentedTexts } from './answer.ts'

export const readOrder: Operation<typeof contract.readOrder> = async ({ params }, context) => {
  const order = await context.store.readOrder(context.caller, params.id)
  if (!order) throw notFound()
  return { status: 200, text: orderText(order) }
}

export const listOrders: Operation<typeof contract.listOrders> = async ({ query }, context) => {
  const { rows, total } = await context.store.orderList.page(context.caller, query)
  const { caller, store } = context
  const data = rows.map((row) => orderText(store.orders.open(caller, row))).join(',')
  return { status: 200, text: `{"data":[${data}],"limit":${query.limit},"page":${query.page},"total":${total}}` }
}

export const cancelOrder: Operation<typeof contract.cancelOrder> = ({ params, body }, context) =>
  context.store.transaction(async (tx) => {
    const order = await tx.orders.lockVisible(context.caller, params.id)
    if (!order) throw notFound()
    const cancelled = cancel(order, body?.reason ?? null, context.now())
    const { tenantId } = context.caller
    if (cancelled !== order) await changeOrders([{ tenantId, before: order, after: cancelled }], tx, context.random)
    const { head, participant } = presentedTexts(cancelled)
    const text = orderText({ head, participant: canReadParticipant(context.caller) ? participant : null })
    return { status: 200, text }
  })
