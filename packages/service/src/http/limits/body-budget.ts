import type { FastifyReply, FastifyRequest } from 'fastify'
import { Overloaded } from '../../store/db/errors.ts'
import type { Party } from './fair-queue.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The room that was reserved for a large body. */
    heldBody: HeldBody | null
  }
}

/** Bytes of large bodies in memory at once, those that wait for a thread included. */
const MOST_BYTES = 256 * 1024 ** 2

/** Bytes of one token, so that whatever it sends, others get through. */
const MOST_BYTES_OF_ONE = MOST_BYTES / 2

/** Reserves room for large bodies before they are read; beyond it they are refused. */
export class BodyBudget {
  readonly #most: number
  readonly #mostOfOne: number
  readonly #heldBy = new Map<string, number>()
  #held = 0
  #refused = 0

  constructor({ most = MOST_BYTES, mostOfOne = MOST_BYTES_OF_ONE } = {}) {
    this.#most = most
    this.#mostOfOne = mostOfOne
  }

  get figures() {
    return { bytes: this.#held, refused: this.#refused }
  }

  /** Reserves so many bytes until they are released. */
  hold({ tenantId, tokenId }: Party, bytes: number): HeldBody {
    const name = `${tenantId}\n${tokenId}`
    if (this.#held + bytes > this.#most || (this.#heldBy.get(name) ?? 0) + bytes > this.#mostOfOne) {
      this.#refused++
      throw new Overloaded()
    }
    this.#change(name, bytes)
    return new HeldBody(bytes, (change) => this.#change(name, change))
  }

  /** Reserves room for the body of a request: as much as it says, or as it may have where it does not say. */
  holdFor(request: FastifyRequest, reply: FastifyReply, { caller, limit }: { caller: Party; limit: number }): void {
    const length = Number(request.headers['content-length'] ?? limit)
    // What is longer than it may be is refused before it is read.
    const held = this.hold(caller, length > limit ? 0 : length)
    request.heldBody = held
    const { socket } = request.raw
    const release = () => {
      reply.raw.off('close', release)
      socket.off('close', release)
      held.release()
    }
    reply.raw.once('close', release)
    // A response that waits behind others on a connection does not hear of its end.
    if (reply.raw.socket === null) socket.setMaxListeners(0).once('close', release)
  }

  #change(name: string, bytes: number): void {
    this.#held += bytes
    const left = (this.#heldBy.get(name) ?? 0) + bytes
    if (left > 0) this.#heldBy.set(name, left)
    else this.#heldBy.delete(name)
  }
}

/** Bytes that are reserved until the response is closed and the work on the body has ended: it goes on without its sender. */
export class HeldBody {
  readonly #change: (bytes: number) => void
  #bytes: number
  #users = 1

  constructor(bytes: number, change: (bytes: number) => void) {
    this.#bytes = bytes
    this.#change = change
  }

  /** The body has come, and is no longer than this. */
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
