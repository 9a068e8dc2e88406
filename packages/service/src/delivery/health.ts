import { afterFailure, tells } from '../domain/receivers.ts'
import type { Outcome } from '../domain/retry.ts'
import type { ReceiverState } from '../store/receivers.ts'
import type { Store } from '../store/store.ts'
import type { Lane } from './lane.ts'

interface Options {
  store: Store
  log: { warn(facts: object, message: string): void }
}

/**
 * Lets all workers know how receivers do. The database counts: failures that several workers see add up, and its clock
 * says when a break is over. Whoever finds a receiver in trouble waits for it to be written before the next attempt.
 */
export class HealthReports {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  async learn(lane: Lane, outcome: Outcome): Promise<void> {
    const told = tells(outcome)
    if (told === 'well') await this.#well(lane)
    else if (told === 'unwell') await this.#unwell(lane)
  }

  async #well(lane: Lane): Promise<void> {
    const isNews = lane.failures > 0 || lane.isBlocked
    lane.succeeded(performance.now())
    if (!isNews) return
    const { store, log } = this.#options
    try {
      const isPaused = await store.receivers.setWell(lane)
      lane.told({ failures: 0, isBlocked: isPaused })
    } catch (error) {
      log.warn({ err: error }, 'that a receiver is well again could not be recorded')
    }
  }

  /** Failures of one lane at the same time are told together, so that they do not wait for each other in the database. */
  async #unwell(lane: Lane): Promise<void> {
    lane.failed()
    lane.untold++
    lane.telling ??= this.#tell(lane)
    await lane.telling
  }

  async #tell(lane: Lane): Promise<void> {
    const { store, log } = this.#options
    try {
      while (lane.untold > 0) {
        const failures = lane.untold
        lane.untold = 0
        lane.told(await countFailures(store, lane, failures))
      }
    } catch (error) {
      log.warn({ err: error }, 'that a receiver fails could not be recorded')
    } finally {
      lane.telling = undefined
    }
  }
}

/** In a transaction that locks the receiver, so that failures which others count meanwhile are not lost. */
function countFailures(
  store: Store,
  lane: Lane,
  failures: number,
): Promise<Pick<ReceiverState, 'failures' | 'isBlocked'>> {
  return store.transaction(async (tx) => {
    const { now, isPaused, ...known } = await tx.receivers.lock(lane)
    // A probe was let through the break, which its failure prolongs.
    let health = lane.isProbing ? { ...known, openUntil: null } : known
    for (let i = 0; i < failures; i++) health = afterFailure(health, now)
    await tx.receivers.setHealth(lane, health)
    return { failures: health.failures, isBlocked: isPaused || health.openUntil !== null }
  })
}
