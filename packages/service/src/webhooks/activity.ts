import { halfHourOf } from '../domain/webhooks/activity.ts'
import type { Store } from '../store/store.ts'
import type { ReceiverActivity } from '../store/webhooks/activity.ts'
import type { ClaimedDelivery } from '../store/webhooks/deliveries.ts'

const FLUSH_MS = 2_000

/** Counts attempts by receiver and half hour, and writes the counts every few seconds, apart from the deliveries. */
export class ActivityRecorder {
  readonly #store: Pick<Store, 'receiverActivity'>
  readonly #log: { warn(facts: object, message: string): void }
  readonly #timer: NodeJS.Timeout
  #counts = new Map<string, ReceiverActivity>()
  #flushing: Promise<void> = Promise.resolve()

  constructor(store: Pick<Store, 'receiverActivity'>, log: { warn(facts: object, message: string): void }) {
    this.#store = store
    this.#log = log
    this.#timer = setInterval(() => void this.#flush(), FLUSH_MS).unref()
  }

  note(
    { tenantId, origin, version }: Pick<ClaimedDelivery, 'tenantId' | 'origin' | 'version'>,
    { at, isDelivered }: { at: Date; isDelivered: boolean },
  ): void {
    const beganAt = halfHourOf(at)
    const key = `${tenantId} ${origin} ${beganAt.getTime()}`
    let counted = this.#counts.get(key)
    if (!counted) {
      const none = { delivered: 0, failed: 0, deliveredAt: null, sentV1At: null }
      counted = { tenantId, origin, beganAt, attemptedAt: at, ...none }
      this.#counts.set(key, counted)
    }
    counted.attemptedAt = at
    if (version === 'v1') counted.sentV1At = at
    if (isDelivered) {
      counted.delivered++
      counted.deliveredAt = at
    } else counted.failed++
  }

  /** Writes a last time. A failure of the database does not keep the worker from stopping. */
  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#flush()
  }

  #flush(): Promise<void> {
    this.#flushing = this.#flushing.then(() => this.#write())
    return this.#flushing
  }

  async #write(): Promise<void> {
    if (this.#counts.size === 0) return
    const counts = this.#counts
    this.#counts = new Map()
    try {
      await this.#store.receiverActivity.add([...counts.values()])
    } catch (error) {
      // Lost: counts that were kept for later would grow for as long as the database is away.
      this.#log.warn({ err: error }, 'Failed to record the activity of receivers')
    }
  }
}
