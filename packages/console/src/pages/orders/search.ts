import { codeOf, type OrderFilters } from '../../api/order-filters.ts'

/**
 * What is listed: the filters, and the order that is open beside the list. The address says all of it but the words of a
 * search, which may name a person.
 */
export interface OrdersSearch {
  /** A code, or the words of a search. */
  q?: string
  /** Statuses separated by commas: any of them, or none of them. */
  status?: string
  notStatus?: string
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

export const SEARCH_NAMES = ['q', ...FILTERS, 'notStatus', 'order'] as const

/** Addresses stay in histories, logs and shared links, so that only codes may stand there: other words are kept beside it. */
export function splitWords({ q, ...rest }: OrdersSearch): { address: OrdersSearch; words: string | undefined } {
  if (q === undefined) return { address: rest, words: undefined }
  const code = codeOf(q)
  return code === undefined ? { address: rest, words: q } : { address: { ...rest, q: code }, words: undefined }
}

/** What is listed, from the address and the words beside it. */
export const joinWords = (address: OrdersSearch, words: string | undefined): OrdersSearch =>
  address.q === undefined && words !== undefined ? { ...address, q: words } : address

/** What clears all filters. */
export const NO_FILTERS: Partial<Record<keyof OrdersSearch, undefined>> = Object.fromEntries(
  [...FILTERS, 'notStatus'].map((name) => [name, undefined]),
)

/** What a filter chooses: one value, or several statuses, or all statuses but these. */
export interface Choice {
  values: readonly string[]
  isNot: boolean
}

export function choiceOf(search: OrdersSearch, name: FilterName): Choice {
  if (name !== 'status') return { values: search[name] === undefined ? [] : [search[name]], isNot: false }
  const isNot = search.status === undefined && search.notStatus !== undefined
  return { values: (search.status ?? search.notStatus)?.split(',') ?? [], isNot }
}

export function searchOf(
  name: FilterName,
  { values, isNot }: Choice,
): Partial<Record<keyof OrdersSearch, string | undefined>> {
  const text = values.join(',') || undefined
  if (name !== 'status') return { [name]: text }
  return { status: isNot ? undefined : text, notStatus: isNot ? text : undefined }
}

/** The filters as the service takes them. Times are rounded down to the hour, so that a list is not asked for anew each second. */
export function filtersOf({
  q,
  status,
  notStatus,
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
    ...(status !== undefined && { status }),
    ...(notStatus !== undefined && { statusNot: notStatus }),
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
