import type { Event, Order } from '../generated/orders.ts'
import { WebhookError } from './webhook-error.ts'

/** What a delivery contains: v2 events name the order that changed, v1 deliveries contain the order itself. */
export type Payload = { version: 'v2'; event: Event } | { version: 'v1'; order: Order }

/** The bytes of a request, as they arrived. */
export type RawBody = string | Uint8Array | ArrayBuffer

/** The content of a delivery. It does not check the signature: use `verifyWebhook` for what comes from outside. */
export function parseEvent(body: RawBody): Payload {
  const text = new TextDecoder().decode(bytesOf(body))
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch {
    throw new WebhookError('malformedBody', 'The body is not JSON.')
  }
  const { object } = (parsed ?? {}) as { object?: unknown }
  if (object === 'event') return { version: 'v2', event: parsed as Event }
  if (object === 'order') return { version: 'v1', order: parsed as Order }
  throw new WebhookError('malformedBody', 'The body is neither an event nor an order.')
}

export function bytesOf(body: RawBody): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  // Not `instanceof`: test runners give each file classes of its own.
  if (ArrayBuffer.isView(body)) return new Uint8Array(body.buffer, body.byteOffset, body.byteLength)
  if (Object.prototype.toString.call(body) === '[object ArrayBuffer]') return new Uint8Array(body)
  throw new WebhookError('bodyNotRaw', 'The body has been parsed. Pass the bytes as they arrived.')
}
