import { randomUUID } from 'node:crypto'
import type { Store } from '../store/store.ts'
import type { ClaimedDelivery } from '../store/webhooks/deliveries.ts'
import type { ReceiverId } from '../store/webhooks/receivers.ts'
import type { Dispatcher, Release, SendableDelivery } from './dispatcher.ts'
import type { Lease } from './lease.ts'
import type { Receiver } from './receiver.ts'

/** Receivers refilled by one statement, and the most deliveries that one of them gets. */
const [RECEIVERS_PER_CLAIM, MAX_PER_RECEIVER] = [50, 500]
/** Deliveries claimed for a probe; the first that can be sent is. */
const CLAIMED_PER_PROBE = 10
/** Concurrent searches for a delivery to probe with: a receiver may have many that can no longer be sent. */
const MAX_STARTING_PROBES = 4

interface Options {
  store: Store
  dispatcher: Dispatcher
  lease: Lease
  leaseSeconds: number
  release: (delivery: ClaimedDelivery, release: Release) => void
  log: { warn(facts: object, message: string): void }
}

/**
 * Claims parked deliveries when their receiver has room or is resumed. A receiver whose break is over gets a probe: a
 * single request that shows whether it is back.
 *
 * | probe     | event                                                | next      |
 * |-|-|-|
 * | requested | fewer than 4 are starting                            | starting  |
 * | starting  | a delivery is claimed, and no other worker probes    | in flight |
 * | starting  | no budget, nothing to send, or another worker probes | none      |
 * | in flight | its request ends                                     | none      |
 */
export class ParkedDeliveries {
  readonly #options: Options
  /** Refills, and probes that are starting. */
  readonly #running = new Set<Promise<void>>()
  readonly #requestedProbes = new Set<Receiver>()
  readonly #startingProbes = new Set<Receiver>()

  constructor(options: Options) {
    this.#options = options
  }

  /** Claims as many as the receiver has room for. */
  refill(receiver: Receiver): void {
    if (!receiver.isRefilling) this.#run(this.#refill(receiver), 'Failed to claim parked deliveries')
  }

  /** Takes over what other workers and operators have changed, and starts due probes. False if the database failed. */
  async sync(): Promise<boolean> {
    const { store, dispatcher, log } = this.#options
    try {
      await this.#syncBusy()
      const readAt = performance.now()
      const withRoom = []
      for (const state of await store.receivers.withParked()) {
        const receiver = dispatcher.receiver(state)
        receiver.breaker.sync(state, readAt)
        if (state.isBlocked) this.#requestedProbes.add(receiver)
        else if (dispatcher.roomOf(receiver) > 0 && !receiver.isRefilling) withRoom.push(receiver)
      }
      this.#startProbes()
      while (withRoom.length > 0 && dispatcher.budget.free > 0)
        await this.#fill(withRoom.splice(0, RECEIVERS_PER_CLAIM))
      return true
    } catch (error) {
      log.warn({ err: error }, 'Failed to read receiver states')
      return false
    }
  }

  /** Resolves when no claim is in progress. */
  async settled(): Promise<void> {
    await Promise.all(this.#running)
  }

  #run(work: Promise<void>, message: string): void {
    const running = work
      .catch((error: unknown) => this.#options.log.warn({ err: error }, message))
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  async #refill(receiver: Receiver): Promise<void> {
    const { dispatcher, lease } = this.#options
    while (dispatcher.wantsRefill(receiver) && !dispatcher.isClosed && lease.workerId !== undefined)
      await this.#fill([receiver])
  }

  async #fill(receivers: Receiver[]): Promise<void> {
    const { dispatcher, lease } = this.#options
    if (lease.workerId === undefined) return
    const room = new Map(receivers.map((each) => [each, Math.min(dispatcher.roomOf(each), MAX_PER_RECEIVER)]))
    for (const receiver of receivers) receiver.beginRefill()
    try {
      const wanted = [...room].map(([{ tenantId, origin }, most]) => ({ tenantId, origin, most }))
      const claimed = await this.#claim(wanted, { isProbe: false })
      for (const delivery of claimed) {
        const receiver = dispatcher.receiver(delivery)
        room.set(receiver, room.get(receiver)! - 1)
      }
      dispatcher.accept(claimed)
    } finally {
      for (const [receiver, left] of room) receiver.endRefill({ mayHaveMore: left === 0 })
    }
  }

  async #claim(wanted: (ReceiverId & { most: number })[], how: { isProbe: boolean }): Promise<ClaimedDelivery[]> {
    const { store, lease, leaseSeconds } = this.#options
    const { workerId } = lease
    if (workerId === undefined) return []
    return store.deliveries.claimParked(randomUUID(), wanted, { leaseSeconds, workerId, ...how })
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

  #startProbes(): void {
    for (const receiver of this.#requestedProbes) {
      if (this.#startingProbes.size >= MAX_STARTING_PROBES) return
      this.#requestedProbes.delete(receiver)
      if (this.#startingProbes.has(receiver)) continue
      this.#startingProbes.add(receiver)
      const starting = this.#probe(receiver).finally(() => {
        this.#startingProbes.delete(receiver)
        if (!this.#options.dispatcher.isClosed) this.#startProbes()
      })
      this.#run(starting, 'Failed to probe a receiver')
    }
  }

  async #probe(receiver: Receiver): Promise<void> {
    const { store, dispatcher, release } = this.#options
    const permit = receiver.inFlight === 0 ? dispatcher.budget.acquire(receiver, performance.now()) : undefined
    if (!permit) return
    try {
      const delivery = await this.#claimSendable(receiver)
      if (!delivery) return
      const isOurs = !dispatcher.isClosed && (await store.receivers.takeProbe(receiver))
      if (!isOurs) return release(delivery, { state: 'held' })
      receiver.breaker.beginProbe()
      dispatcher.send(delivery, permit)
    } finally {
      if (!receiver.breaker.isProbing) dispatcher.budget.release(permit)
    }
  }

  async #claimSendable({ tenantId, origin }: Receiver): Promise<SendableDelivery | undefined> {
    const { dispatcher, release } = this.#options
    for (;;) {
      const claimed = await this.#claim([{ tenantId, origin, most: CLAIMED_PER_PROBE }], { isProbe: true })
      let sendable: SendableDelivery | undefined
      for (const delivery of claimed) {
        if (sendable) release(delivery, { state: 'held' })
        else sendable = dispatcher.prepare(delivery)
      }
      if (sendable || claimed.length < CLAIMED_PER_PROBE) return sendable
    }
  }
}
