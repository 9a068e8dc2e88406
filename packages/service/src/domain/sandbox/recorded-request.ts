import { orderIdOf } from '../ids.ts'
import { cleanUrl, cleanUrls, REMOVED, type Cleaner } from './secrets.ts'

/** A request and its answer, as an integrator may see them again. */
export interface RecordedRequest {
  requestId: string
  method: string
  path: string
  status: number
  ms: number
  request: { headers: Record<string, string>; body: string | null; isTruncated: boolean }
  answer: { body: string | null; isTruncated: boolean }
}

/** The longest body that is kept, in bytes. */
export const LONGEST_BODY = 16 * 1024

/** The text of a body without secrets, and of all its text the beginning. Text that is not JSON is not kept. */
export function recordBody(
  body: unknown,
  clean: Cleaner = (text) => text,
): { body: string | null; isTruncated: boolean; orderIds: string[] } {
  const value = body instanceof Uint8Array || typeof body === 'string' ? parsed(body) : body
  if (value === undefined || value === null) return { body: null, isTruncated: false, orderIds: [] }
  const text = JSON.stringify(withoutSecrets(value, clean))
  const bytes = Buffer.from(text)
  const isTruncated = bytes.length > LONGEST_BODY
  const kept = isTruncated
    ? bytes
        .subarray(0, LONGEST_BODY)
        .toString()
        .replace(/\uFFFD$/, '')
    : text
  return { body: kept, isTruncated, orderIds: findOrderIds(text) }
}

/** The orders that a text names, by their own ids or those of their services. */
export function findOrderIds(text: string): string[] {
  const ids = (text.match(/\b(?:ord_[0-9a-z]{26}|osv_[0-9a-z]{26}_\d{1,4})\b/g) ?? []).map((id) => orderIdOf(id) ?? id)
  return [...new Set(ids)].slice(0, MOST_ORDERS)
}

/** More than a page of orders names. */
const MOST_ORDERS = 100

/** Header values that hold no secrets. */
const HARMLESS = new Set([
  'accept',
  'accept-encoding',
  'content-length',
  'content-type',
  'host',
  'idempotency-key',
  'if-none-match',
  'user-agent',
  'x-request-id',
])

/** The headers without `Authorization`; values that may be secret are replaced. */
export const recordHeaders = (
  headers: Record<string, string | string[] | undefined>,
  clean: Cleaner = (text) => text,
): Record<string, string> =>
  Object.fromEntries(
    Object.entries(headers)
      .filter(([name]) => name !== 'authorization')
      .map(([name, value]) => [clean(name), HARMLESS.has(name) ? clean(String(value)).slice(0, 1_000) : REMOVED]),
  )

function parsed(text: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof text === 'string' ? text : Buffer.from(text).toString())
  } catch {
    return undefined
  }
}

/** Replaces credentials and headers of callbacks, identifiers of people, and whatever is called a secret. */
function withoutSecrets(value: unknown, clean: Cleaner, name = ''): unknown {
  if (Array.isArray(value)) return value.map((each) => withoutSecrets(each, clean, name))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [
        clean(key),
        isSecret(name, key) ? hide(member) : withoutSecrets(member, clean, key),
      ]),
    )
  if (typeof value !== 'string') return value
  return clean(name === 'url' ? cleanUrl(value) : cleanUrls(value))
}

const isSecret = (parent: string, key: string) =>
  (parent === 'auth' && key !== 'type') ||
  parent === 'headers' ||
  (parent === 'identifiers' && key === 'value') ||
  /secret|password|apikey|authorization|^token$/i.test(key)

/** Objects keep their shape, as `token` may be one. */
const hide = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([key, member]) => [key, hide(member)]))
    : value === null
      ? null
      : REMOVED
