import type * as contract from '@order-testing/contract'
import { orderPath } from '../../domain/catalog/references.ts'
import { orNotFound } from '../../domain/refusal.ts'
import type { DeliveryRecord } from '../../store/webhooks/records.ts'
import { collectionOf, ok, type Operation } from '../operation.ts'

/** Lists the events of an order, so that integrators can find the ones they missed. */
export const listOrderEvents: Operation<typeof contract.listOrderEvents> = async ({ params, query }, context) => {
  const { caller, store } = context
  const code = orNotFound(await store.orders.findCode(caller, params.id))
  const found = await store.deliveryRecords.eventsOf(caller.tenantId, params.id, query)
  return ok(
    collectionOf(found, query, ({ id, createdAt, deliveries }) => ({
      ...composeEvent({ id, createdAt, orderId: params.id, code }),
      deliveries: deliveries.map(presentDelivery),
    })),
  )
}

/** An event as callbacks receive it. */
export function composeEvent(of: { id: string; createdAt: Date; orderId: string; code: string }): contract.Event {
  return {
    object: 'event',
    id: of.id,
    type: 'order.updated',
    createdAt: of.createdAt.toISOString(),
    data: { object: 'order', id: of.orderId, code: of.code, url: orderPath(of.orderId) },
  }
}

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
