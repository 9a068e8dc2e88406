import { z } from 'zod'
import { collection, paging } from './collection.ts'
import { endpoint } from './endpoint.ts'
import { Event } from './events.ts'
import * as examples from './openapi/examples.ts'
import { Timestamp } from './primitives.ts'
import { page, resourceId } from './resource-endpoints.ts'

export const DELIVERY_STATES = ['waiting', 'sending', 'held', 'delivered', 'failed'] as const

/** Why a due delivery is kept back. */
export const HELD_REASONS = ['paused', 'breakerOpen', 'queued'] as const

/** What a delivery says while it is held. */
export const held = {
  heldReason: z.enum(HELD_REASONS).nullable().meta({
    description:
      'Why the delivery is `held`: the operator has `paused` its receiver, the receiver failed repeatedly (`breakerOpen`), or it is `queued` behind others for the same receiver. Null in other states.',
  }),
  heldUntil: Timestamp.nullable().meta({
    description: 'When a `held` delivery may be sent at the earliest. Null where nobody knows, and in other states.',
  }),
}

const EventDelivery = z
  .object({
    id: z.string(),
    object: z.literal('delivery'),
    version: z.enum(['v1', 'v2']),
    callbackOrigin: z
      .string()
      .meta({ description: 'Where it goes: scheme, host and port. The rest of the address may be a secret.' }),
    state: z.enum(DELIVERY_STATES).meta({
      description:
        '`waiting` for its next attempt, being sent, `held` until the receiver recovers or the operator resumes it, `delivered`, or `failed` for good.',
    }),
    attempts: z.int().min(0).meta({ description: 'Made so far; counted anew when the operator sends it once more.' }),
    lastAttemptAt: Timestamp.nullable(),
    lastStatus: z.int().nullable().meta({ description: 'HTTP status of the last answer; null where none came.' }),
    lastError: z.string().nullable().meta({
      description:
        'Why no answer came: `timeout`, `connect`, `dns`, `tls`, `reset`…; or why there was no other attempt: `registrationEnded`, `tooLate` (v1 after its hour).',
    }),
    nextAttemptAt: Timestamp.nullable(),
    ...held,
    endedAt: Timestamp.nullable(),
  })
  .meta({ id: 'EventDelivery', description: 'What became of one event at one callback.' })

export const OrderEvent = Event.extend({
  deliveries: z.array(EventDelivery).meta({ description: 'One for each callback that was registered at the time.' }),
}).meta({ id: 'OrderEvent', description: 'An event of an order, and what became of its deliveries.' })

export type OrderEvent = z.infer<typeof OrderEvent>

export const listOrderEvents = endpoint({
  name: 'listOrderEvents',
  method: 'GET',
  path: '/api/v2/orders/{id}/events',
  scope: 'order.read',
  tag: 'Orders',
  summary: "List an order's events.",
  description:
    'Every event of the order with the outcome of its deliveries, newest first: to find one that was missed.',
  params: z.strictObject({ id: resourceId('order') }),
  query: z.strictObject(paging),
  replies: { 200: 'A page of events.' },
  reply: collection(OrderEvent, 'OrderEventCollection'),
  refusals: [400, 404],
  example: { params: { id: examples.order.id }, reply: page(examples.orderEvent) },
})
