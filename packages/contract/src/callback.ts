import { z } from 'zod'
import { members, text, webAddress } from './primitives.ts'

const secretKey = text(1, 1024).optional().describe('Signs deliveries in `X-Signature`.')
const credential = text(1, 4096)
/** Names and values, at most 100 (ruling 39). */
const headers = members(text(1, 255), text(0, 4096), 100)

const CallbackAuth = z
  .discriminatedUnion('type', [
    z
      .strictObject({ type: z.literal('apiKey'), apiKey: credential.describe('Sent as `X-API-Key`.'), secretKey })
      .meta({ id: 'ApiKeyAuth', title: 'API key' }),
    z
      .strictObject({
        type: z.literal('bearer'),
        token: credential.describe('Sent as `Authorization: Bearer`.'),
        secretKey,
      })
      .meta({ id: 'BearerAuth', title: 'Bearer token' }),
    z
      // Receivers often check a password alone.
      .strictObject({ type: z.literal('basic'), username: text(0, 4096), password: text(0, 4096), secretKey })
      .meta({ id: 'BasicAuth', title: 'User name and password' }),
    z
      .strictObject({
        type: z.literal('custom'),
        custom: headers.describe('Headers to send: names and values. At most 100.'),
        secretKey,
      })
      .meta({ id: 'CustomAuth', title: 'Custom headers' }),
  ])
  .meta({ id: 'CallbackAuth', description: 'How deliveries authenticate to the receiver.' })

export const Callback = z
  .strictObject({
    url: webAddress(2048).describe('Receives `order.updated` events. An http or https URL without credentials.'),
    headers: headers.optional().describe('Added to every delivery. At most 100.'),
    auth: CallbackAuth.optional(),
  })
  .meta({ id: 'Callback', description: 'Where changes of the order are sent.' })

export type Callback = z.infer<typeof Callback>
