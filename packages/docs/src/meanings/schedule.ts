import { readConfig } from '@order-testing/service/cli/run/settings'
import { decideNext, type Outcome } from '@order-testing/service/domain/webhooks/retry'

/** One attempt of a delivery that never succeeds. */
export interface PlannedAttempt {
  /** Seconds since the attempt before. */
  wait: number
  /** Seconds since the event. */
  after: number
}

const REFUSED: Outcome = { kind: 'answered', status: 500, retryAfter: null }

/** The attempts of a delivery that is refused each time, as the rules plan them with the default settings. */
export function plannedAttempts(version: 'v1' | 'v2'): PlannedAttempt[] {
  const { retrySchedule: schedule } = readConfig({})
  const since = new Date(0)
  const attempts: PlannedAttempt[] = [{ wait: schedule[0]!, after: schedule[0]! }]
  for (;;) {
    const { after } = attempts.at(-1)!
    const now = new Date(1000 * after)
    const next = decideNext(REFUSED, { attempts: attempts.length, version, since }, { schedule }, now, 0)
    if (next.state !== 'retry') return attempts
    const at = next.at.getTime() / 1000
    attempts.push({ wait: at - after, after: at })
  }
}
