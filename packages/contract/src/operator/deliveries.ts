import { z } from 'zod'
import { filter } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import * as examples from '../openapi/delivery-examples.ts'
import { DELIVERY_STATES, parking } from '../order-events.ts'
import { Flag, openEnum, Path, text, Timestamp } from '../primitives.ts'
import { boundedListOf, idOf, listOf, readOf } from '../resource-endpoints.ts'
import { origin } from './callbacks.ts'

const Delivery = z
  .object({
    id: z.string(),
    object: z.literal('delivery'),
    eventId: z.string(),
    orderId: z.string(),
    version: z.enum(['v1', 'v2']),
    callbackUrl: z.string().describe('URL of the callback without its query, which may contain secrets.'),
    callbackOrigin: z.string().describe('The receiver: scheme, host and port of the URL.'),
    state: z.enum(DELIVERY_STATES),
    attempts: z.int().min(0).describe('Attempts so far. A replay counts on.'),
    createdAt: Timestamp,
    lastAttemptAt: Timestamp.nullable(),
    lastStatus: z.int().nullable().describe('HTTP status of the last response; null if there was none.'),
    lastError: openEnum(['timeout', 'connect', 'dns', 'tls', 'reset', 'registrationEnded'])
      .nullable()
      .describe('Why there was no response; `registrationEnded` if the callback had ended.'),
    nextAttemptAt: Timestamp.nullable().describe('When a waiting delivery is due.'),
    ...parking,
    endedAt: Timestamp.nullable(),
    url: Path,
  })
  .meta({ id: 'Delivery', description: 'The delivery of one event to one callback.' })

export type Delivery = z.infer<typeof Delivery>

const DeliveryAttempt = z
  .object({
    at: Timestamp,
    ms: z.int().min(0).describe('Duration in milliseconds.'),
    status: z.int().nullable().describe('HTTP status of the response; null if there was none.'),
    error: z.string().nullable(),
    detail: z.string().nullable(),
    excerpt: z.string().nullable().describe('The beginning of the response, with our secrets removed.'),
  })
  .meta({ id: 'DeliveryAttempt' })

const FullDelivery = Delivery.extend({
  log: z.array(DeliveryAttempt).describe('Every attempt of the last 30 days, oldest first.'),
}).meta({ id: 'FullDelivery' })

export type FullDelivery = z.infer<typeof FullDelivery>

const DeliveryReplay = z
  .object({
    object: z.literal('deliveryReplay'),
    replayed: z.int().min(0).describe('Deliveries that will be sent again.'),
    waiting: z.int().min(0).describe('Not replayed: they have not ended yet.'),
    ended: z.int().min(0).describe('Not replayed: their callback has ended.'),
    forgotten: z.int().min(0).describe('Not replayed: their body was deleted after 30 days.'),
  })
  .meta({ id: 'DeliveryReplay' })

export const BREAKER_STATES = ['closed', 'open', 'halfOpen'] as const

const Receiver = z
  .object({
    object: z.literal('receiver'),
    origin: z.string(),
    state: z
      .enum(BREAKER_STATES)
      .describe(
        'State of the circuit breaker: `closed` (deliveries are sent), `open` (none are sent) or `halfOpen` (a single delivery tests whether the receiver has recovered).',
      ),
    failures: z.int().min(0).describe('Consecutive failed attempts.'),
    openUntil: Timestamp.nullable().describe('When the next delivery is attempted, while the breaker is open.'),
    pausedAt: Timestamp.nullable(),
    held: z.int().min(0).describe('Parked deliveries: due but not sent. Counted up to 100,000.'),
    waiting: z
      .int()
      .min(0)
      .describe('Deliveries that wait for their next attempt, without parked ones. Counted up to 100,000.'),
    oldestAt: Timestamp.nullable().describe(
      'When the oldest parked or waiting delivery was created or replayed; null if there is none.',
    ),
  })
  .meta({ id: 'Receiver', description: 'An origin that callbacks are sent to.' })

export type Receiver = z.infer<typeof Receiver>

const ChangedReceiver = Receiver.extend({
  isKnown: z.boolean().describe('False if nothing was ever sent to this origin. Check the spelling.'),
}).meta({ id: 'ChangedReceiver' })

const instant = z.iso.datetime({ offset: true })

