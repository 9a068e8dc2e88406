import { z } from 'zod'
import { ORDER_STATUSES } from '../statuses.ts'

const ANY = ORDER_STATUSES.join('|')

const statuses = (description: string) =>
  z
    .string()
    .regex(new RegExp(`^(?:${ANY})(?:,(?:${ANY}))*$`), {
      error: 'Expected order statuses separated by commas, such as "pending,scheduled".',
    })
    .optional()
    .describe(`${description} Several are separated by commas.`)

/** What operators can ask for besides a single status. */
export const statusFilters = {
  status: statuses('Orders in this status, or in any of several.'),
  statusNot: statuses('Orders that are not in this status, or in none of several.'),
}
