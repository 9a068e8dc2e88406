import { createRequire } from 'node:module'
import { signStandard, signV1, signV2, type Callback } from '@order-testing/contract'
import { findIdentifierValues } from '../domain/orders/view.ts'
import { isOurHeader } from '../domain/webhooks/callbacks.ts'

const { version: release } = createRequire(import.meta.url)('../../package.json') as { version: string }

/** Headers that a registration may override. */
const DEFAULTS: Record<string, string> = {
  'Content-Type': 'application/json',
  'User-Agent': `order-testing-service/${release}`,
}

export interface SignedDelivery {
  id: string
  eventId: string
  /** The number of this attempt, from 1. */
  attempt: number
  callback: Pick<Callback, 'headers' | 'auth'>
  version: 'v1' | 'v2'
  body: Buffer
  now: Date
  /** Signs with another secret, to test a receiver. */
  isForged?: boolean
}

/** Each header once, regardless of case: the registration's headers override the defaults, and `auth` overrides both. */
export function requestHeaders(delivery: SignedDelivery): Record<string, string> {
  const { callback } = delivery
  const merged = new Map<string, [name: string, value: string]>()
  for (const headers of [DEFAULTS, numbersOf(delivery), callback.headers, credentials(callback.auth)]) {
    for (const name in headers) {
      // Registration rejects these; one that was stored anyway must not break the request.
      if (!isOurHeader(name)) merged.set(name.toLowerCase(), [name, headers[name]!])
    }
  }
  const { secretKey } = callback.auth ?? {}
  const secret = delivery.isForged ? `not ${secretKey}` : secretKey
  return { ...Object.fromEntries(merged.values()), ...(secretKey === undefined ? {} : signatures(delivery, secret!)) }
}

const numbersOf = ({ id, eventId, attempt }: SignedDelivery): Record<string, string> => ({
  'X-Event-Id': eventId,
  'X-Delivery-Id': id,
  'X-Delivery-Attempt': String(attempt),
})

/** The signature of the version, and the headers of Standard Webhooks. */
const signatures = ({ version, body, now, eventId }: SignedDelivery, secret: string) => ({
  'X-Signature': version === 'v2' ? signV2({ body, secret, now }) : signV1({ body, secret }),
  'webhook-id': eventId,
  'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
  'webhook-signature': signStandard({ id: eventId, body, secret, now }),
})

/** Headers that hold no credentials. */
const HARMLESS = new Set([
  ...Object.keys(DEFAULTS),
  'X-Event-Id',
  'X-Delivery-Id',
  'X-Delivery-Attempt',
  'webhook-id',
  'webhook-timestamp',
])

/** Receivers may echo the request, and credentials must not reach our records. */
export function withoutCredentials(text: string, headers: Record<string, string>): string {
  let clean = text
  for (const name in headers) {
    if (HARMLESS.has(name) || text.length < SHORTEST_SECRET) continue
    for (const secret of variantsOf(headers[name]!)) {
      if (secret.length >= SHORTEST_SECRET) clean = clean.replaceAll(secret, '[removed]')
    }
  }
  return clean
}

/** v1 bodies contain the order: identifiers that a receiver echoes are removed too. */
export function withoutIdentifiers(text: string, body: Buffer): string {
  const values = findIdentifierValues(body).flatMap((value) => [value, value.replaceAll(/\W/g, '')])
  return values.filter((value) => value !== '').reduce((clean, value) => clean.replaceAll(value, '[removed]'), text)
}

/** Anything shorter is not a secret, and would be removed from the middle of words. */
const SHORTEST_SECRET = 4

function credentials(auth: Callback['auth']): Record<string, string> {
  switch (auth?.type) {
    case 'apiKey':
      return { 'X-API-Key': auth.apiKey }
    case 'bearer':
      return { Authorization: `Bearer ${auth.token}` }
    case 'basic':
      return { Authorization: `Basic ${Buffer.from(`${auth.username}:${auth.password}`).toString('base64')}` }
    case 'custom':
      return auth.custom
    default:
      return {}
  }
}

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
