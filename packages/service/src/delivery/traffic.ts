import { isTooLate } from '../domain/retry.ts'
import type { Claimed, Receiver, Recorded } from '../store/deliveries.ts'
import type { Lane } from './lane.ts'
import { Lanes } from './lanes.ts'
import { Slots, type Slot } from './slots.ts'

/** Seconds until another try to read what cannot be read: an operator has to set its key first. */
const UNREADABLE_WAIT = 60

interface Options {
  /** A claim this old could run out while its request is under way. */
  staleMs: number
  /** Makes an attempt, and lets the lane know how it went. */
  attempt(delivery: Claimed, lane: Lane): Promise<void>
  /** Ends a claim without an attempt. */
  put(delivery: Claimed, state: Recorded['state'], wait?: number): void
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

  /** Sends a claimed delivery now or soon, or puts it where it is in nobody's way. */
  take(delivery: Claimed): void {
    if (this.#isClosed) return this.#options.put(delivery, 'waiting')
    if (!this.sortOut(delivery)) return
    const lane = this.lanes.of(delivery)
    lane.learn({ failures: delivery.failures, isBlocked: false }, delivery.takenAt)
    if (lane.room === 0) return this.#options.put(delivery, 'held')
    lane.queue.push(delivery)
    this.#busy.add(lane)
    return this.#pump(lane)
  }

  /** Whether it can be sent; one that cannot is put away. */
  sortOut(delivery: Claimed): boolean {
    const ageMs = delivery.ageMs + performance.now() - delivery.takenAt
    if (delivery.isEnded || isTooLate(delivery.version, ageMs)) this.#options.put(delivery, 'failed')
    else if (!delivery.sent) {
      this.#options.log.error({ delivery: delivery.id }, 'a delivery cannot be read: is its key set?')
      this.#options.put(delivery, 'waiting', UNREADABLE_WAIT)
    } else return true
    return false
  }

  /** Sends whatever lanes say: the slot was taken for it. */
  begin(delivery: Claimed, lane: Lane, slot: Slot): void {
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

  /** Keeps back what has not begun. */
  block(lane: Lane): void {
    this.#empty(lane, 'held')
  }

  /** A registration has ended: what waits for it here is not sent. */
  drop(lane: Lane, callbackId: string): void {
    const rest = lane.queue.splice(0)
    for (const delivery of rest) {
      if (delivery.callbackId === callbackId) this.#options.put(delivery, 'failed')
      else lane.queue.push(delivery)
    }
  }

  /** Lets requests that take long no longer stand in the way. */
  sweep(now: number): void {
    this.slots.sweep(now)
    this.#letIn()
    this.lanes.forgetIdle(now)
    this.#options.hasSlot()
  }

  /** Gives back what has not begun, and begins nothing more. */
  close(): void {
    this.#isClosed = true
    for (const lane of this.#busy) this.#empty(lane, 'waiting')
  }

  #empty(lane: Lane, state: 'waiting' | 'held'): void {
    for (const delivery of lane.queue.splice(0)) this.#options.put(delivery, state)
    if (lane.isIdle) this.#busy.delete(lane)
  }

  #pump(lane: Lane): void {
    const now = performance.now()
    while (lane.queue.length > 0 && lane.inFlight < lane.window) {
      if (this.slots.isFullFor(lane)) return this.#waitForSlot(lane)
      const delivery = lane.queue.shift()!
      if (now - delivery.takenAt > this.#options.staleMs) this.#options.put(delivery, 'waiting')
      else if (this.sortOut(delivery)) this.begin(delivery, lane, this.slots.take(lane, now)!)
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
    if (lane.hasHeld && lane.room >= lane.window) this.#options.hasRoom(lane)
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
