import { z } from 'zod'
import { LIMIT } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import * as examples from '../openapi/operator-examples.ts'
import { text } from '../primitives.ts'
import { ListedOrder } from './orders.ts'

const OrderHit = z
  .object({
    object: z.literal('orderHit'),
    order: ListedOrder.describe(
      'The participant has only the first name and the initial of the last name; all other members are null. Absent for ' +
        'tokens without `operator.participants.read`.',
    ),
    matchedOn: z
      .array(
        z.enum([
          'id',
          'code',
          'specimenId',
          'externalId',
          'firstName',
          'middleName',
          'lastName',
          'birthDate',
          'email',
          'phone',
        ]),
      )
      .describe('What the order was found by.'),
  })
  .meta({ id: 'OrderHit' })

export type OrderHit = z.infer<typeof OrderHit>

const OrderSearch = z
  .object({
    object: z.literal('orderSearch'),
    kinds: z
      .array(z.enum(['id', 'code', 'specimenId', 'externalId', 'name', 'birthDate', 'email', 'phone']))
      .describe('What was searched for.'),
    data: z.array(OrderHit).describe('The closest first, then the newest.'),
    limit: z.int().min(1),
    isMore: z.boolean().describe('Whether more orders match than `limit`.'),
  })
  .meta({ id: 'OrderSearch' })

export const searchOrders = endpoint({
  // What is searched for is about people: in a body it stays out of addresses, which proxies log.
  method: 'POST',
  path: '/api/operator/v1/orders/searches',
  scope: 'operator.orders.read',
  tag: 'Orders',
  summary: 'Search orders by what is known of them.',
  description:
    'Names match by whole words, as written or as they sound, in any order; codes, specimen ids and external ids by their ' +
    'beginning; e-mail addresses, phone numbers and birth dates as a whole. All parts of the query must match. ' +
    'Searching for people requires `operator.participants.read`. Each search is recorded in the audit log with what it ' +
    'was for and what it found, but not with its text.',
  body: z.strictObject({
    q: text(1, 200)
      .describe('For example `maria lopez 1990-03-07`, `(630) 555-0100`, `K7M4` or `HR-4471`.')
      .meta({ examples: ['maria lopez'] }),
    limit: z.int().min(LIMIT.min).max(LIMIT.max).default(LIMIT.default),
  }),
  replies: { 200: 'The orders that match.' },
  reply: OrderSearch,
  example: { body: { q: 'maria lopez', limit: 5 }, reply: examples.orderSearch },
})
