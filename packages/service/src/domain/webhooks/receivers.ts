import type { Outcome } from './retry.ts'

/** How a receiver does: failures in a row, and whether deliveries to it are stopped for a while. */
export interface Health {
  failures: number
  /** While this lies ahead nothing is sent; what comes then is a single probe. */
  openUntil: Date | null
  /** Seconds that it was last closed for. */
  closedFor: number
}

const FAILURES_TO_OPEN = 5
const FIRST_BREAK_SECONDS = 30
const LONGEST_BREAK_SECONDS = 600

/** Five failures in a row stop deliveries for half a minute, and each that follows for twice as long, up to ten minutes. */
export function afterFailure({ failures, openUntil, closedFor }: Health, now: Date): Health {
  const inARow = failures + 1
  // Attempts that were under way when it was stopped tell nothing new.
  if (inARow < FAILURES_TO_OPEN || (openUntil && openUntil > now)) return { failures: inARow, openUntil, closedFor }
  const seconds = closedFor === 0 ? FIRST_BREAK_SECONDS : Math.min(2 * closedFor, LONGEST_BREAK_SECONDS)
  return { failures: inARow, openUntil: new Date(now.getTime() + seconds * 1000), closedFor: seconds }
}

/** What an attempt says of the receiver; a request that could not even be written says nothing. */
export function tells(outcome: Outcome): 'well' | 'unwell' | 'nothing' {
  if (outcome.kind === 'failed') return outcome.error === 'unsendable' ? 'nothing' : 'unwell'
  return (outcome.status >= 200 && outcome.status < 300) || outcome.status === 410 ? 'well' : 'unwell'
}

/** How many requests a receiver gets at once: few to begin with, more while all goes well. */
export const FIRST_WINDOW = 2
const WIDEST_WINDOW = 64

export const widened = (window: number) => Math.min(window + 1, WIDEST_WINDOW)
export const narrowed = (window: number) => Math.max(1, Math.floor(window / 2))
