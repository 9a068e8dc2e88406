import { bytesOf, parseEvent, type Payload, type RawBody } from './delivery.ts'
import { explain } from './explain.ts'
import { isSigned, secretsOf } from './mac.ts'
import { signatureOf, type HeadersLike } from './signature.ts'
import { WebhookError } from './webhook-error.ts'

export interface WebhookRequest {
  /** The bytes of the request as they arrived, not a parsed body. */
  body: RawBody
  headers: HeadersLike
  /** The callback's `auth.secretKey`, or several while you change it. `whsec_` and its base64 is understood too. */
  secret: string | readonly string[]
  /** Default: now. */
  now?: Date | undefined
  /** How old a signature may be, and how far in the future. Default: 300. */
  toleranceSeconds?: number | undefined
  /** Refuse v1 signatures, which sign no time: who has seen such a delivery can send it again. Default: false. */
  requireTimestamp?: boolean | undefined
}

/** A delivery that the service has signed. */
export type Delivery = Payload & {
  /** The event: the same on every attempt, so use it to recognise repeats. Null if a v1 signature does not cover it. */
  eventId: string | null
  /** When this attempt was signed; null with a v1 signature. */
  signedAt: Date | null
}

/** Checks the signature of a delivery and returns its content. Throws a `WebhookError` whose `reason` names the cause. */
export async function verifyWebhook({
  body,
  headers,
  secret,
  now = new Date(),
  toleranceSeconds = 300,
  requireTimestamp,
}: WebhookRequest): Promise<Delivery> {
  const secrets = secretsOf(secret)
  const bytes = bytesOf(body)
  const signature = signatureOf(headers)
  if (!(await isSigned(signature, secrets, bytes))) throw await explain({ bytes, headers, signature, secrets })
  const { scheme, time, eventId } = signature
  if (requireTimestamp && time === undefined) throw new WebhookError('malformedSignature', 'The signature has no time.')
  if (time !== undefined) checkTime(time, now, toleranceSeconds)
  const payload = parseEvent(bytes)
  if (scheme !== 'standard' && scheme !== payload.version)
    throw new WebhookError('versionMismatch', `The signature is ${scheme}, but the body is ${payload.version}.`)
  return {
    ...payload,
    eventId: payload.version === 'v2' ? payload.event.id : (eventId ?? null),
    signedAt: time === undefined ? null : new Date(time * 1000),
  }
}

function checkTime(time: number, now: Date, tolerance: number): void {
  const age = Math.floor(now.getTime() / 1000) - time
  if (Math.abs(age) <= tolerance) return
  throw new WebhookError(
    'clockSkew',
    age > 0
      ? `Signed ${age} seconds ago: delayed, repeated, or the clock is fast.`
      : `Signed ${-age} seconds in the future: the clock is slow.`,
  )
}
