import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { verdictUnder } from '../domain/sandbox/trouble.ts'
import { readSignal } from '../domain/webhooks/receivers.ts'
import { decideNext, type RetryPolicy, type Verdict } from '../domain/webhooks/retry.ts'
import { composeTraceparent } from '../domain/traces.ts'
import type { Store } from '../store/store.ts'
import { LEASE_SECONDS, type ClaimedDelivery, type ClaimResult } from '../store/webhooks/deliveries.ts'
import { ActivityRecorder } from './activity.ts'
import { createBreakerReports } from './breaker.ts'
import { Dispatcher, type Release, type SendableDelivery } from './dispatcher.ts'
import { Lease } from './lease.ts'
import type { DeliveryMetrics } from './metrics.ts'
import { ParkedDeliveries } from './parked.ts'
import type { Receiver } from './receiver.ts'
import { Recorder } from './recorder.ts'
import type { Attempt, Sender } from './sender.ts'
import { requestHeaders } from './wire.ts'

/** Deliveries claimed by one statement. */
const BATCH = 500
/** How often to look for deliveries that other processes queued: often while there is work, less often when idle. */
const [BUSY_POLL_MS, IDLE_POLL_MS] = [50, 250]
const TICK_MS = 250
/** A worker short of budget claims again when this many requests can begin. */
const ENOUGH_BUDGET = 50
const SYNC_MS = 1_000
/** With very many troubled receivers a sync takes long: wait this many times its duration, up to a maximum. */
const [SYNC_PAUSE_FACTOR, MAX_SYNC_PAUSE_MS] = [20, 5_000]
/** How long a stop waits for requests in flight, and then for their records. */
const [STOP_MS, RECORDING_MS] = [8_000, 1_500]

export interface WorkerOptions {
  store: Store
  sender: Sender
  policy: RetryPolicy
  metrics: DeliveryMetrics
  log: { warn(facts: object, message: string): void; error(facts: object, message: string): void }
  /** How long a claim is valid at most. */
  leaseSeconds?: number
  /** How long the worker's lease is valid without renewal; after it others send what the worker had claimed. */
  workerLeaseSeconds?: number
  /** How often the worker reads which receivers others have found troubled, paused or resumed. */
  syncMs?: number
}

/** Claims deliveries, sends them and records the outcome. Any number of workers may share a database. */
export class Worker {
  readonly #options: WorkerOptions
  readonly #leaseSeconds: number
  readonly #lease: Lease
  readonly #recorder: Recorder
  readonly #activity: ActivityRecorder
  readonly #dispatcher: Dispatcher
  readonly #parked: ParkedDeliveries
  readonly #stopping = new AbortController()
  #loops: Promise<void>[] = []
  #isWoken = false
  /** Deliveries may be due that there is no budget to send. */
  #isShortOfBudget = false
  #endRest: () => void = () => {}

