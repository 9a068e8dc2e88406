import type { Caller } from '../domain/access/caller.ts'
import type { Store } from '../store/store.ts'

const FLUSH_MS = 5_000

/** Records when tokens were last used, with one statement every few seconds instead of one per request. */
export class LastUses {
  #uses = new Map<Caller, Date>()
  readonly #store: Store
  readonly #now: () => Date
  readonly #onFailure: (error: unknown) => void
  readonly #timer: NodeJS.Timeout
  #flushing: Promise<void> = Promise.resolve()

  constructor(store: Store, now: () => Date, onFailure: (error: unknown) => void) {
    this.#store = store
    this.#now = now
    this.#onFailure = onFailure
    this.#timer = setInterval(() => void this.#flush(), FLUSH_MS).unref()
  }

  note(caller: Caller): void {
    this.#uses.set(caller, this.#now())
  }

  /** Flushes a last time. A failure of the database does not keep the service from stopping. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#flush()
  }

  /** Statements run one after the other, so that a failed earlier one cannot overtake a later one. */
  #flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#record())
    return this.#flushing
  }

  async #record(): Promise<void> {
    if (this.#uses.size === 0) return
    const uses = this.#uses
    this.#uses = new Map()
    try {
      await this.#store.tokens.recordUse([...uses].map(([{ tenantId, tokenId }, at]) => ({ tenantId, tokenId, at })))
    } catch (error) {
      // Retried with the next flush.
      this.#uses = new Map([...uses, ...this.#uses])
      this.#onFailure(error)
    }
  }
}
