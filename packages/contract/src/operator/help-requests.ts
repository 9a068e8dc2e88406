import { z } from 'zod'
import { filter } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import * as examples from '../openapi/operator-examples.ts'
import { FlagText, Path, Timestamp } from '../primitives.ts'
import { idOf, listOf, readOf } from '../resource-endpoints.ts'

export const HELP_REASONS = ['tooFar', 'cannotTravel', 'noTime', 'declined', 'other'] as const

const HelpRequest = z
  .object({
    id: z.string(),
    object: z.literal('helpRequest'),
    orderId: z.string(),
    code: z.string().describe('Code of the order.'),
    recipient: z.enum(['participant', 'requester']).describe('Who asks.'),
    reason: z
      .enum(HELP_REASONS)
      .describe(
        '`tooFar`: all clinics are too far away. `cannotTravel`: they cannot get there. `noTime`: no time suits them. `declined`: they do not consent to the test, or do not authorize the background check.',
      ),
    isOpen: z.boolean(),
    createdAt: Timestamp,
    doneAt: Timestamp.nullable(),
    doneBy: z
      .string()
      .nullable()
      .describe('Id of the token that closed it; null while it is open, or if a booking or the end of the order did.'),
    url: Path,
  })
  .meta({
    id: 'HelpRequest',
    description:
      'A participant or requester found no clinic or time and asks an operator to find one, or a participant does not agree.',
  })

export type HelpRequest = z.infer<typeof HelpRequest>

const FullHelpRequest = HelpRequest.extend({
  details: z
    .object({
      place: z.string().nullable().describe('Where they looked for clinics.'),
      miles: z.int().nullable().describe('How far they can go.'),
      note: z.string().nullable(),
    })
    .optional()
    .describe('Only for tokens with `operator.participants.read`, because they may name a person.'),
}).meta({ id: 'FullHelpRequest' })

export type FullHelpRequest = z.infer<typeof FullHelpRequest>

const helpRequests = {
  path: '/api/operator/v1/helpRequests',
  tag: 'Orders',
  one: 'help request',
  many: 'help requests',
}

export const listHelpRequests = listOf(helpRequests, {
  scope: 'operator.orders.read',
  summary: 'List requests for help with finding a clinic, newest first.',
  filters: {
    isOpen: FlagText.optional().describe('Only open or only closed ones.'),
    orderId: filter('Requests about this order.'),
  },
  item: HelpRequest,
  example: examples.helpRequest,
  exampleQuery: { isOpen: 'true' },
})

export const readHelpRequest = readOf(helpRequests, {
  scope: 'operator.orders.read',
  summary: 'Read a help request with its details.',
  reply: FullHelpRequest,
  example: examples.fullHelpRequest,
})

export const finishHelpRequest = endpoint({
  method: 'PUT',
  scope: ['operator.orders.write', 'operator.participants.write'],
  tag: 'Orders',
  path: `${helpRequests.path}/{id}/done`,
  summary: 'Close a help request.',
  description:
    'A booking closes the request of its order by itself, and agreement one with the reason `declined`. Closing a closed request changes nothing.',
  params: idOf(helpRequests),
  replies: { 200: 'The help request, closed.' },
  reply: HelpRequest,
  example: { params: { id: examples.helpRequest.id }, reply: examples.doneHelpRequest },
})
