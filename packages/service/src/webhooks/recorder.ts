import { setTimeout as sleep } from 'node:timers/promises'
import type { Recorded } from '../store/webhooks/deliveries.ts'

const MOST = 500
const RETRY_MS = 200
/** How long one waits for the next after a write, so that many are written at once. */
const GATHER_MS = 25

interface Options {
  write(all: Recorded[]): Promise<void>
  written(all: Recorded[]): void
  failed(error: unknown): void
}

/**
 * Records what became of deliveries, many in one statement. While the database cannot be reached it keeps them and
 * tries again, since what is not recorded is sent again. What comes too late, after the lease, changes nothing there.
 */
export class Recorder {
  readonly #options: Options
  #waiting: Recorded[] = []
  #writing: Promise<void> | undefined
  #isFinishing = false
  #isGivenUp = false

  constructor(options: Options) {
    this.#options = options
  }

  add(record: Recorded): void {
    this.#waiting.push(record)
    this.#writing ??= this.#drain()
  }

  /** Resolves when all is written, or when it is too late to wait for it. */
  async finish(patienceMs: number): Promise<void> {
    this.#isFinishing = true
    await Promise.race([this.#writing, sleep(patienceMs, undefined, { ref: false })])
    this.#isGivenUp = true
  }

  async #drain(): Promise<void> {
    // What ends in the same moment is written together.
    await new Promise<void>((resolve) => void setImmediate(resolve))
    let most = MOST
    while (this.#waiting.length > 0 && !this.#isGivenUp) {
      const batch = this.#waiting.splice(0, most)
      const isWritten = await this.#write(batch)
      // Singly and from behind, so that one the database refuses does not keep the others from being written.
      most = isWritten ? Math.min(2 * most, MOST) : 1
      if (isWritten) {
        this.#options.written(batch)
        if (this.#waiting.length < most && !this.#isFinishing) await sleep(GATHER_MS)
      } else {
        this.#waiting.push(...batch)
        await sleep(RETRY_MS)
      }
    }
    this.#writing = undefined
  }

  async #write(batch: Recorded[]): Promise<boolean> {
    try {
      await this.#options.write(batch)
      return true
    } catch (error) {
      this.#options.failed(error)
      return false
    }
  }
}
