import type { SavedFilters, SavedView } from '@order-testing/client/operator'
import { codeOf } from '../../api/order-filters.ts'
import type { OrdersSearch } from './search.ts'

/** The filters of an address; the order that is open is none of them. */
export type ViewSearch = Omit<OrdersSearch, 'order'>

/** A view without what cannot be saved: a search for a person is not kept. */
export function filtersToSave({ q, created, updated, company, location, specimen, ...rest }: ViewSearch): SavedFilters {
  const code = q === undefined ? undefined : codeOf(q)
  return withoutEmpty({
    status: rest.status,
    statusNot: rest.notStatus,
    externalId: rest.externalId,
    companyId: company,
    locationId: location,
    specimenId: specimen,
    code,
    createdWithinDays: created === undefined ? undefined : Number(created),
    updatedWithinDays: updated === undefined ? undefined : Number(updated),
  })
}

/** Whether every filter of the address can be saved. */
export const canSave = ({ q }: ViewSearch) => q === undefined || codeOf(q) !== undefined

export const searchOfView = (filters: SavedView['filters']): ViewSearch =>
  withoutEmpty({
    q: filters.code,
    status: filters.status,
    notStatus: filters.statusNot,
    company: filters.companyId,
    location: filters.locationId,
    created: filters.createdWithinDays?.toString(),
    updated: filters.updatedWithinDays?.toString(),
    specimen: filters.specimenId,
    externalId: filters.externalId,
  })

export const isSameView = (a: OrdersSearch, b: OrdersSearch) => keyOf(a) === keyOf(b)

function keyOf({ order: _, ...search }: OrdersSearch): string {
  return JSON.stringify(Object.entries(withoutEmpty(search)).toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

type Filled<T> = { [Name in keyof T]?: Exclude<T[Name], undefined> }

const withoutEmpty = <T extends object>(members: T): Filled<T> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined)) as Filled<T>
