import { createHmac } from 'node:crypto'

type Bytes = string | Uint8Array

/** Receivers refuse deliveries that were signed longer ago. */
export const SIGNATURE_TOLERANCE_SECONDS = 300

/** The `X-Signature` of a v2 delivery, over the time and the exact bytes sent. */
export function signV2({ body, secret, now }: { body: Bytes; secret: string; now: Date }): string {
  const t = Math.floor(now.getTime() / 1000)
  return `t=${t},sha256=${hmac('hex', secret, `${t}.`, body)}`
}

/** The `X-Signature` of a v1 delivery, over the exact bytes sent. */
export function signV1({ body, secret }: { body: Bytes; secret: string }): string {
  return `sha256=${hmac('hex', secret, body)}`
}

/** The `webhook-signature` of Standard Webhooks. Its key is the secret itself, not its base64. */
export function signStandard({
  id,
  body,
  secret,
  now,
}: {
  id: string
  body: Bytes
  secret: string
  now: Date
}): string {
  const t = Math.floor(now.getTime() / 1000)
  return `v1,${hmac('base64', secret, `${id}.${t}.`, body)}`
}

function hmac(encoding: 'hex' | 'base64', secret: string, ...parts: Bytes[]): string {
  const mac = createHmac('sha256', secret)
  for (const part of parts) mac.update(part)
  return mac.digest(encoding)
}
