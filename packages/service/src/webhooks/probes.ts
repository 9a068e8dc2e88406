import { randomUUID } from 'node:crypto'
import type { Store } from '../store/store.ts'
import type { ClaimedDelivery } from '../store/webhooks/deliveries.ts'
import type { Dispatcher, Release, SendableDelivery } from './dispatcher.ts'
import type { Lease } from './lease.ts'
import type { Receiver } from './receiver.ts'

/** Deliveries claimed for a probe; the first that can be sent is. */
const CLAIMED_PER_PROBE = 10
/** Concurrent searches for a delivery to send: a receiver may have many that can no longer be sent. */
const MAX_CONCURRENT = 4

interface Options {
  store: Store
  dispatcher: Dispatcher
  lease: Lease
  leaseSeconds: number
  release: (delivery: ClaimedDelivery, release: Release) => void
  log: { warn(facts: object, message: string): void }
}

/**
 * Probes receivers whose break is over: a single request shows whether one is back.
 *
 * | probe     | event                                          | next             |
 * |-|-|-|
 * | requested | fewer than 4 are starting                      | starting         |
 * | starting  | a delivery is claimed, and no other worker probes | in flight     |
 * | starting  | no budget, nothing to send, or another worker probes | none       |
 * | in flight | its request ends                               | none             |
 */
export class Probes {
  readonly #options: Options
  readonly #requested = new Set<Receiver>()
  readonly #starting = new Map<Receiver, Promise<void>>()

  constructor(options: Options) {
    this.#options = options
  }

  request(receiver: Receiver): void {
    this.#requested.add(receiver)
  }

  start(): void {
    for (const receiver of this.#requested) {
      if (this.#starting.size >= MAX_CONCURRENT) return
      this.#requested.delete(receiver)
      if (!this.#starting.has(receiver)) this.#starting.set(receiver, this.#startOne(receiver))
    }
  }

  /** Resolves when none is starting. */
  async settled(): Promise<void> {
    await Promise.all(this.#starting.values())
  }

  async #startOne(receiver: Receiver): Promise<void> {
    try {
      await this.#probe(receiver)
    } catch (error) {
      this.#options.log.warn({ err: error }, 'Failed to probe a receiver')
    } finally {
      this.#starting.delete(receiver)
      if (!this.#options.dispatcher.isClosed) this.start()
    }
  }

  async #probe(receiver: Receiver): Promise<void> {
    const { store, dispatcher, release } = this.#options
    const permit = receiver.inFlight === 0 ? dispatcher.acquirePermit(receiver) : undefined
    if (!permit) return
    try {
      const delivery = await this.#claimSendable(receiver)
      if (!delivery) return
      const isOurs = !dispatcher.isClosed && (await store.receivers.takeProbe(receiver))
      if (!isOurs) return release(delivery, { state: 'held' })
      receiver.breaker.beginProbe()
      dispatcher.send(delivery, permit)
    } finally {
      if (!receiver.breaker.isProbing) dispatcher.releasePermit(permit)
    }
  }

  async #claimSendable(receiver: Receiver): Promise<SendableDelivery | undefined> {
    const { store, dispatcher, lease, leaseSeconds, release } = this.#options
    for (;;) {
      const { workerId } = lease
      if (workerId === undefined) return undefined
      const wanted = { tenantId: receiver.tenantId, origin: receiver.origin, most: CLAIMED_PER_PROBE }
      const options = { leaseSeconds, workerId, isProbe: true }
      const claimed = await store.deliveries.claimParked(randomUUID(), [wanted], options)
      let sendable: SendableDelivery | undefined
      for (const delivery of claimed) {
        if (sendable) release(delivery, { state: 'held' })
        else sendable = dispatcher.prepare(delivery)
      }
      if (sendable || claimed.length < CLAIMED_PER_PROBE) return sendable
    }
  }
}
