import { z } from 'zod'

const period = z
  .string()
  .regex(/^[1-9]\d{0,4} (day|month|year)s?$/, 'Expected a period such as "5 years", "18 months" or "90 days".')

/** Logs are pruned by whole months. */
const wholeMonths = z
  .string()
  .regex(/^[1-9]\d{0,4} (month|year)s?$/, 'Expected whole months, such as "24 months" or "7 years".')

/** Periods by outcome, counted from the outcome. Open orders are never deleted. */
const byOutcome = z.strictObject({
  negative: period.optional(),
  positive: period.optional(),
  refusal: period.optional(),
  cancelled: period.optional(),
})

/** How long records of a tenant are kept. Records without a period are kept forever. */
export const RetentionPolicy = z.strictObject({
  tenant: z.string().min(1).max(255).optional(),
  keep: z.strictObject({
    /** Orders without a regulated (DOT) test, with all dependent records. */
    orders: byOutcome.optional(),
    /** Orders with a regulated test. */
    regulatedOrders: byOutcome.optional(),
    /** Dismissed result reports, with their documents. */
    resultReports: period.optional(),
    /** Documents of the remaining result reports. */
    documents: period.optional(),
    /** E-mails and text messages that were sent or abandoned. */
    notifications: period.optional(),
    /** Events with their deliveries and attempts, after all deliveries have ended. */
    webhookEvents: period.optional(),
    /** Responses of receivers and the bytes sent. Both are kept for 30 days at most. */
    webhookAttempts: period.optional(),
    audit: wholeMonths.optional(),
  }),
})

export type RetentionPolicy = z.infer<typeof RetentionPolicy>
