import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { judge, type RetryPolicy, type Verdict } from '../domain/webhooks/retry.ts'
import { LEASE_SECONDS, type Claimed, type Recorded } from '../store/webhooks/deliveries.ts'
import type { Store } from '../store/store.ts'
import { HealthReports } from './health.ts'
import { Held } from './held.ts'
import type { Lane } from './lane.ts'
import { Lease } from './lease.ts'
import type { DeliveryMetrics } from './metrics.ts'
import { Recorder } from './recorder.ts'
import type { Attempt, Sender } from './sender.ts'
import { Traffic, type Put, type Sendable } from './traffic.ts'
import { requestHeaders } from './wire.ts'

/** Deliveries taken in one go. */
const BATCH = 500
/** How often others' deliveries are looked for: often while there is work, more seldom after a while without. */
const [BUSY_POLL_MS, IDLE_POLL_MS] = [50, 250]
const SWEEP_MS = 250
/** More is claimed when so many requests could begin. */
const ENOUGH_SLOTS = 50
const LOOK_UP_MS = 1_000
/** With very many receivers in trouble looking up takes long: what it took is waited for so many times, but no longer than this. */
const [LOOK_UP_PAUSES, LONGEST_LOOK_UP_PAUSE_MS] = [20, 5_000]
/** How long a stop waits for requests under way, and then for their records. */
const [PATIENCE_MS, RECORDING_MS] = [8_000, 1_500]

export interface WorkerOptions {
  store: Store
  sender: Sender
  policy: RetryPolicy
  metrics: DeliveryMetrics
  log: { warn(facts: object, message: string): void; error(facts: object, message: string): void }
  /** How long a claim holds at most. */
  leaseSeconds?: number
  /** How long the worker's lease holds without being renewed: then others send what it had claimed. */
  workerLeaseSeconds?: number
  /** How often it is looked up which receivers others have found in trouble, paused or resumed. */
  lookUpMs?: number
}

/** Claims deliveries, sends them and records what came of it. Any number of workers may do so on one database. */
export class Worker {
  readonly #options: WorkerOptions
  readonly #leaseSeconds: number
  readonly #lease: Lease
  readonly #recorder: Recorder
  readonly #traffic: Traffic
  readonly #health: HealthReports
  readonly #held: Held
  readonly #stopping = new AbortController()
  #loops: Promise<void>[] = []
  #isWoken = false
  /** Whether more could be claimed if there were slots for it. */
  #isShort = false
  #wakeUp: () => void = () => {}

