import { z } from 'zod'
import { Path, Timestamp } from '../primitives.ts'
import { listOf, readOf } from '../resource-endpoints.ts'
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

export const listRefusedMessages = listOf({
  name: 'listRefusedMessages',
  path: base,
  scope: 'operator.results.read',
  tag,
  summary: 'List HL7 messages that were refused, the last first.',
  description:
    'Messages that are no result reports, or cannot be read. Whatever else a laboratory sends is applied or waits among ' +
    'the results.',
  filters: {
    door: z.enum(HL7_DOORS).optional().meta({ description: 'Messages that came this way.' }),
  },
  items: 'refused messages',
  item: RefusedMessage,
  example: examples.refusedMessage,
  exampleQuery: { door: 'mllp' },
})

export const readRefusedMessage = readOf({
  name: 'readRefusedMessage',
  path: `${base}/{id}`,
  scope: 'operator.results.read',
  tag,
  summary: 'Read one refused message, with its text.',
  what: 'refused message',
  reply: FullRefusedMessage,
  example: examples.fullRefusedMessage,
})
