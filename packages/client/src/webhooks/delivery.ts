import type { Event, Order } from '../generated/orders.ts'
import { WebhookError } from './webhook-error.ts'

/** What a delivery contains: v2 events name the order that changed, v1 deliveries contain the order itself. */
export type Payload = { version: 'v2'; event: Event } | { version: 'v1'; order: Order }

/** The bytes of a request, as they arrived. */
export type RawBody = string | Uint8Array | ArrayBuffer

/** The content of a delivery. It does not check the signature: use `verifyWebhook` for what comes from outside. */
export function parseEvent(body: RawBody): Payload {
  let parsed: unknown
  try {
    parsed = JSON.parse(new TextDecoder().decode(bytesOf(body)))
  } catch {
    throw new WebhookError('malformedBody', 'The body is not JSON.')
  }
  const { object } = (parsed ?? {}) as { object?: unknown }
  if (object === 'event') return { version: 'v2', event: parsed as Event }
  if (object === 'order') return { version: 'v1', order: parsed as Order }
  throw new WebhookError('malformedBody', 'The body is neither an event (v2) nor an order (v1).')
}

export function bytesOf(body: RawBody): Uint8Array {
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return body
  if (body instanceof ArrayBuffer) return new Uint8Array(body)
  throw new WebhookError(
    'bodyNotRaw',
    'The body has been parsed already. Pass the bytes of the request: serialised again, they would differ from those signed.',
  )
}
