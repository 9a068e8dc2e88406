import { z } from 'zod'
import { CreateOrder } from './create-order.ts'
import { endpoint } from './endpoint.ts'
import * as examples from './openapi/examples.ts'
import { orderRequests } from './openapi/order-examples.ts'
import { Order } from './orders.ts'
import { Timestamp } from './primitives.ts'
import {
  AgencyReference,
  ClinicReference,
  JobCategoryReference,
  LocationReference,
  PackageReference,
} from './references.ts'
import { Service } from './services.ts'

export const OrderValidation = z
  .object({
    object: z.literal('orderValidation'),
    location: LocationReference,
    package: PackageReference,
    services: z.array(Service).describe('The services of the package, in the order in which they would be placed.'),
    agency: AgencyReference.nullable(),
    jobCategory: JobCategoryReference.nullable(),
    clinic: ClinicReference.nullable().describe('The collection site that would be booked, or that of the match.'),
    expiresAt: Timestamp.nullable().describe('When an order placed now would expire, or when the match expires.'),
    match: Order.nullable().describe('The existing order that a create would return, with `matched`.'),
  })
  .meta({ id: 'OrderValidation', description: 'What a create with the same body would do.' })

export type OrderValidation = z.infer<typeof OrderValidation>

export const validateOrder = endpoint({
  method: 'POST',
  path: '/api/v2/orders/validation',
  scope: 'order.create',
  tag: 'Orders',
  summary: 'Validate an order without placing it.',
  description:
    'Takes the body of a create and answers what the create would do, or with the same errors. Nothing is written, nobody is ' +
    'notified, and an `Idempotency-Key` is ignored. Where a rule comes from a regulation, `errors[].meta.regulation` names it.',
  body: CreateOrder,
  replies: { 200: 'The order can be placed.' },
  reply: OrderValidation,
  refusals: [403, 409],
  example: { body: examples.orderRequest, bodies: orderRequests, reply: examples.orderValidation },
})
