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

/** Characters of pages that are kept. */
const MOST_KEPT = 8 * 1024 * 1024

/** What a page takes besides its views: an empty one is not free either. */
const OVERHEAD = 1_000

/** The reads of one filter of a caller. Its last page is kept under a name that does not keep the caller in memory. */
interface Reading {
  name: symbol
  batches: Batches<null, OrderPage>
}

/**
 * Reads a page once for all requests of a caller that ask for the same page at the same time, as many clients of one
 * integrator do. Nobody gets a page that was read before they asked; but if it has the same orders, unchanged, as when it was
 * last read, they get the same object, with which its bytes are kept. Without that, lists with gzip came at 0.45 of their rate,
 * others at the same (`npm run bench -- list`, once with `const shown = page`). Nothing else depends on it.
 */
export function sharePages(read: ReadPage): ReadPage {
  const readings = new WeakMap<Caller, LRUCache<string, Reading>>()
  const kept = new LRUCache<symbol, OrderPage>({ maxSize: MOST_KEPT, sizeCalculation: sizeOf })
  const readingsOf = (caller: Caller) => {
    const known =
      readings.get(caller) ?? new LRUCache({ max: MOST_FILTERS, dispose: ({ name }: Reading) => kept.delete(name) })
    readings.set(caller, known)
    return known
  }
  const newReading = (caller: Caller, filter: OrderFilter): Reading => {
    const name = Symbol()
    const batches = new Batches(async (asked: null[]) => {
      const page = await read(caller, filter)
      const last = kept.get(name)
      const shown = last && isSame(last, page) ? last : page
      if (shown !== last) kept.set(name, shown)
      return asked.map(() => shown)
    }, AT_ONCE)
    return { name, batches }
  }
  return (caller, filter) => {
    const known = readingsOf(caller)
    const key = JSON.stringify(filter)
    let reading = known.get(key)
    if (!reading) known.set(key, (reading = newReading(caller, filter)))
    return reading.batches.add(null)
  }
}

/** Views that have not changed are the same objects, as long as they are in memory. */
const isSame = (a: OrderPage, b: OrderPage) =>
  a.total === b.total && a.rows.length === b.rows.length && a.rows.every(({ view }, i) => view === b.rows[i]!.view)

const sizeOf = ({ rows }: OrderPage) =>
  OVERHEAD + rows.reduce((sum, { view }) => sum + view.order.length + (view.participant?.length ?? 0), 0)
