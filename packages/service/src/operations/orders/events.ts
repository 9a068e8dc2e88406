import type * as contract from '@order-testing/contract'
import { orderPath } from '../../domain/catalog/references.ts'
import { checkIssued, readCursor, toCursor } from '../../domain/cursors.ts'
import type { Order } from '../../domain/orders/order.ts'
import { notFound, orNotFound, Refusal, refuse } from '../../domain/refusal.ts'
import type { DeliveryRecord, EventRecord } from '../../store/webhooks/records.ts'
import { collectionOf, ok, type Operation } from '../operation.ts'

/** Lists the events of an order, so that integrators can find the ones they missed. */
export const listOrderEvents: Operation<typeof contract.listOrderEvents> = async ({ params, query }, context) => {
  const { caller, store } = context
  const order = orNotFound(await store.orders.findVisible(caller, { id: params.id }))
  const found = await store.deliveryRecords.eventsOf(caller.tenantId, params.id, query)
  return ok(collectionOf(found, query, (event) => presentEvent(order, event)))
}

export const listEvents: Operation<typeof contract.listEvents> = async ({ query }, { caller, store }) => {
  const from = readCursor('events', query.cursor)
  const published = await store.published(caller)
  checkIssued(from, await store.orderCounts.lastPosition())
  const { limit, resends: withResends = false } = query
  const { rows, total, position } = await published.events.after(caller, from, { limit, withResends })
  return ok({
    data: rows.map(({ order, ...event }) => composeEvent(order, event)),
    limit,
    page: 1,
    total,
    nextCursor: toCursor('events', position),
  })
}

export const resendEvent: Operation<typeof contract.resendEvent> = ({ params: { id, eventId } }, context) =>
  context.store.transaction(async (tx) => {
    const { caller } = context
    const order = orNotFound(await tx.orders.lockVisible(caller, id))
    const outcome = await tx.outbox.resend({ tenantId: caller.tenantId, orderId: id, id: eventId })
    if (outcome === 'unknown') throw notFound()
    if (outcome === 'nobody') {
      const detail = 'No active callback is left that this event was created for, or what was sent has been deleted.'
      throw refuse('invalidState', detail)
    }
    if (typeof outcome === 'number') {
      const detail = `This event was sent again within the last minute. Try again in ${outcome} seconds.`
      throw new Refusal([{ code: 'tooManyRequests', detail }], { retryAfter: outcome })
    }
    await tx.orderCounts.repeatEvent({ tenantId: caller.tenantId, orderId: id, id: eventId })
    const event = orNotFound(await tx.deliveryRecords.eventOf(caller.tenantId, id, eventId))
    return { status: 202, body: presentEvent(order, event) }
  })

/** An event as callbacks receive it. */
export function composeEvent(
  order: Pick<Order, 'id' | 'code' | 'externalId'>,
  { id, createdAt }: { id: string; createdAt: Date },
): contract.Event {
  return {
    object: 'event',
    id,
    type: 'order.updated',
    createdAt: createdAt.toISOString(),
    data: {
      object: 'order',
      id: order.id,
      code: order.code,
      ...(order.externalId !== null && { externalId: order.externalId }),
      url: orderPath(order.id),
    },
  }
}

const presentEvent = (order: Order, event: EventRecord): contract.OrderEvent => ({
  ...composeEvent(order, event),
  deliveries: event.deliveries.map(presentDelivery),
})

function presentDelivery(delivery: DeliveryRecord): contract.OrderEvent['deliveries'][number] {
  return {
    id: delivery.id,
    object: 'delivery',
    version: delivery.version,
    callbackOrigin: delivery.origin,
    state: delivery.state,
    attempts: delivery.attempts,
    lastAttemptAt: delivery.lastAttemptAt?.toISOString() ?? null,
    lastStatus: delivery.lastStatus,
    lastError: delivery.lastError,
    nextAttemptAt: delivery.state === 'waiting' ? (delivery.dueAt?.toISOString() ?? null) : null,
    heldReason: delivery.heldReason,
    heldUntil: delivery.heldUntil?.toISOString() ?? null,
    endedAt: delivery.endedAt?.toISOString() ?? null,
  }
}
