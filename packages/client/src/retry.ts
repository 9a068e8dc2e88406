import { NetworkError, type OrderTestingError, TimeoutError } from './errors.ts'

/** The wait before each retry is a random part of this, so that clients do not return all at once. */
const BASE_MS = 500
const MOST_BACKOFF_MS = 8_000
/** A longer `Retry-After` is left to the caller. */
const MOST_RETRY_AFTER_S = 60

/** Whether the same call may succeed later. */
export function isTransient(error: OrderTestingError): boolean {
  const { status = 0 } = error
  return status === 429 || (status >= 500 && status !== 501) || isUnanswered(error)
}

const isUnanswered = (error: OrderTestingError) => error instanceof NetworkError || error instanceof TimeoutError

/** Milliseconds to wait before the next attempt; undefined if there should be none. */
export function retryDelay(error: OrderTestingError, retries: number, random = Math.random): number | undefined {
  if (!isTransient(error)) return undefined
  const { retryAfter = 0 } = error
  if (retryAfter > MOST_RETRY_AFTER_S) return undefined
  return retryAfter * 1000 + random() * Math.min(MOST_BACKOFF_MS, BASE_MS * 2 ** retries)
}

/** The seconds of a `Retry-After` header, which has a number or a date. */
export function retryAfterOf(header: string | null, now = Date.now()): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header)
  const at = /[a-z]/i.test(header) ? Date.parse(header) : Number.NaN
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000))
}
