import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { CreateOrder } from '../create-order.ts'
import { Cancellation, IdempotencyKey, Order, orderFilters } from '../orders.ts'
import { dayOrInstant, instant, text, Timestamp } from '../primitives.ts'
import { listOf, readOf, resourceId } from '../resource-endpoints.ts'
import * as examples from '../openapi/operator-examples.ts'
import { SCREENS } from './results.ts'

/** A service as it is: nothing is hidden from operators. */
const OperatorService = z
  .object({
    id: z.string(),
    object: z.literal('orderService'),
    serviceId: z.string().meta({ description: 'Its id in the catalog.' }),
    status: z.string(),
    nextStatuses: z.array(z.string()).meta({ description: 'What it may be moved to.' }),
    requiresMro: z.boolean(),
    statusHistory: z.array(z.object({ status: z.string(), at: Timestamp })),
    screenHistory: z.array(z.object({ type: z.enum(SCREENS), at: Timestamp })),
  })
  .meta({ id: 'OperatorService' })

/** One thing that happened to an order. */
const TimelineEntry = z
  .object({
    at: Timestamp,
    type: z.enum(['status', 'serviceStatus', 'result', 'match', 'event', 'message', 'action']).meta({
      description:
        '`message`: what the participant or requester is told; `at` is its end, or its beginning while it waits.',
    }),
    summary: z.string(),
    details: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'TimelineEntry' })

export const OperatorOrder = z
  .object({
    object: z.literal('operatorOrder'),
    order: Order.meta({ description: 'As integrators see it.' }),
    source: z.string(),
    requester: z.object({
      email: z.string(),
      firstName: z.string(),
      lastName: z.string(),
      middleName: z.string().nullable(),
      phone: z.string().nullable(),
    }),
    delivery: z.record(z.string(), z.unknown()),
    schedulingOption: z.string(),
    clinicSelectionMode: z.string().nullable(),
    billingCode: z.string().nullable(),
    observedCollection: z.boolean(),
    isBooked: z.boolean(),
    appointmentAt: Timestamp.nullable(),
    cancelReason: z.string().nullable(),
    services: z.array(OperatorService),
    timeline: z.array(TimelineEntry).meta({ description: 'Oldest first.' }),
  })
  .meta({ id: 'OperatorOrder', description: 'An order with every detail.' })

export type OperatorOrder = z.infer<typeof OperatorOrder>

const tag = 'Orders'
const base = '/api/operator/v1/orders'
const params = z.strictObject({ id: resourceId('order') })
const ofService = z.strictObject({ id: resourceId('order'), serviceId: resourceId('order service') })
const changed = { reply: OperatorOrder, refusals: [400, 404, 413, 415, 422] } as const
const specimen = {
  specimenId: text(1, 255).optional(),
  courier: text(1, 255).optional(),
  trackingNumber: text(1, 255).optional(),
}

/** Who decided on a result that only a medical reviewer decides on. */
const review = {
  reviewer: text(1, 255)
    .optional()
    .meta({ description: 'Name of the medical reviewer; required to record a decision of theirs.' }),
  decidedAt: dayOrInstant()
    .optional()
    .meta({ description: 'When the reviewer decided; required to record a decision of theirs.' }),
}
const REVIEW =
  'A result that only the medical reviewer decides on (of a DOT drug test, of a test under review, or a positive, ' +
  'adulterated, substituted or failed test that needs a review) requires `reviewer` and `decidedAt`. Both are kept in ' +
  'the audit log.'

export const operatorListOrders = listOf({
  name: 'operatorListOrders',
  path: base,
  scope: 'operator.orders.read',
  tag,
  summary: 'List orders, newest first.',
  description:
    'Orders of every company, filtered like the public list. Participants are shown to tokens with `operator.participants.read`.',
  filters: orderFilters,
  items: 'orders',
  item: Order,
  collectionId: 'OperatorOrderCollection',
  example: examples.order,
  exampleQuery: { status: 'pending' },
})

export const operatorReadOrder = readOf({
  name: 'operatorReadOrder',
  path: `${base}/{id}`,
  scope: 'operator.orders.read',
  tag,
  summary: 'Read one order with every detail and its time line.',
  description: 'By id or code. The participant is shown to tokens with `operator.participants.read`, which is noted.',
  what: 'order',
  reply: OperatorOrder,
  example: examples.operatorOrder,
  id: examples.order.id,
})

/** Where orders come from that operators place. Those of integrators have the source `api`. */
export const ORDER_SOURCES = ['app', 'portal', 'import'] as const

/** What an operator's order has beyond an integrator's. */
export const OrderPlacement = z.object({
  source: z.enum(ORDER_SOURCES).meta({
    description:
      "Where the order comes from. `app`: a collector's app recorded the test before its order arrived; orders that match " +
      'with the profile `appCollection` find it.',
  }),
  company: z
    .strictObject({ id: text(1, 255) })
    .optional()
    .meta({ description: 'The company of the location, where several have locations of that name.' }),
})

