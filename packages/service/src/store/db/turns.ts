import { Overloaded } from './errors.ts'

export interface TurnOptions {
  /** How many units of work may be under way at once, of all parties and of one. */
  atOnce: number
  ofOneParty: number
  /** How many of one party may wait; more are refused. */
  waiting: number
  /** How long one may wait. */
  waitMs?: number
}

const WAIT_MS = 5_000

/**
 * Limits how many units of work are under way, before any of them takes a database connection. Parties that wait are
 * served in turn, so that one that floods the service neither takes all turns nor delays the others' next one.
 */
export class Turns {
  readonly #options: TurnOptions
  /** Who waits, by party, the party served longest ago first. A queue is never empty. */
  readonly #queues = new Map<string, Waiting[]>()
  /** How many are under way, by party. */
  readonly #running = new Map<string, number>()

  constructor(options: TurnOptions) {
    this.#options = options
  }

  async run<T>(party: string, work: () => Promise<T>): Promise<T> {
    if (this.#isFree(party)) this.#count(party, 1)
    else await this.#wait(party)
    try {
      return await work()
    } finally {
      this.#count(party, -1)
      this.#serve()
    }
  }

  #isFree(party: string): boolean {
    const { atOnce, ofOneParty } = this.#options
    const all = [...this.#running.values()].reduce((sum, running) => sum + running, 0)
    return all < atOnce && (this.#running.get(party) ?? 0) < ofOneParty
  }

  #count(party: string, change: 1 | -1): void {
    const running = (this.#running.get(party) ?? 0) + change
    if (running === 0) this.#running.delete(party)
    else this.#running.set(party, running)
  }

  #wait(party: string): Promise<void> {
    const queue = this.#queues.get(party) ?? []
    if (queue.length >= this.#options.waiting) {
      return Promise.reject(new Overloaded())
    }
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

  /** Gives the turn that has become free to the first party that may have it. */
  #serve(): void {
    for (const [party, queue] of this.#queues) {
      if (!this.#isFree(party)) continue
      this.#queues.delete(party)
      const { start, timer } = queue.shift()!
      if (queue.length > 0) this.#queues.set(party, queue)
      clearTimeout(timer)
      this.#count(party, 1)
      start()
      return
    }
  }
}

interface Waiting {
  start: () => void
  timer: NodeJS.Timeout
}
