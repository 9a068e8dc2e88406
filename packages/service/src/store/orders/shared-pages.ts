import { LRUCache } from 'lru-cache'
import type { Caller } from '../../domain/access/caller.ts'
import type { OrderView } from '../../domain/orders/view.ts'
import { Batches } from '../db/batches.ts'
import type { Page } from '../db/page.ts'
import type { OrderFilter } from './filter.ts'

export type OrderPage = Page<{ id: string; view: OrderView }>

type ReadPage = (caller: Caller, filter: OrderFilter) => Promise<OrderPage>

/** One statement begins while another is under way, so that a request waits for half of one on average. */
const AT_ONCE = { most: 1_000, atOnce: 2 }

/** Filters of a caller that are remembered. */
const MOST_FILTERS = 100

/**
 * Reads a page once for all requests of a caller that ask for the same page at the same time, as many clients of one
 * integrator do. Nobody gets a page that was read before they asked. Nothing else depends on it: `npm run bench -- list`.
 */
export function sharePages(read: ReadPage): ReadPage {
  const readings = new WeakMap<Caller, LRUCache<string, Batches<null, OrderPage>>>()
  const readingsOf = (caller: Caller) => {
    const known = readings.get(caller) ?? new LRUCache({ max: MOST_FILTERS })
    readings.set(caller, known)
    return known
  }
  return (caller, filter) => {
    const known = readingsOf(caller)
    const key = JSON.stringify(filter)
    let reading = known.get(key)
    if (!reading) {
      reading = new Batches(async (asked: null[]) => {
        const page = await read(caller, filter)
        return asked.map(() => page)
      }, AT_ONCE)
      known.set(key, reading)
    }
    return reading.add(null)
  }
}
