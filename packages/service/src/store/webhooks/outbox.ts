import type { Callback } from '@order-testing/contract'
import { openCallback, sealCallback, type SealedCallback } from './callback-sealing.ts'
import { OWNER, SHOWS_PARTICIPANT } from './callbacks.ts'
import type { Db } from '../db/db.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { columnsOf } from '../db/arrays.ts'

export type CallbackVersion = 'v1' | 'v2'

export interface Registration {
  id: string
  orderId: string
  version: CallbackVersion
  callback: Callback
  /** The token that registers it. */
  tokenId: string
  /** Whether that token may read the participant: v1 deliveries carry the order itself. */
  showsParticipant: boolean
  at: Date
}

/** A registration before another took its place. */
export interface ReplacedRegistration {
  id: string
  version: CallbackVersion
  /** The token that last set it; null where none was recorded. */
  tokenId: string | null
  showsParticipant: boolean
}

export interface OutgoingEvent {
  tenantId: string
  id: string
  orderId: string
  at: Date
  deliveries: { id: string; callbackId: string; version: CallbackVersion; origin: string; body: string }[]
}

export interface RegisteredCallback {
  tenantId: string
  orderId: string
  id: string
  version: CallbackVersion
  origin: string
  showsParticipant: boolean
}

/** Who hears of an order's changes, and what they are to be told. */
export const outbox = (db: Db, keyring: Keyring, queued: () => void) => ({
  /**
   * Registers a callback for an order that this transaction has locked, so that nobody else registers the same address, and
   * gives the registration that it replaces. Through v2 a known address moves to v2, and what the request leaves out is gone;
   * through v1 one that has moved stays moved.
   */
  async register(tenantId: string, registration: Registration): Promise<ReplacedRegistration | undefined> {
    const { orderId, version, callback, tokenId, showsParticipant, at } = registration
    const rows = await db<(SealedCallback & ReplacedRegistration)[]>`
      select c.tenant_id, c.order_id, c.id, c.url, c.secrets, c.version, ${OWNER} as token_id, c.shows_participant
      from callbacks c where c.tenant_id = ${tenantId} and c.order_id = ${orderId}`
    const known = rows.find((row) => openCallback(keyring, row).url === callback.url)
    if (known && version === 'v1' && known.version === 'v2') return undefined
    const id = known?.id ?? registration.id
    await db`
      insert into callbacks (tenant_id, id, order_id, version, origin, secrets, shows_participant, registered_by, created_at)
      values (${tenantId}, ${id}, ${orderId}, ${version}, ${new URL(callback.url).origin},
        ${sealCallback(keyring, { tenantId, orderId, id, callback })}, ${showsParticipant}, ${tokenId}, ${at})
      on conflict (tenant_id, id) do update
        set version = excluded.version, url = null, origin = excluded.origin, secrets = excluded.secrets,
          shows_participant = excluded.shows_participant, changed_by = excluded.registered_by,
          changed_at = excluded.created_at, registered_at = now(), ended_at = null, end_reason = null`
    if (!known) return undefined
    return { id, version: known.version, tokenId: known.tokenId, showsParticipant: known.showsParticipant }
  },

  /** Who hears of the changes of these orders. */
  registered: (orders: { tenantId: string; orderId: string }[]) => db<RegisteredCallback[]>`
    select c.tenant_id, c.order_id, c.id, c.version, c.origin, ${SHOWS_PARTICIPANT} as shows_participant
    from unnest(${orders.map(({ tenantId }) => tenantId)}::text[], ${orders.map(({ orderId }) => orderId)}::text[])
      as of (tenant_id, order_id)
    join callbacks c on c.tenant_id = of.tenant_id and c.order_id = of.order_id and c.ended_at is null
    left join tokens t on t.tenant_id = c.tenant_id and t.id = ${OWNER}
    where not coalesce(t.ends_callbacks, false) order by c.id`,

  eventsOf: (tenantId: string, orderId: string, most: number) => db<{ id: string; createdAt: Date }[]>`
    select id, created_at from events where tenant_id = ${tenantId} and order_id = ${orderId} order by id desc limit ${most}`,

  async put(events: OutgoingEvent[]): Promise<void> {
    const event = columnsOf(events)
    const rows = events.flatMap(({ deliveries, ...of }) => deliveries.map((delivery) => ({ of, ...delivery })))
    const delivery = columnsOf(rows)
    // Deliveries are due at once by the database's clock, which is the one that workers go by.
    await db`
      with told as (
        insert into events (tenant_id, id, order_id, created_at)
        select * from unnest(${event(({ tenantId }) => tenantId)}::text[], ${event(({ id }) => id)}::text[],
          ${event(({ orderId }) => orderId)}::text[], ${event(({ at }) => at)}::timestamptz[]))
      insert into deliveries (tenant_id, id, event_id, callback_id, order_id, version, body, origin, created_at)
      select tenant_id, id, event_id, callback_id, order_id, version, decode(body, 'hex'), origin, created_at
      from unnest(
        ${delivery(({ of }) => of.tenantId)}::text[],
        ${delivery(({ id }) => id)}::text[],
        ${delivery(({ of }) => of.id)}::text[],
        ${delivery(({ callbackId }) => callbackId)}::text[],
        ${delivery(({ of }) => of.orderId)}::text[],
        ${delivery(({ version }) => version)}::text[],
        ${delivery(({ of, id, body }) => keyring.seal(body, deliveryContext({ tenantId: of.tenantId, id })))}::text[],
        ${delivery(({ origin }) => origin)}::text[],
        ${delivery(({ of }) => of.at)}::timestamptz[]
      ) as given (tenant_id, id, event_id, callback_id, order_id, version, body, origin, created_at)`
    if (rows.length > 0) queued()
  },
})

export const deliveryContext = ({ tenantId, id }: { tenantId: string; id: string }) => `delivery ${tenantId} ${id}`
