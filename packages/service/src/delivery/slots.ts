import type { Lane } from './lane.ts'

/** Requests under way at once, all receivers together. */
const SLOTS = 256
/** Of these, what receivers in trouble may take together. */
const TROUBLED = 64
/** A request that takes longer no longer counts against the healthy. */
const SLOW_MS = 1_000

interface Sending {
  lane: Lane
  startedAt: number
  isTroubled: boolean
}

/** Who may send now. Receivers that fail or hang share a part of the slots, so that they cannot hold up the others. */
export class Slots {
  #healthy = 0
  #troubled = 0
  /** Those that still count as healthy, oldest first. */
  readonly #young = new Set<Sending>()

  get inFlight(): number {
    return this.#healthy + this.#troubled
  }

  /** How many more requests healthy receivers may begin. */
  get free(): number {
    return SLOTS - TROUBLED - this.#healthy
  }

  /** A slot for this lane, to be given back; undefined where it has to wait. */
  take(lane: Lane, now: number): Sending | undefined {
    const isTroubled = lane.isTroubled
    if (isTroubled ? this.#troubled >= TROUBLED : this.free <= 0) return undefined
    const sending = { lane, startedAt: now, isTroubled }
    if (isTroubled) this.#troubled++
    else {
      this.#healthy++
      this.#young.add(sending)
    }
    return sending
  }

  giveBack(sending: Sending): void {
    if (sending.isTroubled) this.#troubled--
    else {
      this.#healthy--
      this.#young.delete(sending)
    }
  }

  /** Counts what has been under way for long among the troubled, whose share it may exceed, and frees its slot. */
  sweep(now: number): boolean {
    let isFreed = false
    for (const sending of this.#young) {
      if (now - sending.startedAt < SLOW_MS) break
      this.#young.delete(sending)
      this.#healthy--
      this.#troubled++
      sending.isTroubled = true
      sending.lane.isSlow = true
      isFreed = true
    }
    return isFreed
  }
}
