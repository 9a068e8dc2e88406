import { z } from 'zod'
import { CreateOrder } from '../create-order.ts'
import { filter } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import * as examples from '../openapi/operator-examples.ts'
import { Cancellation, createOrder, Order, orderFilters } from '../orders.ts'
import { dayOrInstant, instant, numeric, text, Timestamp } from '../primitives.ts'
import { idOf, listOf, readOf, resourceId } from '../resource-endpoints.ts'
import { finishedOrder, serviceOf } from '../openapi/examples.ts'
import { SCREENS } from './results.ts'
import { statusFilters } from './status-filters.ts'
import { AfterWrite } from '../write-position.ts'

/** A service with everything that integrators do not see. */
const OperatorService = z
  .object({
    id: z.string(),
    object: z.literal('orderService'),
    serviceId: z.string().describe('Id of the service in the catalog.'),
    status: z.string(),
    nextStatuses: z.array(z.string()).describe('The statuses it may be moved to.'),
    orderStatusAfter: z
      .record(z.string(), z.string())
      .describe('The status that the order gets, by the status the service is moved or corrected to.'),
    requiresMro: z.boolean(),
    statusHistory: z.array(z.object({ status: z.string(), at: Timestamp })),
    screenHistory: z.array(z.object({ type: z.enum(SCREENS), at: Timestamp })),
  })
  .meta({ id: 'OperatorService' })

const TimelineEntry = z
  .object({
    at: Timestamp,
    type: z
      .enum(['status', 'serviceStatus', 'result', 'match', 'event', 'message', 'action'])
      .describe(
        '`message`: a notification to the participant or requester; `at` is its end, or its creation while it waits.',
      ),
    summary: z.string(),
    details: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'TimelineEntry' })

/** A text that the participant was shown and agreed to. */
const Agreement = z
  .object({
    id: z.string(),
    object: z.literal('agreement'),
    kind: z
      .enum(['notice', 'consent', 'disclosure', 'authorization'])
      .describe(
        '`notice`: of a regulated test, which asks for no consent (49 CFR 40.27). `disclosure` and `authorization`: of a background check (15 USC 1681b(b)(2)).',
      ),
    version: z.string(),
    language: z.string(),
    text: z.string().describe('As it was shown.'),
    textHash: z.string().describe('SHA-256 of the text, in base64url. The audit log has it too.'),
    agreedAt: Timestamp,
    signature: z
      .object({ name: z.string(), date: z.string() })
      .nullable()
      .optional()
      .describe(
        'The typed name and local date of an authorization. Only for tokens with `operator.participants.read`.',
      ),
  })
  .meta({ id: 'Agreement' })

const timezone = z.string().describe('The zone in which times of the order are shown, such as `America/Chicago`.')

export const OperatorOrder = z
  .object({
    object: z.literal('operatorOrder'),
    order: Order.describe('As integrators see it.'),
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
    timezone,
    near: z
      .object({ lat: z.number(), long: z.number() })
      .nullable()
      .describe(
        'Around which clinics are looked for: the participant for callers who may see them, else the location. Within about three miles.',
      ),
    cancelReason: z.string().nullable(),
    services: z.array(OperatorService),
    agreements: z.array(Agreement).describe('What the participant was shown and agreed to, oldest first.'),
    timeline: z.array(TimelineEntry).describe('Oldest first.'),
  })
  .meta({ id: 'OperatorOrder', description: 'An order with all details.' })

export const ListedOrder = Order.extend({
  timezone,
  appointmentAt: Timestamp.nullable().describe('Time of the booked visit, until the participant checks in.'),
}).meta({ id: 'ListedOrder', description: 'An order as operators list it.' })

export type OperatorOrder = z.infer<typeof OperatorOrder>

const orders = { path: '/api/operator/v1/orders', tag: 'Orders', one: 'order', many: 'orders' }
const ofService = idOf(orders).extend({ serviceId: resourceId('order service') })
const change = {
  scope: 'operator.orders.write',
  tag: 'Orders',
  params: idOf(orders),
  replies: { 200: 'The order, changed.' },
  reply: OperatorOrder,
  refusals: [422],
} as const
const specimen = {
  specimenId: text(1, 255).optional(),
  courier: text(1, 255).optional(),
  trackingNumber: text(1, 255).optional(),
}

