import type { Caller } from '../domain/caller.ts'
import type { Store } from '../store/store.ts'

const FLUSH_MS = 5_000

/** Notes when tokens were last used, in one statement every few seconds instead of one a request. */
export class LastUses {
  #uses = new Map<Caller, Date>()
  readonly #store: Store
  readonly #timer: NodeJS.Timeout

  constructor(store: Store, onFailure: (error: unknown) => void) {
    this.#store = store
    this.#timer = setInterval(() => void this.flush().catch(onFailure), FLUSH_MS).unref()
  }

  note(caller: Caller, at: Date): void {
    this.#uses.set(caller, at)
  }

  async flush(): Promise<void> {
    if (this.#uses.size === 0) return
    const uses = [...this.#uses].map(([{ tenantId, tokenId }, at]) => ({ tenantId, tokenId, at }))
    this.#uses = new Map()
    await this.#store.tokens.recordUse(uses)
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.flush()
  }
}
