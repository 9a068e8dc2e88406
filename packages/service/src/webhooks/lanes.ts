import type { Receiver } from '../store/webhooks/receivers.ts'
import { Lane } from './lane.ts'

/** A lane that has not been used for so long starts anew. */
const FORGET_MS = 60_000

/** The lanes of all receivers that a worker has to do with. */
export class Lanes {
  readonly #lanes = new Map<string, Lane>()

  find(receiver: Receiver): Lane | undefined {
    return this.#lanes.get(keyOf(receiver))
  }

  of(receiver: Receiver): Lane {
    const lane = this.find(receiver) ?? new Lane(receiver)
    this.#lanes.set(keyOf(receiver), lane)
    return lane
  }

  forgetIdle(now: number): void {
    for (const [key, lane] of this.#lanes) {
      if (lane.isIdle && !lane.isRefilling && now - lane.usedAt > FORGET_MS) this.#lanes.delete(key)
    }
  }
}

const keyOf = ({ tenantId, origin }: Receiver) => `${tenantId}\n${origin}`
