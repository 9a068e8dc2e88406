import { z } from 'zod'
import { filter } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import { DELIVERY_STATES, held } from '../order-events.ts'
import { Path, text, Timestamp } from '../primitives.ts'
import { boundedListOf, listOf, readOf, resourceId } from '../resource-endpoints.ts'
import * as examples from '../openapi/operator-examples.ts'
import { origin } from './origin.ts'

const Delivery = z
  .object({
    id: z.string(),
    object: z.literal('delivery'),
    eventId: z.string(),
    orderId: z.string(),
    version: z.enum(['v1', 'v2']),
    callbackUrl: z.string().meta({ description: 'Where it goes, without the query: that may hold secrets.' }),
    callbackOrigin: z.string().meta({ description: 'Scheme, host and port of it: the receiver.' }),
    state: z.enum(DELIVERY_STATES),
    attempts: z.int().min(0).meta({ description: 'Made so far; counted anew when it is replayed.' }),
    createdAt: Timestamp,
    lastAttemptAt: Timestamp.nullable(),
    lastStatus: z.int().nullable().meta({ description: 'HTTP status of the last answer; null where none came.' }),
    lastError: z
      .string()
      .nullable()
      .meta({
        description: 'Why no answer came; `registrationEnded` where the callback had ended.',
        examples: ['timeout', 'connect', 'dns', 'tls', 'reset', 'registrationEnded'],
      }),
    nextAttemptAt: Timestamp.nullable().meta({ description: 'When it is due, while it waits.' }),
    ...held,
    endedAt: Timestamp.nullable(),
    url: Path,
  })
  .meta({ id: 'Delivery', description: 'One event on its way to one callback.' })

export type Delivery = z.infer<typeof Delivery>

const DeliveryAttempt = z
  .object({
    at: Timestamp,
    ms: z.int().min(0).meta({ description: 'How long it took.' }),
    status: z.int().nullable().meta({ description: 'HTTP status of the answer; null where none came.' }),
    error: z.string().nullable(),
    detail: z.string().nullable(),
    excerpt: z.string().nullable().meta({ description: 'The beginning of the answer, without our secrets.' }),
  })
  .meta({ id: 'DeliveryAttempt' })

const FullDelivery = Delivery.extend({
  log: z.array(DeliveryAttempt).meta({ description: 'Every attempt of the last 30 days, the first first.' }),
}).meta({ id: 'FullDelivery' })

export type FullDelivery = z.infer<typeof FullDelivery>

const DeliveryReplay = z
  .object({
    object: z.literal('deliveryReplay'),
    replayed: z.int().min(0).meta({ description: 'Deliveries that are sent again.' }),
    waiting: z.int().min(0).meta({ description: 'Left as they are: they have not ended yet.' }),
    ended: z.int().min(0).meta({ description: 'Left as they are: their registration has ended.' }),
    forgotten: z.int().min(0).meta({ description: 'Left as they are: what was sent is forgotten after 30 days.' }),
  })
  .meta({ id: 'DeliveryReplay' })

export const BREAKER_STATES = ['closed', 'open', 'halfOpen'] as const

const Receiver = z
  .object({
    object: z.literal('receiver'),
    origin: z.string(),
    state: z.enum(BREAKER_STATES).meta({
      description:
        'State of the circuit breaker: `closed` (deliveries are sent), `open` (none are sent), or `halfOpen` (a single delivery shows whether the receiver is back).',
    }),
    failures: z.int().min(0).meta({ description: 'Failed attempts in a row.' }),
    openUntil: Timestamp.nullable().meta({
      description: 'When the next delivery is tried, while the breaker is open.',
    }),
    pausedAt: Timestamp.nullable(),
    held: z.int().min(0).meta({ description: 'Deliveries that are due and kept back, counted up to 100,000.' }),
    waiting: z.int().min(0).meta({
      description: 'Deliveries that wait for their next attempt, counted up to 100,000; held ones do not count.',
    }),
    oldestAt: Timestamp.nullable().meta({
      description:
        'When the oldest of the held and waiting deliveries was created or replayed; null if there are none.',
    }),
  })
  .meta({ id: 'Receiver', description: 'An origin that callbacks go to.' })

export type Receiver = z.infer<typeof Receiver>

const ChangedReceiver = Receiver.extend({
  isKnown: z.boolean().meta({ description: 'False where nothing was ever sent there: is it spelt right?' }),
}).meta({ id: 'ChangedReceiver' })

