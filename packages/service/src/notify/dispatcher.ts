import { LRUCache } from 'lru-cache'
import { setTimeout as sleep } from 'node:timers/promises'
import { hashSecret } from '../domain/access/tokens.ts'
import { zoneOfOrder } from '../domain/bookings/order-zone.ts'
import { addressesOf } from '../domain/notifications/addresses.ts'
import { isForClinic, isStillRelevant, type Channel } from '../domain/notifications/plan.ts'
import type { Order, Recipient } from '../domain/orders/order.ts'
import type { ClaimedNotification, NotificationOutcome } from '../store/notifications/notifications.ts'
import type { Store } from '../store/store.ts'
import { prepareEnvelope } from './prepare.ts'
import { MAX_CONCURRENT, type Envelope, type Handover, type Transport } from './transports.ts'

export interface DispatcherOptions {
  store: Store
  channel: Channel
  /** Absent if no server is configured: then nothing is sent. */
  transport: Transport | undefined
  /** The origin of the pages that notifications link to. */
  publicUrl: string
  random: (bytes: number) => Buffer
  /** How many addresses the orders created with a token may write to per day; 0 is off. */
  quota?: number
  log?: { warn(facts: object, message: string): void }
}

/** Delays before the second and later attempts; after the last one the notification has failed. */
const RETRY_IN_MS = [10, 60, 300, 1_800, 7_200, 21_600, 43_200].map((seconds) => seconds * 1_000)
/** Longer than a healthy server ever takes. */
const DEADLINE_MS = 90_000
/** How often to look for due notifications while others are being sent. */
const POLL_MS = 100
/** Longer than the deadline, so that an expired claim means a dead worker. */
const LEASE_SECONDS = 180
/** How often to log that a server takes nothing: a queue of notifications must not flood the log. */
const WARN_EVERY_MS = 60_000
const SECRET_BYTES = 24
const DAY_MS = 86_400_000
/** Links outlive their order for a while, to tell that it has ended. */
const LINK_LIFETIME_MS = { afterExpiry: 30 * DAY_MS, withoutExpiry: 90 * DAY_MS }

/**
 * Sends the notifications of one channel. The store records that a notification leaves before it does, and one that may
 * have been accepted is never sent again automatically: it becomes uncertain, and an operator decides.
 */
export class NotificationDispatcher {
  readonly #options: DispatcherOptions
  readonly #running = new Set<Promise<void>>()
  readonly #failures: unknown[] = []
  /** The last day on which each token was over its quota. */
  readonly #overQuota = new LRUCache<string, string>({ max: 1_000 })
  #warnAgainAt = Number.NEGATIVE_INFINITY

  constructor(options: DispatcherOptions) {
    this.#options = options
  }

