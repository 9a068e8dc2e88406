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
  /** The connection ended before the answer did. */
  | 'reset'
  /** What came back is not HTTP, or too much of it. */
  | 'badAnswer'
  /** The request itself cannot be written, such as a header that holds a line break. */
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

/** v1 ends within the hour, so that a receiver which moved to v2 knows when it has seen the last of v1. */
const V1_SECONDS = HOUR

/** For what has to be done before the attempt: the last one of the hour is due at its very end. */
const V1_GRACE_SECONDS = MINUTE

/** Busy, not broken: to ask again at once would only make it worse. */
const BUSY = new Set([429, 502, 503, 504])
const BUSY_SECONDS = MINUTE

/** A receiver that asks for more gets this much, so that no answer can park a delivery for good. */
const LONGEST_RETRY_AFTER_SECONDS = 24 * HOUR

const JITTER = 0.1

export interface Tried {
  /** Made so far, this one included. */
  attempts: number
  version: 'v1' | 'v2'
  /** When the first attempt was made; without it the waits of the schedule are taken to have been kept. */
  since?: Date
}

/** What becomes of a delivery after an attempt; `jitter` is 0 to 1. */
export function judge(outcome: Outcome, delivery: Tried, policy: RetryPolicy, now: Date, jitter: number): Verdict {
  if (outcome.kind === 'answered') {
    if (outcome.status >= 200 && outcome.status < 300) return { state: 'delivered' }
    if (outcome.status === 410) return { state: 'gone' }
  }
  const scheduled = policy.schedule[delivery.attempts]
  if (scheduled === undefined) return { state: 'failed' }
  const asked = askedWait(outcome, now)
  const wait = Math.round(1000 * Math.max(scheduled, asked) * (1 + JITTER * jitter))
  if (delivery.version === 'v2') return { state: 'retry', at: new Date(now.getTime() + wait) }
  const left = v1Left(delivery, policy, now)
  // A receiver that asks for more than the hour is tried once more at its end.
  const fits =
    scheduledUntil(delivery.attempts + 1, policy) <= V1_SECONDS &&
    left > 0 &&
    left >= 1000 * Math.min(asked, BUSY_SECONDS)
  // PooledRandom may not cost the last attempt of the hour, so jitter ends where the hour does.
  return fits ? { state: 'retry', at: new Date(now.getTime() + Math.min(wait, left)) } : { state: 'failed' }
}

/** Whether a delivery was kept from being sent for so long that its receiver no longer expects it. */
export function isTooLate(version: Tried['version'], ageMs: number): boolean {
  return version === 'v1' && ageMs > 1000 * (V1_SECONDS + V1_GRACE_SECONDS)
}

/** The seconds that the answer itself asks us to stay away; 0 when it does not. */
function askedWait(outcome: Outcome, now: Date): number {
  if (outcome.kind !== 'answered' || !BUSY.has(outcome.status)) return 0
  const named = readRetryAfter(outcome.retryAfter ?? '', now)
  return Math.max(BUSY_SECONDS, Math.min(named, LONGEST_RETRY_AFTER_SECONDS))
}

/** RFC 9110: seconds or a date. What is neither, or is over already, counts as 0. */
function readRetryAfter(text: string, now: Date): number {
  if (/^\d+$/.test(text)) return Number(text)
  const seconds = text.endsWith(' GMT') ? (Date.parse(text) - now.getTime()) / 1000 : 0
  return seconds > 0 ? seconds : 0
}

/** The milliseconds that are left of the hour. */
function v1Left({ attempts, since }: Tried, policy: RetryPolicy, now: Date): number {
  const passed = since ? now.getTime() - since.getTime() : 1000 * scheduledUntil(attempts, policy)
  return 1000 * V1_SECONDS - passed
}

/** The waits before the first `attempts` attempts, in all. */
function scheduledUntil(attempts: number, { schedule }: RetryPolicy): number {
  return schedule.slice(0, attempts).reduce((sum, wait) => sum + wait, 0)
}
