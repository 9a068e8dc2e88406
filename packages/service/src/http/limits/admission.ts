import type { FastifyReply, FastifyRequest } from 'fastify'
import { Overloaded } from '../../store/db/errors.ts'
import { Tally } from '../../store/db/tally.ts'
import { FairQueue, nameOf, type Party } from './fair-queue.ts'

/** Kinds of work with separate limits, so that a flood of one kind leaves room for the others. */
export type Kind = 'read' | 'list' | 'sharedList' | 'create' | 'result' | 'change' | 'page'

interface Limit {
  /** Concurrent requests. */
  atOnce: number
  /** Requests that may wait. Further ones are refused. */
  waiting: number
  /** Requests started per turn of the event loop, so that other work runs in between. */
  perTurn: number
  /**
   * `perTurn` while no other kind of request runs, waits or has just ended. With 16 instead of 4, a create takes 0.78 instead of
   * 0.93 ms of the process (two builds measured in turn). Beside creates, the p99 of reads would be 1.7 times as long
   * (`npm run bench -- overload`).
   */
  perTurnAlone?: number
}

/** A kind of request that ended less than this long ago counts as running: the next one is likely to come soon. */
const RECENTLY_MS = 100

/** The share of concurrent requests that one token may have. */
export const SHARE = 2 / 3

/** Low limits where each request holds a database connection, high ones where requests share statements. */
export const LIMITS: Record<Kind, Limit> = {
  read: { atOnce: 128, waiting: 1_000, perTurn: 64 },
  list: { atOnce: 3, waiting: 200, perTurn: 3 },
  sharedList: { atOnce: 96, waiting: 200, perTurn: 16 },
  create: { atOnce: 48, waiting: 1_000, perTurn: 4, perTurnAlone: 16 },
  result: { atOnce: 48, waiting: 1_000, perTurn: 4, perTurnAlone: 16 },
  change: { atOnce: 8, waiting: 500, perTurn: 4 },
  page: { atOnce: 4, waiting: 200, perTurn: 4 },
}

interface Waiting {
  party: Party
  isAwaited: () => boolean
  start: (isAwaited: boolean) => void
  refuse: (error: Error) => void
}

/** Admits requests by kind, fairly between tenants and tokens, and refuses excess requests at once. */
export class Admission {
  readonly #gates: Record<Kind, Gate>

  constructor(limits: Record<Kind, Limit> = LIMITS) {
    const gates = Object.entries(limits).map(([kind, limit]) => [kind, new Gate(limit, (gate) => this.#isAlone(gate))])
    this.#gates = Object.fromEntries(gates) as Record<Kind, Gate>
  }

  #isAlone(gate: Gate): boolean {
    return Object.values(this.#gates).every((other) => other === gate || other.isIdle)
  }

  /** Refuses a request that cannot wait, before its body is read. */
  check(kind: Kind, party: Party): void {
    this.#gates[kind].check(party)
  }

  /** Runs the work when it is admitted; returns undefined if the client has gone by then. Started work is not interrupted. */
  async run<T>(
    kind: Kind,
    party: Party,
    work: () => Promise<T>,
    isAwaited: () => boolean = () => true,
  ): Promise<T | undefined> {
    const gate = this.#gates[kind]
    const turn = gate.enter(party, isAwaited)
    if (turn && !(await turn)) return undefined
    try {
      return await work()
    } finally {
      gate.leave(party)
    }
  }

  /** Running and waiting requests, and those refused since the process started, by kind. */
  figures() {
    return Object.entries(this.#gates).map(([kind, gate]) => ({ kind, ...gate.figures }))
  }
}

class Gate {
  readonly #limit: Limit
  readonly #isAlone: (gate: Gate) => boolean
  readonly #queue: FairQueue<Waiting>
  readonly #running = new Tally()
  #refused = 0
  #begunThisTurn = 0
  #isTurnEnding = false
  #lastEnded = Number.NEGATIVE_INFINITY

  constructor(limit: Limit, isAlone: (gate: Gate) => boolean) {
    this.#limit = limit
    this.#isAlone = isAlone
    this.#queue = new FairQueue(limit.waiting)
  }

  get figures() {
    return { running: this.#running.total, waiting: this.#queue.size, refused: this.#refused }
  }

  get isIdle(): boolean {
    return this.#running.total === 0 && this.#queue.size === 0 && performance.now() - this.#lastEnded > RECENTLY_MS
  }

  check(party: Party): void {
    if (this.#isOpenTo(party)) return
    this.#makeRoom()
    if (!this.#queue.takes(party)) throw this.#refusal()
  }

  #refusal(): Overloaded {
    this.#refused++
    return new Overloaded()
  }

  /** Undefined if the work may start at once; otherwise a promise of whether it may. */
  enter(party: Party, isAwaited: () => boolean): Promise<boolean> | undefined {
    if (this.#isOpenTo(party) && this.#queue.size === 0) {
      this.#begin(party)
      return undefined
    }
    this.#makeRoom()
    return new Promise((start, refuse) => {
      this.#queue.add(party, { party, isAwaited, start, refuse })?.refuse(this.#refusal())
      this.#endTurn()
    })
  }

  leave(party: Party): void {
    this.#running.add(nameOf(party), -1)
    this.#lastEnded = performance.now()
    if (this.#queue.size > 0) this.#endTurn()
  }

  /** Removes waiting requests whose clients have gone. */
  #makeRoom(): void {
    if (!this.#queue.isFull) return
    for (const abandoned of this.#queue.remove(({ isAwaited }) => isAwaited())) abandoned.start(false)
  }

  #isOpen(): boolean {
    return this.#running.total < this.#limit.atOnce && this.#begunThisTurn < this.#perTurn()
  }

  #perTurn(): number {
    const { perTurn, perTurnAlone } = this.#limit
    if (perTurnAlone === undefined || this.#begunThisTurn < perTurn) return perTurn
    return this.#isAlone(this) ? perTurnAlone : perTurn
  }

  #isOpenTo(party: Party): boolean {
    const mostOfOne = Math.max(1, Math.floor(this.#limit.atOnce * SHARE))
    return this.#isOpen() && this.#running.of(nameOf(party)) < mostOfOne
  }

  #begin(party: Party): void {
    this.#running.add(nameOf(party), 1)
    this.#begunThisTurn++
    this.#endTurn()
  }

  #endTurn(): void {
    if (this.#isTurnEnding) return
    this.#isTurnEnding = true
    setImmediate(() => {
      this.#isTurnEnding = false
      this.#begunThisTurn = 0
      for (let next = this.#next(); next; next = this.#next()) {
        const isAwaited = next.isAwaited()
        if (isAwaited) this.#begin(next.party)
        next.start(isAwaited)
      }
    })
  }

  #next(): Waiting | undefined {
    return this.#isOpen() ? this.#queue.next((party) => this.#isOpenTo(party)) : undefined
  }
}

/** Tells whether a request still waits for its answer and its client is connected. */
export const awaitsAnswer =
  ({ raw: { socket } }: FastifyRequest, reply: FastifyReply) =>
  () =>
    !reply.sent && !socket.destroyed
