import type { FastifyReply, FastifyRequest } from 'fastify'
import { Overloaded } from '../../store/db/errors.ts'
import { Tally } from '../../store/db/tally.ts'
import { nameOf, type Party } from './fair-queue.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The memory reserved for a large body. */
    heldBody: HeldBody | null
  }
}

/** Bytes of large bodies in memory, including those that wait for a thread. */
const MOST_BYTES = 256 * 1024 ** 2

/** Reserves memory for large bodies before they are read, and refuses those that exceed the budget. */
export class BodyBudget {
  readonly #most: number
  readonly #mostOfOne: number
  readonly #held = new Tally()
  #refused = 0

  /** One token cannot use the whole budget. */
  constructor({ most = MOST_BYTES, mostOfOne = MOST_BYTES / 2 } = {}) {
    this.#most = most
    this.#mostOfOne = mostOfOne
  }

  get figures() {
    return { bytes: this.#held.total, refused: this.#refused }
  }

  hold(party: Party, bytes: number): HeldBody {
    const name = nameOf(party)
    if (this.#held.total + bytes > this.#most || this.#held.of(name) + bytes > this.#mostOfOne) {
      this.#refused++
      throw new Overloaded()
    }
    this.#held.add(name, bytes)
    return new HeldBody(bytes, (change) => this.#held.add(name, change))
  }

  /** Reserves memory for the body of a request: its Content-Length, or the limit if it has none. */
  holdFor(request: FastifyRequest, reply: FastifyReply, { caller, limit }: { caller: Party; limit: number }): void {
    const length = Number(request.headers['content-length'] ?? limit)
    // A body over the limit is refused before it is read.
    const held = this.hold(caller, length > limit ? 0 : length)
    request.heldBody = held
    reply.raw.once('close', () => held.release())
  }
}

/** Bytes reserved until the response is closed and the work on the body has ended, which may be later. */
export class HeldBody {
  readonly #change: (bytes: number) => void
  #bytes: number
  #users = 1

  constructor(bytes: number, change: (bytes: number) => void) {
    this.#bytes = bytes
    this.#change = change
  }

  /** Called when the size of the body is known. */
  shrinkTo(bytes: number): void {
    if (bytes >= this.#bytes) return
    this.#change(bytes - this.#bytes)
    this.#bytes = bytes
  }

  async during<T>(work: () => Promise<T>): Promise<T> {
    this.#users++
    try {
      return await work()
    } finally {
      this.release()
    }
  }

  release(): void {
    this.#users--
    if (this.#users === 0) this.shrinkTo(0)
  }
}
