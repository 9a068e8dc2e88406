import { setTimeout as sleep } from 'node:timers/promises'
import { BEGINNING, type Place, type Walked, type WrongCount } from '../../store/orders/invariants.ts'
import type { Store } from '../../store/store.ts'
import type { OnProgress } from '../progress.ts'

/** Rows per statement, and chunks of about a thousand orders each. */
const BATCH = 1_000
const CHUNKS = 10

/** The longest pause after a batch. */
const MAX_PAUSE_MS = 500

/** Further faults are counted, not listed. */
const MAX_LISTED = 100

/** What was compared, and what is wrong. */
export interface Comparison<T> {
  seen: number
  wrong: T[]
  wrongCount: number
}

type Invariants = Pick<Store, 'invariants'>

/** Compares the kept counts of every list with its orders. */
export async function compareCounts(store: Invariants, onProgress?: OnProgress): Promise<Comparison<WrongCount>> {
  const found = new Found<WrongCount>('counted orders', onProgress)
  for (const company of await store.invariants.companies()) {
    found.add({ seen: 0, wrong: await store.invariants.wrongBlocks(company) })
    for (const list of await store.invariants.listsOf(company)) {
      for (let from: string | undefined = ''; from !== undefined;) {
        const start: string = from
        const read = () => store.invariants.countsFrom(company, list, { from: start, most: CHUNKS })
        from = found.add(await gently(read)).next
      }
    }
  }
  return found
}

/** Finds events without the change that they announce. */
export const findLoneEvents = (store: Invariants, onProgress?: OnProgress): Promise<Comparison<Place>> =>
  walk('events', (place) => store.invariants.eventsAfter(place, BATCH), onProgress)

/** Finds orders without a history. */
export const findOrdersWithoutHistory = (store: Invariants, onProgress?: OnProgress): Promise<Comparison<Place>> =>
  walk('orders', (place) => store.invariants.ordersAfter(place, BATCH), onProgress)

/** Finds orders that matching or search cannot find. */
export const findOrdersWithoutKeys = (store: Invariants, onProgress?: OnProgress): Promise<Comparison<Place>> =>
  walk('searched orders', (place) => store.invariants.keysAfter(place, BATCH), onProgress)

async function walk(
  kind: string,
  read: (place: Place) => Promise<Walked<Place>>,
  onProgress: OnProgress | undefined,
): Promise<Comparison<Place>> {
  const found = new Found<Place>(kind, onProgress)
  for (let place: Place | undefined = BEGINNING; place !== undefined;) {
    const start: Place = place
    place = found.add(await gently(() => read(start))).next
  }
  return found
}

/** Pauses for as long as the work took, so that a live system keeps at least half of the time. */
async function gently<T>(work: () => Promise<T>): Promise<T> {
  const started = performance.now()
  const done = await work()
  await sleep(Math.min(MAX_PAUSE_MS, performance.now() - started))
  return done
}

class Found<T> implements Comparison<T> {
  seen = 0
  wrongCount = 0
  readonly wrong: T[] = []
  readonly #kind: string
  readonly #onProgress: OnProgress | undefined

  constructor(kind: string, onProgress: OnProgress | undefined) {
    this.#kind = kind
    this.#onProgress = onProgress
  }

  add<B extends { seen: number; wrong: T[] }>(batch: B): B {
    this.seen += batch.seen
    this.wrongCount += batch.wrong.length
    this.wrong.push(...batch.wrong.slice(0, MAX_LISTED - this.wrong.length))
    this.#onProgress?.({ kind: this.#kind, done: this.seen })
    return batch
  }
}
