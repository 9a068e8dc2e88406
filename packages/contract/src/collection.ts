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
  page: whole(PAGE).meta({ description: 'Page number, starting at 1.', param: { id: 'page' } }),
}

/** A text filter of 1 to 255 characters. */
export const filter = (description: string) => text(1, 255).optional().describe(description)

/** A page of resources, and the number of all. */
export function collection<T extends z.ZodType>(item: T, id: string) {
  return z
    .object({
      data: z.array(item),
      limit: z.int().min(1).describe('Items per page.'),
      page: z.int().min(1).describe('Number of this page, starting at 1.'),
      total: z.int().min(0).describe('Number of items on all pages.'),
    })
    .meta({ id })
}

export interface Collection<T> {
  data: T[]
  limit: number
  page: number
  total: number
}
