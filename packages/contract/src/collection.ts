import { z } from 'zod'
import { numeric, text } from './primitives.ts'

export const LIMIT = { min: 1, max: 20, default: 20 }
export const PAGE = { min: 1, max: 10_000, default: 1 }

const whole = ({ min, max, default: fallback }: typeof LIMIT) =>
  numeric(z.int().min(min).max(max))
    .default(fallback)
    .meta({ override: { default: fallback } })

export const paging = {
  limit: whole(LIMIT).meta({ description: 'Items per page.', param: { id: 'limit' } }),
  page: whole(PAGE).meta({ description: 'Page number, the first is 1.', param: { id: 'page' } }),
}

/** A filter on text: one to 255 characters. */
export const filter = (description: string) => text(1, 255).optional().meta({ description })

/** A page of resources, and how many there are in all. */
export function collection<T extends z.ZodType>(item: T, id: string) {
  return z
    .object({
      data: z.array(item),
      limit: z.int().min(1).meta({ description: 'Items per page.' }),
      page: z.int().min(1).meta({ description: 'Number of this page, the first is 1.' }),
      total: z.int().min(0).meta({ description: 'How many there are on all pages.' }),
    })
    .meta({ id })
}

export interface Collection<T> {
  data: T[]
  limit: number
  page: number
  total: number
}
