import type { TASK_ACTORS, TASK_REASONS } from '@order-testing/contract/operator'

export type TaskReason = (typeof TASK_REASONS)[number]
export type TaskActor = (typeof TASK_ACTORS)[number]

/** A reason to put something before an operator. */
export interface FoundTask {
  subjectId: string
  orderId: string | null
  actor: TaskActor
  dueAt: Date
  /** Facts of the reason, without personal data. They tell whether the reason is still the same. */
  details: Record<string, string | number | null>
}

export const HOUR_MS = 3_600_000

/** How long an operator has after each reason was found. Other reasons have a due time of their own. */
export const TIME_TO_ACT_MS = {
  helpAsked: 8 * HOUR_MS,
  declined: 24 * HOUR_MS,
  linkNotOpened: 24 * HOUR_MS,
  notificationFailed: 8 * HOUR_MS,
  resultUnmatched: 4 * HOUR_MS,
  receiverFailing: HOUR_MS,
} satisfies Partial<Record<TaskReason, number>>

/** A link that nobody has opened for so long needs a look. */
export const UNOPENED_AFTER_MS = 48 * HOUR_MS

/** Orders that expire sooner are put before an operator. */
export const EXPIRING_WITHIN_MS = 24 * HOUR_MS

/** A receiver with so many failures in a row is failing. */
export const FAILING_AFTER = 5

export const dueAfter = (since: Date, reason: keyof typeof TIME_TO_ACT_MS): Date =>
  new Date(since.getTime() + TIME_TO_ACT_MS[reason])
