import { createRequire } from 'node:module'
import { signV1, signV2, type Callback } from '@order-testing/contract'
import { findIdentifierValues } from '../domain/orders/view.ts'
import { OUR_HEADERS } from '../domain/webhooks/callbacks.ts'

const { version: release } = createRequire(import.meta.url)('../../package.json') as { version: string }

/** What a request says unless the receiver wants it said otherwise. */
const USUAL: Record<string, string> = {
  'Content-Type': 'application/json',
  'User-Agent': `order-testing-service/${release}`,
}

/** Each header once, whatever its case: the receiver's headers win over the usual ones, and `auth` over both. */
export function requestHeaders(delivery: {
  callback: Pick<Callback, 'headers' | 'auth'>
  version: 'v1' | 'v2'
  body: Buffer
  now: Date
}): Record<string, string> {
  const { callback, version, body, now } = delivery
  const said = new Map<string, [name: string, value: string]>()
  for (const headers of [USUAL, callback.headers, credentials(callback.auth)]) {
    for (const name in headers) {
      const key = name.toLowerCase()
      // Registration refuses ours; one that was stored all the same must not spoil the request.
      if (!OUR_HEADERS.has(key)) said.set(key, [name, headers[name]!])
    }
  }
  const secret = callback.auth?.secretKey
  if (secret !== undefined) {
    const signature = version === 'v2' ? signV2({ body, secret, now }) : signV1({ body, secret })
    said.set('x-signature', ['X-Signature', signature])
  }
  return Object.fromEntries(said.values())
}

/** Receivers that answer with what they got would write their credentials into our records. */
export function withoutCredentials(text: string, headers: Record<string, string>): string {
  let clean = text
  for (const name in headers) {
    if (Object.hasOwn(USUAL, name) || text.length < SHORTEST_SECRET) continue
    for (const secret of spellings(headers[name]!)) {
      if (secret.length >= SHORTEST_SECRET) clean = clean.replaceAll(secret, '[removed]')
    }
  }
  return clean
}

/** v1 bodies carry the order: identifiers that a receiver repeats are not kept either. */
export function withoutIdentifiers(text: string, body: Buffer): string {
  const values = findIdentifierValues(body).flatMap((value) => [value, value.replaceAll(/\W/g, '')])
  return values.filter((value) => value !== '').reduce((clean, value) => clean.replaceAll(value, '[removed]'), text)
}

/** Anything shorter is no secret, and would be struck out of the middle of words. */
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

/** The ways in which a value may come back: whole, without its scheme, with the password decoded, and each as JSON. */
function spellings(value: string): string[] {
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
