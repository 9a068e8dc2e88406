import { FIRST_WINDOW, narrowWindow, widenWindow } from '../domain/webhooks/receivers.ts'
import type { ClaimedDelivery } from '../store/webhooks/deliveries.ts'
import type { ReceiverId } from '../store/webhooks/receivers.ts'
import type { CircuitBreaker } from './breaker.ts'

/** The pace is measured over at least this long. */
const PACE_MS = 50
/** A receiver may have queued here what it accepts in this time; the rest is parked. */
const QUEUE_AHEAD_MS = 1_000
/** The same while its pace is unknown. */
const FIRST_QUEUE_AHEAD = 200

/**
 * One receiver as one worker sees it: the queue of claimed deliveries, the window of concurrent requests, and whether
 * the database has parked deliveries for it.
 *
 * | parked deliveries | event                                         | next      |
 * |-|-|-|
 * | none known        | one is parked (`noteParked`)                  | known     |
 * | known             | there is room for more (`beginRefill`)        | refilling |
 * | refilling         | as many came as there was room for            | known     |
 * | refilling         | fewer came, and none was parked meanwhile     | none known |
 */
export class Receiver implements ReceiverId {
  readonly tenantId: string
  readonly origin: string
  readonly breaker: CircuitBreaker
  readonly #queue: ClaimedDelivery[] = []
  #inFlight = 0
  #window = FIRST_WINDOW
  /** Deliveries accepted per millisecond, as last measured. */
  #pace = FIRST_QUEUE_AHEAD / QUEUE_AHEAD_MS
  #measured = { since: 0, count: 0 }
  #hasParked = false
  #isRefilling = false
  #usedAt = performance.now()

  constructor({ tenantId, origin }: ReceiverId, breaker: CircuitBreaker) {
    this.tenantId = tenantId
    this.origin = origin
    this.breaker = breaker
  }

  get queued(): number {
    return this.#queue.length
  }

  get inFlight(): number {
    return this.#inFlight
  }

  get isIdle(): boolean {
    return this.#inFlight === 0 && this.#queue.length === 0
  }

  /** Whether a delivery is queued and the window allows one more request. */
  get isReady(): boolean {
    return this.#queue.length > 0 && this.#inFlight < this.#window
  }

  get hasParked(): boolean {
    return this.#hasParked
  }

  get isRefilling(): boolean {
    return this.#isRefilling
  }

  hasBeenIdleFor(ms: number, now: number): boolean {
    return this.isIdle && !this.#isRefilling && now - this.#usedAt > ms
  }

  /** How many deliveries may be queued or in flight, so that all are sent soon; more if the worker's `queueHasSpace`. */
  capacity({ queueHasSpace }: { queueHasSpace: boolean }): number {
    if (this.breaker.isBlocked) return 0
    const few = 2 * this.#window
    return queueHasSpace && !this.breaker.isTroubled ? Math.max(few, Math.floor(this.#pace * QUEUE_AHEAD_MS)) : few
  }

  enqueue(delivery: ClaimedDelivery, now: number): void {
    if (this.isIdle) this.#measured = { since: now, count: 0 }
    this.#queue.push(delivery)
  }

  dequeue(): ClaimedDelivery | undefined {
    return this.#queue.shift()
  }

  /** Removes the newest deliveries from the queue. */
  dequeueNewest(count: number): ClaimedDelivery[] {
    return count > 0 ? this.#queue.splice(-count) : []
  }

  dequeueOf(callbackId: string): ClaimedDelivery[] {
    const all = this.#queue.splice(0)
    this.#queue.push(...all.filter((delivery) => delivery.callbackId !== callbackId))
    return all.filter((delivery) => delivery.callbackId === callbackId)
  }

  beginRequest(now: number): void {
    this.#inFlight++
    this.#usedAt = now
  }

  endRequest(): void {
    this.#inFlight--
    this.breaker.endProbe()
  }

  async succeed(claim: ClaimedDelivery): Promise<void> {
    this.#window = widenWindow(this.#window)
    this.#measurePace(performance.now())
    await this.breaker.succeed(claim)
  }

  async fail(claim: ClaimedDelivery): Promise<void> {
    this.#window = narrowWindow(this.#window)
    await this.breaker.fail(claim)
  }

  noteParked(): void {
    this.#hasParked = true
  }

  /** Call before claiming, so that what is parked from then on is not missed. */
  beginRefill(): void {
    this.#isRefilling = true
    this.#hasParked = false
  }

  endRefill({ mayHaveMore }: { mayHaveMore: boolean }): void {
    this.#isRefilling = false
    if (mayHaveMore) this.#hasParked = true
  }

  #measurePace(now: number): void {
    this.#measured.count++
    const ms = now - this.#measured.since
    if (ms < PACE_MS) return
    // With an empty queue the pace is ours, not the receiver's.
    if (this.#queue.length > 0) this.#pace = this.#measured.count / ms
    this.#measured = { since: now, count: 0 }
  }
}
