import { setTimeout as sleep } from 'node:timers/promises'
import type { ClaimResult } from '../store/webhooks/deliveries.ts'

const MAX_BATCH = 500
const RETRY_MS = 200
/** Pause after a write, so that the next one has a larger batch. */
const GATHER_MS = 25

interface Options {
  write(batch: ClaimResult[]): Promise<void>
  written(batch: ClaimResult[]): void
  failed(error: unknown): void
}

/**
 * Records delivery results in batches. While the database is unreachable it keeps them and tries again, since unrecorded
 * deliveries are sent again. Results recorded after the lease has ended change nothing.
 */
export class Recorder {
  readonly #options: Options
  #waiting: ClaimResult[] = []
  #writing: Promise<void> | undefined
  #isFinishing = false
  #isGivenUp = false

  constructor(options: Options) {
    this.#options = options
  }

  add(result: ClaimResult): void {
    this.#waiting.push(result)
    this.#writing ??= this.#drain()
  }

  /** Resolves when everything is written, or after `timeoutMs`. */
  async finish(timeoutMs: number): Promise<void> {
    this.#isFinishing = true
    await Promise.race([this.#writing, sleep(timeoutMs, undefined, { ref: false })])
    this.#isGivenUp = true
  }

  async #drain(): Promise<void> {
    // Attempts that end in the same turn of the event loop share a batch.
    await new Promise<void>((resolve) => void setImmediate(resolve))
    let limit = MAX_BATCH
    while (this.#waiting.length > 0 && !this.#isGivenUp) {
      const batch = this.#waiting.splice(0, limit)
      try {
        await this.#options.write(batch)
      } catch (error) {
        this.#options.failed(error)
        // From now on one by one, failed ones last, so that a result the database rejects does not block the others.
        limit = 1
        this.#waiting.push(...batch)
        await sleep(RETRY_MS)
        continue
      }
      limit = Math.min(2 * limit, MAX_BATCH)
      this.#options.written(batch)
      if (this.#waiting.length < limit && !this.#isFinishing) await sleep(GATHER_MS)
    }
    this.#writing = undefined
  }
}
