import type { DELIVERY_STATES, HELD_REASONS } from '@order-testing/contract'
import { idFloor } from '../../domain/ids.ts'
import type { Db } from '../db/db.ts'
import { COUNTED, pageOf, type BoundedPage, type PageRequest } from '../db/page.ts'
import { sql, type Statement } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { openAttempt, type AttemptRecord, type AttemptRow } from './attempts.ts'
import { redactedAddress } from './callback-sealing.ts'
import type { CallbackVersion } from './callbacks.ts'
import { breakerState } from './receivers.ts'
import { isClaimed } from './workers.ts'

export type DeliveryState = (typeof DELIVERY_STATES)[number]
export type HeldReason = (typeof HELD_REASONS)[number]

export interface DeliveryRecord {
  tenantId: string
  id: string
  eventId: string
  orderId: string
  /** Null once the order was erased. */
  orderCode: string | null
  version: CallbackVersion
  /** Without the query, which may contain secrets; only the origin if the key is missing. */
  url: string
  origin: string
  state: DeliveryState
  /** Made since it was created or last replayed. */
  attempts: number
  createdAt: Date
  /** When it is due, if waiting. */
  dueAt: Date | null
  endedAt: Date | null
  lastAttemptAt: Date | null
  lastStatus: number | null
  /** Error of the last attempt, or why it failed without one. */
  lastError: string | null
  /** Set while it is parked. */
  heldReason: HeldReason | null
  /** When it may be sent, if known. */
  heldUntil: Date | null
}

export interface DeliveryFilter {
  tenantId?: string | undefined
  id?: string | undefined
  orderId?: string | undefined
  orderCode?: string | undefined
  origin?: string | undefined
  state?: DeliveryState | undefined
  createdFrom?: Date | undefined
  createdTo?: Date | undefined
}

/** An event with its deliveries. */
export interface EventRecord {
  id: string
  createdAt: Date
  deliveries: DeliveryRecord[]
}

/** Whether a delivery was replayed, or why not. */
export type ReplayOutcome = 'replayed' | 'waiting' | 'ended' | 'forgotten'

/** A record before its callback is decrypted. */
type Row = Omit<DeliveryRecord, 'url'> & { callbackId: string; url: string | null; secrets: Buffer }

/** How long attempts and sent bodies are kept. */
export const DELIVERY_RETENTION = '30 days'
const DELETE_BATCH = 5_000

const ALL_STORED = ['waiting', 'held', 'delivered', 'failed']

/** Below and above every id. */
const [FIRST_ID, LAST_ID] = ['', '~']

