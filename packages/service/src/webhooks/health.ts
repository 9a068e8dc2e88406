import { afterFailure, tells } from '../domain/webhooks/receivers.ts'
import type { Outcome } from '../domain/webhooks/retry.ts'
import type { Claim } from '../store/webhooks/workers.ts'
import type { ReceiverState } from '../store/webhooks/receivers.ts'
import type { Store } from '../store/store.ts'
import type { Lane } from './lane.ts'

interface Options {
  store: Store
  log: { warn(facts: object, message: string): void }
}

/**
 * Reports to all workers how receivers do. The database counts, so that failures which several workers see add up, and its
 * clock says when a break is over. A worker that sees a failure waits for the report before its next attempt. What is
 * seen with a claim that no longer holds is not reported: the worker may have been stopped, and not the receiver.
 */
export class HealthReports {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  async learn(lane: Lane, outcome: Outcome, claim: Claim): Promise<void> {
    const told = tells(outcome)
    if (told === 'well') await this.#well(lane, claim)
    else if (told === 'unwell') await this.#unwell(lane, claim)
  }

  async #well(lane: Lane, claim: Claim): Promise<void> {
    const isNews = lane.failures > 0 || lane.isBlocked
    lane.succeeded(performance.now())
    if (!isNews) return
    const { store, log } = this.#options
    try {
      const isPaused = await store.receivers.setWell(lane, claim)
      if (isPaused !== undefined) lane.told({ failures: 0, isBlocked: isPaused })
    } catch (error) {
      log.warn({ err: error }, 'Failed to record receiver recovery')
    }
  }

  /** Failures of one lane at the same time are reported together, so that they do not wait for each other in the database. */
  async #unwell(lane: Lane, claim: Claim): Promise<void> {
    lane.failed()
    lane.untold.push(claim)
    lane.telling ??= this.#tell(lane)
    await lane.telling
  }

  async #tell(lane: Lane): Promise<void> {
    const { store, log } = this.#options
    try {
      while (lane.untold.length > 0) {
        const health = await countFailures(store, lane, lane.untold.splice(0))
        if (health) lane.told(health)
      }
    } catch (error) {
      log.warn({ err: error }, 'Failed to record receiver failures')
    } finally {
      lane.telling = undefined
    }
  }
}

/**
 * Counts a failure for each claim that still holds; undefined if none does. The transaction locks the receiver, so that
 * failures which others count meanwhile are not lost.
 */
function countFailures(
  store: Store,
  lane: Lane,
  claims: Claim[],
): Promise<Pick<ReceiverState, 'failures' | 'isBlocked'> | undefined> {
  return store.transaction(async (tx) => {
    const failures = await tx.deliveryWorkers.countHeld(claims)
    if (failures === 0) return undefined
    const { now, isPaused, ...known } = await tx.receivers.lock(lane)
    // A probe was let through the break, which its failure prolongs.
    let health = lane.isProbing ? { ...known, openUntil: null } : known
    for (let i = 0; i < failures; i++) health = afterFailure(health, now)
    await tx.receivers.setHealth(lane, health)
    return { failures: health.failures, isBlocked: isPaused || health.openUntil !== null }
  })
}
