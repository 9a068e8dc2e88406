import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import * as examples from '../openapi/result-examples.ts'
import { Path, Timestamp } from '../primitives.ts'
import { idOf, listOf } from '../resource-endpoints.ts'
import { personsOfMessage } from './results.ts'

export const HL7_DOORS = ['http', 'mllp'] as const

const RefusedMessage = z
  .object({
    id: z.string(),
    object: z.literal('refusedMessage'),
    door: z.enum(HL7_DOORS),
    code: z.enum(['AE', 'AR']).describe('How it was acknowledged.'),
    reason: z.string(),
    sender: z.string().describe('MSH-4 or MSH-3; empty if the header could not be read.'),
    controlId: z.string().describe('MSH-10; empty if the header could not be read.'),
    tokenId: z.string().describe('Id of the token that sent it.'),
    address: z.string().nullable().describe('IP address of the last sender.'),
    size: z.int().min(0).describe('Size of the message in bytes.'),
    count: z.int().min(1).describe('How often the same message was sent.'),
    firstAt: Timestamp,
    lastAt: Timestamp,
    url: Path,
  })
  .meta({ id: 'RefusedMessage', description: 'A refused HL7 message. Kept for 30 days.' })

export type RefusedMessage = z.infer<typeof RefusedMessage>

const FullRefusedMessage = RefusedMessage.extend({
  text: z
    .string()
    .optional()
    .describe(
      'The first 64 KiB, with persons masked unless `participants` is `full`, and always without what a laboratory found: nobody knows ' +
        'whether it awaits a medical review. Only for tokens with `operator.participants.read`.',
    ),
}).meta({ id: 'FullRefusedMessage' })

const refusedMessages = {
  path: '/api/operator/v1/refusedMessages',
  tag: 'Results',
  one: 'refused message',
  many: 'refused messages',
}

export const listRefusedMessages = listOf(refusedMessages, {
  scope: 'operator.results.read',
  summary: 'List refused HL7 messages, newest first.',
  description: 'Messages that are not result reports or cannot be parsed. All other messages are listed as results.',
  filters: {
    door: z.enum(HL7_DOORS).optional().describe('Messages received this way.'),
  },
  item: RefusedMessage,
  example: examples.refusedMessage,
  exampleQuery: { door: 'mllp' },
})

export const readRefusedMessage = endpoint({
  method: 'GET',
  path: `${refusedMessages.path}/{id}`,
  scope: 'operator.results.read',
  tag: refusedMessages.tag,
  summary: 'Read a refused message with its text.',
  description:
    'Each read of the text is recorded in the audit log, as `refusedMessage.reveal` if persons are shown in full.',
  params: idOf(refusedMessages),
  query: z.strictObject({ participants: personsOfMessage }),
  replies: { 200: 'The refused message.' },
  reply: FullRefusedMessage,
  example: { params: { id: examples.fullRefusedMessage.id }, reply: examples.fullRefusedMessage },
})
