import type { Callback, TroubleKind } from '@order-testing/contract'
import { columnsOf, givenRows } from '../db/arrays.ts'
import type { AttemptTrouble } from '../../domain/sandbox/trouble.ts'
import { openCallback, sealCallback, type SealedCallback } from './callback-sealing.ts'
import { OWNER, SHOWS_PARTICIPANT, type CallbackVersion } from './callbacks.ts'
import type { Db } from '../db/db.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { isClaimed } from './workers.ts'

/** An event is sent again at most this often. */
export const RESEND_PAUSE = '1 minute'

export interface Registration {
  id: string
  orderId: string
  version: CallbackVersion
  callback: Callback
  /** The token that registers it. */
  tokenId: string
  /** Whether that token may read the participant: v1 deliveries contain the order. */
  showsParticipant: boolean
  at: Date
}

/** The registration that a new one replaces. */
export interface ReplacedRegistration {
  version: CallbackVersion
  /** The token that last set it; null if none was recorded. */
  tokenId: string | null
  showsParticipant: boolean
}

export interface NewEvent {
  tenantId: string
  id: string
  orderId: string
  at: Date
  /** The W3C trace of the request that caused it: trace id and flags. */
  trace?: string | undefined
}

export interface OutgoingEvent extends Omit<NewEvent, 'trace'> {
  deliveries: OutgoingDelivery[]
}

export interface OutgoingDelivery {
  id: string
  callbackId: string
  version: CallbackVersion
  origin: string
  body: string
  /** Seconds until it is due; at once, unless a sandbox delays it. */
  wait?: number
  trouble?: AttemptTrouble | null
}

export interface RegisteredCallback {
  tenantId: string
  orderId: string
  id: string
  version: CallbackVersion
  origin: string
  showsParticipant: boolean
  /** Armed in a sandbox for the next event of the order. */
  trouble: TroubleKind | null
  /** Whether that trouble, or an event that it holds back, waits for the next event. */
  isTroubled: boolean
}

