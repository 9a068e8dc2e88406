import { FIRST_WINDOW, narrowed, widened } from '../domain/receivers.ts'
import type { Claimed, Receiver, ReceiverState } from '../store/deliveries.ts'

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
  /** Failures that the database has not been told of, and the telling. */
  untold = 0
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

  /** How many deliveries it can take that will be sent soon. */
  get room(): number {
    return this.isBlocked ? 0 : Math.max(0, 2 * this.window - this.queue.length - this.inFlight)
  }

  get isIdle(): boolean {
    return this.inFlight === 0 && this.queue.length === 0
  }

  succeeded(): void {
    this.window = widened(this.window)
    this.isSlow = false
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
