import { z } from 'zod'
import { text } from './primitives.ts'

const secretKey = text(1, 1024).optional().meta({ description: 'Signs deliveries in `X-Signature`.' })
const credential = text(1, 4096)

const CallbackAuth = z
  .discriminatedUnion('type', [
    z.strictObject({ type: z.literal('apiKey'), apiKey: credential, secretKey }),
    z.strictObject({ type: z.literal('bearer'), token: credential, secretKey }),
    z.strictObject({ type: z.literal('basic'), username: credential, password: credential, secretKey }),
    z.strictObject({ type: z.literal('custom'), custom: z.record(text(1, 255), text(0, 4096)), secretKey }),
  ])
  .meta({ id: 'CallbackAuth', description: 'How deliveries authenticate to the endpoint.' })

export const Callback = z
  .strictObject({
    url: z.url({ normalize: false }).max(2048).meta({ description: 'Endpoint that receives `order.updated` events.' }),
    headers: z.record(text(1, 255), text(0, 4096)).optional().meta({ description: 'Added to every delivery.' }),
    auth: CallbackAuth.optional(),
  })
  .meta({ id: 'Callback' })

export type Callback = z.infer<typeof Callback>
