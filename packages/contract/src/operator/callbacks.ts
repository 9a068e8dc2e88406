import { z } from 'zod'
import { filter } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import { FlagText, Path, text, Timestamp } from '../primitives.ts'
import { boundedListOf, readOf, resourceId } from '../resource-endpoints.ts'
import * as examples from '../openapi/operator-examples.ts'
import { origin } from './origin.ts'

/** Why a registration ended. */
export const CALLBACK_END_REASONS = ['gone', 'operator', 'tokenRevoked'] as const

const OperatorCallback = z
  .object({
    id: z.string(),
    object: z.literal('callback'),
    orderId: z.string(),
    target: z.string().meta({ description: 'Address of the receiver, without its query, which may hold secrets.' }),
    origin: z.string().meta({ description: 'Scheme, host and port of the address.' }),
    version: z.enum(['v1', 'v2']),
    showsParticipant: z.boolean().meta({
      description:
        'Whether v1 deliveries carry the participant: the token could read it when it registered the callback, and has not lost the scope `order.participant.read` since.',
    }),
    isActive: z.boolean(),
    registeredBy: z.string().nullable().meta({
      description: 'Id of the token that registered it; null for registrations made before this was recorded.',
    }),
    changedBy: z.string().nullable().meta({
      description: 'Id of the token that last sent the same address again; null where none has.',
    }),
    createdAt: Timestamp,
    changedAt: Timestamp.nullable(),
    endedAt: Timestamp.nullable(),
    endReason: z.enum(CALLBACK_END_REASONS).nullable().meta({
      description:
        '`gone`: the receiver answered 410. `operator`: an operator ended it. `tokenRevoked`: its token was revoked together with its callbacks.',
    }),
    url: Path,
  })
  .meta({ id: 'OperatorCallback', description: 'Where changes of an order are reported.' })

export type OperatorCallback = z.infer<typeof OperatorCallback>

const CallbackEnd = z
  .object({
    object: z.literal('callbackEnd'),
    ended: z.int().min(0).meta({ description: 'Callbacks that were ended.' }),
  })
  .meta({ id: 'CallbackEnd' })

const OF_TOKEN =
  'Callbacks that belong to this token: those it registered, unless another token has changed them since, and those it changed last.'
const TO_ORIGIN = 'Callbacks to this origin; the path of a longer address is ignored.'

const tag = 'Deliveries'
const base = '/api/operator/v1/callbacks'
const params = z.strictObject({ id: resourceId('callback') })

export const listCallbacks = boundedListOf({
  name: 'listCallbacks',
  path: base,
  scope: 'operator.deliveries.read',
  tag,
  summary: 'List registered callbacks, newest first.',
  filters: {
    tokenId: filter(OF_TOKEN),
    orderId: filter('Callbacks of this order.'),
    origin: origin.optional().meta({ format: 'uri', description: TO_ORIGIN }),
    isActive: FlagText.optional().meta({ description: 'Only active callbacks, or only those that have ended.' }),
  },
  items: 'callbacks',
  item: OperatorCallback,
  example: examples.callback,
  exampleQuery: { isActive: 'true' },
})

export const readCallback = readOf({
  name: 'readCallback',
  path: `${base}/{id}`,
  scope: 'operator.deliveries.read',
  tag,
  summary: 'Read one callback.',
  what: 'callback',
  reply: OperatorCallback,
  example: examples.callback,
})

export const endCallback = endpoint({
  name: 'endCallback',
  method: 'DELETE',
  path: `${base}/{id}`,
  scope: 'operator.deliveries.write',
  tag,
  summary: 'End a callback.',
  description:
    'No more events are made for it, and its deliveries that wait fail with `registrationEnded`. An attempt that is under way is not interrupted. ' +
    'Ending it twice changes nothing. A token may register the same address again.',
  params,
  replies: { 200: 'The callback, ended.' },
  reply: OperatorCallback,
  refusals: [400, 404],
  example: { params: { id: examples.callback.id }, reply: examples.endedCallback },
})

export const endCallbacks = endpoint({
  name: 'endCallbacks',
  method: 'POST',
  path: `${base}/ends`,
  scope: 'operator.deliveries.write',
  tag,
  summary: 'End many callbacks.',
  description: 'Those of a token, of an order or to an origin: name at least one of them.',
  body: z
    .strictObject({
      tokenId: text(1, 255).optional().meta({ description: OF_TOKEN }),
      orderId: text(1, 255).optional(),
      origin: origin.optional().meta({ format: 'uri', description: TO_ORIGIN }),
    })
    .meta({ id: 'CallbackEndRequest' }),
  replies: { 200: 'How many were ended.' },
  reply: CallbackEnd,
  refusals: [400, 413, 415],
  example: { body: { origin: 'https://hooks.example.com' }, reply: { object: 'callbackEnd', ended: 12 } },
})
