import { signStandard, signV1, signV2, type Callback } from '@order-testing/contract'
import { isOurHeader } from './callbacks.ts'

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
  /** Of the trace that its event belongs to. */
  traceparent?: string | undefined
}

/** Headers that a registration may override. */
export const DEFAULTS: Record<string, string> = { 'Content-Type': 'application/json' }

/** Headers that hold no credentials. */
export const HARMLESS_HEADERS: ReadonlySet<string> = new Set([
  ...Object.keys(DEFAULTS),
  'User-Agent',
  'X-Event-Id',
  'X-Delivery-Id',
  'X-Delivery-Attempt',
  'traceparent',
  'webhook-id',
  'webhook-timestamp',
])

/**
 * The headers of an attempt. Each comes once, regardless of case: the registration's headers override the defaults, and
 * `auth` overrides both.
 */
export function composeHeaders(delivery: SignedDelivery, defaults = DEFAULTS): Record<string, string> {
  const { headers, auth } = delivery.callback
  const ours = addTo({}, defaults)
  ours['X-Event-Id'] = delivery.eventId
  ours['X-Delivery-Id'] = delivery.id
  ours['X-Delivery-Attempt'] = String(delivery.attempt)
  if (delivery.traceparent !== undefined) ours['traceparent'] = delivery.traceparent
  // Only names that somebody registered can repeat others or differ in case.
  const mayRepeat = headers !== undefined || auth?.type === 'custom'
  const composed = mayRepeat ? merge([ours, headers, credentials(auth)]) : addTo(ours, credentials(auth))
  if (auth?.secretKey !== undefined) sign(composed, delivery, auth.secretKey)
  return composed
}

/** The headers for operators. A registration may put a secret into any header that it sets. */
export function redactHeaders(
  headers: Record<string, string>,
  { headers: registered = {} }: Pick<Callback, 'headers'>,
): Record<string, string> {
  const shown = (name: string) => HARMLESS_HEADERS.has(name) && !Object.hasOwn(registered, name)
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, shown(name) ? value : REMOVED] as const),
  )
}

/** Stands in records and answers for what nobody may read there. */
export const REMOVED = '[removed]'

function merge(sources: (Record<string, string> | undefined)[]): Record<string, string> {
  const merged = new Map<string, [name: string, value: string]>()
  for (const headers of sources) {
    for (const name in headers) {
      // Registration rejects these; one that was stored anyway must not break the request.
      if (!isOurHeader(name)) merged.set(name.toLowerCase(), [name, headers[name]!])
    }
  }
  return Object.fromEntries(merged.values())
}

/** Not `{ ...headers }`: members that V8 adds to such a copy cost 10 µs for each delivery, as much as a signature. */
function addTo(headers: Record<string, string>, more: Record<string, string>): Record<string, string> {
  for (const name in more) headers[name] = more[name]!
  return headers
}

/** Adds the signature of the version, and the headers of Standard Webhooks. */
function sign(headers: Record<string, string>, delivery: SignedDelivery, secretKey: string): void {
  const { version, body, now, eventId } = delivery
  const secret = delivery.isForged ? `not ${secretKey}` : secretKey
  headers['X-Signature'] = version === 'v2' ? signV2({ body, secret, now }) : signV1({ body, secret })
  headers['webhook-id'] = eventId
  headers['webhook-timestamp'] = String(Math.floor(now.getTime() / 1000))
  headers['webhook-signature'] = signStandard({ id: eventId, body, secret, now })
}

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
