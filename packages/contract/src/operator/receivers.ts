import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import * as examples from '../openapi/delivery-examples.ts'
import { Timestamp } from '../primitives.ts'
import { listOf } from '../resource-endpoints.ts'
import { origin } from './callbacks.ts'

export const BREAKER_STATES = ['closed', 'open', 'halfOpen'] as const

export const HALF_HOURS = 48

const counts = (of: string) => z.array(z.int().min(0)).length(HALF_HOURS).describe(of)

const ReceiverDay = z
  .object({
    from: Timestamp.describe('The beginning of the first half hour.'),
    delivered: counts('Attempts that succeeded, by half hour. The last one has not ended yet.'),
    failed: counts('Attempts that failed, by half hour.'),
  })
  .meta({ id: 'ReceiverDay', description: 'Attempts of the last 24 hours by half hour, up to a few seconds ago.' })

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
    openedAt: Timestamp.nullable().describe('Since when the breaker has been open; null while it is closed.'),
    openUntil: Timestamp.nullable().describe('When the next delivery is attempted, while the breaker is open.'),
    pausedAt: Timestamp.nullable(),
    lastAttemptAt: Timestamp.nullable().describe('Null if nothing was sent in the last 30 days.'),
    lastDeliveredAt: Timestamp.nullable().describe('The last success of the last 30 days.'),
    usesV1: z.boolean().describe('Whether v1 events were sent to it in the last 30 days.'),
    lastDay: ReceiverDay,
    p95Ms: z
      .int()
      .min(0)
      .nullable()
      .describe(
        'Milliseconds that 95 % of the attempts of the last 24 hours took at most; of many, those of the last 100 deliveries ' +
          'in each state. Null if there were none.',
      ),
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

const receivers = { path: '/api/operator/v1/receivers', tag: 'Deliveries', one: 'receiver', many: 'receivers' }

export const listReceivers = listOf(receivers, {
  scope: 'operator.deliveries.read',
  summary: 'List receivers that are paused or failing.',
  filters: {
    origin: origin.optional().meta({ format: 'uri', description: 'Only this receiver, even if it is healthy.' }),
    held: z
      .enum(['true', 'false'])
      .optional()
      .describe('`true`: also receivers that are neither paused nor failing but have parked deliveries.'),
    recent: z
      .enum(['true', 'false'])
      .optional()
      .describe('`true`: also every receiver that anything was sent to in the last 30 days.'),
    version: z
      .enum(['v1'])
      .optional()
      .describe('`v1`: only receivers that v1 events were sent to in the last 30 days.'),
  },
  item: Receiver,
  example: examples.receiver,
})

const receiverChange = {
  method: 'POST',
  scope: 'operator.deliveries.write',
  tag: 'Deliveries',
  body: z.strictObject({ origin: origin.meta({ format: 'uri' }) }).meta({ id: 'ReceiverRequest' }),
  reply: ChangedReceiver,
} as const

export const pauseReceiver = endpoint({
  ...receiverChange,
  path: `${receivers.path}/pause`,
  summary: 'Pause deliveries to an origin.',
  description:
    'They are parked and lose no attempt until the origin is resumed. A running attempt is not interrupted. Deliveries of v1 still end an hour after their event.',
  replies: { 200: 'The receiver, paused.' },
  example: { body: { origin: examples.receiver.origin }, reply: examples.pausedReceiver },
})

export const resumeReceiver = endpoint({
  ...receiverChange,
  path: `${receivers.path}/resume`,
  summary: 'Resume deliveries to an origin.',
  description: 'Parked deliveries are sent at once. Also closes the circuit breaker.',
  replies: { 200: 'The receiver, resumed.' },
  example: { body: { origin: examples.receiver.origin }, reply: examples.resumedReceiver },
})

export const probeReceiver = endpoint({
  ...receiverChange,
  path: `${receivers.path}/probe`,
  summary: 'Probe an origin now.',
  description:
    'Ends the wait of an open circuit breaker: the next parked delivery is sent at once and shows whether the receiver has recovered. If it ' +
    'fails, the breaker opens again, for twice as long, up to ten minutes. Changes nothing while the breaker is closed or the origin is paused.',
  replies: { 200: 'The receiver, `halfOpen` if its breaker was open.' },
  example: { body: { origin: examples.receiver.origin }, reply: examples.probedReceiver },
})
