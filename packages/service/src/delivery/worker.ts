import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { judge, type RetryPolicy, type Verdict } from '../domain/retry.ts'
import { LEASE_SECONDS, type Claimed, type Recorded } from '../store/deliveries.ts'
import type { Store } from '../store/store.ts'
import type { Lane } from './lane.ts'
import { Lanes } from './lanes.ts'
import type { DeliveryMetrics } from './metrics.ts'
import { Recorder } from './recorder.ts'
import type { Attempt, Sender } from './sender.ts'
import { Slots } from './slots.ts'
import { requestHeaders } from './wire.ts'

/** Deliveries taken in one go. */
const BATCH = 100
/** How often others' deliveries are looked for: often while there is work, more seldom after a while without. */
const [BUSY_POLL_MS, IDLE_POLL_MS] = [50, 250]
const UPKEEP_MS = 250
/** How often it is looked up which receivers others have found in trouble, paused or resumed. */
const LOOK_UP_MS = 1_000
/** A claim this old could run out while its request is under way. */
const STALE_MS = (LEASE_SECONDS - 20) * 1000
/** A v1 delivery that was held up for longer would come when its receiver no longer expects it. */
const V1_LATEST_MS = 3_600_000
/** Seconds until another try to read what cannot be read: an operator has to set its key first. */
const UNREADABLE_WAIT = 60
/** How long a stop waits for requests under way. */
const PATIENCE_MS = 10_000

export interface WorkerOptions {
  store: Store
  sender: Sender
  policy: RetryPolicy
  metrics: DeliveryMetrics
  log: { warn(facts: object, message: string): void; error(facts: object, message: string): void }
}

/** Claims deliveries, sends them and records what came of it. Any number of workers may do so on one database. */
export class Worker {
  readonly #options: WorkerOptions
  readonly #lanes = new Lanes()
  readonly #slots = new Slots()
  readonly #recorder: Recorder
  /** Lanes whose deliveries wait for a slot. */
  readonly #crowded = new Set<Lane>()
  #loops: Promise<void>[] = []
  #isStopped = false
  #isWoken = false
  #wakeUp: () => void = () => {}

