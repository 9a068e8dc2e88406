import type { Order } from '../domain/orders.ts'
import { isWanted } from '../domain/messages.ts'
import { hashSecret } from '../domain/tokens.ts'
import type { ClaimedMessage, MessageOutcome } from '../store/messages.ts'
import type { Store } from '../store/store.ts'
import { letterOf } from './letters.ts'
import type { Transport } from './transports.ts'

export interface PostmanOptions {
  store: Store
  /** By how the participant is reached; absent where no server is set. */
  transports: Partial<Record<Order['delivery']['type'], Transport>>
  /** Where participants' pages are. */
  publicUrl: string
  random: (bytes: number) => Buffer
}

/** Waits before the second attempt and those after it; then the message has failed. */
const RETRY_IN_MS = [60, 300, 1_800, 7_200, 21_600, 43_200].map((seconds) => seconds * 1_000)
const AT_ONCE = 8
/** Longer than any handover takes: what is not recorded by then never will be. */
const LEASE_SECONDS = 180
const SECRET_BYTES = 24
const LINK_LASTS_MS = 90 * 86_400_000

/**
 * Sends what participants are to be told. A message is claimed for good before it is handed over: a worker that dies
 * leaves it uncertain rather than sending it twice.
 */
export class Postman {
  readonly #options: PostmanOptions

  constructor(options: PostmanOptions) {
    this.#options = options
  }

  /** Sends what is due; tells whether there may be more. */
  async round(): Promise<boolean> {
    const { messages } = this.#options.store
    await messages.giveUpLost()
    const claimed = await messages.claim(AT_ONCE, LEASE_SECONDS)
    await Promise.all(claimed.map(async (message) => messages.record(message, await this.#deliver(message))))
    return claimed.length === AT_ONCE
  }

  async #deliver(message: ClaimedMessage): Promise<MessageOutcome> {
    const { store, transports } = this.#options
    const { tenantId, orderId, kind, now, attempts } = message
    const order = await store.orders.whole(tenantId, orderId)
    if (!order || !isWanted(message, order, now)) return { state: 'dropped' }
    const transport = transports[order.delivery.type]
    if (!transport) return { state: 'failed', attempt: { at: now, durationMs: 0, outcome: 'noServer', detail: null } }
    const link = kind === 'cancellation' ? null : await this.#linkTo(order, message)
    const timezone = order.clinic ? await store.clinics.timezoneOf(tenantId, order.clinic.id) : undefined
    const { delivery } = order
    const started = performance.now()
    const { outcome, detail } = await transport.send({
      id: message.id,
      to: delivery.type === 'email' ? delivery.to : delivery.phone,
      cc: delivery.type === 'email' ? delivery.cc : [],
      letter: letterOf(kind, { order, link, timezone }),
    })
    const attempt = { at: now, durationMs: Math.round(performance.now() - started), outcome, detail }
    if (outcome === 'accepted') return { state: 'sent', attempt }
    const retryInMs = outcome === 'tryAgain' ? RETRY_IN_MS[attempts - 1] : undefined
    return retryInMs === undefined ? { state: 'failed', attempt } : { state: 'waiting', retryInMs, attempt }
  }

  /** A new address for every message: only its hash is kept, so none could be sent twice. */
  async #linkTo({ id: orderId, expiresAt }: Order, { tenantId, now }: ClaimedMessage): Promise<string> {
    const { store, random, publicUrl } = this.#options
    const secret = random(SECRET_BYTES).toString('base64url')
    const until = expiresAt ?? new Date(now.getTime() + LINK_LASTS_MS)
    await store.links.add(hashSecret(secret), { tenantId, orderId, expiresAt: until }, now)
    return `${publicUrl}/o/${secret}`
  }
}
