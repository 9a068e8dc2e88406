import { createRequire } from 'node:module'
import { findIdentifierValues } from '../domain/orders/view.ts'
import {
  composeHeaders,
  DEFAULTS,
  HARMLESS_HEADERS,
  REMOVED,
  type SignedDelivery,
} from '../domain/webhooks/request-headers.ts'

const { version: release } = createRequire(import.meta.url)('#package.json') as { version: string }

const WITH_USER_AGENT = { ...DEFAULTS, 'User-Agent': `order-testing-service/${release}` }

/** The headers of an attempt. */
export const requestHeaders = (delivery: SignedDelivery): Record<string, string> =>
  composeHeaders(delivery, WITH_USER_AGENT)

/** Receivers may echo the request, and credentials must not reach our records. */
export function withoutCredentials(text: string, headers: Record<string, string>): string {
  let clean = text
  for (const name in headers) {
    if (HARMLESS_HEADERS.has(name) || text.length < SHORTEST_SECRET) continue
    for (const secret of variantsOf(headers[name]!)) {
      if (secret.length >= SHORTEST_SECRET) clean = clean.replaceAll(secret, REMOVED)
    }
  }
  return clean
}

/** v1 bodies contain the order: identifiers that a receiver echoes are removed too. */
export function withoutIdentifiers(text: string, body: Buffer): string {
  const values = findIdentifierValues(body).flatMap((value) => [value, value.replaceAll(/\W/g, '')])
  return values.filter((value) => value !== '').reduce((clean, value) => clean.replaceAll(value, REMOVED), text)
}

/** Anything shorter is not a secret, and would be removed from the middle of words. */
const SHORTEST_SECRET = 4

/** How a value may be echoed: whole, without its scheme, with the password decoded, and each as JSON. */
function variantsOf(value: string): string[] {
  const token = value.slice(value.indexOf(' ') + 1)
  const plain = [value, token]
  if (value.startsWith('Basic '))
    plain.push(
      Buffer.from(token, 'base64')
        .toString()
        .replace(/^[^:]*:/, ''),
    )
  const quoted = plain.filter((text) => /["\\]/.test(text)).map((text) => JSON.stringify(text).slice(1, -1))
  return [...plain, ...quoted]
}
