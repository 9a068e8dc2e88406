import type { Caller } from '../domain/access/caller.ts'
import type { Store } from '../store/store.ts'

const FLUSH_MS = 5_000

/** Notes when tokens were last used, in one statement every few seconds instead of one a request. */
export class LastUses {
  #uses = new Map<Caller, Date>()
  readonly #store: Store
  readonly #onFailure: (error: unknown) => void
  readonly #timer: NodeJS.Timeout
  #flushing: Promise<void> = Promise.resolve()

  constructor(store: Store, onFailure: (error: unknown) => void) {
    this.#store = store
    this.#onFailure = onFailure
    this.#timer = setInterval(() => void this.#flush(), FLUSH_MS).unref()
  }

  note(caller: Caller, at: Date): void {
    this.#uses.set(caller, at)
  }

  /** Ends the notes with a last statement. A database that is gone must not keep the service from stopping. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#flush()
  }

  /** One statement after the other, so that the last one is not overtaken by an earlier that fails. */
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
      // Tried again with those that came meanwhile.
      this.#uses = new Map([...uses, ...this.#uses])
      this.#onFailure(error)
    }
  }
}
