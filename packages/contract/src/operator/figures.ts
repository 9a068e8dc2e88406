import { z } from 'zod'
import { Timezone } from '../catalog.ts'
import { endpoint } from '../endpoint.ts'
import * as examples from '../openapi/operator-examples.ts'
import { FlagText, text, Timestamp } from '../primitives.ts'
import { AfterWrite } from '../write-position.ts'

const seconds = z.int().nullable().describe('In seconds; null if nothing was measured.')
const Spread = z
  .object({ count: z.int(), median: seconds, percentile90: seconds, medianBefore: seconds })
  .meta({ id: 'Spread', description: 'Durations: half are at most `median`, nine of ten at most `percentile90`.' })

const Stage = Spread.extend({
  stage: z
    .enum(['scheduling', 'checkIn', 'transport', 'laboratory', 'review'])
    .describe(
      '`scheduling`: from the link to a booking. `checkIn`: from the booking to the check-in. `transport`: from the collection to the laboratory. ' +
        '`laboratory`: until it reports. `review`: until the medical reviewer reports.',
    ),
  actor: z.enum(['participant', 'courier', 'laboratory', 'reviewer']),
}).meta({ id: 'StageFigures' })

const Figures = z
  .object({
    object: z.literal('figures'),
    from: Timestamp,
    to: Timestamp,
    timezone: z.string(),
    updatedAt: Timestamp.describe('When they were read. A change counts within a few seconds.'),
    orders: z.object({ placed: z.int(), placedBefore: z.int() }).describe('`before`: the same number of days before.'),
    result: Spread.describe('From the order to the first result.'),
    bookings: z.object({
      booked: z.int(),
      noShow: z.int(),
      bookedBefore: z.int(),
      noShowBefore: z.int(),
    }),
    deliveries: z.object({
      delivered: z.int(),
      atFirstAttempt: z.int(),
      failed: z.int(),
      median: seconds,
      percentile90: seconds,
    }),
    stages: z.array(Stage),
    days: z
      .array(
        z.object({
          date: z.string(),
          ordered: z.int(),
          active: z.int(),
          final: z.int(),
          closed: z.int(),
        }),
      )
      .describe('Orders by the day on which they were placed and by where they are now.'),
    laboratories: z.array(Spread.omit({ medianBefore: true }).extend({ id: z.string(), name: z.string() })),
    positivity: z
      .array(
        z.object({
          isDot: z.boolean(),
          testReason: z.string(),
          tests: z.int().nullable(),
          positive: z.int().nullable(),
        }),
      )
      .describe(
        'Counts under 5 are null, because they could tell about a person, and so are others from which one could be computed.',
      ),
    clinics: z.array(z.object({ id: z.string(), name: z.string(), booked: z.int(), noShow: z.int() })),
  })
  .meta({ id: 'Figures', description: 'Figures of the orders placed in a period, without personal data.' })

export type Figures = z.infer<typeof Figures>

export const readFigures = endpoint({
  headers: AfterWrite,
  method: 'GET',
  scope: 'operator.orders.read',
  tag: 'Figures',
  path: '/api/operator/v1/figures',
  summary: 'Read the figures of a period.',
  description: 'The last 14 days by default, at most 366 days.',
  query: z.strictObject({
    from: z.iso.date().optional().describe('The first day.'),
    to: z.iso.date().optional().describe('The last day.'),
    timezone: Timezone.optional().describe('IANA zone in which days begin (default: UTC).'),
    companyId: text(1, 255).optional().describe('Orders of this company.'),
    isDot: FlagText.optional().describe('Only regulated or only other tests.'),
  }),
  replies: { 200: 'The figures.' },
  reply: Figures,
  example: { query: { from: '2026-03-01', to: '2026-03-14' }, reply: examples.figures },
})
