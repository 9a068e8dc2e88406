import { z } from 'zod'
import { collection, cursorCollection, cursorPaging, paging } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { Event } from './events.ts'
import * as examples from './openapi/examples.ts'
import { FlagText, Timestamp } from './primitives.ts'
import { idOf, page, resourceId } from './resource-endpoints.ts'
import { AfterWrite } from './write-position.ts'

export const DELIVERY_STATES = ['waiting', 'sending', 'held', 'delivered', 'failed'] as const

/** Why a due delivery is parked; the API calls it held. */
export const HELD_REASONS = ['paused', 'breakerOpen', 'queued'] as const

/** The members of a delivery that describe parking. */
export const parking = {
  heldReason: z
    .enum(HELD_REASONS)
    .nullable()
    .describe(
      'Why the delivery is `held`: the operator has `paused` its receiver, the receiver failed repeatedly (`breakerOpen`), or it is `queued` behind others for the same receiver. Null in other states.',
    ),
  heldUntil: Timestamp.nullable().describe(
    'The earliest time at which a `held` delivery is sent. Null if unknown, and in other states.',
  ),
}

const EventDelivery = z
  .object({
    id: z.string(),
    object: z.literal('delivery'),
    version: z.enum(['v1', 'v2']),
    callbackOrigin: z.string().describe('Scheme, host and port of the callback URL. The rest may be secret.'),
    state: z
      .enum(DELIVERY_STATES)
      .describe(
        '`waiting` for its next attempt, `sending`, `held` until the receiver recovers or the operator resumes it, `delivered`, or permanently `failed`.',
      ),
    attempts: z.int().min(0).describe('Attempts so far. They count on when it is sent again.'),
    lastAttemptAt: Timestamp.nullable(),
    lastStatus: z.int().nullable().describe('HTTP status of the last response; null if there was none.'),
    lastError: z
      .string()
      .nullable()
      .describe(
        'Why there was no response: `timeout`, `connect`, `dns`, `tls`, `reset`…; or why there was no further attempt: `registrationEnded`, `tooLate` (v1 after one hour).',
      ),
    nextAttemptAt: Timestamp.nullable(),
    ...parking,
    endedAt: Timestamp.nullable(),
  })
  .meta({ id: 'EventDelivery', description: 'The delivery of one event to one callback.' })

export const OrderEvent = Event.extend({
  deliveries: z.array(EventDelivery).describe('One per callback that was registered at the time.'),
}).meta({ id: 'OrderEvent', description: 'An event of an order, with its deliveries.' })

export type OrderEvent = z.infer<typeof OrderEvent>

export const listOrderEvents = endpoint({
  method: 'GET',
  path: '/api/v2/orders/{id}/events',
  scope: 'order.read',
  tag: 'Orders',
  summary: "List an order's events.",
  description: 'Every event of the order with its deliveries, newest first. Use it to find missed events.',
  params: idOf({ one: 'order' }),
  query: z.strictObject(paging),
  replies: { 200: 'A page of events.' },
  reply: collection(OrderEvent, 'OrderEventCollection'),
  example: { params: { id: examples.finishedOrder.id }, reply: page(examples.orderEvent) },
})

export const listEvents = endpoint({
  headers: AfterWrite,
  method: 'GET',
  path: '/api/v2/events',
  scope: 'order.list',
  tag: 'Events',
  summary: 'List the events of all orders.',
  description:
    'The events of all orders that the token can see, oldest first, whether they were delivered or not. Read on with ' +
    '`nextCursor`: no event is left out, and none is repeated.',
  query: z.strictObject({
    ...cursorPaging,
    resends: FlagText.optional().describe('Whether an event that was sent again is listed again. Default: false.'),
  }),
  replies: { 200: 'A page of events.' },
  reply: cursorCollection(Event, 'EventCollection'),
  example: { reply: { ...page(examples.event), nextCursor: examples.eventCursor } },
})

export const resendEvent = endpoint({
  method: 'POST',
  path: '/api/v2/orders/{id}/events/{eventId}/resend',
  scope: 'order.read',
  tag: 'Events',
  summary: 'Send an event again.',
  description:
    'Sends the same bytes again to the active callbacks that the event was created for, unless they have moved to another ' +
    'version since. At most once a minute per event.',
  params: z.strictObject({ id: resourceId('order'), eventId: resourceId('event') }),
  replies: { 202: 'The event, which is sent again.' },
  reply: OrderEvent,
  refusals: [422],
  example: { params: { id: examples.finishedOrder.id, eventId: examples.event.id }, reply: examples.orderEvent },
})
