import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Store } from '../store/store.ts'
import type { ClaimedDelivery } from '../store/webhooks/deliveries.ts'

/** How soon the claims of a killed worker are free again. */
const SECONDS = 10
/** Renewals per lease, so that one slow or failed renewal does not lose it. */
const RENEWALS = 4
const RETRY_MS = 250

interface Options {
  store: Store
  seconds?: number | undefined
  log: { warn(facts: object, message: string): void }
}

/**
 * A worker's lease, on which all its claims depend. If the process is stopped or stalled for too long, the lease lapses:
 * other workers may have taken over, so results of old claims are discarded. The worker continues under a new id.
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
  /** The earliest time it ends, by `performance.now()`: the lease in the database began after it was requested. */
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

  /** Whether a claim is still valid by this process's clock; the database checks again when results are written. */
  isValid({ workerId, expiresAt }: ClaimedDelivery): boolean {
    return performance.now() < expiresAt && workerId === this.workerId
  }

  start(): void {
    this.#loop = this.#keep(this.#keeping.signal)
  }

  /** Ends the lease, which frees the remaining claims at once. */
  async end(): Promise<void> {
    this.#keeping.abort()
    await this.#loop
    const id = this.#id
    this.#until = Number.NEGATIVE_INFINITY
    if (id === undefined) return
    await this.#options.store.deliveryWorkers.end(id).catch((error: unknown) => {
      this.#options.log.warn({ err: error }, 'Failed to end the delivery worker lease')
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
      if (this.#id !== undefined) log.warn({}, 'The delivery worker lease has lapsed; its claims are discarded')
      const [id, askedAt] = [randomUUID(), performance.now()]
      await store.deliveryWorkers.begin(id, { seconds: this.#seconds, replaces: this.#id ?? null })
      this.#id = id
      this.#until = askedAt + 1000 * this.#seconds
      return true
    } catch (error) {
      log.warn({ err: error }, 'Failed to renew the delivery worker lease')
      return false
    }
  }

  /** False if the lease ended before the reply arrived, even if the database renewed it: results may have been discarded. */
  async #renew(): Promise<boolean> {
    const [id, askedAt] = [this.workerId, performance.now()]
    if (id === undefined) return false
    const isRenewed = await this.#options.store.deliveryWorkers.renew(id, this.#seconds)
    if (!isRenewed || this.workerId !== id) return false
    this.#until = askedAt + 1000 * this.#seconds
    return true
  }
}