  constructor(options: WorkerOptions) {
    this.#options = options
    const { store, log, metrics } = options
    this.#recorder = new Recorder(
      (all) => store.deliveries.record(all),
      (error) => log.warn({ err: error }, 'outcomes of deliveries not recorded yet'),
    )
    metrics.watch(
      () => this.#slots.inFlight,
      () => store.deliveries.queueAge(),
    )
  }

  start(): void {
    this.#loops = [this.#claimOn(), this.#keepUp()]
  }

  /** There is something to deliver. */
  wake(): void {
    this.#isWoken = true
    this.#wakeUp()
  }

  /** Gives back what was not begun, waits a while for what was, and records it. */
  async stop(): Promise<void> {
    this.#isStopped = true
    this.wake()
    await Promise.all(this.#loops)
    for (const lane of this.#lanes) this.#empty(lane, 'waiting')
    const until = performance.now() + PATIENCE_MS
    while (this.#slots.inFlight > 0 && performance.now() < until) await sleep(10)
    await this.#recorder.finish(PATIENCE_MS / 2)
  }

  async #claimOn(): Promise<void> {
    let poll = BUSY_POLL_MS
    while (!this.#isStopped) {
      this.#isWoken = false
      const most = this.#crowded.size > 0 ? 0 : Math.min(BATCH, this.#slots.free)
      const claimed = most > 0 ? await this.#claim(most) : 0
      if (claimed > 0 && claimed === most) continue
      poll = claimed > 0 ? BUSY_POLL_MS : Math.min(poll * 1.2, IDLE_POLL_MS)
      await this.#rest(poll)
    }
  }

  async #claim(most: number): Promise<number> {
    try {
      const claimed = await this.#options.store.deliveries.claim(randomUUID(), most)
      for (const delivery of claimed) this.#take(delivery)
      return claimed.length
    } catch (error) {
      this.#options.log.warn({ err: error }, 'deliveries could not be claimed')
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

  /** Sends a claimed delivery now or soon, or puts it where it is in nobody's way. */
  #take(delivery: Claimed): void {
    const isLate = delivery.version === 'v1' && Date.now() - delivery.queuedAt.getTime() > V1_LATEST_MS
    if (delivery.isEnded || isLate) return this.#put(delivery, 'failed')
    if (!delivery.sent) {
      this.#options.log.error({ delivery: delivery.id }, 'a delivery cannot be read: is its key set?')
      return this.#put(delivery, 'waiting', UNREADABLE_WAIT)
    }
    const lane = this.#lanes.of(delivery)
    if (lane.room === 0) {
      lane.hasHeld = true
      return this.#put(delivery, 'held')
    }
    lane.queue.push({ delivery, takenAt: performance.now() })
    return this.#pump(lane)
  }

  /** Ends a claim without an attempt. */
  #put(delivery: Claimed, state: Recorded['state'], wait = 0): void {
    this.#recorder.add({ delivery, state, wait, isGone: false, attempt: null })
  }

  #empty(lane: Lane, state: 'waiting' | 'held'): void {
    for (const { delivery } of lane.queue.splice(0)) this.#put(delivery, state)
    this.#crowded.delete(lane)
  }

  #pump(lane: Lane): void {
    const now = performance.now()
    while (lane.queue.length > 0 && lane.inFlight < lane.window) {
      if (now - lane.queue[0]!.takenAt > STALE_MS) {
        this.#put(lane.queue.shift()!.delivery, 'waiting')
        continue
      }
      const slot = this.#slots.take(lane, now)
      if (!slot) return void this.#crowded.add(lane)
      this.#begin(lane.queue.shift()!.delivery, lane, () => this.#slots.giveBack(slot))
    }
    if (lane.queue.length === 0) this.#crowded.delete(lane)
  }

  #begin(delivery: Claimed, lane: Lane, giveBack: () => void): void {
    lane.inFlight++
    lane.usedAt = performance.now()
    void this.#send(delivery, lane).finally(() => {
      lane.inFlight--
      giveBack()
      if (!this.#isStopped) this.#goOn(lane)
    })
  }

  /** After a request has ended: the next of its lane, and of lanes that wait for a slot. */
  #goOn(lane: Lane): void {
    this.#pump(lane)
    if (lane.hasHeld && lane.room >= lane.window) void this.#refill(lane)
    for (const other of this.#crowded) {
      if (this.#slots.free <= 0) break
      this.#pump(other)
    }
    if (this.#crowded.size === 0 && this.#slots.free >= BATCH / 2) this.#wakeUp()
  }

  async #send(delivery: Claimed, lane: Lane): Promise<void> {
    const { sender, policy, metrics } = this.#options
    const { body, callback } = delivery.sent!
    const at = new Date()
    const headers = requestHeaders({ callback, version: delivery.version, body, now: at })
    const attempt = await sender.send({ url: delivery.url, headers, body })
    const now = new Date()
    const tried = { attempts: delivery.attempts + 1, version: delivery.version, since: delivery.queuedAt }
    const verdict = judge(attempt.outcome, tried, policy, now, Math.random())
    metrics.attempted(verdict.state, attempt.ms)
    this.#recorder.add(recordOf(delivery, attempt, verdict, { at, now }))
    this.#learn(lane, verdict, now)
  }

  #learn(lane: Lane, { state }: Verdict, now: Date): void {
    const before = lane.health
    if (state === 'delivered' || state === 'gone') lane.succeeded()
    else lane.failed(now)
    lane.isProbing = false
    if (lane.health === before) return
    const { store, log } = this.#options
    const told =
      lane.health.failures === 0 ? store.deliveries.setWell(lane) : store.deliveries.setHealth(lane, lane.health)
    told.catch((error: unknown) => log.warn({ err: error }, 'state of a receiver not recorded'))
    if (lane.isBlocked) this.#empty(lane, 'held')
    lane.hasHeld = true
  }

  async #refill(lane: Lane): Promise<void> {
    const most = lane.room
    if (lane.isRefilling || most === 0 || this.#isStopped) return
    lane.isRefilling = true
    try {
      const claimed = await this.#options.store.deliveries.claimHeld(lane, randomUUID(), most)
      lane.hasHeld = claimed.length === most
      for (const delivery of claimed) this.#take(delivery)
    } catch (error) {
      this.#options.log.warn({ err: error }, 'held deliveries could not be claimed')
    } finally {
      lane.isRefilling = false
    }
  }

  /** What is due by the clock: slow requests, probes, and what other processes have changed. */
  async #keepUp(): Promise<void> {
    let lookedUpAt = Number.NEGATIVE_INFINITY
    while (!this.#isStopped) {
      const now = performance.now()
      if (this.#slots.sweep(now)) this.wake()
      this.#lanes.forgetIdle(now)
      if (now - lookedUpAt >= LOOK_UP_MS) {
        lookedUpAt = now
        await this.#lookUp()
      }
      await sleep(UPKEEP_MS)
    }
  }

  async #lookUp(): Promise<void> {
    const { store, log } = this.#options
    try {
      const [states, held] = await Promise.all([store.deliveries.receiverStates(), store.deliveries.withHeld()])
      this.#lanes.adopt(states)
      for (const receiver of held) {
        const lane = this.#lanes.of(receiver)
        lane.hasHeld = true
        if (lane.isBlocked) await this.#probe(lane)
        else await this.#refill(lane)
      }
    } catch (error) {
      log.warn({ err: error }, 'receivers could not be looked up')
    }
  }

  /** After a break, a single request shows whether the receiver is back. */
  async #probe(lane: Lane): Promise<void> {
    const { openUntil } = lane.health
    if (lane.isPaused || lane.inFlight > 0 || !openUntil || openUntil > new Date()) return
    const { deliveries } = this.#options.store
    if (!(await deliveries.takeProbe(lane))) return
    const [delivery] = await deliveries.claimHeld(lane, randomUUID(), 1)
    if (!delivery?.sent || delivery.isEnded)
      return delivery && this.#put(delivery, delivery.isEnded ? 'failed' : 'waiting', UNREADABLE_WAIT)
    const slot = this.#slots.take(lane, performance.now())
    if (!slot) return this.#put(delivery, 'held')
    lane.isProbing = true
    this.#begin(delivery, lane, () => this.#slots.giveBack(slot))
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
