import { isTooLate } from '../domain/webhooks/retry.ts'
import type { Claimed, FailureReason, Recorded, Sent } from '../store/webhooks/deliveries.ts'
import type { Receiver } from '../store/webhooks/receivers.ts'
import type { Lane } from './lane.ts'
import { Lanes } from './lanes.ts'
import { Slots, type Slot } from './slots.ts'

/** Seconds until another try to read what cannot be read: an operator has to set its key first. */
const UNREADABLE_WAIT = 60
/** Deliveries that wait for their turn here; beyond these, lanes get no more than what is sent at once. */
const MOST_WAITING = 5_000

/** A delivery that can be sent. */
export type Sendable = Claimed & { sent: Sent }

/** How a claim ends without an attempt. */
export type Put = Pick<Recorded, 'state' | 'reason'> & { wait?: number }

interface Options {
  /** A claim this old could run out while its request is under way. */
  staleMs: number
  /** Whether the claim still holds. */
  covers(delivery: Claimed): boolean
  /** What is to be sent; null where it cannot be read. */
  read(delivery: Claimed): Sent | null
  /** Makes an attempt, and lets the lane know how it went. */
  attempt(delivery: Sendable, lane: Lane): Promise<void>
  put(delivery: Claimed, put: Put): void
  /** A lane could take more of what is held for it. */
  hasRoom(lane: Lane): void
  /** A request has ended, or no longer counts. */
  hasSlot(): void
  log: { error(facts: object, message: string): void }
}

/** Sends claimed deliveries, each in the lane of its receiver, as many at once as lanes and slots allow. */
export class Traffic {
  readonly lanes = new Lanes()
  readonly slots = new Slots()
  readonly #options: Options
  /** Lanes with something under way or waiting for its turn. */
  readonly #busy = new Set<Lane>()
  /** Lanes that wait for a slot; those in trouble apart, so that nobody stands behind them. */
  readonly #crowds = [new Set<Lane>(), new Set<Lane>()] as const
  #waiting = 0
  #isClosed = false

  constructor(options: Options) {
    this.#options = options
  }

