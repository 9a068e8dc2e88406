import type { Receiver } from './receiver.ts'

/** Concurrent requests to healthy receivers, all together. */
const HEALTHY = 192
/** Concurrent requests to troubled receivers; beyond these each may still make one, up to the maximum. */
const TROUBLED = 64
const MAX_TROUBLED = 512
/** A request that takes longer is charged to the troubled share. */
const SLOW_MS = 1_000

/** The right to make one request. */
export interface Permit {
  readonly receiver: Receiver
  readonly startedAt: number
}

/**
 * Limits concurrent requests. Troubled receivers have a share of their own, so that they cannot hold up healthy ones.
 *
 * | permit         | event                             | next           |
 * |-|-|-|
 * | none           | `acquire` for a healthy receiver  | healthy share  |
 * | none           | `acquire` for a troubled receiver | troubled share |
 * | healthy share  | its request takes over a second   | troubled share |
 * | either share   | `release`                         | none           |
 */
export class ConcurrencyBudget {
  /** The healthy share, oldest first, and when each permit's second began. */
  readonly #healthy = new Map<Permit, number>()
  #troubled = 0
  #checkedAt = performance.now()

  get inUse(): number {
    return this.#healthy.size + this.#troubled
  }

  /** How many more requests healthy receivers may begin. */
  get free(): number {
    return HEALTHY - this.#healthy.size
  }

  isExhaustedFor(receiver: Receiver): boolean {
    if (!receiver.breaker.isTroubled) return this.free <= 0
    return this.#troubled >= (receiver.inFlight === 0 ? MAX_TROUBLED : TROUBLED)
  }

  /** A permit, to be released; undefined if the receiver has to wait. */
  acquire(receiver: Receiver, now: number): Permit | undefined {
    if (this.isExhaustedFor(receiver)) return undefined
    const permit = { receiver, startedAt: now }
    if (receiver.breaker.isTroubled) this.#troubled++
    else this.#healthy.set(permit, now)
    return permit
  }

  release(permit: Permit): void {
    if (!this.#healthy.delete(permit)) this.#troubled--
  }

  /**
   * Moves permits of slow requests to the troubled share, which they may exceed, and returns their receivers. After a
   * stall of this process every request looks slow, so each gets another second.
   */
  moveSlow(now: number): Set<Receiver> {
    const slow = new Set<Receiver>()
    const hasStalled = now - this.#checkedAt > SLOW_MS
    this.#checkedAt = now
    if (hasStalled) for (const permit of this.#healthy.keys()) this.#healthy.set(permit, now)
    for (const [permit, since] of this.#healthy) {
      if (now - since < SLOW_MS) break
      this.#healthy.delete(permit)
      this.#troubled++
      permit.receiver.breaker.markSlow()
      slow.add(permit.receiver)
    }
    return slow
  }
}
