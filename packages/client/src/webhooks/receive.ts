import type { RawBody } from './delivery.ts'
import type { HeadersLike } from './signature.ts'
import { verifyWebhook, type Delivery, type WebhookRequest } from './verify.ts'
import { WebhookError } from './webhook-error.ts'

export interface ReceiverOptions extends Pick<WebhookRequest, 'secret' | 'toleranceSeconds' | 'requireTimestamp'> {
  /** Called for every genuine delivery. If it throws, the service sends the delivery again later. */
  onDelivery: (delivery: Delivery) => unknown
  /** Told why a delivery was refused, for your logs. The sender is not told. */
  onRefused?: ((error: WebhookError) => void) | undefined
  /** Larger requests are refused. Default: 1 MiB. */
  maxBytes?: number | undefined
}

/** Verifies and handles one request. Returns the status to answer with. */
export async function receive(
  body: RawBody | undefined,
  headers: HeadersLike,
  options: ReceiverOptions,
): Promise<number> {
  const { onDelivery, onRefused, secret, toleranceSeconds, requireTimestamp } = options
  if (body === undefined) return 413
  let delivery: Delivery
  try {
    delivery = await verifyWebhook({ body, headers, secret, toleranceSeconds, requireTimestamp })
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    // A parsed body is a mistake of the receiver: it fails loudly.
    if (error.reason === 'bodyNotRaw') throw error
    onRefused?.(error)
    return 400
  }
  await onDelivery(delivery)
  return 204
}

/** Reads a body up to a size; undefined if it is larger. */
export async function readBody(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes = 1_048_576,
): Promise<Uint8Array | undefined> {
  const parts: Uint8Array[] = []
  let size = 0
  for await (const chunk of chunks) {
    size += chunk.length
    if (size > maxBytes) return undefined
    parts.push(chunk)
  }
  const body = new Uint8Array(size)
  let at = 0
  for (const part of parts) {
    body.set(part, at)
    at += part.length
  }
  return body
}
