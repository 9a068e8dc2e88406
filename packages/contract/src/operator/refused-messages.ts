import { z } from 'zod'
import { collection, paging } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import { Path, Timestamp } from '../primitives.ts'
import { page, resourceId } from '../shapes.ts'
import * as examples from '../openapi/operator-examples.ts'

export const HL7_DOORS = ['http', 'mllp'] as const

const RefusedMessage = z
  .object({
    id: z.string(),
    object: z.literal('refusedMessage'),
    door: z.enum(HL7_DOORS),
    code: z.enum(['AE', 'AR']).meta({ description: 'How it was acknowledged.' }),
    reason: z.string(),
    sender: z.string().meta({ description: 'MSH-4, else MSH-3; empty where the header could not be read.' }),
    controlId: z.string().meta({ description: 'MSH-10; empty where the header could not be read.' }),
    tokenId: z.string().meta({ description: 'The token it came with.' }),
    address: z.string().nullable().meta({ description: 'Where the last one came from.' }),
    size: z.int().min(0).meta({ description: 'Bytes of the message.' }),
    count: z.int().min(1).meta({ description: 'How often the same bytes were sent.' }),
    firstAt: Timestamp,
    lastAt: Timestamp,
    url: Path,
  })
  .meta({ id: 'RefusedMessage', description: 'A message in HL7 that was not taken. Kept for 30 days.' })

export type RefusedMessage = z.infer<typeof RefusedMessage>

const FullRefusedMessage = RefusedMessage.extend({
  text: z.string().optional().meta({
    description: 'Its first 64 KiB, for tokens with `operator.participants.read`: it may name a person.',
  }),
}).meta({ id: 'FullRefusedMessage' })

const tag = 'Results'
const base = '/api/operator/v1/refusedMessages'

export const listRefusedMessages = endpoint({
  name: 'listRefusedMessages',
  method: 'GET',
  path: base,
  scope: 'operator.results.read',
  tag,
  summary: 'List HL7 messages that were refused, the last first.',
  description:
    'Messages that are no result reports, or cannot be read. Whatever else a laboratory sends is applied or waits among ' +
    'the results.',
  query: z.strictObject({
    ...paging,
    door: z.enum(HL7_DOORS).optional().meta({ description: 'Messages that came this way.' }),
  }),
  replies: { 200: 'A page of refused messages.' },
  reply: collection(RefusedMessage, 'RefusedMessageCollection'),
  refusals: [400],
  example: { query: { door: 'mllp' }, reply: page(examples.refusedMessage) },
})

export const readRefusedMessage = endpoint({
  name: 'readRefusedMessage',
  method: 'GET',
  path: `${base}/{id}`,
  scope: 'operator.results.read',
  tag,
  summary: 'Read one refused message, with its text.',
  params: z.strictObject({ id: resourceId('refused message') }),
  query: z.strictObject({}),
  replies: { 200: 'The refused message.' },
  reply: FullRefusedMessage,
  refusals: [400, 404],
  example: { params: { id: examples.refusedMessage.id }, reply: examples.fullRefusedMessage },
})