const instant = z.iso.datetime({ offset: true })

const tag = 'Deliveries'
const base = '/api/operator/v1/deliveries'
const receivers = '/api/operator/v1/receivers'
const params = z.strictObject({ id: resourceId('delivery') })

export const listDeliveries = boundedListOf({
  name: 'listDeliveries',
  path: base,
  scope: 'operator.deliveries.read',
  tag,
  summary: 'List deliveries, newest first.',
  filters: {
    order: filter('Deliveries of this order, by its id or code.'),
    origin: origin.optional().meta({ format: 'uri', description: 'Deliveries to this origin.' }),
    state: z.enum(DELIVERY_STATES).optional().meta({ description: 'Deliveries in this state.' }),
    createdFrom: instant.optional().meta({ description: 'Created at this time or later.' }),
    createdTo: instant.optional().meta({ description: 'Created before this time.' }),
  },
  items: 'deliveries',
  item: Delivery,
  example: examples.delivery,
  exampleQuery: { state: 'failed' },
})

export const readDelivery = readOf({
  name: 'readDelivery',
  path: `${base}/{id}`,
  scope: 'operator.deliveries.read',
  tag,
  summary: 'Read one delivery with every attempt.',
  what: 'delivery',
  reply: FullDelivery,
  example: examples.fullDelivery,
})

export const replayDelivery = endpoint({
  name: 'replayDelivery',
  method: 'POST',
  path: `${base}/{id}/replay`,
  scope: 'operator.deliveries.write',
  tag,
  summary: 'Send a delivery that has ended once more.',
  description: 'The same event with the same bytes, on a schedule of its own.',
  params,
  replies: { 200: 'The delivery, on its way again.' },
  reply: Delivery,
  refusals: [400, 404, 422],
  example: { params: { id: examples.delivery.id }, reply: examples.replayedDelivery },
})

export const replayDeliveries = endpoint({
  name: 'replayDeliveries',
  method: 'POST',
  path: `${base}/replays`,
  scope: 'operator.deliveries.write',
  tag,
  summary: 'Send many deliveries that have ended once more.',
  description: 'Those of an order, of an origin, or of a span of time: at least one of them is to be named.',
  body: z
    .strictObject({
      order: text(1, 255).optional().meta({ description: 'Id or code.' }),
      origin: origin.optional().meta({ format: 'uri' }),
      createdFrom: instant.optional(),
      createdTo: instant.optional(),
      state: z.enum(['delivered', 'failed']).optional().meta({ description: 'Only those that ended like this.' }),
    })
    .meta({ id: 'DeliveryReplayRequest' }),
  replies: { 200: 'How many there were.' },
  reply: DeliveryReplay,
  refusals: [400, 413, 415],
  example: {
    body: { origin: 'https://hooks.example.com', state: 'failed' },
    reply: { object: 'deliveryReplay', replayed: 12, waiting: 1, ended: 0, forgotten: 0 },
  },
})

export const listReceivers = listOf({
  name: 'listReceivers',
  path: receivers,
  scope: 'operator.deliveries.read',
  tag,
  summary: 'List receivers that are paused or failing.',
  filters: {
    held: z.enum(['true', 'false']).optional().meta({
      description: '`true`: also receivers that are neither paused nor failing, but have deliveries held.',
    }),
  },
  items: 'receivers',
  item: Receiver,
  example: examples.receiver,
})

const changing = {
  method: 'POST',
  scope: 'operator.deliveries.write',
  tag,
  body: z.strictObject({ origin: origin.meta({ format: 'uri' }) }).meta({ id: 'ReceiverRequest' }),
  reply: ChangedReceiver,
  refusals: [400, 413, 415],
} as const

export const pauseReceiver = endpoint({
  ...changing,
  name: 'pauseReceiver',
  path: `${receivers}/pause`,
  summary: 'Keep deliveries to an origin back.',
  description: 'Until it is resumed. Deliveries of v1 end an hour after their event all the same.',
  replies: { 200: 'The receiver, paused.' },
  example: { body: { origin: examples.receiver.origin }, reply: examples.pausedReceiver },
})

export const resumeReceiver = endpoint({
  ...changing,
  name: 'resumeReceiver',
  path: `${receivers}/resume`,
  summary: 'Let deliveries to an origin go again.',
  description: 'Also where failures have brought about a break.',
  replies: { 200: 'The receiver, resumed.' },
  example: { body: { origin: examples.receiver.origin }, reply: examples.resumedReceiver },
})
