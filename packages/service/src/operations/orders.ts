import type * as contract from '@order-testing/contract'
import { makeId } from '../domain/ids.ts'
import { cancel, type Order } from '../domain/orders.ts'
import { notFound } from '../domain/refusal.ts'
import type { OutgoingEvent } from '../store/outbox.ts'
import type { ReadyOrder } from '../store/order-rows.ts'
import type { Transaction } from '../store/store.ts'
import { wordsOf } from './match-order.ts'
import type { Context, Operation } from './operation.ts'
import { mayReadParticipant, orderText, presentedTexts } from './order-answer.ts'
import { eventOf } from './order-events.ts'

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
    if (cancelled !== order) await change(cancelled, tx, context)
    const identifiers = mayReadParticipant(context.caller) ? cancelled.participant.identifiers : null
    const text = orderText(presentedTexts(cancelled), { participant: identifiers !== null, identifiers })
    return { status: 200, text }
  })

/** Writes an order that a reader will find changed, and the event that tells of it. */
async function change(order: Order, tx: Transaction, { caller: { tenantId }, random }: Context): Promise<void> {
  const presented = presentedTexts(order)
  await tx.orders.update(tenantId, order, presented, wordsOf(order))
  const callbacks = await tx.outbox.registered(tenantId, order.id)
  const eventId = makeId('evt', order.updatedAt, random.bytes)
  const event = eventOf({ id: eventId, createdAt: order.updatedAt, orderId: order.id, code: order.code })
  const outgoing: OutgoingEvent = {
    id: eventId,
    orderId: order.id,
    at: order.updatedAt,
    deliveries: callbacks.map(({ id, version, url, showsParticipant }) => ({
      id: makeId('dlv', order.updatedAt, random.bytes),
      callbackId: id,
      version,
      origin: new URL(url).origin,
      body:
        version === 'v2'
          ? JSON.stringify(event)
          : orderText(presented, {
              participant: showsParticipant,
              identifiers: showsParticipant ? order.participant.identifiers : null,
            }),
    })),
  }
  await tx.outbox.put(tenantId, outgoing)
}

function textFor(row: ReadyOrder, { caller, store }: Context): string {
  const participant = mayReadParticipant(caller)
  return orderText(row, {
    participant,
    identifiers: participant ? store.orders.identifiersOf(caller.tenantId, row) : null,
  })
}