  constructor(options: WorkerOptions) {
    const { store, log, metrics, leaseSeconds = LEASE_SECONDS, workerLeaseSeconds } = options
    this.#options = options
    this.#leaseSeconds = leaseSeconds
    this.#lease = new Lease({ store, log, seconds: workerLeaseSeconds })
    this.#recorder = new Recorder({
      write: (results) => store.deliveries.record(results),
      written: (results) => {
        for (const { delivery, state } of results) if (state === 'held') this.#dispatcher.noteParked(delivery)
      },
      failed: (error) => log.warn({ err: error }, 'Failed to record deliveries; trying again'),
    })
    this.#activity = new ActivityRecorder(store, log)
    const release = (delivery: ClaimedDelivery, how: Release) =>
      this.#recorder.add({ delivery, wait: 0, ...how, isGone: false, attempt: null })
    this.#dispatcher = this.#createDispatcher(release)
    const [dispatcher, lease] = [this.#dispatcher, this.#lease]
    this.#parked = new ParkedDeliveries({ store, dispatcher, lease, leaseSeconds, release, log })
    metrics.watch({ inFlight: () => dispatcher.budget.inUse, queue: store.deliveryQueue })
  }

  start(): void {
    const { signal } = this.#stopping
    this.#lease.start()
    const ticking = setInterval(() => this.#dispatcher.tick(performance.now()), TICK_MS)
    signal.addEventListener('abort', () => clearInterval(ticking))
    this.#loops = [this.#claimUntil(signal), this.#syncUntil(signal)]
  }

  /** Call when a delivery has been queued. */
  wake(): void {
    this.#isWoken = true
    this.#endRest()
  }

  /** Releases what is queued, waits a while for requests in flight, and records them. */
  async stop(): Promise<void> {
    this.#dispatcher.close()
    this.#stopping.abort()
    this.wake()
    await Promise.all([...this.#loops, this.#parked.settled()])
    const until = performance.now() + STOP_MS
    while (this.#dispatcher.budget.inUse > 0 && performance.now() < until) await sleep(10)
    await this.#recorder.finish(RECORDING_MS)
    await this.#activity.stop()
    await this.#lease.end()
  }

  #createDispatcher(release: (delivery: ClaimedDelivery, how: Release) => void): Dispatcher {
    const { store, log } = this.#options
    return new Dispatcher({
      // An attempt takes a quarter of the lease at most.
      staleMs: (this.#leaseSeconds * 1000 * 2) / 3,
      reports: createBreakerReports(store, log),
      isClaimValid: (delivery) => this.#lease.isValid(delivery),
      read: (delivery) => store.deliveries.read(delivery),
      attempt: (delivery, receiver) => this.#attempt(delivery, receiver),
      release,
      onRoom: (receiver) => this.#parked.refill(receiver),
      onFreeBudget: () => {
        if (this.#isShortOfBudget && this.#dispatcher.budget.free >= ENOUGH_BUDGET) this.#endRest()
      },
      log,
    })
  }

  async #claimUntil(signal: AbortSignal): Promise<void> {
    let poll = BUSY_POLL_MS
    while (!signal.aborted) {
      this.#isWoken = false
      this.#isShortOfBudget = this.#dispatcher.budget.free <= 0
      const claimed = this.#isShortOfBudget ? 0 : await this.#claim()
      if (claimed === BATCH) continue
      poll = claimed > 0 || this.#isShortOfBudget ? BUSY_POLL_MS : Math.min(poll * 1.2, IDLE_POLL_MS)
      await this.#rest(poll)
    }
  }

  async #claim(): Promise<number> {
    const { store, log } = this.#options
    const { workerId } = this.#lease
    if (workerId === undefined) return 0
    try {
      const full = this.#dispatcher.busy.filter((receiver) => this.#dispatcher.roomOf(receiver) === 0)
      const lease = { leaseSeconds: this.#leaseSeconds, workerId }
      const claimed = await store.deliveries.claim(randomUUID(), BATCH, { ...lease, full })
      this.#dispatcher.accept(claimed.filter(({ isParked }) => !isParked))
      for (const delivery of claimed) if (delivery.isParked) this.#dispatcher.noteParked(delivery)
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
      this.#endRest = () => {
        clearTimeout(timer)
        resolve()
      }
    })
    this.#endRest = () => {}
  }

  async #syncUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const from = performance.now()
      const took = (await this.#parked.sync()) ? performance.now() - from : 0
      const pause = Math.min(took * SYNC_PAUSE_FACTOR, MAX_SYNC_PAUSE_MS)
      const rest = Math.max(this.#options.syncMs ?? SYNC_MS, pause)
      await sleep(rest, undefined, { signal }).catch(() => {})
    }
  }

  async #attempt(delivery: SendableDelivery, receiver: Receiver): Promise<void> {
    const { sender, policy, metrics } = this.#options
    const { body, callback } = delivery.content
    const at = new Date()
    metrics.begun(delivery.overdueMs + performance.now() - delivery.claimedAt)
    const { id, eventId, version, attempts, trouble, trace } = delivery
    const isForged = trouble === 'wrongSignature'
    const traceparent = trace === null ? undefined : composeTraceparent(trace, randomBytes(8).toString('hex'))
    const signed = { id, eventId, attempt: attempts + 1, callback, version, body, now: at, isForged, traceparent }
    const headers = requestHeaders(signed)
    const attempt = await sender.send({ url: callback.url, headers, body })
    // Stopped or stalled past the lease: another worker has the delivery, and a failure says nothing about the receiver.
    if (!this.#lease.isValid(delivery)) return metrics.lapsed()
    const now = new Date()
    const since = new Date(now.getTime() - delivery.ageMs - (performance.now() - delivery.claimedAt))
    const progress = { attempts: attempts + 1 - delivery.earlierAttempts, version, since }
    const decided = decideNext(attempt.outcome, progress, policy, now, Math.random())
    const verdict = verdictUnder(trouble, decided, now)
    metrics.attempted(verdict.state, attempt.ms)
    this.#activity.note(delivery, { at, isDelivered: verdict.state === 'delivered' })
    // Before the result is recorded, which ends the claim.
    const signal = readSignal(attempt.outcome)
    if (signal === 'success') await receiver.succeed(delivery)
    else if (signal === 'failure') await receiver.fail(delivery)
    const result = toResult(delivery, attempt, verdict, { at, now })
    if (verdict.state === 'gone') await this.#endRegistration(result, delivery, receiver)
    else this.#recorder.add(result)
    if (receiver.breaker.isTroubled || receiver.breaker.isBlocked) this.#dispatcher.parkExcess(receiver)
  }

  /** Recorded at once, so that nothing more is claimed for the registration; what was claimed meanwhile is dropped. */
  async #endRegistration(result: ClaimResult, { callbackId }: ClaimedDelivery, receiver: Receiver): Promise<void> {
    this.#dispatcher.dropCallback(receiver, callbackId)
    await this.#options.store.deliveries.record([result]).catch(() => this.#recorder.add(result))
    this.#dispatcher.dropCallback(receiver, callbackId)
  }
}

function toResult(
  delivery: ClaimedDelivery,
  { outcome, ms, excerpt, detail }: Attempt,
  verdict: Verdict,
  { at, now }: { at: Date; now: Date },
): ClaimResult {
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

const STATES: Record<Verdict['state'], ClaimResult['state']> = {
  delivered: 'delivered',
  retry: 'waiting',
  failed: 'failed',
  gone: 'failed',
}
