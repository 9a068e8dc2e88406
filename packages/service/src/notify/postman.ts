import { setTimeout as sleep } from 'node:timers/promises'
import { isWanted, recipientOf, type Channel, type MessageKind } from '../domain/notifications/plan.ts'
import type { Order } from '../domain/orders/order.ts'
import { hashSecret } from '../domain/access/tokens.ts'
import type { ClaimedMessage, MessageOutcome } from '../store/notifications/notifications.ts'
import type { Store } from '../store/store.ts'
import { letterOf } from './letters.ts'
import { SENT_AT_ONCE, type Envelope, type Handover, type Transport } from './transports.ts'

export interface PostmanOptions {
  store: Store
  channel: Channel
  /** Absent where no server is set. */
  transport: Transport | undefined
  /** Where the pages are that messages lead to. */
  publicUrl: string
  random: (bytes: number) => Buffer
  /** Addresses that the creates of a token may have written to a day; 0 is off. */
  quota?: number
  log?: { warn(facts: object, message: string): void }
}

/** Waits before the second try, when a server may be back already, and those after it; then the message has failed. */
const RETRY_IN_MS = [10, 60, 300, 1_800, 7_200, 21_600, 43_200].map((seconds) => seconds * 1_000)
/** Longer than any server that is well takes. */
const DEADLINE_MS = 90_000
/** How soon others are looked for while some are in hand. */
const PAUSE_MS = 100
/** Longer than that: what is not recorded by then never will be. */
const LEASE_SECONDS = 180
const SECRET_BYTES = 24
const DAY_MS = 86_400_000
/** A link keeps working for a while after its order has ended, and then says so. */
const LINK_LASTS_MS = { expiring: 30 * DAY_MS, other: 90 * DAY_MS }
/** What leaves nothing to do or see. */
const LINKLESS = new Set<MessageKind>(['cancellation', 'clinicNotNeeded'])

/**
 * Sends what participants and requesters are to be told over one channel. That a message leaves is noted before it does,
 * and what may have been taken is never sent again by itself: it stays uncertain, and an operator decides.
 */
export class Postman {
  readonly #options: PostmanOptions
  readonly #inHand = new Set<Promise<void>>()
  readonly #failures: unknown[] = []

  constructor(options: PostmanOptions) {
    this.#options = options
  }

