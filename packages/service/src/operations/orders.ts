import type * as contract from '@order-testing/contract'
import { cancel } from '../domain/orders.ts'
import { notFound } from '../domain/refusal.ts'
import type { ReadyOrder } from '../store/order-rows.ts'
import { changeOrders } from './change-order.ts'
import type { Context, Operation } from './operation.ts'
import { mayReadParticipant, orderText, presentedTexts } from './order-answer.ts'

export const readOrder: Operation<typeof contract.readOrder> = async ({ params }, context) => {
  const order = await context.store.readOrder(context.caller, params.id)
  if (!order) throw notFound()
  return { status: 200, text: textFor(order, context) }
}

export const listOrders: Operation<typeof contract.listOrders> = async ({ query }, context) => {
  const { rows, total } = await context.store.orderList.page(context.caller, query)
  const data = rows.map((row) => textFor(row, context)).join(',')
  return { status: 200, text: `{"data":[${data}],"limit":${query.limit},"page":${query.page},"total":${total}}` }
}

export const cancelOrder: Operation<typeof contract.cancelOrder> = ({ params, body }, context) =>
  context.store.transaction(async (tx) => {
    const order = await tx.orders.lockVisible(context.caller, params.id)
    if (!order) throw notFound()
    const cancelled = cancel(order, body?.reason ?? null, context.now())
    const { tenantId } = context.caller
    if (cancelled !== order) await changeOrders([{ tenantId, before: order, after: cancelled }], tx, context.random)
    const identifiers = mayReadParticipant(context.caller) ? cancelled.participant.identifiers : null
    const text = orderText(presentedTexts(cancelled), { participant: identifiers !== null, identifiers })
    return { status: 200, text }
  })

function textFor(row: ReadyOrder, { caller, store }: Context): string {
  const participant = mayReadParticipant(caller)
  return orderText(row, {
    participant,
    identifiers: participant ? store.orders.identifiersOf(caller.tenantId, row) : null,
  })
}
