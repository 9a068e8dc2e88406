interface Waiting<Item, Result> {
  item: Item
  resolve: (result: Result) => void
  reject: (error: unknown) => void
}

export interface BatchOptions {
  /** Items of one statement. */
  most: number
  /** Statements under way at once; what comes meanwhile waits and goes together. */
  atOnce: number
  /** How long to wait for company, in milliseconds, while there has been some: worth it where a batch is dear. */
  lingerMs?: number
}

/**
 * Does for many at once what is asked for one by one: what comes in the same turn of the event loop, or while earlier
 * statements are under way, goes to the database as one statement. Where that fails, each is tried alone, so that
 * nobody fails for a neighbour's fault.
 */
export class Batches<Item, Result> {
  readonly #run: (items: Item[]) => Promise<Result[]>
  readonly #options: BatchOptions
  #waiting: Waiting<Item, Result>[] = []
  #running = 0
  #isCalled = false
  #lastSize = 0

  constructor(run: (items: Item[]) => Promise<Result[]>, options: BatchOptions) {
    this.#run = run
    this.#options = options
  }

  add(item: Item): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ item, resolve, reject })
      this.#call()
    })
  }

  #call(): void {
    if (this.#isCalled) return
    this.#isCalled = true
    const { lingerMs = 0 } = this.#options
    if (lingerMs > 0 && this.#lastSize > 1) setTimeout(() => this.#flush(), lingerMs)
    else setImmediate(() => this.#flush())
  }

  #flush(): void {
    this.#isCalled = false
    while (this.#waiting.length > 0 && this.#running < this.#options.atOnce) {
      const batch = this.#waiting.splice(0, this.#options.most)
      this.#lastSize = batch.length
      void this.#send(batch)
    }
  }

  async #send(batch: Waiting<Item, Result>[]): Promise<void> {
    this.#running++
    try {
      const results = await this.#run(batch.map(({ item }) => item))
      for (const [i, { resolve }] of batch.entries()) resolve(results[i]!)
    } catch (error) {
      if (batch.length === 1) batch[0]!.reject(error)
      else await Promise.all(batch.map((each) => this.#alone(each)))
    } finally {
      this.#running--
      this.#call()
    }
  }

  async #alone({ item, resolve, reject }: Waiting<Item, Result>): Promise<void> {
    try {
      const [result] = await this.#run([item])
      resolve(result!)
    } catch (error) {
      reject(error)
    }
  }
}
