import { scheduledUntil, V1_SECONDS, type RetryPolicy } from './retry.ts'

/** An attempt of a delivery: made, next or possible. */
export interface Step {
  /** From 1, counted since the delivery was created. */
  number: number
  state: 'done' | 'next' | 'later'
  /** When it was made, or when it is due at the earliest; null if that is not known. */
  at: Date | null
  /** Seconds that the schedule puts before it; null if the schedule has since become shorter. */
  waitSeconds: number | null
}

export interface PlannedDelivery {
  version: 'v1' | 'v2'
  attempts: number
  /** Of these, made before it was last sent again: the schedule began anew then. */
  earlierAttempts: number
  queuedAt: Date
  isOpen: boolean
  /** When the next attempt is due; null if that depends on its receiver. */
  dueAt: Date | null
  /** Times of the attempts on record, oldest first. */
  attemptedAt: readonly Date[]
}

/** The attempts since a delivery was last queued and, while it is open, those that the schedule still has for it. */
export function planAttempts(delivery: PlannedDelivery, policy: RetryPolicy): Step[] {
  const { attempts, earlierAttempts, attemptedAt, isOpen, dueAt } = delivery
  const made = attempts - earlierAttempts
  const waitOf = (index: number) => policy.schedule[index] ?? null
  const steps = Array.from({ length: made }, (_, index): Step => {
    // Records of early attempts may have been deleted.
    const at = attemptedAt[attemptedAt.length - made + index] ?? null
    return { number: earlierAttempts + index + 1, state: 'done', at, waitSeconds: waitOf(index) }
  })
  if (!isOpen) return steps
  steps.push({ number: attempts + 1, state: 'next', at: dueAt, waitSeconds: waitOf(made) })
  let at = dueAt
  for (let index = made + 1; index < policy.schedule.length; index++) {
    const waitSeconds = policy.schedule[index]!
    at = at && new Date(at.getTime() + 1000 * waitSeconds)
    if (delivery.version === 'v1' && isPastTheHour(index, at, delivery, policy)) break
    steps.push({ number: earlierAttempts + index + 1, state: 'later', at, waitSeconds })
  }
  return steps
}

const isPastTheHour = (index: number, at: Date | null, { queuedAt }: PlannedDelivery, policy: RetryPolicy) =>
  scheduledUntil(index + 1, policy) > V1_SECONDS ||
  (at !== null && at.getTime() - queuedAt.getTime() > 1000 * V1_SECONDS)
