import { afterFailure, FIRST_WINDOW, narrowed, WELL, widened, type Health } from '../domain/receivers.ts'
import type { Claimed, Receiver, ReceiverState } from '../store/deliveries.ts'

/** A delivery that waits for its turn, and since when it is ours. */
interface Waiting {
  delivery: Claimed
  takenAt: number
}

/** What one worker knows of one receiver: what waits for it, what is under way, and how it does. */
export class Lane implements Receiver {
  readonly tenantId: string
  readonly origin: string
  readonly queue: Waiting[] = []
  /** Requests at once. */
  window = FIRST_WINDOW
  inFlight = 0
  health: Health = WELL
  isPaused = false
  isProbing = false
  /** Whether a request takes too long right now: until one ends well, no more than a share is risked. */
  isSlow = false
  /** Whether deliveries may be held for it in the database. */
  hasHeld = false
  isRefilling = false
  usedAt = 0

  constructor({ tenantId, origin }: Receiver) {
    this.tenantId = tenantId
    this.origin = origin
  }

  /** Whether nothing is sent, but for a probe. */
  get isBlocked(): boolean {
    return this.isPaused || this.health.openUntil !== null
  }

  get isTroubled(): boolean {
    return this.health.failures > 0 || this.isSlow
  }

  /** How many deliveries it can take that will be sent soon. */
  get room(): number {
    return this.isBlocked ? 0 : Math.max(0, 2 * this.window - this.queue.length - this.inFlight)
  }

  get isIdle(): boolean {
    return this.inFlight === 0 && this.queue.length === 0 && !this.isRefilling
  }

  succeeded(): void {
    this.window = widened(this.window)
    this.isSlow = false
    this.health = WELL
  }

  failed(now: Date): void {
    this.window = narrowed(this.window)
    this.isSlow = false
    // A probe was let through the break, which its failure prolongs.
    this.health = afterFailure(this.isProbing ? { ...this.health, openUntil: null } : this.health, now)
  }

  /** Takes over what the database says: other workers and operators have their part in it. */
  adopt(state: ReceiverState | undefined): void {
    this.isPaused = state?.isPaused ?? false
    if (!this.isProbing) this.health = state ?? WELL
  }
}
