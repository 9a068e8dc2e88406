import { z } from 'zod'
import { filter } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import * as examples from '../openapi/delivery-examples.ts'
import { FlagText, Path, text, Timestamp, webAddress } from '../primitives.ts'
import { boundedListOf, idOf, readOf } from '../resource-endpoints.ts'
import { AfterWrite } from '../write-position.ts'

export const CALLBACK_END_REASONS = ['gone', 'integrator', 'operator', 'tokenRevoked'] as const

const OperatorCallback = z
  .object({
    id: z.string(),
    object: z.literal('callback'),
    orderId: z.string(),
    target: z.string().describe('URL of the callback without its query, which may contain secrets.'),
    origin: z.string().describe('Scheme, host and port of the URL.'),
    version: z.enum(['v1', 'v2']),
    showsParticipant: z
      .boolean()
      .describe(
        'Whether v1 deliveries include the participant: the token had the scope `order.participant.read` when it registered the callback and still has it.',
      ),
    isActive: z.boolean(),
    registeredBy: z.string().nullable().describe('Id of the token that registered it; null if that was not recorded.'),
    changedBy: z
      .string()
      .nullable()
      .describe('Id of the token that last registered the same URL again; null if none has.'),
    createdAt: Timestamp,
    changedAt: Timestamp.nullable(),
    endedAt: Timestamp.nullable(),
    endReason: z
      .enum(CALLBACK_END_REASONS)
      .nullable()
      .describe(
        '`gone`: the receiver answered 410. `integrator`: a token ended it. `operator`: an operator ended it. `tokenRevoked`: its token was revoked with `callbacks=end`.',
      ),
    url: Path,
  })
  .meta({ id: 'OperatorCallback', description: 'Where changes of an order are sent.' })

export type OperatorCallback = z.infer<typeof OperatorCallback>

const CallbackEnd = z
  .object({
    object: z.literal('callbackEnd'),
    ended: z.int().min(0).describe('Number of callbacks ended.'),
  })
  .meta({ id: 'CallbackEnd' })

/** A complete callback URL is accepted; only its origin is used. */
export const origin = webAddress(2048).refine(
  (address) => /^https?:/i.test(address),
  'Expected an http or https URL such as https://hooks.example.com.',
)

const tokenId = filter('Callbacks of this token: those it registered or changed last.')
const toOrigin = origin.optional().meta({ format: 'uri', description: 'Callbacks to this origin. A path is ignored.' })

const callbacks = { path: '/api/operator/v1/callbacks', tag: 'Deliveries', one: 'callback', many: 'callbacks' }
const change = { scope: 'operator.deliveries.write', tag: 'Deliveries' } as const

export const listCallbacks = boundedListOf(callbacks, {
  headers: AfterWrite,
  scope: 'operator.deliveries.read',
  summary: 'List registered callbacks, newest first.',
  filters: {
    tokenId,
    orderId: filter('Callbacks of this order.'),
    origin: toOrigin,
    version: z
      .enum(['v1', 'v2'])
      .optional()
      .describe('Callbacks of this version. Requires `tokenId`, `orderId` or `origin`.'),
    isActive: FlagText.optional().describe('Only active or only ended callbacks.'),
  },
  item: OperatorCallback,
  example: examples.callback,
  exampleQuery: { isActive: 'true' },
})

export const readCallback = readOf(callbacks, {
  scope: 'operator.deliveries.read',
  reply: OperatorCallback,
  example: examples.callback,
})

export const endCallback = endpoint({
  ...change,
  method: 'DELETE',
  path: `${callbacks.path}/{id}`,
  summary: 'End a callback.',
  description:
    'It receives no further events, and its waiting deliveries fail with `registrationEnded`. A running attempt is not interrupted. ' +
    'Ending it twice has no further effect. A token may register the same URL again.',
  params: idOf(callbacks),
  replies: { 200: 'The callback, ended.' },
  reply: OperatorCallback,
  example: { params: { id: examples.callback.id }, reply: examples.endedCallback },
})

export const endCallbacks = endpoint({
  ...change,
  method: 'POST',
  path: `${callbacks.path}/ends`,
  summary: 'End many callbacks.',
  description: 'The callbacks of a token, of an order or to an origin. At least one member is required.',
  body: z
    .strictObject({
      tokenId,
      orderId: text(1, 255).optional(),
      origin: toOrigin,
    })
    .meta({ id: 'CallbackEndRequest' }),
  replies: { 200: 'The number of callbacks ended.' },
  reply: CallbackEnd,
  example: { body: { origin: 'https://hooks.example.com' }, reply: { object: 'callbackEnd', ended: 12 } },
})
