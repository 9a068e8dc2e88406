import { z } from 'zod'
import { filter } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import * as examples from '../openapi/delivery-examples.ts'
import { DELIVERY_STATES, parking } from '../order-events.ts'
import { Flag, openEnum, Path, text, Timestamp } from '../primitives.ts'
import { boundedListOf, idOf, readOf } from '../resource-endpoints.ts'
import { origin } from './callbacks.ts'
import { AfterWrite } from '../write-position.ts'

const Delivery = z
  .object({
    id: z.string(),
    object: z.literal('delivery'),
    eventId: z.string(),
    orderId: z.string(),
    orderCode: z.string().nullable().describe('Null once the order was erased.'),
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
    number: z.int().min(1).describe('The number of the attempt, as in `X-Delivery-Attempt`.'),
    at: Timestamp,
    ms: z.int().min(0).describe('Duration in milliseconds.'),
    status: z.int().nullable().describe('HTTP status of the response; null if there was none.'),
    error: z.string().nullable(),
    detail: z.string().nullable(),
    excerpt: z
      .string()
      .nullable()
      .describe('The first 1,024 characters of the response body, with our secrets removed. Its headers are not kept.'),
    headers: z
      .record(z.string(), z.string())
      .describe(
        'Headers of the request. Credentials and signatures are `[removed]`. Empty if they can no longer be read.',
      ),
  })
  .meta({ id: 'DeliveryAttempt' })

const DeliveryStep = z
  .object({
    number: z.int().min(1).describe('The number of the attempt.'),
    state: z
      .enum(['done', 'next', 'later'])
      .describe('`next` is the attempt that comes next, or is being made; `later` follow if it fails.'),
    at: Timestamp.nullable().describe(
      'When it was made, or when it is due at the earliest. Null if that depends on when its receiver is resumed or recovers, or is no longer on record.',
    ),
    waitSeconds: z
      .number()
      .min(0)
      .nullable()
      .describe('Scheduled wait after the attempt before; null beyond the schedule. Up to 10 % is added.'),
  })
  .meta({ id: 'DeliveryStep', description: 'A step of the retry schedule since the delivery was last queued.' })

const DeliveryRequest = z
  .object({
    method: z.literal('POST'),
    target: z.string().describe('URL of the callback without its query, which may contain secrets.'),
    body: z
      .string()
      .nullable()
      .describe(
        'The body of every attempt. The participant in a v1 body is replaced by `"[removed]"`. Null once it was deleted, 30 days after the delivery ended.',
      ),
    changedAt: Timestamp.nullable().describe(
      'When the callback was last registered again. Earlier attempts may have had other headers. Null if it never was.',
    ),
  })
  .meta({ id: 'DeliveryRequest', description: 'What is sent.' })

const FullDelivery = Delivery.extend({
  log: z.array(DeliveryAttempt).describe('Every attempt of the last 30 days, oldest first.'),
  schedule: z.array(DeliveryStep).describe('The attempts since the delivery was last queued, and those still to come.'),
  request: DeliveryRequest,
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

const instant = z.iso.datetime({ offset: true })

const deliveries = { path: '/api/operator/v1/deliveries', tag: 'Deliveries', one: 'delivery', many: 'deliveries' }
const change = { method: 'POST', scope: 'operator.deliveries.write', tag: 'Deliveries' } as const

const includeDelivered = Flag.describe('Sends what was delivered once more. Default: false.')

export const listDeliveries = boundedListOf(deliveries, {
  headers: AfterWrite,
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
  summary: 'Read a delivery with its attempts, its retry schedule and what is sent.',
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
