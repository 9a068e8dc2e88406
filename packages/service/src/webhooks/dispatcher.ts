import { isTooLate } from '../domain/webhooks/retry.ts'
import type { ClaimedDelivery, ClaimResult, DeliveryContent, FailureReason } from '../store/webhooks/deliveries.ts'
import type { ReceiverId } from '../store/webhooks/receivers.ts'
import { CircuitBreaker, type BreakerReports } from './breaker.ts'
import { ConcurrencyBudget, type Permit } from './concurrency-budget.ts'
import { Receiver } from './receiver.ts'

/** Seconds until an unreadable delivery is tried again: an operator has to set its key first. */
const UNREADABLE_WAIT = 60
/** Deliveries queued in this worker; beyond these, receivers queue only what their window sends at once. */
const MAX_QUEUED = 5_000
/** A receiver that has been idle this long is forgotten. */
const FORGET_MS = 60_000

export type SendableDelivery = ClaimedDelivery & { content: DeliveryContent }

/** How a claim ends without an attempt. */
export type Release = Pick<ClaimResult, 'state' | 'reason'> & { wait?: number }

interface Options {
  /** A claim this old could expire while its request is in flight. */
  staleMs: number
  reports: BreakerReports
  isClaimValid(delivery: ClaimedDelivery): boolean
  /** The content to send; null if it cannot be decrypted. */
  read: (delivery: ClaimedDelivery) => DeliveryContent | null
  /** Makes an attempt and reports its result to the receiver. */
  attempt(delivery: SendableDelivery, receiver: Receiver): Promise<void>
  release: (delivery: ClaimedDelivery, release: Release) => void
  /** The receiver has room for more of its parked deliveries. */
  onRoom(receiver: Receiver): void
  /** A request has ended, or has moved to the troubled share of the budget. */
  onFreeBudget(): void
  log: { error(facts: object, message: string): void }
}

/**
 * Sends claimed deliveries, each through the queue of its receiver.
 *
 * | delivery  | event                                                     | next                          |
 * |-|-|-|
 * | claimed   | its receiver has room                                     | queued                        |
 * | claimed   | its receiver is full or blocked                           | parked                        |
 * | queued    | the receiver's window and the budget allow a request      | in flight                     |
 * | queued    | the receiver fails or slows: it will not be sent soon     | parked                        |
 * | queued    | its registration has ended, or it is too late (v1)        | recorded as failed            |
 * | queued    | its claim is nearly over, or the dispatcher closes        | waiting, for any worker       |
 * | queued    | its claim is lost                                         | none: another worker has it   |
 * | in flight | the attempt ends                                          | recorded; waiting for a retry |
 * | parked    | the receiver has room, or is due for a probe              | claimed                       |
 */
export class Dispatcher {
  readonly budget = new ConcurrencyBudget()
  readonly #options: Options
  readonly #receivers = new Map<string, Receiver>()
  /** Receivers with deliveries queued or in flight. */
  readonly #busy = new Set<Receiver>()
  /** Receivers that wait for budget; troubled ones apart, so that no healthy one waits behind them. */
  readonly #waitingForBudget = { healthy: new Set<Receiver>(), troubled: new Set<Receiver>() }
  /** Receivers of requests that have ended in this turn. */
  readonly #ended = new Set<Receiver>()
  #queued = 0
  #isClosed = false

  constructor(options: Options) {
    this.#options = options
  }

