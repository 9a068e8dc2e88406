/** How an attempt ended. */
export type Outcome =
  | { kind: 'answered'; status: number; retryAfter: string | null }
  | { kind: 'failed'; error: FailureClass }

export type FailureClass =
  | 'dns'
  | 'forbiddenAddress'
  | 'connect'
  | 'tls'
  | 'timeout'
  /** The connection ended before the response was complete. */
  | 'reset'
  /** The response is not HTTP, or too large. */
  | 'badAnswer'
  /** The request cannot be written, for example because a header contains a line break. */
  | 'unsendable'

export type Verdict =
  | { state: 'delivered' }
  /** The receiver ends its registration. */
  | { state: 'gone' }
  | { state: 'retry'; at: Date }
  | { state: 'failed' }

export interface RetryPolicy {
  /** Seconds to wait before each attempt, counted from the attempt before; the first is 0. */
  schedule: readonly number[]
}

const MINUTE = 60
const HOUR = 60 * MINUTE

/** About 76 hours in all (ruling 30). */
export const DEFAULT_SCHEDULE: readonly number[] = [
  0,
  5,
  30,
  ...[2, 5, 10, 15, 25].map((minutes) => minutes * MINUTE),
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
]

/** v1 retries end within the hour, so that a receiver which moved to v2 knows when the last v1 event has arrived. */
export const V1_SECONDS = HOUR

/** Allows for the work before an attempt: the last one is due exactly at the end of the hour. */
const V1_GRACE_SECONDS = MINUTE

/** Busy, not broken: an immediate retry would only add load. */
export const BUSY = new Set([429, 502, 503, 504])
export const BUSY_SECONDS = MINUTE

/** Upper bound for `Retry-After`, so that no response can delay a delivery forever. */
export const LONGEST_RETRY_AFTER_SECONDS = 24 * HOUR

export const JITTER = 0.1

/** How far a delivery has come. */
export interface Progress {
  /** Made since it was queued, including this one. */
  attempts: number
  version: 'v1' | 'v2'
  /** When the delivery was queued; if absent, attempts are assumed to have followed the schedule. */
  since?: Date
}

/** Decides what happens to a delivery after an attempt; `jitter` is 0 to 1. */
export function decideNext(
  outcome: Outcome,
  delivery: Progress,
  policy: RetryPolicy,
  now: Date,
  jitter: number,
): Verdict {
  if (outcome.kind === 'answered') {
    if (outcome.status >= 200 && outcome.status < 300) return { state: 'delivered' }
    if (outcome.status === 410) return { state: 'gone' }
  }
  const scheduled = policy.schedule[delivery.attempts]
  if (scheduled === undefined) return { state: 'failed' }
  const requested = requestedWait(outcome, now)
  const wait = Math.round(1000 * Math.max(scheduled, requested) * (1 + JITTER * jitter))
  if (delivery.version === 'v2') return { state: 'retry', at: new Date(now.getTime() + wait) }
  const left = v1Left(delivery, policy, now)
  // A receiver that asks to wait beyond the hour is tried once more at its end.
  const fits =
    scheduledUntil(delivery.attempts + 1, policy) <= V1_SECONDS &&
    left > 0 &&
    left >= 1000 * Math.min(requested, BUSY_SECONDS)
  // Jitter must not push the last attempt past the hour.
  return fits ? { state: 'retry', at: new Date(now.getTime() + Math.min(wait, left)) } : { state: 'failed' }
}

/** Whether a delivery was delayed for so long that its receiver no longer expects it. */
export function isTooLate(version: Progress['version'], ageMs: number): boolean {
  return version === 'v1' && ageMs > 1000 * (V1_SECONDS + V1_GRACE_SECONDS)
}

/** The seconds that the response asks to wait; 0 if it does not. */
function requestedWait(outcome: Outcome, now: Date): number {
  if (outcome.kind !== 'answered' || !BUSY.has(outcome.status)) return 0
  const retryAfter = readRetryAfter(outcome.retryAfter ?? '', now)
  return Math.max(BUSY_SECONDS, Math.min(retryAfter, LONGEST_RETRY_AFTER_SECONDS))
}

/** RFC 9110: seconds or a date. Anything else, or a past date, counts as 0. */
function readRetryAfter(text: string, now: Date): number {
  if (/^\d+$/.test(text)) return Number(text)
  const seconds = text.endsWith(' GMT') ? (Date.parse(text) - now.getTime()) / 1000 : 0
  return seconds > 0 ? seconds : 0
}

/** Milliseconds left of the hour. */
function v1Left({ attempts, since }: Progress, policy: RetryPolicy, now: Date): number {
  const passed = since ? now.getTime() - since.getTime() : 1000 * scheduledUntil(attempts, policy)
  return 1000 * V1_SECONDS - passed
}

/** Total scheduled wait in seconds before the first `attempts` attempts. */
export function scheduledUntil(attempts: number, { schedule }: RetryPolicy): number {
  return schedule.slice(0, attempts).reduce((sum, wait) => sum + wait, 0)
}
