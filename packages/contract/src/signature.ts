import { createHmac } from 'node:crypto'

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

function hmac(secret: string, ...parts: Bytes[]): string {
  const mac = createHmac('sha256', secret)
  for (const part of parts) mac.update(part)
  return mac.digest('hex')
}