  get busy(): Receiver[] {
    return [...this.#busy]
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** Known from the first delivery until it has been idle for a while. */
  receiver(id: ReceiverId): Receiver {
    const key = keyOf(id)
    const receiver = this.#receivers.get(key) ?? new Receiver(id, new CircuitBreaker(id, this.#options.reports))
    this.#receivers.set(key, receiver)
    return receiver
  }

  /** How many more deliveries a receiver can take that will be sent soon. */
  roomOf(receiver: Receiver): number {
    return Math.max(0, this.#capacityOf(receiver) - receiver.queued - receiver.inFlight)
  }

  /** Only once half of the capacity is free, so that refills come in batches. */
  wantsRefill(receiver: Receiver): boolean {
    return receiver.hasParked && this.roomOf(receiver) >= Math.max(1, this.#capacityOf(receiver) / 2)
  }

  /** Queues claimed deliveries, or releases those that cannot be sent soon. */
  accept(claimed: readonly ClaimedDelivery[]): void {
    // Those that wait for budget come before new ones.
    if (this.#ended.size > 0) this.#continue()
    const [now, receivers] = [performance.now(), new Set<Receiver>()]
    for (const delivery of claimed) {
      const receiver = this.receiver(delivery)
      receiver.breaker.sync({ failures: delivery.failures, isBlocked: false }, delivery.claimedAt)
      if (this.#isClosed) this.#options.release(delivery, { state: 'waiting' })
      else if (this.roomOf(receiver) === 0) this.#options.release(delivery, { state: 'held' })
      else {
        receiver.enqueue(delivery, now)
        this.#queued++
        this.#busy.add(receiver)
        receivers.add(receiver)
      }
    }
    for (const receiver of receivers) this.#sendQueued(receiver)
  }

  /** Adds the content to a delivery; releases one that can no longer be sent, or not now. */
  prepare(delivery: ClaimedDelivery): SendableDelivery | undefined {
    const { read, release, log } = this.#options
    const reason = whyNotSent(delivery)
    if (reason) {
      release(delivery, { state: 'failed', reason })
      return undefined
    }
    const content = read(delivery)
    if (content) return addContent(delivery, content)
    log.error({ delivery: delivery.id }, 'Failed to decrypt a delivery: check that its key is set')
    release(delivery, { state: 'waiting', wait: UNREADABLE_WAIT })
    return undefined
  }

  /** Sends at once; the permit is released when the attempt has ended. */
  send(delivery: SendableDelivery, permit: Permit): void {
    const { receiver } = permit
    receiver.beginRequest(permit.startedAt)
    this.#busy.add(receiver)
    void this.#options
      .attempt(delivery, receiver)
      // The claim expires, and the delivery is sent again.
      .catch((error: unknown) => this.#options.log.error({ err: error, delivery: delivery.id }, 'An attempt failed'))
      .finally(() => {
        receiver.endRequest()
        this.budget.release(permit)
        this.#continueSoon(receiver)
      })
  }

  /** A delivery of this receiver has been parked. */
  noteParked(id: ReceiverId): void {
    const receiver = this.#receivers.get(keyOf(id))
    if (!receiver) return
    receiver.noteParked()
    this.#refill(receiver)
  }

  /** Parks what will not be sent soon, after the receiver's state has changed. */
  parkExcess(receiver: Receiver): void {
    const excess = Math.min(receiver.queued, receiver.queued + receiver.inFlight - this.#capacityOf(receiver))
    this.#release(receiver, receiver.dequeueNewest(excess), { state: 'held' })
  }

  /** Fails what is queued for a registration that has ended. */
  dropCallback(receiver: Receiver, callbackId: string): void {
    this.#release(receiver, receiver.dequeueOf(callbackId), { state: 'failed', reason: 'registrationEnded' })
  }

  /** Frees the budget of slow requests and forgets idle receivers. Runs several times a second. */
  tick(now: number): void {
    for (const receiver of this.budget.moveSlow(now)) this.parkExcess(receiver)
    this.#sendWaiting()
    for (const [key, receiver] of this.#receivers) {
      if (receiver.hasBeenIdleFor(FORGET_MS, now)) this.#receivers.delete(key)
    }
    this.#options.onFreeBudget()
  }

  /** Releases what is queued; nothing more is sent. */
  close(): void {
    this.#isClosed = true
    for (const receiver of this.#busy)
      this.#release(receiver, receiver.dequeueNewest(receiver.queued), { state: 'waiting' })
  }

  #capacityOf(receiver: Receiver): number {
    return receiver.capacity({ queueHasSpace: this.#queued < MAX_QUEUED })
  }

  #release(receiver: Receiver, dequeued: ClaimedDelivery[], release: Release): void {
    this.#queued -= dequeued.length
    for (const delivery of dequeued) this.#options.release(delivery, release)
    if (receiver.isIdle) this.#busy.delete(receiver)
  }

  #sendQueued(receiver: Receiver): void {
    const now = performance.now()
    while (receiver.isReady) {
      if (this.budget.isExhaustedFor(receiver)) return this.#waitForBudget(receiver)
      const delivery = receiver.dequeue()!
      this.#queued--
      if (!this.#options.isClaimValid(delivery)) continue
      if (now - delivery.claimedAt > this.#options.staleMs) this.#options.release(delivery, { state: 'waiting' })
      else {
        const sendable = this.prepare(delivery)
        if (sendable) this.send(sendable, this.budget.acquire(receiver, now)!)
      }
    }
    if (receiver.isIdle) this.#busy.delete(receiver)
  }

  /** A troubled receiver with a request in flight continues when that ends: others have none yet. */
  #waitForBudget(receiver: Receiver): void {
    if (!receiver.breaker.isTroubled) this.#waitingForBudget.healthy.add(receiver)
    else if (receiver.inFlight === 0) this.#waitingForBudget.troubled.add(receiver)
  }

  /** After a request has ended. Together with others that end in the same turn of the event loop. */
  #continueSoon(receiver: Receiver): void {
    if (this.#ended.size === 0) setImmediate(() => this.#continue())
    this.#ended.add(receiver)
  }

  #continue(): void {
    const ended = [...this.#ended]
    this.#ended.clear()
    if (this.#isClosed) return
    for (const receiver of ended) this.#sendQueued(receiver)
    for (const receiver of ended) this.#refill(receiver)
    this.#sendWaiting()
    this.#options.onFreeBudget()
  }

  #refill(receiver: Receiver): void {
    if (this.wantsRefill(receiver)) this.#options.onRoom(receiver)
  }

  /** Lets receivers send that waited for budget; one whose state has changed moves to the other set. */
  #sendWaiting(): void {
    const { healthy, troubled } = this.#waitingForBudget
    for (const waiting of [healthy, troubled]) {
      for (const receiver of waiting) {
        const isInPlace = receiver.breaker.isTroubled === (waiting === troubled)
        if (isInPlace && this.budget.isExhaustedFor(receiver)) break
        waiting.delete(receiver)
        this.#sendQueued(receiver)
      }
    }
  }
}

/** Without a copy, and without `Object.assign`: see `claimAll`. */
function addContent(delivery: ClaimedDelivery, content: DeliveryContent): SendableDelivery {
  const sendable = delivery as SendableDelivery
  sendable.content = content
  return sendable
}

const keyOf = ({ tenantId, origin }: ReceiverId) => `${tenantId}\n${origin}`

function whyNotSent({ version, isEnded, ageMs, claimedAt }: ClaimedDelivery): FailureReason | undefined {
  if (isEnded) return 'registrationEnded'
  return isTooLate(version, ageMs + performance.now() - claimedAt) ? 'tooLate' : undefined
}
