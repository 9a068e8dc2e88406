import type { FastifyReply, FastifyRequest } from 'fastify'
import { Overloaded } from '../../store/db/errors.ts'
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

/** The part of the places that one token may have, so that whatever it waits for, others get through. */
const SHARE = 2 / 3

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
  party: Party
  isWanted: () => boolean
  start: (isWanted: boolean) => void
  refuse: (error: Error) => void
}

export interface Figures {
  kind: Kind
  running: number
  waiting: number
  /** Since the start. */
  refused: number
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
    const gate = this.#gates[kind]
    if (!gate.hasRoomFor(party)) throw gate.refusal()
  }

  /** Does the work when its turn has come; undefined where nobody wants it any more by then. Work that has begun goes on. */
  async run<T>(
    kind: Kind,
    party: Party,
    work: () => Promise<T>,
    isWanted: () => boolean = () => true,
  ): Promise<T | undefined> {
    const gate = this.#gates[kind]
    const turn = gate.enter(party, isWanted)
    if (turn && !(await turn)) return undefined
    try {
      return await work()
    } finally {
      gate.leave(party)
    }
  }

  /** Requests worked on, waiting and refused, by kind. */
  figures(): Figures[] {
    return Object.entries(this.#gates).map(([kind, gate]) => ({ kind: kind as Kind, ...gate.figures }))
  }
}

class Gate {
  readonly #limit: Limit
  readonly #queue: FairQueue<Waiting>
  readonly #runningOf = new Map<string, number>()
  #running = 0
  #refused = 0
  #begunThisTurn = 0
  #isTurnEnding = false

  constructor(limit: Limit) {
    this.#limit = limit
    this.#queue = new FairQueue(limit.waiting)
  }

  get figures() {
    return { running: this.#running, waiting: this.#queue.size, refused: this.#refused }
  }

  hasRoomFor(party: Party): boolean {
    if (this.#isOpenTo(party)) return true
    this.#makeRoom()
    return this.#queue.takes(party)
  }

  refusal(): Overloaded {
    this.#refused++
    return new Overloaded()
  }

  /** Undefined where the work may begin at once; else whether it may, once its turn has come. */
  enter(party: Party, isWanted: () => boolean): Promise<boolean> | undefined {
    if (this.#isOpenTo(party) && this.#queue.size === 0) {
      this.#begin(party)
      return undefined
    }
    this.#makeRoom()
    return new Promise((start, refuse) => {
      this.#queue.add(party, { party, isWanted, start, refuse })?.refuse(this.refusal())
      this.#endTurn()
    })
  }

  leave(party: Party): void {
    const name = nameOf(party)
    const left = this.#runningOf.get(name)! - 1
    if (left > 0) this.#runningOf.set(name, left)
    else this.#runningOf.delete(name)
    this.#running--
    if (this.#queue.size > 0) this.#endTurn()
  }

  /** Frees the places of requests that nobody waits for any more. */
  #makeRoom(): void {
    if (!this.#queue.isFull) return
    for (const unwanted of this.#queue.remove(({ isWanted }) => isWanted())) unwanted.start(false)
  }

  #isOpen(): boolean {
    return this.#running < this.#limit.atOnce && this.#begunThisTurn < this.#limit.perTurn
  }

  #isOpenTo(party: Party): boolean {
    const own = this.#runningOf.get(nameOf(party)) ?? 0
    return this.#isOpen() && own < Math.max(1, Math.floor(this.#limit.atOnce * SHARE))
  }

  #begin(party: Party): void {
    const name = nameOf(party)
    this.#runningOf.set(name, (this.#runningOf.get(name) ?? 0) + 1)
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
      for (let next = this.#next(); next; next = this.#next()) {
        const isWanted = next.isWanted()
        if (isWanted) this.#begin(next.party)
        next.start(isWanted)
      }
    })
  }

  #next(): Waiting | undefined {
    return this.#isOpen() ? this.#queue.next((party) => this.#isOpenTo(party)) : undefined
  }
}

const nameOf = ({ tenantId, tokenId }: Party) => `${tenantId}\n${tokenId}`

/** Whether a request still waits for its answer: it has none, of its deadline either, and its sender is there. */
export const isAwaited =
  ({ raw: { socket } }: FastifyRequest, reply: FastifyReply) =>
  () =>
    !reply.sent && !socket.destroyed
