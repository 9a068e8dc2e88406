import { Overloaded } from './errors.ts'
import { Tally } from './tally.ts'

export interface TurnOptions {
  /** Concurrent units of work in total, and per party. */
  atOnce: number
  ofOneParty: number
  /** How many units of one party may wait; more are refused. */
  waiting: number
  /** How long a unit may wait. */
  waitMs?: number
}

const WAIT_MS = 5_000

/**
 * Limits concurrent units of work before they take a database connection. Waiting parties are served round-robin, so that one
 * that floods the service does not delay the others.
 */
export class Turns {
  readonly #options: TurnOptions
  /** Waiting units by party, the least recently served party first. A queue is never empty. */
  readonly #queues = new Map<string, Waiting[]>()
  readonly #running = new Tally()

  constructor(options: TurnOptions) {
    this.#options = options
  }

  async run<T>(party: string, work: () => Promise<T>): Promise<T> {
    if (this.#isFree(party)) this.#running.add(party, 1)
    else await this.#wait(party)
    try {
      return await work()
    } finally {
      this.#running.add(party, -1)
      this.#serve()
    }
  }

  #isFree(party: string): boolean {
    const { atOnce, ofOneParty } = this.#options
    return this.#running.total < atOnce && this.#running.of(party) < ofOneParty
  }

  #wait(party: string): Promise<void> {
    const queue = this.#queues.get(party) ?? []
    if (queue.length >= this.#options.waiting) return Promise.reject(new Overloaded())
    this.#queues.set(party, queue)
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.splice(queue.indexOf(waiting), 1)
        if (queue.length === 0) this.#queues.delete(party)
        reject(new Overloaded())
      }, this.#options.waitMs ?? WAIT_MS)
      const waiting = { start: resolve, timer }
      queue.push(waiting)
    })
  }

  /** Starts a unit of the first party that is below its limit. */
  #serve(): void {
    for (const [party, queue] of this.#queues) {
      if (!this.#isFree(party)) continue
      this.#queues.delete(party)
      const { start, timer } = queue.shift()!
      if (queue.length > 0) this.#queues.set(party, queue)
      clearTimeout(timer)
      this.#running.add(party, 1)
      start()
      return
    }
  }
}

interface Waiting {
  start: () => void
  timer: NodeJS.Timeout
}
