import { isContention, isLostConnection, Unavailable } from './errors.ts'

interface Waiting<Item, Result> {
  item: Item
  /** By `performance.now()`. */
  since: number
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

/**
 * How many items of a failed batch are retried at once. Each takes a connection; but one after the other, they would all wait
 * behind the one that waits for a lock.
 */
const RETRIED_AT_ONCE = 4

export interface BatchOptions<Item> {
  /** Items per statement. */
  most: number
  /** Concurrent batches. Items that arrive meanwhile wait and form the next one. One that is retried item by item counts as one. */
  atOnce: number
  /** How long an item waits at most until there are as many as the last batch had; pays off where a batch is expensive. */
  lingerMs?: number
  /** Items arrive together, so that a batch need not wait for the end of the turn (`npm run bench -- read`: 1.06 times as fast). */
  isGathered?: boolean
  /** Picks the waiting items that may run together and beside those under way; the others wait for a later batch. */
  pick?: (waiting: Item[], underWay: Item[]) => Item[]
}

/**
 * Serves many requests with one statement: those of the same turn of the event loop, and those that arrive while earlier
 * statements are under way. A batch whose connection was lost is retried once. One that failed, or that waited too long for a
 * lock, is retried item by item, a few at once, so that a bad item does not fail its neighbours. The work must be idempotent: a
 * lost connection does not tell whether the commit happened.
 */
export class Batches<Item, Result> {
  readonly #run: (items: Item[]) => Promise<Result[]>
  readonly #options: BatchOptions<Item>
  #waiting: Waiting<Item, Result>[] = []
  readonly #running = new Set<Waiting<Item, Result>[]>()
  #isScheduled = false
  #lingering: NodeJS.Timeout | undefined
  #lastSize = 0

  constructor(run: (items: Item[]) => Promise<Result[]>, options: BatchOptions<Item>) {
    this.#run = run
    this.#options = options
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, since: performance.now(), resolve, reject })
      this.#schedule()
    })
  }

  /** A batch that ends schedules the next one. */
  #schedule(): void {
    const [oldest] = this.#waiting
    if (this.#isScheduled || !oldest || this.#running.size === this.#options.atOnce) return
    const { lingerMs = 0, isGathered = false } = this.#options
    const restMs = oldest.since + lingerMs - performance.now()
    if (restMs > 0 && this.#waiting.length < this.#lastSize) {
      this.#lingering ??= setTimeout(() => this.#flush(), restMs)
      return
    }
    this.#isScheduled = true
    if (isGathered) process.nextTick(() => this.#flush())
    else setImmediate(() => this.#flush())
  }

  #flush(): void {
    clearTimeout(this.#lingering)
    this.#lingering = undefined
    this.#isScheduled = false
    while (this.#waiting.length > 0 && this.#running.size < this.#options.atOnce) {
      const batch = this.#takeBatch()
      if (batch.length === 0) return
      this.#lastSize = batch.length
      void this.#send(batch)
    }
  }

  #takeBatch(): Waiting<Item, Result>[] {
    const { most, pick } = this.#options
    if (!pick) return this.#waiting.splice(0, most)
    const underWay = [...this.#running].flat()
    const picked = new Set(pick(itemsOf(this.#waiting), itemsOf(underWay)).slice(0, most))
    const batch = this.#waiting.filter(({ item }) => picked.has(item))
    this.#waiting = this.#waiting.filter(({ item }) => !picked.has(item))
    return batch
  }

  async #send(batch: Waiting<Item, Result>[]): Promise<void> {
    this.#running.add(batch)
    try {
      await this.#attempt(batch, { isRetry: false })
    } finally {
      this.#running.delete(batch)
      this.#schedule()
    }
  }

  async #attempt(batch: Waiting<Item, Result>[], { isRetry }: { isRetry: boolean }): Promise<void> {
    try {
      const results = await this.#run(batch.map(({ item }) => item))
      for (const [i, { resolve }] of batch.entries()) resolve(results[i]!)
    } catch (error) {
      if (isLostConnection(error) && !isRetry) await this.#attempt(batch, { isRetry: true })
      else if (batch.length === 1 || (error instanceof Unavailable && !isContention(error)))
        for (const { reject } of batch) reject(error)
      else await this.#retryEach(batch)
    }
  }

  async #retryEach(batch: Waiting<Item, Result>[]): Promise<void> {
    const rest = batch.values()
    const retry = async () => {
      for (const each of rest) await this.#attempt([each], { isRetry: true })
    }
    await Promise.all(Array.from({ length: RETRIED_AT_ONCE }, retry))
  }
}

const itemsOf = <Item>(all: readonly { item: Item }[]) => all.map(({ item }) => item)
