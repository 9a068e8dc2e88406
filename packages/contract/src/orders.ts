import { z } from 'zod'
import { Address } from './address.ts'
import { filter, NEXT_CURSOR, optionalPage } from './collection.ts'
import { CreateOrder, IDENTIFIER_TYPES, TEST_REASONS } from './create-order.ts'
import { endpoint } from './endpoint.ts'
import * as examples from './openapi/examples.ts'
import { orderRequests } from './openapi/order-examples.ts'
import { openEnum, Path, text, Timestamp } from './primitives.ts'
import {
  AgencyReference,
  ClinicReference,
  CompanyReference,
  JobCategoryReference,
  LocationReference,
  PackageReference,
} from './references.ts'
import { idOf, listOf, readOf } from './resource-endpoints.ts'
import { ServiceAttributes } from './services.ts'
import { ORDER_STATUSES, SERVICE_STATUSES, STATUS_GROUPS } from './statuses.ts'
import { AfterWrite } from './write-position.ts'

const ParticipantIdentifier = z
  .object({
    issuingCountry: z.string().nullable(),
    issuingState: z.string().nullable(),
    object: z.literal('participantIdentifier'),
    type: openEnum(IDENTIFIER_TYPES),
    value: z.string(),
  })
  .meta({ id: 'ParticipantIdentifier' })

const OrderParticipant = z
  .object({
    address: Address.nullable(),
    birthDate: z.iso.date().nullable(),
    email: z.string().nullable(),
    firstName: z.string(),
    identifiers: z
      .array(ParticipantIdentifier)
      .optional()
      .describe('Only for tokens that carry `order.participant.read`.'),
    lastName: z.string(),
    middleName: z.string().nullable(),
    phone: z.string().nullable(),
  })
  .meta({ id: 'OrderParticipant', description: 'The person tested. A value nobody knows yet is null.' })

const OrderService = z
  .object({
    attributes: ServiceAttributes,
    courierServiceName: z.string().nullable().describe('The courier that carries the specimen to the laboratory.'),
    id: z.string(),
    isDot: z.boolean().describe('Whether the rules of the Department of Transportation (DOT) apply.'),
    isFinal: z.boolean().describe('Whether this service has an outcome.'),
    lab: z.object({ id: z.string(), name: z.string(), object: z.literal('vendor'), type: z.literal('lab') }).nullable(),
    name: z.string(),
    object: z.literal('orderService'),
    screenHistory: z
      .array(
        z.object({
          object: z.literal('orderServiceScreenHistory'),
          occurredAt: Timestamp,
          type: openEnum(['initial', 'validity', 'confirmation', 'mroReview', 'mroInterview', 'split']),
        }),
      )
      .describe('Empty until the medical review is complete.'),
    specimenId: z.string().nullable(),
    status: openEnum(SERVICE_STATUSES),
    statusHistory: z.array(
      z.object({
        groupType: openEnum(STATUS_GROUPS),
        object: z.literal('orderServiceStatusHistory'),
        occurredAt: Timestamp,
        status: openEnum(SERVICE_STATUSES),
      }),
    ),
    statusUpdatedAt: Timestamp,
    trackingNumber: z.string().nullable(),
  })
  .meta({ id: 'OrderService' })

export const Order = z
  .object({
    agency: AgencyReference.nullable().describe('Null for a non-regulated order.'),
    clinic: ClinicReference.nullable().describe('Null until a collection site is assigned.'),
    code: z.string().describe('Human-readable order code.'),
    company: CompanyReference.nullable().describe('The company that the order was placed for.'),
    createdAt: Timestamp,
    expiresAt: Timestamp.nullable().describe('Null if the order does not expire.'),
    externalId: z.string().nullable().describe('Your own identifier, as sent when the order was created.'),
    id: z.string(),
    isFinal: z
      .boolean()
      .describe('Whether the order has an outcome. False for cancelled, expired and no-show orders: check `status`.'),
    jobCategory: JobCategoryReference.nullable().describe('Null if the order has none.'),
    location: LocationReference.nullable().describe('The location that the order was placed at.'),
    matched: z
      .object({
        originalSource: openEnum(['api', 'portal', 'app', 'import']),
        score: z
          .number()
          .describe(
            '100 for an exact match. For tokens without `order.participant.read`, any other match has the applicable ' +
              'minimum score.',
          ),
      })
      .optional()
      .describe('Present only on a create response that returned an existing equivalent order.'),
    object: z.literal('order'),
    otherTestReason: z.string().nullable().describe('Detail for `testReason` `other`.'),
    packages: z.array(PackageReference).describe('The packages that the order was created from.'),
    participant: OrderParticipant.optional().describe(
      'Absent from reads and lists without `order.participant.read`. Without it, a create that returned an existing ' +
        'order shows the participant as the request gave it, with null for what it left out.',
    ),
    services: z.array(OrderService).describe('In creation order.'),
    status: openEnum(ORDER_STATUSES).describe('Further values may be added.'),
    statusUpdatedAt: Timestamp.describe('Last change of status; initially the creation time.'),
    testReason: openEnum(TEST_REASONS).nullable().describe('Further values may be added.'),
    updatedAt: Timestamp.describe('Last change that is visible in this representation.'),
    url: Path,
  })
  .meta({ id: 'Order' })

