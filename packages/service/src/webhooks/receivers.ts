import type { ReceiverId } from '../store/webhooks/receivers.ts'
import { CircuitBreaker, type BreakerReports } from './breaker.ts'
import { Receiver } from './receiver.ts'

/** A receiver that has been idle this long is forgotten. */
const FORGET_MS = 60_000

/** Every receiver that this worker currently deals with. */
export class Receivers {
  readonly #reports: BreakerReports
  readonly #receivers = new Map<string, Receiver>()

  constructor(reports: BreakerReports) {
    this.#reports = reports
  }

  find(id: ReceiverId): Receiver | undefined {
    return this.#receivers.get(keyOf(id))
  }

  findOrAdd(id: ReceiverId): Receiver {
    const key = keyOf(id)
    const known = this.#receivers.get(key)
    if (known) return known
    const added = new Receiver(id, new CircuitBreaker(id, this.#reports))
    this.#receivers.set(key, added)
    return added
  }

  forgetIdle(now: number): void {
    for (const [key, receiver] of this.#receivers) {
      if (receiver.hasBeenIdleFor(FORGET_MS, now)) this.#receivers.delete(key)
    }
  }
}

const keyOf = ({ tenantId, origin }: ReceiverId) => `${tenantId}\n${origin}`
