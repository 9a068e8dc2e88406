import { z } from 'zod'
import { numeric, text } from './primitives.ts'

export const LIMIT = { min: 1, max: 20, default: 20 }
export const PAGE = { min: 1, max: 10_000, default: 1 }

const whole = ({ min, max, default: fallback }: typeof LIMIT, description: string) =>
  numeric(z.int().min(min).max(max))
    .default(fallback)
    .meta({ description, override: { type: 'integer', minimum: min, maximum: max, default: fallback } })

export const paging = {
  limit: whole(LIMIT, 'Items per page.'),
  page: whole(PAGE, 'Page number, the first is 1.'),
}

/** A filter on text: one to 255 characters. */
export const filter = (description: string) => text(1, 255).optional().meta({ description })

/** A page of resources, and how many there are in all. */
export function collection<T extends z.ZodType>(item: T, id: string) {
  return z
    .object({
      data: z.array(item),
      limit: z.int().meta({ description: 'Items per page.' }),
      page: z.int().meta({ description: 'Number of this page, the first is 1.' }),
      total: z.int().meta({ description: 'How many there are on all pages.' }),
    })
    .meta({ id })
}

export interface Collection<T> {
  data: T[]
  limit: number
  page: number
  total: number
}
