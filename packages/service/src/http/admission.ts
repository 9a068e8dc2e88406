import { Overloaded } from '../store/db/errors.ts'
import { FairQueue, type Party } from './fair-queue.ts'

/** Kinds of work that are limited apart from each other, so that a flood of one leaves room for the others. */
export type Kind = 'read' | 'list' | 'create' | 'result' | 'change' | 'page'

interface Limit {
  /** Requests worked on at once. */
  atOnce: number
  /** Requests that may wait for their turn. Beyond that they are refused at once. */
  waiting: number
  /** Requests begun in one turn of the event loop, so that others get a word in between. */
  perTurn: number
}

/** Few at once where each holds a database connection; many where they share statements. */
const LIMITS: Record<Kind, Limit> = {
  read: { atOnce: 128, waiting: 1_000, perTurn: 64 },
  list: { atOnce: 3, waiting: 200, perTurn: 3 },
  create: { atOnce: 48, waiting: 1_000, perTurn: 4 },
  result: { atOnce: 48, waiting: 1_000, perTurn: 4 },
  change: { atOnce: 8, waiting: 500, perTurn: 4 },
  page: { atOnce: 4, waiting: 200, perTurn: 4 },
}

interface Waiting {
  start: () => void
  refuse: (error: Error) => void
}

/** Lets requests in, by kind and fairly between tenants and tokens; what is too much is refused at once. */
export class Admission {
  readonly #gates: Record<Kind, Gate>

  constructor(limits: Record<Kind, Limit> = LIMITS) {
    const gates = Object.entries(limits).map(([kind, limit]) => [kind, new Gate(limit)])
    this.#gates = Object.fromEntries(gates) as Record<Kind, Gate>
  }

  /** Refuses a request that would have no room to wait, before its body is read. */
  check(kind: Kind, party: Party): void {
    if (!this.#gates[kind].hasRoomFor(party)) throw new Overloaded()
  }

  /** Does the work when its turn has come. */
  async run<T>(kind: Kind, party: Party, work: () => Promise<T>): Promise<T> {
    const gate = this.#gates[kind]
    await gate.enter(party)
    try {
      return await work()
    } finally {
      gate.leave()
    }
  }

  /** Requests worked on and waiting, by kind. */
  figures(): { kind: Kind; running: number; waiting: number }[] {
    return Object.entries(this.#gates).map(([kind, gate]) => ({ kind: kind as Kind, ...gate.figures }))
  }
}

class Gate {
  readonly #limit: Limit
  readonly #queue: FairQueue<Waiting>
  #running = 0
  #begunThisTurn = 0
  #isTurnEnding = false

  constructor(limit: Limit) {
    this.#limit = limit
    this.#queue = new FairQueue(limit.waiting)
  }

  get figures() {
    return { running: this.#running, waiting: this.#queue.size }
  }

  hasRoomFor(party: Party): boolean {
    return this.#isOpen() || this.#queue.takes(party)
  }

  enter(party: Party): Promise<void> | undefined {
    if (this.#isOpen() && this.#queue.size === 0) {
      this.#begin()
      return undefined
    }
    return new Promise((start, refuse) => {
      this.#queue.add(party, { start, refuse })?.refuse(new Overloaded())
      this.#endTurn()
    })
  }

  leave(): void {
    this.#running--
    if (this.#queue.size > 0) this.#endTurn()
  }

  #isOpen(): boolean {
    return this.#running < this.#limit.atOnce && this.#begunThisTurn < this.#limit.perTurn
  }

  #begin(): void {
    this.#running++
    this.#begunThisTurn++
    this.#endTurn()
  }

  #endTurn(): void {
    if (this.#isTurnEnding) return
    this.#isTurnEnding = true
    setImmediate(() => {
      this.#isTurnEnding = false
      this.#begunThisTurn = 0
      while (this.#queue.size > 0 && this.#isOpen()) {
        this.#begin()
        this.#queue.next()!.start()
      }
    })
  }
}
