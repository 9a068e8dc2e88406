import type { RawBody } from './delivery.ts'
import { secretsOf } from './mac.ts'
import type { HeadersLike } from './signature.ts'
import { verifyWebhook, type Delivery, type WebhookRequest } from './verify.ts'
import { WebhookError } from './webhook-error.ts'

export interface ReceiverOptions extends Pick<WebhookRequest, 'secret' | 'toleranceSeconds' | 'requireTimestamp'> {
  /** Called for every genuine delivery. If it throws, the answer is 500 and the service sends the delivery again later. */
  onDelivery: (delivery: Delivery) => unknown
  /** Told why a delivery was refused, for your logs. The sender is not told. */
  onRefused?: ((error: WebhookError) => void) | undefined
  /** Told about every error that led to a 500: one of `onDelivery`, or a body that could not be read. Default: `console.error`. */
  onError?: ((error: unknown) => unknown) | undefined
  /** Larger requests are refused. Default: 1 MiB. */
  maxBytes?: number | undefined
}

type Body = RawBody | undefined

/**
 * Verifies and handles requests. The function returns the status to answer with, and never throws: frameworks answer with
 * the status of an error, and a 410 would end the callback.
 */
export function receiver(options: ReceiverOptions) {
  secretsOf(options.secret)
  const { onError = printError } = options
  return async (headers: HeadersLike, read: () => Body | Promise<Body>): Promise<number> => {
    try {
      return await receive(await read(), headers, options)
    } catch (error) {
      try {
        await onError(error)
      } catch (failure) {
        printError(failure)
      }
      return 500
    }
  }
}

// oxlint-disable-next-line no-console -- an error that nobody takes must be seen
const printError = (error: unknown) => console.error('Failed to process a webhook delivery:', error)

async function receive(body: Body, headers: HeadersLike, options: ReceiverOptions): Promise<number> {
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