/** Deliveries, for operators and integrators. */
export const deliveryRecords = (db: Db, keyring: Keyring) => {
  const isSending = isClaimed()
  const isParked = sql`(d.state = 'held' and not ${isSending})`
  /** The columns of a delivery `d` with its `details`. */
  const columns = sql`
    d.tenant_id, d.id, d.event_id, d.order_id, d.version, d.callback_id, c.url, c.secrets, d.origin,
    case when d.state in ('waiting', 'held') and ${isSending} then 'sending' else d.state end as state, d.attempts, d.created_at,
    case when d.state = 'waiting' then d.due_at end as due_at, d.ended_at,
    (select o.code from orders o where o.tenant_id = d.tenant_id and o.id = d.order_id) as order_code,
    last.at as last_attempt_at, last.status as last_status, coalesce(d.reason, last.error) as last_error,
    case when ${isParked} then
      case when r.paused_at is not null then 'paused' when r.open_until is not null then 'breakerOpen' else 'queued' end
    end as held_reason,
    case when ${isParked} and r.paused_at is null and ${breakerState()} = 'open' then r.open_until end as held_until`
  /** Each is found by key: the limits keep the planner from joining whole tables first. */
  const details = sql`
    cross join lateral (
      select c.url, c.secrets from callbacks c where c.tenant_id = d.tenant_id and c.id = d.callback_id limit 1) c
    left join lateral (
      select r.paused_at, r.open_until, r.probed_at from receivers r
      where r.tenant_id = d.tenant_id and r.origin = d.origin limit 1) r on true
    left join lateral (
      select a.at, a.status, a.error from delivery_attempts a where a.tenant_id = d.tenant_id and a.delivery_id = d.id
      order by a.seq desc limit 1) last on true`

  const [claimed, unclaimed, either] = [sql`and ${isSending}`, sql`and not ${isSending}`, sql``]
  /**
   * The stored states that a displayed state may have, once as a condition with literals, because PostgreSQL matches a
   * partial index only with literals, and whether such a delivery is claimed.
   */
  const states: Record<DeliveryState, { stored: string[]; isStored: Statement; isClaimed: Statement }> = {
    waiting: { stored: ['waiting'], isStored: sql`and d.state = 'waiting'`, isClaimed: unclaimed },
    sending: { stored: ['waiting', 'held'], isStored: sql`and d.state in ('waiting', 'held')`, isClaimed: claimed },
    held: { stored: ['held'], isStored: sql`and d.state = 'held'`, isClaimed: unclaimed },
    delivered: { stored: ['delivered'], isStored: sql`and d.state = 'delivered'`, isClaimed: either },
    failed: { stored: ['failed'], isStored: sql`and d.state = 'failed'`, isClaimed: either },
  }

  /** The tenants `t` to search; for an origin, with each stored state `s`, because its index sorts by id within a state. */
  const searched = (filter: DeliveryFilter) => {
    const { tenantId, origin, state } = filter
    return sql`
      (select id from tenants ${tenantId === undefined ? sql`` : sql`where id = ${tenantId}`}) t
      ${origin === undefined ? sql`` : sql`cross join unnest(${state ? states[state].stored : ALL_STORED}::text[]) as s (state)`}`
  }

  /** Deliveries `d` of the tenant `t`. Those of an order are few, so they are always found by the order first. */
  const source = ({ orderId, orderCode }: DeliveryFilter) => {
    if (orderId === undefined && orderCode === undefined) return sql`deliveries d where d.tenant_id = t.id`
    const order = orderId ?? sql`(select o.id from orders o where o.tenant_id = t.id and o.code = ${orderCode!})`
    return sql`(select * from deliveries d where d.tenant_id = t.id and d.order_id = ${order} offset 0) d where true`
  }

  /**
   * The deliveries of the tenant `t` that match a filter. Times become bounds on ids, which sort by time. Without an origin
   * both bounds are always given, so that the planner prefers the index sorted by id whatever its statistics.
   */
  const matchFilter = (filter: DeliveryFilter, before?: string | null) => {
    const { id, origin, state, createdFrom, createdTo } = filter
    const from = createdFrom ? idFloor('dlv', createdFrom) : FIRST_ID
    const ends = [createdTo ? idFloor('dlv', createdTo) : LAST_ID, before ?? LAST_ID]
    const to = ends[0]! < ends[1]! ? ends[0]! : ends[1]!
    return sql`
      ${source(filter)}
      ${id === undefined ? sql`` : sql`and d.id = ${id}`}
      ${origin === undefined ? sql`` : sql`and d.origin = ${origin} and d.state = s.state`}
      ${state === undefined || origin !== undefined ? sql`` : states[state].isStored}
      ${state === undefined ? sql`` : states[state].isClaimed}
      ${origin !== undefined && from === FIRST_ID ? sql`` : sql`and d.id >= ${from}`}
      ${origin !== undefined && to === LAST_ID ? sql`` : sql`and d.id < ${to}`}`
  }

  const withDeliveries = async (
    tenantId: string,
    orderId: string,
    events: { id: string; createdAt: Date }[],
  ): Promise<EventRecord[]> => {
    const deliveries = await db<Row[]>`
      select ${columns} from deliveries d ${details}
      where d.tenant_id = ${tenantId} and d.order_id = ${orderId} and d.event_id = any(${events.map(({ id }) => id)})
      order by d.id`
    return events.map(({ id, createdAt }) => ({
      id,
      createdAt,
      deliveries: deliveries.filter(({ eventId }) => eventId === id).map((row) => openRecord(keyring, row)),
    }))
  }

  return {
    /** Newest first. Reads by index as many of each tenant and state as the page could need. */
    async list(filter: DeliveryFilter, { limit, page }: PageRequest): Promise<BoundedPage<DeliveryRecord>> {
      const offset = (page - 1) * limit
      const rows = await db<(Row & { total: number; present: boolean | null })[]>`
        with picked as materialized (
          select d.* from ${searched(filter)} cross join lateral (
            select d.tenant_id, d.id from ${matchFilter(filter)}
            order by d.id desc limit ${offset + limit}) d
          order by d.id desc limit ${limit} offset ${offset})
        select counted.total, entry.*
        from (
          select count(*)::int as total from (
            select from ${searched(filter)} cross join lateral (
              select from ${matchFilter(filter)} limit ${COUNTED + 1}) d
            limit ${COUNTED + 1}) found) counted
        left join lateral (
          select true as present, ${columns}
          from picked p cross join lateral (
            select d.* from deliveries d where d.tenant_id = p.tenant_id and d.id = p.id limit 1) d
          ${details}
          order by d.id desc) entry on true`
      const total = rows[0]?.total ?? 0
      return {
        rows: rows.filter(({ present }) => present).map((row) => openRecord(keyring, row)),
        total: Math.min(total, COUNTED),
        isMore: total > COUNTED,
      }
    },

    async attempts(tenantId: string, deliveryId: string): Promise<AttemptRecord[]> {
      const rows = await db<AttemptRow[]>`
        select at, ms, status, error, answer, detail, excerpt from delivery_attempts
        where tenant_id = ${tenantId} and delivery_id = ${deliveryId} order by seq`
      return rows.map((row) => openAttempt(keyring, tenantId, deliveryId, row))
    },

    /** An order's events, newest first, with their deliveries. */
    async eventsOf(tenantId: string, orderId: string, page: PageRequest) {
      const { rows, total } = await pageOf<{ id: string; createdAt: Date }>(db, page, {
        from: sql`from events e where e.tenant_id = ${tenantId} and e.order_id = ${orderId}`,
        order: sql`e.id desc`,
        pick: sql`e.id, e.created_at`,
      })
      return { rows: await withDeliveries(tenantId, orderId, rows), total }
    },

    async eventOf(tenantId: string, orderId: string, eventId: string): Promise<EventRecord | undefined> {
      const rows = await db<{ id: string; createdAt: Date }[]>`
        select id, created_at from events where tenant_id = ${tenantId} and order_id = ${orderId} and id = ${eventId}`
      return (await withDeliveries(tenantId, orderId, rows))[0]
    },

    /**
     * Queues deliveries that have ended again, with the same bytes and a new retry schedule; newest first, starting below the
     * id `before`. Claimed deliveries are not touched.
     */
    replay: (filter: DeliveryFilter, { before, most }: { before: string | null; most: number }) => db<
      { tenantId: string; id: string; outcome: ReplayOutcome }[]
    >`
      with picked as materialized (
        select d.tenant_id, d.id,
          case when d.state not in ('delivered', 'failed') then 'waiting'
               when c.ended_at is not null then 'ended'
               when not d.has_body then 'forgotten' end as obstacle
        from (
          select d.* from ${searched(filter)} cross join lateral (
            select d.tenant_id, d.id, d.state, d.callback_id, d.body is not null as has_body
            from ${matchFilter(filter, before)}
            order by d.id desc limit ${most}) d
          order by d.id desc limit ${most}) d
        cross join lateral (
          select c.ended_at from callbacks c where c.tenant_id = d.tenant_id and c.id = d.callback_id limit 1) c),
      replayed as (
        -- Parked, so that a large replay delays no other receiver: workers claim them per receiver within a second.
        update deliveries d set state = 'held', due_at = now(), queued_at = now(), earlier_attempts = attempts,
          ended_at = null, reason = null
        from picked p
        where d.tenant_id = p.tenant_id and d.id = p.id and p.obstacle is null
          and d.state in ('delivered', 'failed') and d.body is not null
        returning d.tenant_id, d.id)
      select p.tenant_id, p.id, case when r.id is null then coalesce(p.obstacle, 'waiting') else 'replayed' end as outcome
      from picked p left join replayed r using (tenant_id, id) order by p.id desc`,

    /** Deletes a batch of attempts and bodies older than 30 days, except under a legal hold. True if there may be more. */
    async forgetOld(): Promise<boolean> {
      const attempts = await db.count`
        delete from delivery_attempts where ctid = any(array(
          select ctid from delivery_attempts a where at < now() - ${DELIVERY_RETENTION}::interval and not exists (
            select from legal_holds h join deliveries d on d.tenant_id = h.tenant_id and d.order_id = h.order_id
            where d.tenant_id = a.tenant_id and d.id = a.delivery_id)
          order by at limit ${DELETE_BATCH} for update skip locked))`
      const bodies = await db.count`
        update deliveries set body = null where ctid = any(array(
          select ctid from deliveries d where body is not null and ended_at < now() - ${DELIVERY_RETENTION}::interval and not exists (
            select from legal_holds h where h.tenant_id = d.tenant_id and h.order_id = d.order_id)
          order by ended_at limit ${DELETE_BATCH} for update skip locked))`
      return attempts === DELETE_BATCH || bodies === DELETE_BATCH
    },
  }
}

function openRecord(keyring: Keyring, { callbackId, url, secrets, ...record }: Row): DeliveryRecord {
  const { tenantId, orderId, origin } = record
  return { ...record, url: redactedAddress(keyring, { tenantId, orderId, id: callbackId, url, secrets, origin }) }
}
