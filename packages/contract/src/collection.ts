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

/** The page number where it makes a difference whether it was sent. */
export const optionalPage = numeric(z.int().min(PAGE.min).max(PAGE.max))
  .optional()
  .meta({ override: { default: PAGE.default }, description: 'Page number, starting at 1.' })

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

/** Parameters of a list that is read on from a cursor. */
export const cursorPaging = {
  limit: paging.limit,
  cursor: z
    .string()
    .max(200)
    .default('')
    .meta({
      override: { default: '' },
      description:
        'The `nextCursor` of the previous page. Empty: from the beginning. `latest`: what is new from now on.',
      param: { id: 'cursor' },
    }),
}

/** What the `nextCursor` of a collection means. */
export const NEXT_CURSOR =
  'Where the next page begins. At the end it is still given: keep it, and use it later to read what is new. A page is the last ' +
  'one for now if it is empty and its cursor is the one that was sent.'

/** A page of a list that is read on from a cursor. `total` counts all items, whatever the cursor is. */
export const cursorCollection = <T extends z.ZodType>(item: T, id: string) =>
  collection(item, id)
    .extend({ nextCursor: z.string().describe(NEXT_CURSOR) })
    .meta({ id })

export interface Collection<T> {
  data: T[]
  limit: number
  page: number
  total: number
}
