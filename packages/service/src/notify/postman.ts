import { isWanted, recipientOf, type Channel, type MessageKind } from '../domain/messages.ts'
import type { Order } from '../domain/orders.ts'
import { hashSecret } from '../domain/tokens.ts'
import type { ClaimedMessage, MessageOutcome } from '../store/messages.ts'
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
}

/** Waits before the second try, when a server may be back already, and those after it; then the message has failed. */
const RETRY_IN_MS = [10, 60, 300, 1_800, 7_200, 21_600, 43_200].map((seconds) => seconds * 1_000)
/** A handover that takes longer has an end that nobody knows. */
const DEADLINE_MS = 90_000
/** Longer than that: what is not recorded by then never will be. */
const LEASE_SECONDS = 180
const SECRET_BYTES = 24
const LINK_LASTS_MS = 90 * 86_400_000
/** What leaves nothing to do or see. */
const LINKLESS = new Set<MessageKind>(['cancellation', 'clinicNotNeeded'])

/**
 * Sends what participants and requesters are to be told over one channel. A message is claimed for good before it is handed over, and
 * what may have been taken is never sent again by itself: it stays uncertain, and an operator decides.
 */
export class Postman {
  readonly #options: PostmanOptions

  constructor(options: PostmanOptions) {
    this.#options = options
  }

  /** Sends what is due; tells whether there may be more. */
  async round(): Promise<boolean> {
    const { store, channel } = this.#options
    await store.messages.giveUpLost()
    const claimed = await store.messages.claim(channel, SENT_AT_ONCE, LEASE_SECONDS)
    const done = await Promise.allSettled(claimed.map((message) => this.#see(message)))
    const failure = done.find(({ status }) => status === 'rejected')
    if (failure?.status === 'rejected') throw failure.reason
    return claimed.length === SENT_AT_ONCE
  }

  /** Nothing has been sent while it is being made ready: what fails then is tried again. */
  async #see(message: ClaimedMessage): Promise<void> {
    const { store, transport } = this.#options
    const record = (outcome: MessageOutcome) => store.messages.record(message, outcome)
    const attempt = { at: message.now, durationMs: 0, detail: null }
    let envelope: Envelope | undefined
    try {
      const order = await store.orders.whole(message.tenantId, message.orderId)
      if (!order || !isWanted(message, order, message.now)) return await record({ state: 'dropped' })
      if (!transport) return await record({ state: 'failed', attempt: { ...attempt, outcome: 'noServer' } })
      envelope = await this.#prepare(message, order)
    } catch (error) {
      await record(after('tryAgain', message, { ...attempt, outcome: 'notReady' }))
      throw error
    }
    const started = performance.now()
    const { outcome, detail } = await inTime(transport.send(envelope))
    const durationMs = Math.round(performance.now() - started)
    await record(after(outcome, message, { at: message.now, durationMs, outcome, detail }))
  }

  async #prepare(message: ClaimedMessage, order: Order): Promise<Envelope> {
    const { store } = this.#options
    const { tenantId, kind } = message
    const timezone = order.clinic ? await store.clinics.timezoneOf(tenantId, order.clinic.id) : undefined
    const link = LINKLESS.has(kind) ? null : await this.#linkTo(order, message)
    return { id: message.id, ...addressee(kind, order), letter: letterOf(kind, { order, link, timezone }) }
  }

  /** A new address for every message: only its hash is kept, so none could be sent twice. */
  async #linkTo({ id: orderId, expiresAt }: Order, { tenantId, kind, now }: ClaimedMessage): Promise<string> {
    const { store, random, publicUrl } = this.#options
    const secret = random(SECRET_BYTES).toString('base64url')
    const until = expiresAt ?? new Date(now.getTime() + LINK_LASTS_MS)
    const link = { tenantId, orderId, recipient: recipientOf(kind), expiresAt: until }
    await store.links.add(hashSecret(secret), link, now)
    return `${publicUrl}/o/${secret}`
  }
}

/** Requesters are always written to; participants as their order says. */
function addressee(kind: MessageKind, { requester, delivery }: Order): Pick<Envelope, 'to' | 'cc'> {
  if (recipientOf(kind) === 'requester') return { to: requester.email, cc: [] }
  return delivery.type === 'email' ? { to: delivery.to, cc: delivery.cc } : { to: delivery.phone, cc: [] }
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

async function inTime(handover: Promise<Handover>): Promise<Handover> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Handover>((resolve) => {
    timer = setTimeout(() => resolve({ outcome: 'unknown', detail: 'No end in time.' }), DEADLINE_MS)
  })
  try {
    return await Promise.race([handover, late])
  } finally {
    clearTimeout(timer)
  }
}
