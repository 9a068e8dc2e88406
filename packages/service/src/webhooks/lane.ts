import { FIRST_WINDOW, narrowed, widened } from '../domain/webhooks/receivers.ts'
import type { Claimed } from '../store/webhooks/deliveries.ts'
import type { Claim } from '../store/webhooks/workers.ts'
import type { Receiver, ReceiverState } from '../store/webhooks/receivers.ts'

/** Its pace is taken again after so long. */
const PACE_MS = 50
/** What a receiver is through with in this time may wait for it here, and need not be held. */
const AHEAD_MS = 1_000
/** The same while its pace is not known. */
const FIRST_AHEAD = 200

/** What one worker knows of one receiver: what waits for it, what is under way, and how it does. */
export class Lane implements Receiver {
  readonly tenantId: string
  readonly origin: string
  readonly queue: Claimed[] = []
  /** Requests at once. */
  window = FIRST_WINDOW
  inFlight = 0
  /** In a row. */
  failures = 0
  /** Whether nothing is sent, but for a probe: it is paused, or its breaker open. */
  isBlocked = false
  isProbing = false
  /** Whether a request takes too long right now: until one ends well, no more than a share is risked. */
  isSlow = false
  /** Whether deliveries may be held for it in the database. */
  hasHeld = false
  isRefilling = false
  usedAt = performance.now()
  /** Deliveries that it takes in a millisecond, as last seen. */
  #pace = FIRST_AHEAD / AHEAD_MS
  #paced = { since: 0, count: 0 }
  /** The claims of failed attempts that are not reported yet, and the report under way. */
  readonly untold: Claim[] = []
  telling: Promise<void> | undefined
  /** When the database was last asked, or told, how it does. */
  #learnedAt = Number.NEGATIVE_INFINITY

  constructor({ tenantId, origin }: Receiver) {
    this.tenantId = tenantId
    this.origin = origin
  }

  get isTroubled(): boolean {
    return this.failures > 0 || this.isSlow
  }

  /** How many deliveries may be here at once, so that all of them are sent soon; `isRich` where there is space for many. */
  ahead(isRich: boolean): number {
    if (this.isBlocked) return 0
    return isRich && !this.isTroubled ? Math.max(2 * this.window, Math.floor(this.#pace * AHEAD_MS)) : 2 * this.window
  }

  get isIdle(): boolean {
    return this.inFlight === 0 && this.queue.length === 0
  }

  succeeded(now: number): void {
    this.window = widened(this.window)
    this.isSlow = false
    this.#paced.count++
    const ms = now - this.#paced.since
    if (ms < PACE_MS) return
    // Where nothing waits, it is not the receiver that sets the pace.
    if (this.queue.length > 0) this.#pace = this.#paced.count / ms
    this.#paced = { since: now, count: 0 }
  }

  /** Puts a delivery in line. */
  add(delivery: Claimed, now: number): void {
    if (this.isIdle) this.#paced = { since: now, count: 0 }
    this.queue.push(delivery)
  }

  failed(): void {
    this.window = narrowed(this.window)
    this.isSlow = false
    this.failures++
  }

  /** Takes over what the database says, unless what is known here is newer: the question may have been under way. */
  learn({ failures, isBlocked }: Omit<ReceiverState, keyof Receiver>, askedAt: number): void {
    if (askedAt <= this.#learnedAt || this.telling) return
    this.told({ failures, isBlocked })
    this.#learnedAt = askedAt
  }

  /** What the database has just been made to say: nothing that was asked before counts any more. */
  told({ failures, isBlocked }: Omit<ReceiverState, keyof Receiver>): void {
    this.failures = failures
    this.isBlocked = isBlocked
    this.#learnedAt = performance.now()
  }
}
