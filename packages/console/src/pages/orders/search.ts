import { codeOf, type OrderFilters } from '../../api/order-filters.ts'

/** What the address of the list says: the filters, and the order that is open beside it. */
export interface OrdersSearch {
  q?: string
  status?: string
  company?: string
  location?: string
  /** Days back from now. */
  created?: string
  updated?: string
  specimen?: string
  externalId?: string
  /** Code of the open order. */
  order?: string
}

export const FILTERS = ['status', 'company', 'location', 'created', 'updated', 'specimen', 'externalId'] as const
export type FilterName = (typeof FILTERS)[number]

export const SEARCH_NAMES = ['q', ...FILTERS, 'order'] as const

/** The filters as the service takes them. Times are rounded down to the hour, so that a list is not asked for anew each second. */
export function filtersOf({
  q,
  status,
  company,
  location,
  created,
  updated,
  specimen,
  externalId,
}: OrdersSearch): OrderFilters {
  const code = q === undefined ? undefined : codeOf(q)
  return {
    ...(code !== undefined && { code }),
    ...(status !== undefined && { status: status as NonNullable<OrderFilters['status']> }),
    ...(company !== undefined && { companyId: company }),
    ...(location !== undefined && { locationId: location }),
    ...(created !== undefined && { createdFrom: daysAgo(created) }),
    ...(updated !== undefined && { updatedFrom: daysAgo(updated) }),
    ...(specimen !== undefined && { specimenId: specimen }),
    ...(externalId !== undefined && { externalId }),
  }
}

const HOUR = 3_600_000

function daysAgo(days: string): string {
  const from = Date.now() - Number(days) * 24 * HOUR
  return new Date(Math.floor(from / HOUR) * HOUR).toISOString()
}
