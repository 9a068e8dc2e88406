import { createHmac, timingSafeEqual } from 'node:crypto'

/** Receivers must refuse v2 signatures older than this. */
export const SIGNATURE_MAX_AGE_SECONDS = 5 * 60

type Bytes = string | Uint8Array

/** The `X-Signature` of a v2 delivery, over the time and the exact bytes sent. */
export function signV2({ body, secret, now }: { body: Bytes; secret: string; now: Date }): string {
  const t = Math.floor(now.getTime() / 1000)
  return `t=${t},sha256=${hmac(secret, `${t}.`, body)}`
}

/** The `X-Signature` of a v1 delivery, over the exact bytes sent. */
export function signV1({ body, secret }: { body: Bytes; secret: string }): string {
  return `sha256=${hmac(secret, body)}`
}

export type Verification = { valid: true; version: 'v1' | 'v2' } | { valid: false; reason: string }

/**
 * Verifies the signature of a delivery. `body` must be the bytes as received, before any parsing.
 * v1 signatures have no time and can be replayed: a receiver that expects v2 must check `version`.
 */
export function verifySignature(delivery: {
  body: Bytes
  header: string | undefined
  secret: string
  now: Date
}): Verification {
  const { body, header, secret, now } = delivery
  if (header === undefined) return { valid: false, reason: 'The X-Signature header is missing.' }
  const [, t, hex] = /^(?:t=(\d{1,15}),)?sha256=([0-9a-f]{64})$/.exec(header) ?? []
  if (hex === undefined) return { valid: false, reason: 'The X-Signature header has neither the v1 nor the v2 format.' }
  const expected = t === undefined ? hmac(secret, body) : hmac(secret, `${t}.`, body)
  if (!timingSafeEqual(Buffer.from(hex), Buffer.from(expected))) {
    return {
      valid: false,
      reason: 'The signature does not match. Check the secret, and verify the body as received, before parsing it.',
    }
  }
  if (t === undefined) return { valid: true, version: 'v1' }
  const age = Math.floor(now.getTime() / 1000) - Number(t)
  if (Math.abs(age) > SIGNATURE_MAX_AGE_SECONDS)
    return {
      valid: false,
      reason: `The signature is ${age} seconds old; at most ${SIGNATURE_MAX_AGE_SECONDS} are accepted.`,
    }
  return { valid: true, version: 'v2' }
}

function hmac(secret: string, ...parts: Bytes[]): string {
  const mac = createHmac('sha256', secret)
  for (const part of parts) mac.update(part)
  return mac.digest('hex')
}
