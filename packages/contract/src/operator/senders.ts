import { z } from 'zod'
import { TokenSender } from '../catalog.ts'
import { filter } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import * as examples from '../openapi/catalog-examples.ts'
import { text } from '../primitives.ts'
import { listOf, resourceId } from '../resource-endpoints.ts'
import { SENDER_KINDS } from '../scopes.ts'
import { CODE_ORIGINS } from './laboratory-codes.ts'

const OperatorSender = z
  .object({
    object: z.literal('sender'),
    id: TokenSender.shape.id,
    role: TokenSender.shape.role,
    name: z.string().nullable(),
    labs: z
      .array(z.string())
      .nullable()
      .describe('Ids of the laboratories it sends for; null for the one whose id or name equals its own id.'),
    timezone: z.string().nullable().describe('IANA time zone of HL7 times without an offset; null for UTC.'),
    token: z
      .object({ id: z.string(), name: z.string(), isEditable: z.boolean() })
      .describe('The token that lists it. Those of catalog files, and revoked ones, cannot be edited.'),
    codes: z
      .array(z.object({ lab: z.string(), code: z.string(), service: z.string(), origin: z.enum(CODE_ORIGINS) }))
      .describe('The codes of its laboratories for services (OBR-4).'),
  })
  .meta({ id: 'OperatorSender', description: 'A sender of result reports, as a token lists it.' })

export type OperatorSender = z.infer<typeof OperatorSender>

const senders = { path: '/api/operator/v1/senders', tag: 'Tokens', one: 'sender', many: 'senders' }

export const listSenders = listOf(senders, {
  scope: 'operator.tokens.read',
  summary: 'List the senders of all tokens, by token.',
  filters: {
    tokenId: filter('Senders of this token.'),
    role: z.enum(SENDER_KINDS).optional().describe('Senders of this kind.'),
  },
  item: OperatorSender,
  example: examples.sender,
})

export const editSender = endpoint({
  method: 'PATCH',
  path: '/api/operator/v1/tokens/{id}/senders',
  scope: 'operator.tokens.write',
  tag: 'Tokens',
  summary: 'Change a sender of a token.',
  description:
    '`id` and `role` select the sender. Members that are not sent stay as they are. Takes effect immediately. Codes are changed with `laboratoryCodes`.',
  params: z.strictObject({ id: resourceId('token') }),
  body: z
    .strictObject({
      id: TokenSender.shape.id,
      role: TokenSender.shape.role,
      name: text(1, 255).nullish().describe('Null: none.'),
      labs: TokenSender.shape.labs.unwrap().nullish().describe('Null: the laboratory whose id or name equals its id.'),
      timezone: TokenSender.shape.timezone.unwrap().nullish().describe('Null: UTC.'),
      reason: text(1, 1000).optional().describe('Recorded in the audit log.'),
    })
    .meta({ id: 'SenderChange' }),
  replies: { 200: 'The sender, changed.' },
  reply: OperatorSender,
  refusals: [422],
  example: {
    params: { id: examples.sender.token.id },
    body: { id: examples.sender.id, role: examples.sender.role, timezone: 'America/Chicago' },
    reply: examples.sender,
  },
})