export type Order = z.infer<typeof Order>

const instant = (description: string) =>
  z.iso.datetime({ offset: true }).optional().describe(`${description} ISO 8601 with an offset.`)

const IdempotencyKey = z.object({
  'Idempotency-Key': text(1, 255)
    .optional()
    .describe(
      'Within 24 hours, the same key and body return the first answer again; the same key with another body is refused with 409.',
    ),
})

const creation = {
  method: 'POST',
  scope: 'order.create',
  tag: 'Orders',
  headers: IdempotencyKey,
  body: CreateOrder,
  replies: {
    200: 'An equivalent order exists: it is returned with `matched`, and nothing new is created.',
    201: 'The order, created.',
  },
  reply: Order,
  refusals: [403, 409],
  example: {
    headers: { 'Idempotency-Key': '5f1c7a52-0d0a-4c1b-9d5e-6f2b8a3c9e10' },
    body: examples.orderRequest,
    bodies: orderRequests,
    reply: examples.order,
    replies: { 200: examples.matchedOrder },
  },
} as const

export const createOrder = endpoint({
  ...creation,
  path: '/api/v2/orders',
  summary: 'Create an order.',
  description: 'Places an order for a participant at a location, from a package. Its callback receives v2 events.',
})

export const createOrderV1 = endpoint({
  ...creation,
  path: '/api/v1/orders',
  summary: 'Create an order whose callback receives v1 deliveries.',
  example: {
    ...creation.example,
    headers: { 'Idempotency-Key': '8c0d7f2e-4a5b-4d7c-9b1e-2f6a0e3d5c41' },
  },
  deprecation: { at: '2026-11-16T00:00:00Z', guide: '/docs/guides/v1-to-v2' },
  description:
    'Deprecated: use the v2 operation. There is no end date. Same request and response as the v2 operation. Error codes are constraint names such as `isNotEmpty`.',
})

/** The filters of order lists, for integrators and operators alike. */
export const orderFilters = {
  companyId: filter(
    'Orders for this company. A company that is inactive or not linked to the token gives an empty page.',
  ),
  locationId: filter("Orders at this location. A location outside the token's companies gives an empty page."),
  code: filter('The exact order code.'),
  externalId: filter('Orders with exactly this `externalId`.'),
  specimenId: filter('Orders with this specimen.'),
  status: z.enum(ORDER_STATUSES).optional().describe('Orders in this status.'),
  createdFrom: instant('Created at this time or later.'),
  createdTo: instant('Created before this time.'),
  updatedFrom: instant('Last updated at this time or later.'),
  updatedTo: instant('Last updated before this time.'),
}

const orders = { path: '/api/v2/orders', tag: 'Orders', one: 'order', many: 'orders' }

const listed = listOf(orders, {
  headers: AfterWrite,
  scope: 'order.list',
  description:
    'Orders placed at locations under the companies linked to the token, newest first.\n\n' +
    'To keep a copy in sync, send `sort=updatedAt` and a `cursor`, empty at first: orders come in the order in which their ' +
    'changes were committed, each once per change that was not read yet. Read on with `nextCursor`: no change is left out. ' +
    'With filters, a page may have fewer orders than `limit` before the end.',
  filters: {
    ...orderFilters,
    sort: z.enum(['updatedAt']).optional().describe('Oldest change first, to be read on with `cursor`.'),
    cursor: z
      .string()
      .max(200)
      .optional()
      .describe('The `nextCursor` of the previous page. Empty: from the beginning. `latest`: what is new from now on.'),
  },
  item: Order,
  example: examples.order,
  exampleQuery: { status: 'ordered' },
})

export const listOrders = {
  ...listed,
  query: listed.query.extend({ page: optionalPage }),
  reply: listed.reply
    .extend({ nextCursor: z.string().optional().describe(`Only with \`cursor\`. ${NEXT_CURSOR}`) })
    .meta({ id: 'OrderCollection' }),
}

export const readOrder = readOf(orders, { scope: 'order.read', reply: Order, example: examples.order })

export const Cancellation = z
  .strictObject({ reason: text(1, 255).optional().describe('The reason, shown to the operator.') })
  .meta({ id: 'Cancellation' })

export const cancelOrder = endpoint({
  method: 'PUT',
  path: '/api/v2/orders/{id}/cancellation',
  scope: 'order.cancel',
  tag: 'Orders',
  summary: 'Cancel an order.',
  description:
    'Cancelling twice has no further effect. Orders that have an outcome, expired or were missed cannot be cancelled.',
  params: idOf(orders),
  body: Cancellation.optional(),
  replies: { 200: 'The order, cancelled.' },
  reply: Order,
  refusals: [422],
  example: {
    params: { id: examples.order.id },
    body: { reason: 'Hired elsewhere.' },
    reply: examples.cancelledOrder,
  },
})
