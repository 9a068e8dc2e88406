import { Overloaded } from '../../store/db/errors.ts'

/** Limits for lookups of unknown secrets, low enough not to delay other statements. */
const AT_ONCE = 4
const MOST_WAITING = 256

/**
 * Looks up secrets, each once for all concurrent requests. Anyone can send made-up secrets, so lookups of unknown ones are
 * limited and refused when too many wait.
 */
export class Lookups<Found> {
  readonly #look: (hash: Buffer) => Promise<Found>
  readonly #underWay = new Map<string, Promise<Found>>()
  readonly #waiting: (() => void)[] = []
  #running = 0
  #refused = 0

  constructor(look: (hash: Buffer) => Promise<Found>) {
    this.#look = look
  }

  get figures() {
    return { running: this.#running, waiting: this.#waiting.length, refused: this.#refused }
  }

  /** Requests with the same key share one lookup. */
  find(hash: Buffer, key: string, { wasKnown }: { wasKnown: boolean }): Promise<Found> {
    const shared = this.#underWay.get(key)
    if (shared) return shared
    const found = wasKnown ? this.#look(hash) : this.#inTurn(hash)
    const ending = found.finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, ending)
    return ending
  }

  async #inTurn(hash: Buffer): Promise<Found> {
    if (this.#running < AT_ONCE) this.#running++
    else if (this.#waiting.length < MOST_WAITING) await new Promise<void>((start) => this.#waiting.push(start))
    else {
      this.#refused++
      throw new Overloaded()
    }
    try {
      return await this.#look(hash)
    } finally {
      // The next lookup takes over the place.
      const next = this.#waiting.shift()
      if (next) next()
      else this.#running--
    }
  }
}