  /** Starts sending what is due, without waiting for slow ones. Returns false once nothing is left. */
  async round(): Promise<boolean> {
    const { store, channel, transport } = this.#options
    // Notifications wait until a worker has a server for them.
    if (!transport) return false
    await store.notifications.releaseExpiredClaims()
    const free = MAX_CONCURRENT - this.#running.size
    const claimed = free > 0 ? await store.notifications.claim(channel, free, LEASE_SECONDS) : []
    for (const notification of claimed) this.#start(notification, transport)
    // What failed since the last round is reported even if nothing is left to send.
    if (this.#running.size === 0 && this.#failures.length === 0) return false
    await Promise.race([...this.#running, sleep(POLL_MS, undefined, { ref: false })])
    if (this.#failures.length > 0) throw this.#failures.shift()
    return true
  }

  /** Waits until nothing is being sent. */
  async settle(): Promise<void> {
    await Promise.all(this.#running)
  }

  #start(notification: ClaimedNotification, transport: Transport): void {
    const running = this.#process(notification, transport)
      .catch((error: unknown) => void this.#failures.push(error))
      .finally(() => this.#running.delete(running))
    this.#running.add(running)
  }

  /** A failure while preparing is retried: nothing has been sent yet. */
  async #process(notification: ClaimedNotification, transport: Transport): Promise<void> {
    const { store } = this.#options
    const { tenantId, kind, now } = notification
    const record = (outcome: NotificationOutcome) => store.notifications.record(notification, outcome)
    const attempt = { at: now, durationMs: 0, detail: null }
    let envelope: Envelope | undefined
    try {
      const order = await store.orders.find(tenantId, notification.orderId)
      if (!order || !isStillRelevant(notification, order, now)) return await record({ state: 'dropped' })
      const places = await store.bookings.findPlaces(tenantId, order)
      if (kind === 'bookingReminder' && places.isActive === false) return await record({ state: 'dropped' })
      const isAddressed = !isForClinic(kind) && kind !== 'authorizationCopy'
      if (isAddressed && (await this.#isSuppressed(tenantId, addressesOf(kind, order).to)))
        return await record({ state: 'suppressed' })
      if (await this.#isOverQuota(notification, order)) return await this.#postpone(notification)
      envelope = await prepareEnvelope(notification, order, {
        store,
        channel: this.#options.channel,
        zone: zoneOfOrder(places, order),
        now,
        createLink: (recipient) => this.#createLink(order, notification, recipient),
      })
      if (!envelope) return await record({ state: 'dropped' })
      if (!isAddressed && (await this.#isSuppressed(tenantId, envelope.to)))
        return await record({ state: 'suppressed' })
    } catch (error) {
      await record(outcomeOf('tryAgain', notification, { ...attempt, outcome: 'notReady' }))
      throw error
    }
    const sentTo = envelope.to
    let hasLeft = false
    const beforeSend = async () => {
      await store.notifications.markLeft(notification, { channel: this.#options.channel, address: sentTo })
      hasLeft = true
    }
    const started = performance.now()
    const { outcome, detail, copies } = await withDeadline(transport.send(envelope, beforeSend), () => hasLeft)
    const durationMs = Math.round(performance.now() - started)
    await record({ ...outcomeOf(outcome, notification, { at: now, durationMs, outcome, detail }), copies })
    this.#warn(notification, { outcome, detail })
  }

  /** Logs every refused notification, and once a minute that the server takes none. */
  #warn({ tenantId, id, kind }: ClaimedNotification, { outcome, detail }: Handover): void {
    const { log, channel } = this.#options
    if (outcome === 'refused') log?.warn({ tenantId, notification: id, channel, kind, detail }, 'Notification refused')
    const now = performance.now()
    if (outcome !== 'tryAgain' || now < this.#warnAgainAt) return
    this.#warnAgainAt = now + WARN_EVERY_MS
    log?.warn({ tenantId, notification: id, channel, kind, detail }, 'Notification not accepted; trying again later')
  }

  #isSuppressed(tenantId: string, address: string): Promise<boolean> {
    const { store, channel } = this.#options
    return store.suppressions.has({ tenantId, channel }, address)
  }

  /** Counts the addresses, unless an earlier attempt did or an operator has released the notification. */
  async #isOverQuota(notification: ClaimedNotification, order: Order): Promise<boolean> {
    const { store, quota = 0 } = this.#options
    if (quota === 0 || notification.tokenId === null || notification.isReleased) return false
    const { kind } = notification
    const { cc } = isForClinic(kind) || kind === 'authorizationCopy' ? { cc: [] } : addressesOf(kind, order)
    return !(await store.notificationQuota.take(notification, { addresses: 1 + cc.length, quota }))
  }

  async #postpone(notification: ClaimedNotification): Promise<void> {
    const { store, quota, log } = this.#options
    const { tenantId, tokenId } = notification
    const isPostponed = await store.notificationQuota.postpone(notification)
    const day = new Date().toISOString().slice(0, 10)
    // Once per token and day: a flood of orders must not flood the log.
    if (!isPostponed || this.#overQuota.get(`${tenantId} ${tokenId}`) === day) return
    this.#overQuota.set(`${tenantId} ${tokenId}`, day)
    log?.warn({ tenantId, tokenId, quota }, 'Mail quota reached: notifications of this token wait until tomorrow')
  }

  /** Every notification gets a new link, because only the hash of a link is stored. */
  async #createLink(
    { id: orderId, expiresAt }: Order,
    { tenantId, now }: ClaimedNotification,
    recipient: Recipient,
  ): Promise<string> {
    const { store, random, publicUrl } = this.#options
    const secret = makeSecret(random)
    const { afterExpiry, withoutExpiry } = LINK_LIFETIME_MS
    const until = expiresAt ? expiresAt.getTime() + afterExpiry : now.getTime() + withoutExpiry
    const link = { tenantId, orderId, recipient, expiresAt: new Date(until) }
    await store.links.add(hashSecret(secret), link, now)
    return `${publicUrl}/o/${secret}`
  }
}

/** Programs that find links in texts may leave out a hyphen at the end. */
function makeSecret(random: (bytes: number) => Buffer): string {
  const secret = random(SECRET_BYTES).toString('base64url')
  return /[-_]$/.test(secret) ? makeSecret(random) : secret
}

function outcomeOf(
  outcome: Handover['outcome'],
  { tries }: ClaimedNotification,
  attempt: NonNullable<NotificationOutcome['attempt']>,
): NotificationOutcome {
  if (outcome === 'accepted') return { state: 'sent', attempt }
  if (outcome === 'unknown') return { state: 'uncertain', attempt }
  const retryInMs = outcome === 'tryAgain' ? RETRY_IN_MS[tries - 1] : undefined
  return retryInMs === undefined ? { state: 'failed', attempt } : { state: 'waiting', retryInMs, attempt }
}

/** After the deadline a notification that has not left never will, because its claim is given up. */
async function withDeadline(handover: Promise<Handover>, hasLeft: () => boolean): Promise<Handover> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Handover>((resolve) => {
    const giveUp = () => resolve({ outcome: hasLeft() ? 'unknown' : 'tryAgain', detail: 'Timed out.' })
    timer = setTimeout(giveUp, DEADLINE_MS)
  })
  try {
    return await Promise.race([handover, late])
  } finally {
    clearTimeout(timer)
  }
}
