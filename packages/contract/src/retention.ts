import { z } from 'zod'

const period = z
  .string()
  .regex(/^[1-9]\d{0,4} (day|month|year)s?$/, 'Expected a period such as "5 years", "18 months" or "90 days".')

/** A log is pruned by whole months, so its period is told in them. */
const wholeMonths = z
  .string()
  .regex(/^[1-9]\d{0,4} (month|year)s?$/, 'Expected whole months, such as "24 months" or "7 years".')

/** Periods by what came of an order, counted from when it did. An order that is still open is never deleted. */
const byOutcome = z.strictObject({
  negative: period.optional(),
  positive: period.optional(),
  refusal: period.optional(),
  cancelled: period.optional(),
})

/** For how long records of a tenant are kept. What is not named is kept for ever. */
export const RetentionPolicy = z.strictObject({
  tenant: z.string().min(1).max(255).optional(),
  keep: z.strictObject({
    /** Orders without a regulated (DOT) test, with everything that belongs to them. */
    orders: byOutcome.optional(),
    /** Orders with one. */
    regulatedOrders: byOutcome.optional(),
    /** Result reports that an operator has dismissed, with their documents. */
    resultReports: period.optional(),
    /** Documents of result reports that are kept. */
    documents: period.optional(),
    /** E-mails and text messages that were sent or given up. */
    notifications: period.optional(),
    /** Events with their deliveries and attempts, once these have ended. */
    webhookEvents: period.optional(),
    /** What receivers answered, and the bytes that were sent. Both are kept for 30 days at most. */
    webhookAttempts: period.optional(),
    audit: wholeMonths.optional(),
  }),
})

export type RetentionPolicy = z.infer<typeof RetentionPolicy>