/** Who decided on a result that only a medical reviewer may decide on. */
const review = {
  reviewer: text(1, 255).optional().describe('Name of the medical reviewer. Required to record their decision.'),
  decidedAt: dayOrInstant().optional().describe('When the reviewer decided. Required to record their decision.'),
}
const REVIEW =
  'Results that only the medical reviewer may decide on require `reviewer` and `decidedAt`: those of a DOT drug test, of a ' +
  'test under review, and positive, adulterated, substituted or failed results that need a review. Both members are ' +
  'recorded in the audit log.'

/** How participants are shown to callers who may see them. */
const participants = z
  .enum(['full', 'masked'])
  .default('full')
  .describe(
    '`masked`: first name, initial of the last name, and the end of phone number and identifiers. Only reading in full is recorded in the audit log.',
  )

export const operatorListOrders = listOf(orders, {
  headers: AfterWrite,
  scope: 'operator.orders.read',
  summary: 'List orders, newest first.',
  description:
    'Orders of all companies, with the filters of the public list, and of several statuses at once. Participants are included for tokens with `operator.participants.read`.',
  filters: { ...orderFilters, ...statusFilters, participants },
  item: ListedOrder,
  collectionId: 'OperatorOrderCollection',
  example: examples.listedOrder,
  exampleQuery: { status: 'pending' },
})

/** Orders of one answer, few enough to open between other requests. */
const MOST_EXPORTED = 500

export const exportOrders = endpoint({
  method: 'GET',
  path: `${orders.path}/export`,
  scope: 'operator.orders.read',
  tag: orders.tag,
  summary: 'Export orders as CSV, newest first.',
  description:
    'With a header line and the filters of the list. Participants are masked, and times are in UTC. Cells that a spreadsheet would run as a formula begin ' +
    'with an apostrophe. To read on, send the id of the last line as `before`; an answer with fewer lines than `limit` is the last. Each export is recorded in the audit log.',
  query: z.strictObject({
    ...orderFilters,
    ...statusFilters,
    before: filter('Orders older than the one with this id.'),
    limit: numeric(z.int().min(1).max(MOST_EXPORTED))
      .default(MOST_EXPORTED)
      .meta({ override: { default: MOST_EXPORTED }, description: 'Orders per answer.' }),
  }),
  replies: { 200: 'The orders.' },
  reply: z.string(),
  replyType: 'text/csv',
  example: { query: { status: 'pending' }, reply: examples.orderCsv },
})

export const operatorReadOrder = {
  ...readOf(orders, {
    scope: 'operator.orders.read',
    summary: 'Read an order with all details and its timeline.',
    description:
      'By id or code. The participant is included for tokens with `operator.participants.read`, and the read is recorded in the audit log.',
    reply: OperatorOrder,
    example: examples.operatorOrder,
    id: examples.order.id,
  }),
  query: z.strictObject({ participants }),
}

/** Where an operator's order can come from. */
export const ORDER_SOURCES = ['app', 'portal', 'import'] as const

/** Members of an operator's order that an integrator's lacks. The source of an integrator's order is `api`. */
export const OrderPlacement = z.object({
  source: z
    .enum(ORDER_SOURCES)
    .describe(
      "Where the order comes from. `app`: a collector's app recorded the test before the order arrived; orders with the " +
        'matching profile `appCollection` find it.',
    ),
  company: z
    .strictObject({ id: text(1, 255) })
    .optional()
    .describe('The company of the location, if several companies have a location of that name.'),
})

export const operatorCreateOrder = endpoint({
  ...createOrder,
  path: orders.path,
  scope: 'operator.orders.write',
  summary: 'Place an order from another source.',
  description:
    'Same request, rules and response as `POST /api/v2/orders`, for any active location of the tenant, plus the source of ' +
    'the order.',
  body: CreateOrder.extend(OrderPlacement.shape).meta({ id: 'OperatorOrderRequest' }),
  refusals: [409],
  example: {
    reply: createOrder.example.reply,
    replies: createOrder.example.replies,
    headers: { 'Idempotency-Key': '0b6f5f0e-6d0b-4b0e-9a51-0f1c2d3e4f50' },
    body: examples.placedOrder,
  },
})

