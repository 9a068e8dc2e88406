import { z } from 'zod'
import { Path, Timestamp } from './primitives.ts'

export const Event = z
  .object({
    object: z.literal('event'),
    id: z.string().describe('The same on every attempt.'),
    type: z.string().describe('`order.updated`. Further types may be added.'),
    createdAt: Timestamp,
    data: z
      .object({
        object: z.literal('order'),
        id: z.string(),
        code: z.string(),
        externalId: z.string().optional().describe('Present if the order has one.'),
        url: Path,
      })
      .describe('The order that changed. Read it at `url`: the event has no status.'),
  })
  .meta({ id: 'Event', description: 'The body of a v2 delivery.' })

export type Event = z.infer<typeof Event>