export const operatorCreateOrder = endpoint({
  name: 'operatorCreateOrder',
  method: 'POST',
  path: base,
  scope: 'operator.orders.write',
  tag,
  summary: 'Place an order that did not come through the interface for integrators.',
  description:
    'Takes and answers what `POST /api/v2/orders` does, by the same rules and at any active location of the tenant, ' +
    'together with the source of the order.',
  headers: IdempotencyKey,
  body: CreateOrder.extend(OrderPlacement.shape).meta({ id: 'OperatorOrderRequest' }),
  replies: {
    200: 'An equivalent order was there already: it is returned with `matched`, and nothing new is created.',
    201: 'The order, created.',
  },
  reply: Order,
  refusals: [400, 409, 413, 415],
  example: {
    headers: { 'Idempotency-Key': '0b6f5f0e-6d0b-4b0e-9a51-0f1c2d3e4f50' },
    body: examples.placedOrder,
    reply: examples.order,
    replies: { 200: examples.matchedOrder },
  },
})

export const moveService = endpoint({
  name: 'moveService',
  method: 'POST',
  path: `${base}/{id}/services/{serviceId}/moves`,
  scope: 'operator.orders.write',
  tag,
  summary: 'Move a service to its next status.',
  description: REVIEW,
  params: ofService,
  body: z
    .strictObject({
      status: text(1, 64),
      occurredAt: instant().optional().meta({ description: 'When it happened; now where nothing is said.' }),
      ...specimen,
      ...review,
      reason: text(1, 1000).optional(),
    })
    .meta({ id: 'ServiceMove' }),
  replies: { 200: 'The order, changed.' },
  ...changed,
  example: {
    params: { id: examples.order.id, serviceId: examples.serviceId },
    body: { status: 'checkedIn' },
    reply: examples.operatorOrder,
  },
})

export const correctService = endpoint({
  name: 'correctService',
  method: 'POST',
  path: `${base}/{id}/services/{serviceId}/corrections`,
  scope: 'operator.orders.write',
  tag,
  summary: 'Correct a result or a specimen.',
  description: `${REVIEW} This includes every correction of a result that a reviewer has decided on.`,
  params: ofService,
  body: z
    .strictObject({ status: text(1, 64).optional(), ...specimen, ...review, reason: text(1, 1000) })
    .meta({ id: 'ServiceCorrection' }),
  replies: { 200: 'The order, corrected.' },
  ...changed,
  example: {
    params: { id: examples.order.id, serviceId: examples.serviceId },
    body: { specimenId: 'HT-4471-9920', reason: 'The collector misread the label.' },
    reply: examples.operatorOrder,
  },
})

export const setClinic = endpoint({
  name: 'setClinic',
  method: 'PUT',
  path: `${base}/{id}/clinic`,
  scope: 'operator.orders.write',
  tag,
  summary: 'Book a clinic, or another clinic or time.',
  description:
    'The clinic has to be active and to offer all that is left to be collected, for a fee that the location pays; the time ' +
    'has to come before the order expires and, where they are known, lie within the hours of the clinic. What somebody has ' +
    'agreed on otherwise, fee and hours, is booked with `override` and a `reason`. The order reads `scheduled`, and the ' +
    'participant is told.',
  params,
  body: z
    .strictObject({
      clinicId: text(1, 255),
      appointmentAt: instant()
        .nullish()
        .meta({ description: 'When the participant is expected there; without it at any time.' }),
      override: z.boolean().optional().meta({ description: 'Sets fee cap and hours aside; needs a reason.' }),
      reason: text(1, 1000).optional(),
    })
    .meta({ id: 'ClinicAssignment' }),
  replies: { 200: 'The order, changed.' },
  ...changed,
  example: {
    params: { id: examples.order.id },
    body: { clinicId: 'naperville', appointmentAt: '2026-03-04T15:00:00Z' },
    reply: examples.operatorOrder,
  },
})

export const clearClinic = endpoint({
  name: 'clearClinic',
  method: 'DELETE',
  path: `${base}/{id}/clinic`,
  scope: 'operator.orders.write',
  tag,
  summary: 'Cancel the booking: take the clinic back.',
  description:
    'As long as something is left to be collected. The participant is told, and whoever chooses may choose again.',
  params,
  replies: { 200: 'The order, changed.' },
  reply: OperatorOrder,
  refusals: [400, 404, 422],
  example: { params: { id: examples.order.id }, reply: examples.operatorOrder },
})

export const operatorCancelOrder = endpoint({
  name: 'operatorCancelOrder',
  method: 'PUT',
  path: `${base}/{id}/cancellation`,
  scope: 'operator.orders.write',
  tag,
  summary: 'Cancel an order.',
  params,
  body: Cancellation.optional(),
  replies: { 200: 'The order, cancelled.' },
  ...changed,
  example: { params: { id: examples.order.id }, body: { reason: 'Placed twice.' }, reply: examples.operatorOrder },
})
