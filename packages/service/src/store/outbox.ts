import type { Callback } from '@order-testing/contract'
import type { Db } from './database.ts'
import type { Keyring } from './keyring.ts'

export type CallbackVersion = 'v1' | 'v2'

export interface Registration {
  id: string
  orderId: string
  version: CallbackVersion
  callback: Callback
  showsParticipant: boolean
  at: Date
}

export interface OutgoingEvent {
  id: string
  orderId: string
  at: Date
  deliveries: { id: string; callbackId: string; version: CallbackVersion; origin: string; body: string }[]
}

/** Who hears of an order's changes, and what they are to be told. */
export const outbox = (db: Db, keyring: Keyring, queued: () => void) => ({
  /**
   * Registers a callback for an order that is there. Through v2 a known url moves to v2, and what the request leaves out
   * is gone; through v1 one that has moved stays moved.
   */
  async register(tenantId: string, registration: Registration): Promise<void> {
    const { id, orderId, version, callback, showsParticipant, at } = registration
    await db`
      insert into callbacks (tenant_id, id, order_id, version, url, secrets, shows_participant, created_at)
      values (${tenantId}, ${id}, ${orderId}, ${version}, ${callback.url}, ${sealCallback(keyring, tenantId, registration)},
        ${showsParticipant}, ${at})
      on conflict (tenant_id, order_id, md5(url)) do update
        set version = excluded.version, secrets = excluded.secrets, shows_participant = excluded.shows_participant,
          registered_at = now(), ended_at = null
        where excluded.version = 'v2' or callbacks.version = 'v1'`
  },

  registered: (tenantId: string, orderId: string) => db<
    { id: string; version: CallbackVersion; url: string; showsParticipant: boolean }[]
  >`
    select id, version, url, shows_participant from callbacks
    where tenant_id = ${tenantId} and order_id = ${orderId} and ended_at is null order by id`,

  async put(tenantId: string, { id, orderId, at, deliveries }: OutgoingEvent): Promise<void> {
    await db`insert into events (tenant_id, id, order_id, created_at) values (${tenantId}, ${id}, ${orderId}, ${at})`
    if (deliveries.length === 0) return
    const rows = deliveries.map((delivery) => ({
      tenant_id: tenantId,
      id: delivery.id,
      event_id: id,
      callback_id: delivery.callbackId,
      order_id: orderId,
      version: delivery.version,
      body: keyring.seal(delivery.body, deliveryContext({ tenantId, id: delivery.id })),
      origin: delivery.origin,
      created_at: at,
    }))
    // Due at once by the database's clock, which is the one that workers go by.
    await db`insert into deliveries ${db(rows)}`
    queued()
  },
})

/** What a callback is called with, beside its address. */
export function sealCallback(keyring: Keyring, tenantId: string, { orderId, callback }: Registration): Buffer {
  const { url, ...secrets } = callback
  return keyring.seal(JSON.stringify(secrets), callbackContext({ tenantId, orderId, url }))
}

export const callbackContext = ({ tenantId, orderId, url }: { tenantId: string; orderId: string; url: string }) =>
  `callback ${tenantId} ${orderId} ${url}`

export const deliveryContext = ({ tenantId, id }: { tenantId: string; id: string }) => `delivery ${tenantId} ${id}`
