import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import * as examples from '../openapi/message-examples.ts'
import { order } from '../openapi/operator-examples.ts'
import { Flag, text } from '../primitives.ts'
import { idOf } from '../resource-endpoints.ts'
import { Message } from './messages.ts'

const RECIPIENTS = ['participant', 'requester'] as const

const OrderLinks = z
  .object({
    object: z.literal('orderLinks'),
    orderId: z.string(),
    revoked: z.int().min(0).describe('How many links no longer work.'),
    message: Message.nullable().describe('The message with the new link.'),
  })
  .meta({ id: 'OrderLinks' })

export type OrderLinks = z.infer<typeof OrderLinks>

const links = {
  path: '/api/operator/v1/orders/{id}/links',
  scope: ['operator.orders.write', 'operator.links.write'],
  tag: 'Orders',
  params: idOf({ one: 'order' }),
  reply: OrderLinks,
} as const

export const sendLink = endpoint({
  ...links,
  method: 'POST',
  summary: 'Send a new link.',
  description:
    'To the contact of the order, or to `contact`, which replaces it. Earlier links keep working unless `revoke` is true or the contact changes. ' +
    'An address on the suppression list is refused. It also unlocks the question on a new device, which is locked for an hour after five wrong answers.',
  body: z
    .strictObject({
      recipient: z.enum(RECIPIENTS).optional().describe('Default: `participant`.'),
      revoke: Flag.optional().describe('Revokes the earlier links of the recipient. Default: false.'),
      contact: z
        .discriminatedUnion('type', [
          z.strictObject({ type: z.literal('email'), to: z.email().max(320) }),
          z.strictObject({ type: z.literal('mobile'), phone: text(1, 50) }),
        ])
        .optional()
        .describe('The new contact of the participant. Copies (`cc`) stay as they are.'),
      reason: text(1, 1000).optional(),
    })
    .meta({ id: 'LinkRequest' }),
  replies: { 200: 'What was revoked, and the message.' },
  refusals: [422],
  example: { params: { id: order.id }, body: { revoke: true }, reply: examples.orderLinks },
})

export const revokeLinks = endpoint({
  ...links,
  method: 'DELETE',
  summary: 'Revoke all links of an order.',
  description:
    'For participant and requester. A revoked link shows the same notice as an expired one. Later messages have new links.',
  replies: { 200: 'What was revoked.' },
  example: { params: { id: order.id }, reply: examples.revokedLinks },
})
