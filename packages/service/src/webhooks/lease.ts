import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Claimed } from '../store/webhooks/deliveries.ts'
import type { Store } from '../store/store.ts'

/** How soon the claims of a killed worker come back. */
const SECONDS = 10
/** Renewed after a quarter, so that one slow or failed renewal does not cost the lease. */
const RENEWALS = 4
const RETRY_MS = 250

interface Options {
  store: Store
  seconds?: number | undefined
  log: { warn(facts: object, message: string): void }
}

/**
 * A worker's lease, on which all its claims depend. While the process runs it is renewed; if the process was stopped or
 * stalled for too long, the lease has lapsed: others may have taken over, and what the worker finds out about its old
 * claims from then on counts for nothing. It goes on with a new lease under a new id.
 *
 * | state   | until                                   | then                          |
 * |-|-|-|
 * | none    | a lease has begun                       | held                          |
 * | held    | it ends before its renewal is confirmed | lapsed                        |
 * | lapsed  | a new lease has begun, under a new id   | held; the old claims are free |
 */
export class Lease {
  readonly #options: Options
  readonly #seconds: number
  readonly #keeping = new AbortController()
  #id: string | undefined
  /** When it ends at the earliest, by `performance.now()`: the database's lease began later than the request for it. */
  #until = Number.NEGATIVE_INFINITY
  #loop: Promise<void> | undefined

  constructor(options: Options) {
    this.#options = options
    this.#seconds = options.seconds ?? SECONDS
  }

  /** The id to claim under; undefined while no lease is held. */
  get workerId(): string | undefined {
    return performance.now() < this.#until ? this.#id : undefined
  }

  /** Whether a claim of this worker still holds, as far as can be told here; the database has the last word. */
  covers({ workerId, expiresAt }: Claimed): boolean {
    return performance.now() < expiresAt && workerId === this.workerId
  }

  start(): void {
    this.#loop = this.#keep(this.#keeping.signal)
  }

  /** Ends the lease: what was not given back is free for others at once. */
  async end(): Promise<void> {
    this.#keeping.abort()
    await this.#loop
    const id = this.#id
    this.#until = Number.NEGATIVE_INFINITY
    if (id === undefined) return
    await this.#options.store.deliveryWorkers.end(id).catch((error: unknown) => {
      this.#options.log.warn({ err: error }, 'Failed to end the lease of a delivery worker')
    })
  }

  async #keep(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const isHeld = await this.#extend()
      const pause = isHeld ? (1000 * this.#seconds) / RENEWALS : RETRY_MS
      await sleep(pause, undefined, { signal }).catch(() => {})
    }
  }

  async #extend(): Promise<boolean> {
    const { store, log } = this.#options
    try {
      if (await this.#renew()) return true
      if (this.#id !== undefined) log.warn({}, 'The lease of this delivery worker has lapsed; its claims are given up')
      const [id, askedAt] = [randomUUID(), performance.now()]
      await store.deliveryWorkers.begin(id, { seconds: this.#seconds, replaces: this.#id ?? null })
      this.#id = id
      this.#until = askedAt + 1000 * this.#seconds
      return true
    } catch (error) {
      log.warn({ err: error }, 'Failed to renew the lease of a delivery worker')
      return false
    }
  }

  /** False if the lease ended before the answer came, even if the database renewed it: outcomes may have been dropped. */
  async #renew(): Promise<boolean> {
    const [id, askedAt] = [this.workerId, performance.now()]
    if (id === undefined) return false
    const isRenewed = await this.#options.store.deliveryWorkers.renew(id, this.#seconds)
    if (!isRenewed || this.workerId !== id) return false
    this.#until = askedAt + 1000 * this.#seconds
    return true
  }
}