export const basedOn = instant()
  .optional()
  .describe(
    'The `updatedAt` of the order that the change is based on. If the order has changed since, the request is refused with 409, and `meta` says what it is now.',
  )

/** Changes that must not overwrite what somebody else changed meanwhile. */
const guarded = { ...change, refusals: [409, 422] } as const

export const moveService = endpoint({
  ...guarded,
  method: 'POST',
  path: `${orders.path}/{id}/services/{serviceId}/moves`,
  summary: 'Move a service to its next status.',
  description: REVIEW,
  params: ofService,
  body: z
    .strictObject({
      status: text(1, 64),
      occurredAt: instant()
        .optional()
        .describe(
          'When it happened. Default: now. Not in the future. A time before the last status counts as that of the last status; the audit log has it as given.',
        ),
      ...specimen,
      ...review,
      reason: text(1, 1000).optional(),
      basedOn,
    })
    .meta({ id: 'ServiceMove' }),
  example: {
    params: { id: examples.order.id, serviceId: examples.serviceId },
    body: { status: 'checkedIn' },
    reply: examples.operatorOrder,
  },
})

export const correctService = endpoint({
  ...guarded,
  method: 'POST',
  path: `${orders.path}/{id}/services/{serviceId}/corrections`,
  summary: 'Correct a result or a specimen.',
  description: `${REVIEW} This includes every correction of a reviewed result.`,
  params: ofService,
  body: z
    .strictObject({ status: text(1, 64).optional(), ...specimen, ...review, reason: text(1, 1000), basedOn })
    .meta({ id: 'ServiceCorrection' }),
  replies: { 200: 'The order, corrected.' },
  example: {
    params: { id: finishedOrder.id, serviceId: serviceOf(finishedOrder) },
    body: { specimenId: 'HR-4471-9920', reason: 'The collector misread the label.' },
    reply: examples.operatorOrder,
  },
})

/** Bookings help a participant without deciding about the test. */
const booking = { ...change, scope: ['operator.orders.write', 'operator.participants.write'] } as const

export const setClinic = endpoint({
  ...booking,
  refusals: guarded.refusals,
  method: 'PUT',
  path: `${orders.path}/{id}/clinic`,
  summary: 'Book a clinic, or change the booking.',
  description:
    'The clinic must be active, offer all services that are still to be collected, and charge no more than the fee cap. The ' +
    'time must be before the order expires and within the opening hours, if they are known. At a clinic with slots it must be ' +
    'one of them and have a place left. `override` with a `reason` ignores fee cap, hours and slots. The order becomes `scheduled`, and the participant is notified.',
  body: z
    .strictObject({
      clinicId: text(1, 255),
      appointmentAt: instant()
        .nullish()
        .describe('Time of the appointment. Without it, the participant may come at any time.'),
      override: z.boolean().optional().describe('Ignores fee cap, opening hours and full slots. Requires `reason`.'),
      reason: text(1, 1000).optional(),
      basedOn,
    })
    .meta({ id: 'ClinicAssignment' }),
  example: {
    params: { id: examples.order.id },
    body: { clinicId: 'clinic-blue-river' },
    reply: examples.operatorOrder,
  },
})

export const clearClinic = endpoint({
  ...booking,
  method: 'DELETE',
  path: `${orders.path}/{id}/clinic`,
  summary: 'Cancel the booking.',
  description:
    'Possible while something is still to be collected. The participant is notified, and a clinic can be chosen again.',
  example: { params: { id: examples.order.id }, reply: examples.operatorOrder },
})

export const operatorCancelOrder = endpoint({
  ...guarded,
  method: 'PUT',
  path: `${orders.path}/{id}/cancellation`,
  summary: 'Cancel an order.',
  body: Cancellation.extend({ basedOn }).meta({ id: 'OperatorCancellation' }).optional(),
  replies: { 200: 'The order, cancelled.' },
  example: { params: { id: examples.order.id }, body: { reason: 'Placed twice.' }, reply: examples.operatorOrder },
})