const deliveries = { path: '/api/operator/v1/deliveries', tag: 'Deliveries', one: 'delivery', many: 'deliveries' }
const receivers = { path: '/api/operator/v1/receivers', tag: 'Deliveries', one: 'receiver', many: 'receivers' }
const change = { method: 'POST', scope: 'operator.deliveries.write', tag: 'Deliveries' } as const

const includeDelivered = Flag.describe('Sends what was delivered once more. Default: false.')

export const listDeliveries = boundedListOf(deliveries, {
  scope: 'operator.deliveries.read',
  summary: 'List deliveries, newest first.',
  filters: {
    order: filter('Deliveries of this order, by its id or code.'),
    origin: origin.optional().meta({ format: 'uri', description: 'Deliveries to this origin.' }),
    state: z.enum(DELIVERY_STATES).optional().describe('Deliveries in this state.'),
    createdFrom: instant.optional().describe('Created at this time or later.'),
    createdTo: instant.optional().describe('Created before this time.'),
  },
  item: Delivery,
  example: examples.delivery,
  exampleQuery: { state: 'failed' },
})

export const readDelivery = readOf(deliveries, {
  scope: 'operator.deliveries.read',
  summary: 'Read a delivery with its attempts.',
  reply: FullDelivery,
  example: examples.fullDelivery,
})

export const replayDelivery = endpoint({
  ...change,
  path: `${deliveries.path}/{id}/replay`,
  summary: 'Replay a delivery that has ended.',
  description:
    'Sends the same event with the same bytes, on a new retry schedule. One that was delivered is refused without `includeDelivered`.',
  params: idOf(deliveries),
  body: z.strictObject({ includeDelivered: includeDelivered.optional() }).optional(),
  replies: { 200: 'The delivery, to be sent again.' },
  reply: Delivery,
  refusals: [422],
  example: {
    params: { id: examples.delivery.id },
    body: { includeDelivered: true },
    reply: examples.replayedDelivery,
  },
})

export const replayDeliveries = endpoint({
  ...change,
  path: `${deliveries.path}/replays`,
  summary: 'Replay many deliveries that have ended.',
  description:
    'The deliveries of an order, to an origin or of a time range. At least one of these is required. Those that were delivered are left out ' +
    'without `includeDelivered`.',
  body: z
    .strictObject({
      order: text(1, 255).optional().describe('Id or code.'),
      origin: origin.optional().meta({ format: 'uri' }),
      createdFrom: instant.optional(),
      createdTo: instant.optional(),
      state: z
        .enum(['delivered', 'failed'])
        .optional()
        .describe('Only deliveries that ended in this state. `delivered` requires `includeDelivered`.'),
      includeDelivered: includeDelivered.optional(),
    })
    .meta({ id: 'DeliveryReplayRequest' }),
  replies: { 200: 'The number of deliveries.' },
  reply: DeliveryReplay,
  example: {
    body: { origin: 'https://hooks.example.com', state: 'failed' },
    reply: { object: 'deliveryReplay', replayed: 12, waiting: 1, ended: 0, forgotten: 0 },
  },
})

export const listReceivers = listOf(receivers, {
  scope: 'operator.deliveries.read',
  summary: 'List receivers that are paused or failing.',
  filters: {
    held: z
      .enum(['true', 'false'])
      .optional()
      .describe('`true`: also receivers that are neither paused nor failing but have parked deliveries.'),
  },
  item: Receiver,
  example: examples.receiver,
})

const receiverChange = {
  ...change,
  body: z.strictObject({ origin: origin.meta({ format: 'uri' }) }).meta({ id: 'ReceiverRequest' }),
  reply: ChangedReceiver,
} as const

export const pauseReceiver = endpoint({
  ...receiverChange,
  path: `${receivers.path}/pause`,
  summary: 'Pause deliveries to an origin.',
  description: 'They are parked until the origin is resumed. Deliveries of v1 still end an hour after their event.',
  replies: { 200: 'The receiver, paused.' },
  example: { body: { origin: examples.receiver.origin }, reply: examples.pausedReceiver },
})

export const resumeReceiver = endpoint({
  ...receiverChange,
  path: `${receivers.path}/resume`,
  summary: 'Resume deliveries to an origin.',
  description: 'Also closes the circuit breaker.',
  replies: { 200: 'The receiver, resumed.' },
  example: { body: { origin: examples.receiver.origin }, reply: examples.resumedReceiver },
})
