import { z } from 'zod'
import { collection, paging } from './collection.ts'
import { endpoint } from './endpoint.ts'
import * as examples from './openapi/examples.ts'
import { RESULTS } from './operator/results.ts'
import { Order } from './orders.ts'
import { instant, text, Timestamp } from './primitives.ts'
import { idOf, page } from './resource-endpoints.ts'

/** How a simulation can end: with a result, or without one. `refusal` is `testNotPerformed` with a reason. */
export const SIMULATED_OUTCOMES = [...RESULTS, 'noShow', 'lostInTransit', 'expired', 'refusal'] as const
export type SimulatedOutcome = (typeof SIMULATED_OUTCOMES)[number]

/** Where a simulation can stop before its outcome. */
export const SIMULATED_STOPS = [
  'scheduled',
  'checkedIn',
  'collected',
  'inTransit',
  'receivedAtLab',
  'testing',
  'mroReview',
  'inProgress',
] as const

const sandbox = { scope: 'order.read', tag: 'Sandbox', isSandboxOnly: true } as const
const orders = '/api/sandbox/v1/orders/{id}'
const order = { one: 'order' }

export const Simulation = z
  .strictObject({
    outcome: z
      .enum(SIMULATED_OUTCOMES)
      .describe(
        'The result to reach, or `noShow`, `lostInTransit`, `expired` or `refusal` (`testNotPerformed`, with the reason ' +
          'shown to operators). Services that cannot have it get a good result of their category.',
      ),
    services: z
      .array(text(1, 255))
      .min(1)
      .max(50)
      .optional()
      .describe(
        'Ids of the services to move; all of them must be able to have the outcome. Default: all open services.',
      ),
    until: z
      .enum(SIMULATED_STOPS)
      .optional()
      .describe('Stops each service at this status. Services that do not pass through it go on to the outcome.'),
    delaySeconds: z
      .int()
      .min(0)
      .max(3600)
      .optional()
      .describe('Time between steps. The first step happens at once, the others in the background.'),
  })
  .meta({ id: 'Simulation' })

export type Simulation = z.infer<typeof Simulation>

/** The order of the examples, which a fresh sandbox has. */
const simulated = {
  ...examples.order,
  ...examples.collectedOrder,
  url: `/api/v2/orders/${examples.collectedOrder.id}`,
}

export const simulateOrder = endpoint({
  ...sandbox,
  method: 'POST',
  path: `${orders}/simulation`,
  summary: 'Move an order to an outcome.',
  description:
    'Reports what collectors, couriers, laboratories, reviewers and clinics would report, through the same rules: the order ' +
    'changes, and its events are sent. A new simulation of the same order replaces one that is still under way.\n\n' +
    'Orders for participants with the last name `Sandbox-<Outcome>`, such as `Sandbox-Positive` or `Sandbox-NoShow` in any ' +
    'case, are simulated without this call, soon after they were created.',
  params: idOf(order),
  body: Simulation,
  replies: { 200: 'The order, as far as it has come.' },
  reply: Order,
  refusals: [422],
  example: { params: { id: simulated.id }, body: { outcome: 'negative' }, reply: simulated },
})

export const ClockAdvance = z
  .strictObject({
    advanceSeconds: z.int().min(1).max(31_536_000).optional().describe('How far to move the clock.'),
    to: instant().optional().describe('The time to move the clock to, at most a year ahead. ISO 8601 with an offset.'),
  })
  .meta({ id: 'ClockAdvance', description: 'Exactly one of the two.' })

export type ClockAdvance = z.infer<typeof ClockAdvance>

export const advanceClock = endpoint({
  ...sandbox,
  method: 'POST',
  path: `${orders}/clock`,
  summary: 'Move the clock of an order.',
  description:
    'Whatever is due for the order by the later time happens now: it expires, a booking is missed, reminders are sent, failed ' +
    'deliveries are tried again, delayed simulations go on. Other times of the order move closer: `expiresAt` and the ' +
    'appointment. Nothing else changes its time: changes and signatures have the real one. A reminder for an order that has ' +
    'expired is not sent; move the clock in two steps to see both.',
  params: idOf(order),
  body: ClockAdvance,
  replies: { 200: 'The order, after the changes that were due.' },
  reply: Order,
  example: { params: { id: simulated.id }, body: { advanceSeconds: 432_000 }, reply: simulated },
})

