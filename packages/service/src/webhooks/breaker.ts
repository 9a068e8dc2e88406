import { recordFailure } from '../domain/webhooks/receivers.ts'
import type { Store } from '../store/store.ts'
import type { ReceiverId, ReceiverState } from '../store/webhooks/receivers.ts'
import type { Claim } from '../store/webhooks/workers.ts'

type SharedState = Omit<ReceiverState, keyof ReceiverId>

export type BreakerReports = ReturnType<typeof createBreakerReports>

/**
 * This worker's view of a receiver's circuit breaker. The breaker itself is a row in the database, shared by all workers.
 *
 * | state    | sends                          | event                                                  | next     |
 * |-|-|-|-|
 * | healthy  | all                            | an attempt fails, or takes longer than a second        | troubled |
 * | troubled | all, within a smaller budget   | an attempt succeeds                                    | healthy  |
 * | either   |                                | the fifth failure in a row, or an operator pauses it   | blocked  |
 * | blocked  | nothing; deliveries are parked | its break is over and this worker gets the probe       | probing  |
 * | blocked  |                                | another worker's probe succeeds, or it is resumed      | healthy  |
 * | probing  | one request                    | the request succeeds                                   | healthy  |
 * | probing  |                                | the request fails                                      | blocked  |
 */
export class CircuitBreaker {
  readonly #id: ReceiverId
  readonly #reports: BreakerReports
  #failuresInARow = 0
  #isSlow = false
  #isBlocked = false
  #isProbing = false
  /** Claims of failed attempts that are not reported yet, and the report in progress. */
  #unreported: Claim[] = []
  #report: Promise<void> | undefined
  /** When the shared state was last read or written here, by `performance.now()`. */
  #syncedAt = Number.NEGATIVE_INFINITY

  constructor(id: ReceiverId, reports: BreakerReports) {
    this.#id = id
    this.#reports = reports
  }

  get isTroubled(): boolean {
    return this.#failuresInARow > 0 || this.#isSlow
  }

  get isBlocked(): boolean {
    return this.#isBlocked
  }

  get isProbing(): boolean {
    return this.#isProbing
  }

  /** A request has been under way for too long. The next one that ends, ends this. */
  markSlow(): void {
    this.#isSlow = true
  }

  beginProbe(): void {
    this.#isProbing = true
  }

  endProbe(): void {
    this.#isProbing = false
  }

  async succeed(claim: Claim): Promise<void> {
    this.#isSlow = false
    if (this.#failuresInARow === 0 && !this.#isBlocked) return
    const state = await this.#reports.reportSuccess(this.#id, claim)
    if (state) this.#adopt(state)
  }

  /** Resolves when the failure is reported. Concurrent failures share a report, so that they do not queue for one row lock. */
  async fail(claim: Claim): Promise<void> {
    this.#isSlow = false
    this.#failuresInARow++
    this.#unreported.push(claim)
    this.#report ??= this.#reportFailures()
    await this.#report
  }

  /** Takes over the shared state as read at `readAt`, unless what is known here is newer. */
  sync(state: SharedState, readAt: number): void {
    if (readAt <= this.#syncedAt || this.#report) return
    this.#adopt(state)
    this.#syncedAt = readAt
  }

  async #reportFailures(): Promise<void> {
    try {
      while (this.#unreported.length > 0) {
        const claims = this.#unreported.splice(0)
        const state = await this.#reports.reportFailures(this.#id, claims, { isProbe: this.#isProbing })
        if (state) this.#adopt(state)
      }
    } finally {
      // In the same turn as the last look at the list, or a failure in between would wait for the next one.
      this.#report = undefined
    }
  }

  #adopt({ failures, isBlocked }: SharedState): void {
    this.#failuresInARow = failures
    this.#isBlocked = isBlocked
    this.#syncedAt = performance.now()
  }
}

/**
 * Reports through the database, so that failures seen by several workers add up and its clock ends breaks. Nothing is
 * reported for a claim that no longer holds, and undefined is returned: this worker may have been stalled rather than
 * the receiver.
 */
export function createBreakerReports(store: Store, log: { warn(facts: object, message: string): void }) {
  const giveUp = (message: string) => (error: unknown) => {
    log.warn({ err: error }, message)
    return undefined
  }
  return {
    async reportSuccess(id: ReceiverId, claim: Claim): Promise<SharedState | undefined> {
      const isPaused = await store.receivers.markHealthy(id, claim).catch(giveUp('Failed to record receiver recovery'))
      return isPaused === undefined ? undefined : { failures: 0, isBlocked: isPaused }
    },

    async reportFailures(id: ReceiverId, claims: Claim[], { isProbe }: { isProbe: boolean }) {
      let opened: object | undefined
      const counting = store.transaction(async (tx): Promise<SharedState | undefined> => {
        const failures = await tx.deliveryWorkers.countValid(claims)
        if (failures === 0) return undefined
        // Locks the receiver, so that failures which other workers count meanwhile are not lost.
        const { now, isPaused, ...known } = await tx.receivers.lock(id)
        // A probe was let through the break; its failure begins another.
        let breaker = isProbe ? { ...known, openUntil: null } : known
        for (let i = 0; i < failures; i++) breaker = recordFailure(breaker, now)
        await tx.receivers.setBreaker(id, breaker)
        if (breaker.openUntil !== null && breaker.openUntil.getTime() !== known.openUntil?.getTime())
          opened = { ...id, failures: breaker.failures, openUntil: breaker.openUntil }
        return { failures: breaker.failures, isBlocked: isPaused || breaker.openUntil !== null }
      })
      const state = await counting.catch(giveUp('Failed to record receiver failures'))
      if (state && opened) log.warn(opened, 'Circuit breaker opened: deliveries to this receiver are parked')
      return state
    },
  }
}
