import { randomUUID } from 'node:crypto'
import type { Store } from '../store/store.ts'
import type { Dispatcher } from './dispatcher.ts'
import type { Lease } from './lease.ts'
import type { Probes } from './probes.ts'
import type { Receiver } from './receiver.ts'

/** Receivers refilled by one statement, and the most deliveries that one of them gets. */
const [RECEIVERS_PER_CLAIM, MAX_PER_RECEIVER] = [50, 500]

interface Options {
  store: Store
  dispatcher: Dispatcher
  probes: Probes
  lease: Lease
  leaseSeconds: number
  log: { warn(facts: object, message: string): void }
}

/** Claims parked deliveries when their receiver has room, is resumed, or is due for a probe. */
export class ParkedDeliveries {
  readonly #options: Options
  readonly #refills = new Set<Promise<void>>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Claims as many as the receiver has room for. */
  refill(receiver: Receiver): void {
    if (receiver.isRefilling) return
    const refill = this.#refill(receiver).finally(() => this.#refills.delete(refill))
    this.#refills.add(refill)
  }

  /** Takes over what other workers and operators have changed, and starts due probes. False if the database failed. */
  async sync(): Promise<boolean> {
    const { store, dispatcher, probes, log } = this.#options
    try {
      await this.#syncBusy()
      const readAt = performance.now()
      const withRoom = []
      for (const state of await store.receivers.withParked()) {
        const receiver = dispatcher.receiver(state)
        receiver.breaker.sync(state, readAt)
        if (state.isBlocked) probes.request(receiver)
        else if (dispatcher.roomOf(receiver) > 0 && !receiver.isRefilling) withRoom.push(receiver)
      }
      probes.start()
      while (withRoom.length > 0 && dispatcher.freeBudget > 0)
        await this.#claim(withRoom.splice(0, RECEIVERS_PER_CLAIM))
      return true
    } catch (error) {
      log.warn({ err: error }, 'Failed to read receiver states')
      return false
    }
  }

  /** Resolves when no claim is in progress. */
  async settled(): Promise<void> {
    await Promise.all(this.#refills)
  }

  async #refill(receiver: Receiver): Promise<void> {
    const { dispatcher, lease, log } = this.#options
    try {
      while (dispatcher.wantsRefill(receiver) && !dispatcher.isClosed && lease.workerId !== undefined)
        await this.#claim([receiver])
    } catch (error) {
      log.warn({ err: error }, 'Failed to claim parked deliveries')
    }
  }

  async #claim(receivers: Receiver[]): Promise<void> {
    const { store, dispatcher, lease, leaseSeconds } = this.#options
    const { workerId } = lease
    if (workerId === undefined) return
    const room = new Map(receivers.map((each) => [each, Math.min(dispatcher.roomOf(each), MAX_PER_RECEIVER)]))
    for (const receiver of receivers) receiver.beginRefill()
    try {
      const wanted = [...room].map(([{ tenantId, origin }, most]) => ({ tenantId, origin, most }))
      const claimed = await store.deliveries.claimParked(randomUUID(), wanted, { leaseSeconds, workerId })
      for (const delivery of claimed) {
        const receiver = dispatcher.receiver(delivery)
        room.set(receiver, room.get(receiver)! - 1)
      }
      dispatcher.accept(claimed)
    } finally {
      for (const [receiver, left] of room) receiver.endRefill({ mayHaveMore: left === 0 })
    }
  }

  async #syncBusy(): Promise<void> {
    const { store, dispatcher } = this.#options
    const readAt = performance.now()
    const { busy } = dispatcher
    const states = await store.receivers.states(busy)
    const known = new Map(states.map((state) => [dispatcher.receiver(state), state]))
    for (const receiver of busy) {
      receiver.breaker.sync(known.get(receiver) ?? { failures: 0, isBlocked: false }, readAt)
      if (receiver.breaker.isBlocked) dispatcher.parkExcess(receiver)
    }
  }
}