export const TROUBLE_KINDS = ['duplicate', 'reorder', 'delay', 'wrongSignature', 'lateV1'] as const
export type TroubleKind = (typeof TROUBLE_KINDS)[number]

const kind = z
  .enum(TROUBLE_KINDS)
  .describe(
    '`duplicate`: sent twice. `reorder`: sent after the next event, or after 30 seconds if none comes. `delay`: sent 60 ' +
      'seconds later. `wrongSignature`: sent with a wrong signature first, then with the right one. `lateV1`: sent as a v1 ' +
      'delivery although the callback is v2, as may happen after a move.',
  )

const WebhookTrouble = z
  .object({ object: z.literal('webhookTrouble'), orderId: z.string(), kind, armedAt: Timestamp })
  .meta({ id: 'WebhookTrouble', description: 'What will go wrong with the next event of an order.' })

export const troubleWebhook = endpoint({
  ...sandbox,
  method: 'POST',
  path: `${orders}/webhookTrouble`,
  summary: 'Disturb the next event of an order.',
  description:
    'The next event of the order reaches its callbacks in a way that receivers must be able to handle. It applies once and ' +
    'replaces what was set before.',
  params: idOf(order),
  body: z.strictObject({ kind }).meta({ id: 'WebhookTroubleInput' }),
  replies: { 202: 'What will happen to the next event.' },
  reply: WebhookTrouble,
  example: {
    params: { id: simulated.id },
    body: { kind: 'duplicate' },
    reply: {
      object: 'webhookTrouble',
      orderId: simulated.id,
      kind: 'duplicate',
      armedAt: examples.order.createdAt,
    },
  },
})

const recordedBody = {
  body: z
    .string()
    .nullable()
    .describe('JSON text without secrets. Null if there was none, if it was not JSON, or larger than 64 KiB.'),
  isTruncated: z.boolean().describe('Whether there was more: of a body up to 16 KiB are kept.'),
}

export const SandboxRequest = z
  .object({
    id: z.string(),
    object: z.literal('request'),
    requestId: z.string().describe('The `X-Request-Id` of the answer.'),
    at: Timestamp,
    method: z.string(),
    path: z.string().describe('With the query string.'),
    status: z.int().describe('HTTP status of the answer.'),
    ms: z.int().min(0).describe('Time until the answer was sent.'),
    request: z.object({
      headers: z
        .record(z.string(), z.string())
        .describe('Without `Authorization`. Values that may be secret are replaced.'),
      ...recordedBody,
    }),
    answer: z.object(recordedBody),
  })
  .meta({ id: 'SandboxRequest', description: 'A request of the token, and its answer.' })

export type SandboxRequest = z.infer<typeof SandboxRequest>

export const listRequests = endpoint({
  ...sandbox,
  method: 'GET',
  path: '/api/sandbox/v1/requests',
  summary: 'List the last requests of the token.',
  description:
    'The last 100 requests of the token with their answers, newest first, for up to a week. Secrets, credentials and ' +
    'identifiers are replaced. Requests of this list are not recorded.',
  query: z.strictObject(paging),
  replies: { 200: 'A page of requests.' },
  reply: collection(SandboxRequest, 'SandboxRequestCollection'),
  example: {
    reply: page({
      id: 'req_01jnbk6w9e7x3v5c8m2q4t6y95',
      object: 'request',
      requestId: '0b6d1c1e-52a4-4c0e-9a67-3f6f5d2c8e41',
      at: examples.order.createdAt,
      method: 'PUT',
      path: `${examples.order.url}/cancellation`,
      status: 422,
      ms: 7,
      request: {
        headers: { 'content-type': 'application/json', 'user-agent': 'hr-software/4.2' },
        body: '{"reason":"Hired elsewhere."}',
        isTruncated: false,
      },
      answer: {
        body: '{"error":"Unprocessable Entity","errors":[{"code":"invalidState","detail":"Order K7M4-2QXD is already negative."}],"statusCode":422}',
        isTruncated: false,
      },
    }),
  },
})
