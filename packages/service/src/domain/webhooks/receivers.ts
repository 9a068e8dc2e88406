import type { Outcome } from './retry.ts'

/** A receiver's circuit breaker. */
export interface Breaker {
  /** In a row. */
  failures: number
  /** Nothing is sent before this time, and then a single probe. Null while the breaker is closed. */
  openUntil: Date | null
  /** Length of the last break in seconds; 0 before the first. */
  breakSeconds: number
}

export const FAILURES_TO_OPEN = 5
export const FIRST_BREAK_SECONDS = 30
export const LONGEST_BREAK_SECONDS = 600

/** Five failures in a row open the breaker for 30 seconds; each further failure doubles that, up to ten minutes. */
export function recordFailure({ failures, openUntil, breakSeconds }: Breaker, now: Date): Breaker {
  const inARow = failures + 1
  // Requests that were in flight when the breaker opened do not prolong the break.
  if (inARow < FAILURES_TO_OPEN || (openUntil && openUntil > now)) return { failures: inARow, openUntil, breakSeconds }
  const seconds = breakSeconds === 0 ? FIRST_BREAK_SECONDS : Math.min(2 * breakSeconds, LONGEST_BREAK_SECONDS)
  return { failures: inARow, openUntil: new Date(now.getTime() + seconds * 1000), breakSeconds: seconds }
}

/** What an attempt shows about the receiver; a request that could not be written shows nothing. */
export function readSignal(outcome: Outcome): 'success' | 'failure' | 'none' {
  if (outcome.kind === 'failed') return outcome.error === 'unsendable' ? 'none' : 'failure'
  return (outcome.status >= 200 && outcome.status < 300) || outcome.status === 410 ? 'success' : 'failure'
}

/** How many concurrent requests a receiver gets: few at first, more with each success. */
export const FIRST_WINDOW = 2
const WIDEST_WINDOW = 64

export const widenWindow = (window: number) => Math.min(window + 1, WIDEST_WINDOW)
export const narrowWindow = (window: number) => Math.max(1, Math.floor(window / 2))
