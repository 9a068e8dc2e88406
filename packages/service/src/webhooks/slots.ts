import type { Lane } from './lane.ts'

/** Requests under way at once to receivers that do well, all together. */
const HEALTHY = 192
/** To receivers in trouble; beyond these each of them may still make one. */
const TROUBLED = 64
const MOST_TROUBLED = 512
/** A request that takes longer no longer counts against the healthy. */
const SLOW_MS = 1_000

export interface Slot {
  lane: Lane
  startedAt: number
  isTroubled: boolean
}

/** Who may send now. Receivers that fail or hang have slots of their own, so that they cannot hold up the others. */
export class Slots {
  #healthy = 0
  #troubled = 0
  /** Those that still count as healthy, oldest first. */
  readonly #young = new Set<Slot>()
  #sweptAt = performance.now()

  get inFlight(): number {
    return this.#healthy + this.#troubled
  }

  /** How many more requests healthy receivers may begin. */
  get free(): number {
    return HEALTHY - this.#healthy
  }

  isFullFor(lane: Lane): boolean {
    if (!lane.isTroubled) return this.free <= 0
    return this.#troubled >= (lane.inFlight === 0 ? MOST_TROUBLED : TROUBLED)
  }

  /** A slot for this lane, to be given back; undefined where it has to wait. */
  take(lane: Lane, now: number): Slot | undefined {
    if (this.isFullFor(lane)) return undefined
    const slot = { lane, startedAt: now, isTroubled: lane.isTroubled }
    if (slot.isTroubled) this.#troubled++
    else {
      this.#healthy++
      this.#young.add(slot)
    }
    return slot
  }

  giveBack(slot: Slot): void {
    if (slot.isTroubled) this.#troubled--
    else {
      this.#healthy--
      this.#young.delete(slot)
    }
  }

  /**
   * Counts requests that take long among the troubled, whose share they may exceed, and frees their slots. Returns the
   * lanes they belong to. After a stall of this process all requests look slow, so that their time begins anew.
   */
  sweep(now: number): Set<Lane> {
    const slow = new Set<Lane>()
    const hasStalled = now - this.#sweptAt > SLOW_MS
    this.#sweptAt = now
    if (hasStalled) for (const slot of this.#young) slot.startedAt = now
    for (const slot of this.#young) {
      if (now - slot.startedAt < SLOW_MS) break
      this.#young.delete(slot)
      this.#healthy--
      this.#troubled++
      slot.isTroubled = true
      slot.lane.isSlow = true
      slow.add(slot.lane)
    }
    return slow
  }
}
