import { setTimeout as sleep } from 'node:timers/promises'
import type { Recorded } from '../store/deliveries.ts'

const MOST = 500
const RETRY_MS = 200

/**
 * Records what became of deliveries, many in one statement. While the database cannot be reached it keeps them and
 * tries again: forgotten, they would be sent once more.
 */
export class Recorder {
  readonly #write: (all: Recorded[]) => Promise<void>
  readonly #onFailure: (error: unknown) => void
  #waiting: Recorded[] = []
  #writing: Promise<void> | undefined
  #isGivenUp = false

  constructor(write: (all: Recorded[]) => Promise<void>, onFailure: (error: unknown) => void) {
    this.#write = write
    this.#onFailure = onFailure
  }

  add(...records: Recorded[]): void {
    this.#waiting.push(...records)
    this.#writing ??= this.#drain()
  }

  /** Resolves when all is written, or when it is too late to wait for it. */
  async finish(patienceMs: number): Promise<void> {
    await Promise.race([this.#writing, sleep(patienceMs, undefined, { ref: false })])
    this.#isGivenUp = true
  }

  async #drain(): Promise<void> {
    // What ends in the same moment is written together.
    await new Promise<void>((resolve) => void setImmediate(resolve))
    while (this.#waiting.length > 0 && !this.#isGivenUp) {
      const batch = this.#waiting.splice(0, MOST)
      try {
        await this.#write(batch)
      } catch (error) {
        this.#onFailure(error)
        this.#waiting.unshift(...batch)
        await sleep(RETRY_MS)
      }
    }
    this.#writing = undefined
  }
}
