import { randomUUID } from 'node:crypto'
import type { Claimed } from '../store/webhooks/deliveries.ts'
import type { Store } from '../store/store.ts'
import type { Lane } from './lane.ts'
import type { Lease } from './lease.ts'
import type { Put, Sendable, Traffic } from './traffic.ts'

/** Claimed for a probe, of which the first that can be sent is. */
const PROBED_WITH = 10
/** Receivers that a delivery to probe with is looked for at once: one may have many that cannot be sent any more. */
const PROBED_AT_ONCE = 4
/** Lanes that are refilled by one statement, and the most that one gets of it. */
const [REFILLED_AT_ONCE, MOST_AT_ONCE] = [50, 500]

interface Options {
  store: Store
  traffic: Traffic
  lease: Lease
  leaseSeconds: number
  put: (delivery: Claimed, put: Put) => void
  log: { warn(facts: object, message: string): void }
}

/** Deliveries that are held for their receiver: taken up when it has room, is resumed, or may be back. */
export class Held {
  readonly #options: Options
  readonly #refills = new Set<Promise<void>>()
  readonly #toProbe = new Set<Lane>()
  readonly #probes = new Map<Lane, Promise<void>>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Takes up as much as a lane has room for. */
  refill(lane: Lane): void {
    if (lane.isRefilling) return
    const refill = this.#refill(lane).finally(() => this.#refills.delete(refill))
    this.#refills.add(refill)
  }

  /** What others have found out, paused or resumed, and which receivers are due for a probe; false if it is not known. */
  async lookUp(): Promise<boolean> {
    const { store, traffic, log } = this.#options
    try {
      await this.#lookAtBusy()
      const askedAt = performance.now()
      const waiting = []
      for (const state of await store.receivers.withHeld()) {
        const lane = traffic.lanes.of(state)
        lane.learn(state, askedAt)
        if (state.isBlocked) this.#toProbe.add(lane)
        else if (traffic.roomOf(lane) > 0 && !lane.isRefilling) waiting.push(lane)
      }
      this.#probeOn()
      while (waiting.length > 0 && traffic.slots.free > 0) await this.#fill(waiting.splice(0, REFILLED_AT_ONCE))
      return true
    } catch (error) {
      log.warn({ err: error }, 'receivers could not be looked up')
      return false
    }
  }

  /** Resolves when nothing is being taken up any more. */
  async settled(): Promise<void> {
    await Promise.all([...this.#refills, ...this.#probes.values()])
  }

  async #refill(lane: Lane): Promise<void> {
    try {
      const { traffic, lease } = this.#options
      while (traffic.takesMore(lane) && !traffic.isClosed && lease.workerId !== undefined) await this.#fill([lane])
    } catch (error) {
      this.#options.log.warn({ err: error }, 'Failed to claim held deliveries')
    }
  }

  async #fill(lanes: Lane[]): Promise<void> {
    const { store, traffic, lease, leaseSeconds } = this.#options
    const { workerId } = lease
    if (workerId === undefined) return
    const rooms = new Map(lanes.map((lane) => [lane, Math.min(traffic.roomOf(lane), MOST_AT_ONCE)]))
    for (const lane of lanes) {
      lane.isRefilling = true
      // Before asking, so that what is held from then on is not forgotten.
      lane.hasHeld = false
    }
    try {
      const receivers = [...rooms].map(([{ tenantId, origin }, most]) => ({ tenantId, origin, most }))
      const claimed = await store.deliveries.claimHeld(randomUUID(), receivers, { leaseSeconds, workerId })
      for (const delivery of claimed) {
        const lane = traffic.lanes.of(delivery)
        rooms.set(lane, rooms.get(lane)! - 1)
      }
      traffic.take(claimed)
      for (const [lane, left] of rooms) if (left === 0) lane.hasHeld = true
    } finally {
      for (const lane of lanes) lane.isRefilling = false
    }
  }

  async #lookAtBusy(): Promise<void> {
    const { store, traffic } = this.#options
    const askedAt = performance.now()
    const { busy } = traffic
    const states = await store.receivers.states(busy)
    const known = new Map(states.map((state) => [traffic.lanes.of(state), state]))
    for (const lane of busy) {
      lane.learn(known.get(lane) ?? { failures: 0, isBlocked: false }, askedAt)
      if (lane.isBlocked) traffic.trim(lane)
    }
  }

  #probeOn(): void {
    for (const lane of this.#toProbe) {
      if (this.#probes.size >= PROBED_AT_ONCE) return
      this.#toProbe.delete(lane)
      if (!this.#probes.has(lane)) this.#probes.set(lane, this.#probeSafely(lane))
    }
  }

  async #probeSafely(lane: Lane): Promise<void> {
    try {
      await this.#probe(lane)
    } catch (error) {
      this.#options.log.warn({ err: error }, 'a receiver could not be probed')
    } finally {
      this.#probes.delete(lane)
      if (!this.#options.traffic.isClosed) this.#probeOn()
    }
  }

  /** After a break, a single request shows whether the receiver is back. */
  async #probe(lane: Lane): Promise<void> {
    const { store, traffic, put } = this.#options
    const slot = lane.inFlight === 0 ? traffic.slots.take(lane, performance.now()) : undefined
    if (!slot) return
    try {
      const delivery = await this.#firstToSend(lane)
      if (!delivery) return
      const isOurs = !traffic.isClosed && (await store.receivers.takeProbe(lane))
      if (!isOurs) return put(delivery, { state: 'held' })
      lane.isProbing = true
      traffic.begin(delivery, lane, slot)
    } finally {
      if (!lane.isProbing) traffic.slots.giveBack(slot)
    }
  }

  /** Those that can no longer be sent are put away and show nothing. */
  async #firstToSend(lane: Lane): Promise<Sendable | undefined> {
    const { store, traffic, lease, leaseSeconds, put } = this.#options
    for (;;) {
      const { workerId } = lease
      if (workerId === undefined) return undefined
      const receiver = { tenantId: lane.tenantId, origin: lane.origin, most: PROBED_WITH }
      const claimed = await store.deliveries.claimHeld(randomUUID(), [receiver], {
        leaseSeconds,
        workerId,
        isProbe: true,
      })
      let first: Sendable | undefined
      for (const delivery of claimed) {
        if (first) put(delivery, { state: 'held' })
        else first = traffic.sortOut(delivery)
      }
      if (first || claimed.length < PROBED_WITH) return first
    }
  }
}