  constructor(options: WorkerOptions) {
    const { store, log, metrics, leaseSeconds = LEASE_SECONDS, workerLeaseSeconds } = options
    this.#options = options
    this.#leaseSeconds = leaseSeconds
    this.#lease = new Lease({ store, log, seconds: workerLeaseSeconds })
    this.#health = new HealthReports({ store, log })
    this.#recorder = new Recorder({
      write: (all) => store.deliveries.record(all),
      written: (all) => {
        for (const { delivery, state } of all) if (state === 'held') this.#traffic.holds(delivery)
      },
      failed: (error) => log.warn({ err: error }, 'Failed to record deliveries; trying again'),
    })
    this.#traffic = new Traffic({
      // An attempt takes a quarter of the lease at most.
      staleMs: (leaseSeconds * 1000 * 2) / 3,
      covers: (delivery) => this.#lease.covers(delivery),
      attempt: (delivery, lane) => this.#attempt(delivery, lane),
      read: (delivery) => store.deliveries.read(delivery),
      put: (delivery, put) => this.#put(delivery, put),
      hasRoom: (lane) => this.#held.refill(lane),
      hasSlot: () => {
        if (this.#isShort && this.#traffic.slots.free >= ENOUGH_SLOTS) this.#wakeUp()
      },
      log,
    })
    this.#held = new Held({
      store,
      traffic: this.#traffic,
      lease: this.#lease,
      leaseSeconds,
      put: (delivery, put) => this.#put(delivery, put),
      log,
    })
    metrics.watch({ inFlight: () => this.#traffic.slots.inFlight, queue: store.deliveryQueue })
  }

  start(): void {
    const { signal } = this.#stopping
    this.#lease.start()
    const sweep = setInterval(() => this.#traffic.sweep(performance.now()), SWEEP_MS)
    signal.addEventListener('abort', () => clearInterval(sweep))
    this.#loops = [this.#claimOn(signal), this.#lookUpOn(signal)]
  }

  /** There is something to deliver. */
  wake(): void {
    this.#isWoken = true
    this.#wakeUp()
  }

  /** Gives back what was not begun, waits a while for what was, and records it. */
  async stop(): Promise<void> {
    this.#traffic.close()
    this.#stopping.abort()
    this.wake()
    await Promise.all([...this.#loops, this.#held.settled()])
    const until = performance.now() + PATIENCE_MS
    while (this.#traffic.slots.inFlight > 0 && performance.now() < until) await sleep(10)
    await this.#recorder.finish(RECORDING_MS)
    await this.#lease.end()
  }

  async #claimOn(signal: AbortSignal): Promise<void> {
    let poll = BUSY_POLL_MS
    while (!signal.aborted) {
      this.#isWoken = false
      this.#isShort = this.#traffic.slots.free <= 0
      const claimed = this.#isShort ? 0 : await this.#claim()
      if (claimed === BATCH) continue
      poll = claimed > 0 || this.#isShort ? BUSY_POLL_MS : Math.min(poll * 1.2, IDLE_POLL_MS)
      await this.#rest(poll)
    }
  }

  async #claim(): Promise<number> {
    const { store, log } = this.#options
    const { workerId } = this.#lease
    if (workerId === undefined) return 0
    try {
      const full = this.#traffic.busy.filter((lane) => this.#traffic.roomOf(lane) === 0)
      const lease = { leaseSeconds: this.#leaseSeconds, workerId }
      const claimed = await store.deliveries.claim(randomUUID(), BATCH, { ...lease, full })
      this.#traffic.take(claimed.filter(({ isHeld }) => !isHeld))
      for (const delivery of claimed) if (delivery.isHeld) this.#traffic.holds(delivery)
      return claimed.length
    } catch (error) {
      log.warn({ err: error }, 'Failed to claim deliveries')
      return 0
    }
  }

  async #rest(ms: number): Promise<void> {
    if (this.#isWoken) return
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      this.#wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#wakeUp = () => {}
  }

  async #lookUpOn(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const from = performance.now()
      const took = (await this.#held.lookUp()) ? performance.now() - from : 0
      const pause = Math.min(took * LOOK_UP_PAUSES, LONGEST_LOOK_UP_PAUSE_MS)
      const rest = Math.max(this.#options.lookUpMs ?? LOOK_UP_MS, pause)
      await sleep(rest, undefined, { signal }).catch(() => {})
    }
  }

  #put(delivery: Claimed, put: Put): void {
    this.#recorder.add({ delivery, wait: 0, ...put, isGone: false, attempt: null })
  }

  async #attempt(delivery: Sendable, lane: Lane): Promise<void> {
    const { sender, policy, metrics } = this.#options
    const { body, callback } = delivery.sent
    const at = new Date()
    metrics.begun(delivery.overdueMs + performance.now() - delivery.takenAt)
    const headers = requestHeaders({ callback, version: delivery.version, body, now: at })
    const attempt = await sender.send({ url: callback.url, headers, body })
    // Stopped or stalled past the lease: others deliver it, and whatever went wrong says nothing of the receiver.
    if (!this.#lease.covers(delivery)) return metrics.lapsed()
    const now = new Date()
    const since = new Date(now.getTime() - delivery.ageMs - (performance.now() - delivery.takenAt))
    const tried = { attempts: delivery.attempts + 1, version: delivery.version, since }
    const verdict = judge(attempt.outcome, tried, policy, now, Math.random())
    metrics.attempted(verdict.state, attempt.ms)
    // Before it is recorded, which ends the claim.
    await this.#health.learn(lane, attempt.outcome, delivery)
    const record = recordOf(delivery, attempt, verdict, { at, now })
    if (verdict.state === 'gone') await this.#endRegistration(record, delivery, lane)
    else this.#recorder.add(record)
    if (lane.isTroubled || lane.isBlocked) this.#traffic.trim(lane)
  }

  /** Written at once, so that nothing more is claimed for it; what was claimed meanwhile is not sent. */
  async #endRegistration(record: Recorded, { callbackId }: Claimed, lane: Lane): Promise<void> {
    this.#traffic.drop(lane, callbackId)
    await this.#options.store.deliveries.record([record]).catch(() => this.#recorder.add(record))
    this.#traffic.drop(lane, callbackId)
  }
}

function recordOf(
  delivery: Claimed,
  { outcome, ms, excerpt, detail }: Attempt,
  verdict: Verdict,
  { at, now }: { at: Date; now: Date },
): Recorded {
  return {
    delivery,
    state: STATES[verdict.state],
    wait: verdict.state === 'retry' ? (verdict.at.getTime() - now.getTime()) / 1000 : 0,
    isGone: verdict.state === 'gone',
    attempt: {
      at,
      ms,
      status: outcome.kind === 'answered' ? outcome.status : null,
      error: outcome.kind === 'failed' ? outcome.error : null,
      detail,
      excerpt,
    },
  }
}

const STATES: Record<Verdict['state'], Recorded['state']> = {
  delivered: 'delivered',
  retry: 'waiting',
  failed: 'failed',
  gone: 'failed',
}