  get busy(): Lane[] {
    return [...this.#busy]
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  /** How many deliveries a lane can take that will be sent soon. */
  roomOf(lane: Lane): number {
    return Math.max(0, this.#aheadOf(lane) - lane.queue.length - lane.inFlight)
  }

  /** Sends claimed deliveries now or soon, or puts them where they are in nobody's way. */
  take(all: readonly Claimed[]): void {
    const [now, lanes] = [performance.now(), new Set<Lane>()]
    for (const delivery of all) {
      const lane = this.lanes.of(delivery)
      lane.learn({ failures: delivery.failures, isBlocked: false }, delivery.takenAt)
      if (this.#isClosed) this.#options.put(delivery, { state: 'waiting' })
      else if (this.roomOf(lane) === 0) this.#options.put(delivery, { state: 'held' })
      else {
        lane.add(delivery, now)
        this.#waiting++
        this.#busy.add(lane)
        lanes.add(lane)
      }
    }
    for (const lane of lanes) this.#pump(lane)
  }

  /** A delivery with what is to be sent; one that cannot be sent any more, or not now, is put away. */
  sortOut(delivery: Claimed): Sendable | undefined {
    const reason = whyNot(delivery)
    const sent = reason ? null : this.#options.read(delivery)
    if (sent) return Object.assign(delivery, { sent })
    if (!reason) this.#options.log.error({ delivery: delivery.id }, 'a delivery cannot be read: is its key set?')
    this.#options.put(delivery, reason ? { state: 'failed', reason } : { state: 'waiting', wait: UNREADABLE_WAIT })
    return undefined
  }

  /** Sends whatever lanes say: the slot was taken for it. */
  begin(delivery: Sendable, lane: Lane, slot: Slot): void {
    lane.inFlight++
    lane.usedAt = slot.startedAt
    this.#busy.add(lane)
    void this.#options
      .attempt(delivery, lane)
      // The claim runs out, and the delivery is sent again.
      .catch((error: unknown) => this.#options.log.error({ err: error, delivery: delivery.id }, 'an attempt broke off'))
      .finally(() => {
        lane.inFlight--
        lane.isProbing = false
        this.slots.giveBack(slot)
        if (!this.#isClosed) this.#goOn(lane)
      })
  }

  /** Deliveries are held for this receiver now. */
  holds(receiver: Receiver): void {
    const lane = this.lanes.find(receiver)
    if (!lane) return
    lane.hasHeld = true
    this.#askForMore(lane)
  }

  /** Keeps back what will not be sent soon, now that it is known how the receiver does. */
  trim(lane: Lane): void {
    const excess = Math.min(lane.queue.length, lane.queue.length + lane.inFlight - this.#aheadOf(lane))
    if (excess > 0) this.#give(lane, lane.queue.splice(-excess), { state: 'held' })
  }

  /** A registration has ended: what waits for it here is not sent. */
  drop(lane: Lane, callbackId: string): void {
    const all = lane.queue.splice(0)
    lane.queue.push(...all.filter((delivery) => delivery.callbackId !== callbackId))
    const dropped = all.filter((delivery) => delivery.callbackId === callbackId)
    this.#give(lane, dropped, { state: 'failed', reason: 'registrationEnded' })
  }

  /** Lets requests that take long no longer stand in the way. */
  sweep(now: number): void {
    for (const lane of this.slots.sweep(now)) this.trim(lane)
    this.#letIn()
    this.lanes.forgetIdle(now)
    this.#options.hasSlot()
  }

  /** Gives back what has not begun, and begins nothing more. */
  close(): void {
    this.#isClosed = true
    for (const lane of this.#busy) this.#give(lane, lane.queue.splice(0), { state: 'waiting' })
  }

  #aheadOf(lane: Lane): number {
    return lane.ahead(this.#waiting < MOST_WAITING)
  }

  /** Gives back what has left a lane's queue. */
  #give(lane: Lane, all: Claimed[], put: Put): void {
    this.#waiting -= all.length
    for (const delivery of all) this.#options.put(delivery, put)
    if (lane.isIdle) this.#busy.delete(lane)
  }

  #pump(lane: Lane): void {
    const now = performance.now()
    while (lane.queue.length > 0 && lane.inFlight < lane.window) {
      if (this.slots.isFullFor(lane)) return this.#waitForSlot(lane)
      const delivery = lane.queue.shift()!
      this.#waiting--
      if (!this.#options.covers(delivery)) continue
      if (now - delivery.takenAt > this.#options.staleMs) this.#options.put(delivery, { state: 'waiting' })
      else {
        const sendable = this.sortOut(delivery)
        if (sendable) this.begin(sendable, lane, this.slots.take(lane, now)!)
      }
    }
    if (lane.isIdle) this.#busy.delete(lane)
  }

  /** A lane in trouble that has a request under way goes on when that ends: the others have none yet. */
  #waitForSlot(lane: Lane): void {
    if (!lane.isTroubled) this.#crowds[0].add(lane)
    else if (lane.inFlight === 0) this.#crowds[1].add(lane)
  }

  /** After a request has ended: the next of its lane, and of lanes that wait for a slot. */
  #goOn(lane: Lane): void {
    this.#pump(lane)
    this.#askForMore(lane)
    this.#letIn()
    this.#options.hasSlot()
  }

  #askForMore(lane: Lane): void {
    if (this.takesMore(lane)) this.#options.hasRoom(lane)
  }

  /** Not for each that has ended, but when half of what a lane may have here is sent. */
  takesMore(lane: Lane): boolean {
    return lane.hasHeld && this.roomOf(lane) >= Math.max(1, this.#aheadOf(lane) / 2)
  }

  /** A lane that has become healthy or troubled meanwhile finds its crowd by itself. */
  #letIn(): void {
    for (const crowd of this.#crowds) {
      for (const lane of crowd) {
        const isHere = crowd === this.#crowds[lane.isTroubled ? 1 : 0]
        if (isHere && this.slots.isFullFor(lane)) break
        crowd.delete(lane)
        this.#pump(lane)
      }
    }
  }
}

/** Why it is not sent at all. */
function whyNot({ version, isEnded, ageMs, takenAt }: Claimed): FailureReason | undefined {
  if (isEnded) return 'registrationEnded'
  return isTooLate(version, ageMs + performance.now() - takenAt) ? 'tooLate' : undefined
}