/** Registered callbacks of orders, and the events and deliveries queued for them. */
export const outbox = (db: Db, keyring: Keyring, queued: () => void) => ({
  /**
   * Registers a callback and returns its id and the registration it replaces. The transaction must have locked the order, so that no
   * other registers the same address. A v2 request moves a known address to v2 and replaces all of it; a v1 request does
   * not change an address that has moved to v2, unless that registration has ended.
   */
  async register(
    tenantId: string,
    registration: Registration,
  ): Promise<{ id: string; replaced: ReplacedRegistration | null }> {
    const { orderId, version, callback, tokenId, showsParticipant, at } = registration
    const rows = await db<(SealedCallback & ReplacedRegistration & { isActive: boolean })[]>`
      select c.tenant_id, c.order_id, c.id, c.url, c.secrets, c.version, ${OWNER} as token_id, c.shows_participant,
        c.ended_at is null and not coalesce(t.ends_callbacks, false) as is_active
      from callbacks c left join tokens t on t.tenant_id = c.tenant_id and t.id = ${OWNER}
      where c.tenant_id = ${tenantId} and c.order_id = ${orderId}`
    const known = rows.find((row) => openCallback(keyring, row).url === callback.url)
    if (known?.isActive && version === 'v1' && known.version === 'v2') return { id: known.id, replaced: null }
    const id = known?.id ?? registration.id
    await db`
      insert into callbacks (tenant_id, id, order_id, version, origin, secrets, shows_participant, registered_by, created_at)
      values (${tenantId}, ${id}, ${orderId}, ${version}, ${new URL(callback.url).origin},
        ${sealCallback(keyring, { tenantId, orderId, id, callback })}, ${showsParticipant}, ${tokenId}, ${at})
      on conflict (tenant_id, id) do update
        set version = excluded.version, url = null, origin = excluded.origin, secrets = excluded.secrets,
          shows_participant = excluded.shows_participant, changed_by = excluded.registered_by,
          changed_at = excluded.created_at, registered_at = excluded.registered_at, ended_at = null, end_reason = null`
    if (!known) return { id, replaced: null }
    const { version: oldVersion, tokenId: owner, showsParticipant: showed } = known
    return { id, replaced: { version: oldVersion, tokenId: owner, showsParticipant: showed } }
  },

  /** The active callbacks of these orders. */
  async registered(orders: { tenantId: string; orderId: string }[]): Promise<RegisteredCallback[]> {
    if (orders.length === 0) return []
    return db<RegisteredCallback[]>`
      select c.tenant_id, c.order_id, c.id, c.version, c.origin, ${SHOWS_PARTICIPANT} as shows_participant,
        case when s.event_id is null then s.kind end as trouble, s.kind is not null as is_troubled
      from ${givenRows(orders, { text: ['tenantId', 'orderId'] })}
      join callbacks c on c.tenant_id = given.tenant_id and c.order_id = given.order_id and c.ended_at is null
      left join tokens t on t.tenant_id = c.tenant_id and t.id = ${OWNER}
      left join sandbox_troubles s on s.tenant_id = c.tenant_id and s.order_id = c.order_id
      where not coalesce(t.ends_callbacks, false) order by c.id`
  },

  eventsOf: (tenantId: string, orderId: string, most: number) => db<
    { id: string; createdAt: Date; receivers: number }[]
  >`
    select e.id, e.created_at, (
      select count(*)::int from deliveries d
      where d.tenant_id = e.tenant_id and d.order_id = e.order_id and d.event_id = e.id) as receivers
    from events e where e.tenant_id = ${tenantId} and e.order_id = ${orderId} order by e.id desc limit ${most}`,

  /**
   * Sends an event once more, to the active registrations that it was created for and whose version is still the event's.
   * Returns the seconds to wait if that was done within the last minute.
   */
  async resend({
    tenantId,
    orderId,
    id,
  }: {
    tenantId: string
    orderId: string
    id: string
  }): Promise<'resent' | 'nobody' | 'unknown' | number> {
    const event = await db.first<{ wait: number }>`
      select coalesce(ceil(extract(epoch from resent_at + ${RESEND_PAUSE}::interval - now())), 0)::int as wait
      from events where tenant_id = ${tenantId} and id = ${id} and order_id = ${orderId} for update`
    if (!event) return 'unknown'
    if (event.wait > 0) return event.wait
    // Those that a worker has claimed, or that wait for their receiver, are sent anyway.
    const { sent } = await db.only<{ sent: number }>`
      with meant as materialized (
        select d.tenant_id, d.id from deliveries d
        join callbacks c on c.tenant_id = d.tenant_id and c.id = d.callback_id
        left join tokens t on t.tenant_id = c.tenant_id and t.id = ${OWNER}
        where d.tenant_id = ${tenantId} and d.order_id = ${orderId} and d.event_id = ${id} and d.body is not null
          and c.ended_at is null and not coalesce(t.ends_callbacks, false) and c.version = d.version),
      queued as (
        update deliveries d set state = 'waiting', due_at = case when d.ended_at is null then least(d.due_at, now()) else now() end,
          queued_at = now(), earlier_attempts = attempts, ended_at = null, reason = null
        from meant where d.tenant_id = meant.tenant_id and d.id = meant.id
          and (d.state in ('delivered', 'failed') or d.state = 'waiting' and not coalesce(${isClaimed()}, false))),
      noted as (
        update events set resent_at = now()
        where tenant_id = ${tenantId} and id = ${id} and exists (select from meant))
      select count(*)::int as sent from meant`
    if (sent === 0) return 'nobody'
    queued()
    return 'resent'
  },

  async putEvents(events: NewEvent[]): Promise<void> {
    if (events.length === 0) return
    await db`
      insert into events (tenant_id, id, order_id, created_at, trace)
      select tenant_id, id, order_id, at, trace
      from ${givenRows(events, { text: ['tenantId', 'id', 'orderId', 'trace'], timestamptz: ['at'] })}`
  },

  /** Queues the deliveries of events that this transaction has put. */
  async putDeliveries(events: OutgoingEvent[]): Promise<void> {
    const rows = events.flatMap(({ deliveries, ...event }) => deliveries.map((delivery) => ({ event, ...delivery })))
    if (rows.length === 0) return
    const column = columnsOf(rows)
    // Deliveries are due by the database's clock, which workers use too.
    await db`
      insert into deliveries (tenant_id, id, event_id, callback_id, order_id, version, body, origin, created_at, due_at, trouble)
      select tenant_id, id, event_id, callback_id, order_id, version, decode(body, 'hex'), origin, created_at,
        now() + wait::float8 * interval '1 second', trouble
      from unnest(
        ${column(({ event }) => event.tenantId)}::text[],
        ${column(({ id }) => id)}::text[],
        ${column(({ event }) => event.id)}::text[],
        ${column(({ callbackId }) => callbackId)}::text[],
        ${column(({ event }) => event.orderId)}::text[],
        ${column(({ version }) => version)}::text[],
        ${column(({ event, id, body }) => keyring.seal(body, deliveryContext({ tenantId: event.tenantId, id })))}::text[],
        ${column(({ origin }) => origin)}::text[],
        ${column(({ event }) => event.at)}::timestamptz[],
        ${column(({ wait }) => wait ?? 0)}::text[],
        ${column(({ trouble }) => trouble ?? null)}::text[]
      ) as given (tenant_id, id, event_id, callback_id, order_id, version, body, origin, created_at, wait, trouble)`
    queued()
  },
})

export const deliveryContext = ({ tenantId, id }: { tenantId: string; id: string }) => `delivery ${tenantId} ${id}`
