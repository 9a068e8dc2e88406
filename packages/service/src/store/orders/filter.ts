import type { OrderStatus } from '@order-testing/contract'
import { idFloor } from '../../domain/ids.ts'
import type { Filter, PageRequest } from '../db/page.ts'

export type OrderFilter = PageRequest &
  Filter<'companyId' | 'locationId' | 'code' | 'externalId' | 'specimenId'> &
  Filter<'status', OrderStatus | readonly OrderStatus[]> &
  Filter<'createdFrom' | 'createdTo' | 'updatedFrom' | 'updatedTo'> & {
    /** Only orders with a lower id, to read on without leaving out or repeating any. */
    before?: string | undefined
  }

/** Ids sort by creation time, so a time is a bound for ids. */
export const floorOf = (time: string | undefined) => (time === undefined ? null : idFloor('ord', instant(time)))

/** The range of times that both the database and the driver can write. */
const EARLIEST = Date.parse('0001-01-01T00:00:00Z')
const LATEST = Date.parse('9999-12-31T23:59:59Z')

/** The first millisecond that is not before this time: orders have times in milliseconds, filters may be finer. */
export function instant(text: string): Date {
  const isFiner = /\.\d{3}\d*[1-9]/.test(text)
  return new Date(Math.max(EARLIEST, Math.min(LATEST, Date.parse(text) + (isFiner ? 1 : 0))))
}
