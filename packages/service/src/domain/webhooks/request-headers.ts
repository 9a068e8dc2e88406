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
const DEFAULTS: Record<string, string> = { 'Content-Type': 'application/json' }

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
export function composeHeaders(
  delivery: SignedDelivery,
  moreDefaults: Record<string, string> = {},
): Record<string, string> {
  const { headers, auth } = delivery.callback
  const ours: Record<string, string> = {
    ...DEFAULTS,
    ...moreDefaults,
    'X-Event-Id': delivery.eventId,
    'X-Delivery-Id': delivery.id,
    'X-Delivery-Attempt': String(delivery.attempt),
  }
  if (delivery.traceparent !== undefined) ours['traceparent'] = delivery.traceparent
  // Only names that somebody registered can differ in case: merging takes longer than all else here but signing.
  const mayRepeat = headers !== undefined || auth?.type === 'custom'
  const composed = mayRepeat ? merge([ours, headers, credentials(auth)]) : Object.assign(ours, credentials(auth))
  const { secretKey } = auth ?? {}
  if (secretKey === undefined) return composed
  const secret = delivery.isForged ? `not ${secretKey}` : secretKey
  return Object.assign(composed, signatures(delivery, secret))
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

/** The signature of the version, and the headers of Standard Webhooks. */
const signatures = ({ version, body, now, eventId }: SignedDelivery, secret: string) => ({
  'X-Signature': version === 'v2' ? signV2({ body, secret, now }) : signV1({ body, secret }),
  'webhook-id': eventId,
  'webhook-timestamp': String(Math.floor(now.getTime() / 1000)),
  'webhook-signature': signStandard({ id: eventId, body, secret, now }),
})

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