  /** Takes what is due, beside what it has in hand: one that takes long keeps no other waiting. False when all is done. */
  async round(): Promise<boolean> {
    const { store, channel } = this.#options
    await store.messages.giveUpLost()
    const free = SENT_AT_ONCE - this.#inHand.size
    const claimed = free > 0 ? await store.messages.claim(channel, free, LEASE_SECONDS) : []
    for (const message of claimed) this.#take(message)
    if (this.#inHand.size === 0) return false
    await Promise.race([...this.#inHand, sleep(PAUSE_MS, undefined, { ref: false })])
    if (this.#failures.length > 0) throw this.#failures.shift()
    return true
  }

  /** Waits until nothing is in hand. */
  async settle(): Promise<void> {
    await Promise.all(this.#inHand)
  }

  #take(message: ClaimedMessage): void {
    const carried = this.#see(message)
      .catch((error: unknown) => void this.#failures.push(error))
      .finally(() => this.#inHand.delete(carried))
    this.#inHand.add(carried)
  }

  /** Nothing has been sent while it is being made ready: what fails then is tried again. */
  async #see(message: ClaimedMessage): Promise<void> {
    const { store, transport } = this.#options
    const record = (outcome: MessageOutcome) => store.messages.record(message, outcome)
    const attempt = { at: message.now, durationMs: 0, detail: null }
    let envelope: Envelope | undefined
    try {
      const order = await store.orders.find(message.tenantId, message.orderId)
      if (!order || !isWanted(message, order, message.now)) return await record({ state: 'dropped' })
      const opening = order.clinic && (await store.clinics.findOpening(message.tenantId, order.clinic.id))
      if (message.kind === 'bookingReminder' && opening?.isActive === false) return await record({ state: 'dropped' })
      if (!transport) return await record({ state: 'failed', attempt: { ...attempt, outcome: 'noServer' } })
      if (await this.#isOverQuota(message, order)) return await this.#postpone(message)
      envelope = await this.#prepare(message, order, opening?.timezone ?? undefined)
    } catch (error) {
      await record(after('tryAgain', message, { ...attempt, outcome: 'notReady' }))
      throw error
    }
    let hasLeft = false
    const leaving = async () => {
      await store.messages.letGo(message)
      hasLeft = true
    }
    const started = performance.now()
    const { outcome, detail } = await inTime(transport.send(envelope, leaving), () => hasLeft)
    const durationMs = Math.round(performance.now() - started)
    await record(after(outcome, message, { at: message.now, durationMs, outcome, detail }))
  }

  /** Counts the addresses of the message, unless that was done before a retry or an operator has let it through. */
  async #isOverQuota(message: ClaimedMessage, order: Order): Promise<boolean> {
    const { store, quota = 0 } = this.#options
    if (quota === 0 || message.tokenId === null || message.isReleased) return false
    const { cc } = addressee(message.kind, order)
    return !(await store.messageQuota.take(message, { addresses: 1 + cc.length, quota }))
  }

  async #postpone(message: ClaimedMessage): Promise<void> {
    const { store, quota, log } = this.#options
    const { tenantId, tokenId } = message
    const isPostponed = await store.messageQuota.postpone(message)
    if (isPostponed)
      log?.warn({ tenantId, tokenId, quota }, 'mail quota reached: messages of this token wait until tomorrow')
  }

  async #prepare(message: ClaimedMessage, order: Order, timezone: string | undefined): Promise<Envelope> {
    const { kind } = message
    const link = LINKLESS.has(kind) ? null : await this.#linkTo(order, message)
    return { id: message.id, ...addressee(kind, order), letter: letterOf(kind, { order, link, timezone }) }
  }

  /** A new address for every message: only its hash is kept, so none could be sent twice. */
  async #linkTo({ id: orderId, expiresAt }: Order, { tenantId, kind, now }: ClaimedMessage): Promise<string> {
    const { store, random, publicUrl } = this.#options
    const secret = random(SECRET_BYTES).toString('base64url')
    const { expiring, other } = LINK_LASTS_MS
    const until = expiresAt ? expiresAt.getTime() + expiring : now.getTime() + other
    const link = { tenantId, orderId, recipient: recipientOf(kind), expiresAt: new Date(until) }
    await store.links.add(hashSecret(secret), link, now)
    return `${publicUrl}/o/${secret}`
  }
}

/** Requesters are always written to; participants as their order says. */
function addressee(kind: MessageKind, { requester, delivery }: Order): Pick<Envelope, 'to' | 'cc'> {
  if (recipientOf(kind) === 'requester') return { to: requester.email, cc: [] }
  if (delivery.type === 'mobile') return { to: delivery.phone, cc: [] }
  const { to, cc } = delivery
  const spelled = [to, ...cc].map((address) => address.toLowerCase())
  return { to, cc: cc.filter((_, i) => spelled.indexOf(spelled[i + 1]!) === i + 1) }
}

/** What follows from how an attempt ended. */
function after(
  outcome: Handover['outcome'],
  { tries }: ClaimedMessage,
  attempt: NonNullable<MessageOutcome['attempt']>,
): MessageOutcome {
  if (outcome === 'accepted') return { state: 'sent', attempt }
  if (outcome === 'unknown') return { state: 'uncertain', attempt }
  const retryInMs = outcome === 'tryAgain' ? RETRY_IN_MS[tries - 1] : undefined
  return retryInMs === undefined ? { state: 'failed', attempt } : { state: 'waiting', retryInMs, attempt }
}

/** What has not left by then never will: its claim is given up. */
async function inTime(handover: Promise<Handover>, hasLeft: () => boolean): Promise<Handover> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Handover>((resolve) => {
    const give = () => resolve({ outcome: hasLeft() ? 'unknown' : 'tryAgain', detail: 'No end in time.' })
    timer = setTimeout(give, DEADLINE_MS)
  })
  try {
    return await Promise.race([handover, late])
  } finally {
    clearTimeout(timer)
  }
}
