import { setTimeout as sleep } from 'node:timers/promises'
import { Batches } from './batches.ts'
import { dbOn, type Db } from './db.ts'
import { isContention, isTimeout, Unavailable } from './errors.ts'
import type { Pool } from './pool.ts'
import { formatPosition, parsePosition, WritePositions } from './write-positions.ts'

/** How often a replica is checked, and so the resolution of its lag. */
export const CHECK_MS = 500

/** How long a list waits for what its caller has written, before the primary answers it. */
const WAIT_MS = 100

/** Positions of the primary that are kept to measure the lag: more than an hour of them. */
const MOST_KEPT = 10_000

const SNAPSHOT = { mode: 'isolation level repeatable read read only' }

/** Which server answered lists, and why not the replica: it was unusable, behind the caller's own write, or a statement failed. */
export type ReplicaCounts = Record<'replica' | 'unusable' | 'behind' | 'failed', number>

interface ReplicaOptions {
  primary: Pool
  /** Connects to the standby. */
  pool: Pool
  /** A replica that is further behind is not used. */
  mostLagMs: number
}

/**
 * A streaming standby that answers lists. Whatever it cannot answer, the primary does, which is never behind it.
 *
 *     unusable ── a check finds a standby that is not too far behind ──▶ usable
 *     usable ── a check fails or finds it too far behind, or a statement fails ──▶ unusable
 */
export class Replica {
  /** Called with the reason when the replica is no longer used, and with undefined when it is used again. */
  onChange?: (reason: string | undefined) => void
  readonly counts: ReplicaCounts = { replica: 0, unusable: 0, behind: 0, failed: 0 }
  readonly #options: ReplicaOptions
  readonly #positions: WritePositions
  readonly #asking: Batches<null, bigint>
  /** Why it is not used; undefined while it is. */
  #reason: string | undefined = 'It was not checked yet.'
  #replayed = 0n
  /** Positions of the primary and when they were read; the first is the newest that the replica is known to have reached. */
  readonly #written: { position: bigint; at: number }[] = []
  #lagMs = Number.NaN

  constructor(options: ReplicaOptions) {
    this.#options = options
    this.#positions = new WritePositions(options.primary)
    const ask = async (asked: null[]) => {
      const replayed = await this.#ask()
      return asked.map(() => replayed)
    }
    this.#asking = new Batches(ask, { most: Number.POSITIVE_INFINITY, atOnce: 1 })
  }

  get isUsable(): boolean {
    return this.#reason === undefined
  }

  /** How far it is behind, at most; NaN if unknown. */
  get lagSeconds(): number {
    return this.#lagMs / 1000
  }

  /** A position that includes everything committed before the call, shared by the calls of a moment. */
  async writePosition(): Promise<string> {
    return formatPosition(await this.#positions.now())
  }

  /** Measures the lag, and decides whether the replica is used. Must be called every CHECK_MS. */
  async check(): Promise<void> {
    try {
      // The primary is asked first: otherwise a replica without any lag would seem to be behind.
      const at = performance.now()
      const position = await this.#positions.now()
      if (this.#written.length < MOST_KEPT) this.#written.push({ position, at })
      this.#replayed = await this.#ask()
      const firstMissing = this.#written.findIndex((each) => each.position > this.#replayed)
      this.#written.splice(0, (firstMissing === -1 ? this.#written.length : firstMissing) - 1)
      const [reached] = this.#written
      this.#lagMs = reached && reached.position <= this.#replayed ? performance.now() - reached.at : Number.NaN
      this.#become(this.#findReason())
    } catch (error) {
      this.#lagMs = Number.NaN
      this.#become((error as Error).message)
    }
  }

  /** Whether a list can be read here that has everything up to a position. Waits a moment for it. */
  async canServe(position: string | undefined): Promise<boolean> {
    const canServe = await this.#canServe(position === undefined ? undefined : parsePosition(position))
    if (canServe) this.counts.replica++
    return canServe
  }

  /** Whether everything committed so far can be read here, for a list that is served already. Waits a moment for it. */
  async hasEverything(): Promise<boolean> {
    return this.#canServe(await this.#positions.now())
  }

  /** Runs statements on the replica, and on the primary if that fails. */
  readonly db: Db = dbOn((statement) =>
    this.#attempt(
      () => this.#options.pool.run(statement),
      () => this.#options.primary.run(statement),
    ),
  )

  /** Runs a read-only transaction whose statements all see the same moment. */
  snapshot<T>(work: (db: Db) => Promise<T>): Promise<T> {
    return this.#attempt(
      () => this.#options.pool.transaction(work, SNAPSHOT),
      () => this.#options.primary.transaction(work, SNAPSHOT),
    )
  }

  async #canServe(position: bigint | undefined): Promise<boolean> {
    if (position !== undefined && this.isUsable && !(await this.#hasReached(position))) {
      this.counts.behind++
      return false
    }
    if (!this.isUsable) this.counts.unusable++
    return this.isUsable
  }

  /** The primary does not repeat what took too long: that would only slow down both. */
  async #attempt<T>(onReplica: () => Promise<T>, onPrimary: () => Promise<T>): Promise<T> {
    try {
      return await onReplica()
    } catch (error) {
      if (isTimeout(error) || !isOfDatabase(error)) throw error
      this.counts.failed++
      // A standby cancels statements that conflict with what it replays; that concerns one statement only.
      if (error instanceof Unavailable && !isContention(error)) this.#become(error.message)
      return onPrimary()
    }
  }

  async #hasReached(position: bigint): Promise<boolean> {
    const deadline = performance.now() + WAIT_MS
    for (let pauseMs = 1; this.#replayed < position; pauseMs *= 2) {
      if (performance.now() > deadline || !this.isUsable) return false
      try {
        this.#replayed = await this.#asking.add(null)
      } catch (error) {
        this.#become((error as Error).message)
      }
      if (this.#replayed < position) await sleep(pauseMs)
    }
    return this.isUsable
  }

  async #ask(): Promise<bigint> {
    const { replayed } = await this.#options.pool.only<{ replayed: string | null }>`
      select case when pg_is_in_recovery() then (pg_last_wal_replay_lsn() - '0/0')::text end as replayed`
    // A server that accepts writes may have parted from the primary.
    if (replayed === null) throw new Error('It is not a streaming standby.')
    return BigInt(replayed)
  }

  #findReason(): string | undefined {
    const { mostLagMs } = this.#options
    if (Number.isNaN(this.#lagMs)) return 'It has not replayed what the primary had written when it was first checked.'
    return this.#lagMs > mostLagMs ? `It is more than ${mostLagMs / 1000} s behind the primary.` : undefined
  }

  #become(reason: string | undefined): void {
    if (reason === this.#reason) return
    this.#reason = reason
    this.onChange?.(reason)
  }
}

/** Refusals of rules that ran inside of a snapshot have no SQLSTATE. */
const isOfDatabase = (error: unknown) => typeof (error as { code?: unknown }).code === 'string'
