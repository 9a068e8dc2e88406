import type { Receiver, ReceiverState } from '../store/deliveries.ts'
import { Lane } from './lane.ts'

/** A lane that has not been used for so long starts anew. */
const FORGET_MS = 60_000

/** The lanes of all receivers that a worker has to do with. */
export class Lanes implements Iterable<Lane> {
  readonly #lanes = new Map<string, Lane>()

  of(receiver: Receiver): Lane {
    const key = keyOf(receiver)
    const known = this.#lanes.get(key) ?? new Lane(receiver)
    this.#lanes.set(key, known)
    return known
  }

  [Symbol.iterator](): Iterator<Lane> {
    return this.#lanes.values()
  }

  /** What is in trouble or paused, as the database knows it; the rest is well. */
  adopt(states: ReceiverState[]): void {
    const told = new Map(states.map((state) => [keyOf(state), state]))
    for (const state of states) this.of(state)
    for (const [key, lane] of this.#lanes) lane.adopt(told.get(key))
  }

  forgetIdle(now: number): void {
    for (const [key, lane] of this.#lanes) {
      if (lane.isIdle && now - lane.usedAt > FORGET_MS) this.#lanes.delete(key)
    }
  }
}

const keyOf = ({ tenantId, origin }: Receiver) => `${tenantId}\n${origin}`
