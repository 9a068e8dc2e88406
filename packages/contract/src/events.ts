import { z } from 'zod'
import { Order } from './orders.ts'
import { Path, Timestamp } from './primitives.ts'

/** The body of a v2 delivery. It has no status: the receiver reads the order at `data.url`. */
export const Event = z
  .object({
    object: z.literal('event'),
    id: z.string().describe('The same on every attempt.'),
    type: z.string().describe('`order.updated`. Further types may be added.'),
    createdAt: Timestamp,
    data: z
      .object({ object: z.literal('order'), id: z.string(), code: z.string(), url: Path })
      .describe('The order that changed. Read it at `url`: the event has no status.'),
  })
  .meta({ id: 'Event', description: 'The body of a v2 delivery.' })

export type Event = z.infer<typeof Event>

/** The body of a v1 delivery: the order itself. */
export const EventV1 = Order

/** `X-Signature` of a v2 delivery: `t=<unix seconds>,sha256=<hex>`. */
export const SignatureV2 = z
  .string()
  .regex(/^t=\d+,sha256=[0-9a-f]{64}$/)
  .describe('`t=<unix seconds>,sha256=<hex>`: HMAC-SHA256 of `<t>.<raw body>`, keyed with `secretKey`.')

/** `X-Signature` of a v1 delivery: `sha256=<hex>`. */
export const SignatureV1 = z
  .string()
  .regex(/^sha256=[0-9a-f]{64}$/)
  .describe('`sha256=<hex>`: HMAC-SHA256 of the raw body, keyed with `secretKey`.')
