import type { DELIVERY_STATES, HELD_REASONS } from '@order-testing/contract'
import { idFloor } from '../../domain/ids.ts'
import { shownAddress } from './callback-sealing.ts'
import type { Db } from '../db/db.ts'
import { sql, type Statement } from '../db/sql.ts'
import { openAttempt, type AttemptRow } from './attempts.ts'
import type { AttemptRecord } from './deliveries.ts'
import { isClaimed } from './workers.ts'
import type { Keyring } from '../sealing/keyring.ts'
import type { CallbackVersion } from './outbox.ts'
import { pageOf, type BoundedPage, type PageRequest } from '../db/page.ts'
import { breakerState } from './receivers.ts'

export type DeliveryState = (typeof DELIVERY_STATES)[number]
export type HeldReason = (typeof HELD_REASONS)[number]

export interface DeliveryRecord {
  tenantId: string
  id: string
  eventId: string
  orderId: string
  version: CallbackVersion
  /** Without query: that may hold secrets. Only the origin where it cannot be read, for want of a key. */
  url: string
  origin: string
  state: DeliveryState
  /** Made since it was created, or since it was replayed. */
  attempts: number
  createdAt: Date
  /** When it is due, while it waits. */
  dueAt: Date | null
  endedAt: Date | null
  lastAttemptAt: Date | null
  lastStatus: number | null
  /** Of the last attempt; or why there is none to tell of. */
  lastError: string | null
  /** Why it is held, while it is. */
  heldReason: HeldReason | null
  /** When it may be sent, as far as that is known. */
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

export type DeliveryPage = BoundedPage<DeliveryRecord>

/** What replaying did to a delivery, or why it did nothing. */
export type ReplayOutcome = 'replayed' | 'waiting' | 'ended' | 'forgotten'

/** A record before its callback is opened. */
type Row = Omit<DeliveryRecord, 'url'> & { callbackId: string; url: string | null; secrets: Buffer }

/** Of a month's deliveries there are too many to count them all for a page. */
export const COUNTED = 100_000

/** Attempts, and what was sent, are kept for this long. */
const KEPT = '30 days'
const FORGOTTEN_AT_ONCE = 5_000

/** The stored states of what is shown to be in a state. */
const STORED: Record<DeliveryState, readonly string[]> = {
  waiting: ['waiting'],
  sending: ['waiting', 'held'],
  held: ['held'],
  delivered: ['delivered'],
  failed: ['failed'],
}
const ALL_STORED = ['waiting', 'held', 'delivered', 'failed']

/** Below and above every id. */
const [FIRST_ID, LAST_ID] = ['', '~']

/** Deliveries as operators and integrators look at them. */
export const deliveryRecords = (db: Db, keyring: Keyring) => {
  const isSending = isClaimed()
  const isHeld = sql`(d.state = 'held' and not ${isSending})`
  /** Of a delivery `d` and what `details` finds for it. */
  const shown = sql`
    d.tenant_id, d.id, d.event_id, d.order_id, d.version, d.callback_id, c.url, c.secrets, d.origin,
    case when d.state in ('waiting', 'held') and ${isSending} then 'sending' else d.state end as state, d.attempts, d.created_at,
    case when d.state = 'waiting' then d.due_at end as due_at, d.ended_at,
    last.at as last_attempt_at, last.status as last_status, coalesce(d.reason, last.error) as last_error,
    case when ${isHeld} then
      case when r.paused_at is not null then 'paused' when r.open_until is not null then 'breakerOpen' else 'queued' end
    end as held_reason,
    case when ${isHeld} and r.paused_at is null and ${breakerState()} = 'open' then r.open_until end as held_until`
  /** Each found by its key: the limits keep the planner from joining whole tables first. */
  const details = sql`
    cross join lateral (
      select c.url, c.secrets from callbacks c where c.tenant_id = d.tenant_id and c.id = d.callback_id limit 1) c
    left join lateral (
      select r.paused_at, r.open_until, r.probed_at from receivers r
      where r.tenant_id = d.tenant_id and r.origin = d.origin limit 1) r on true
    left join lateral (
      select a.at, a.status, a.error from delivery_attempts a where a.tenant_id = d.tenant_id and a.delivery_id = d.id
      order by a.seq desc limit 1) last on true`

  const sendingOrNot: Record<DeliveryState, Statement> = {
    waiting: sql`and not ${isSending}`,
    sending: sql`and ${isSending}`,
    held: sql`and not ${isSending}`,
    delivered: sql``,
    failed: sql``,
  }
  /** Written out, not as parameters: only then can PostgreSQL tell that a partial index has them. */
  const inState: Record<DeliveryState, Statement> = {
    waiting: sql`and d.state = 'waiting' ${sendingOrNot.waiting}`,
    sending: sql`and d.state in ('waiting', 'held') ${sendingOrNot.sending}`,
    held: sql`and d.state = 'held' ${sendingOrNot.held}`,
    delivered: sql`and d.state = 'delivered'`,
    failed: sql`and d.state = 'failed'`,
  }

  /** The tenants `t` to search; for an origin, with each stored state `s`, because its index sorts by id within a state. */
  const searched = (filter: DeliveryFilter) => {
    const { tenantId, origin, state } = filter
    return sql`
      (select id from tenants ${tenantId === undefined ? sql`` : sql`where id = ${tenantId}`}) t
      ${origin === undefined ? sql`` : sql`cross join unnest(${state ? STORED[state] : ALL_STORED}::text[]) as s (state)`}`
  }

  /** Deliveries `d` of the tenant `t`; those of an order are few, and found by it whatever else is asked for. */
  const source = ({ orderId, orderCode }: DeliveryFilter) => {
    if (orderId === undefined && orderCode === undefined) return sql`deliveries d where d.tenant_id = t.id`
    const order = orderId ?? sql`(select o.id from orders o where o.tenant_id = t.id and o.code = ${orderCode!})`
    return sql`(select * from deliveries d where d.tenant_id = t.id and d.order_id = ${order} offset 0) d where true`
  }

  /**
   * What a filter finds in the tenant `t`. Times are places among ids, which sort by time. Without an origin both bounds
   * are always given: the index that is sorted by id then looks best to the planner, whatever it believes of the table.
   */
  const matching = (filter: DeliveryFilter, before?: string | null) => {
    const { id, origin, state, createdFrom, createdTo } = filter
    const from = createdFrom ? idFloor('dlv', createdFrom) : FIRST_ID
    const ends = [createdTo ? idFloor('dlv', createdTo) : LAST_ID, before ?? LAST_ID]
    const to = ends[0]! < ends[1]! ? ends[0]! : ends[1]!
    return sql`
      ${source(filter)}
      ${id === undefined ? sql`` : sql`and d.id = ${id}`}
      ${origin === undefined ? sql`` : sql`and d.origin = ${origin} and d.state = s.state`}
      ${state === undefined ? sql`` : origin === undefined ? inState[state] : sendingOrNot[state]}
      ${origin !== undefined && from === FIRST_ID ? sql`` : sql`and d.id >= ${from}`}
      ${origin !== undefined && to === LAST_ID ? sql`` : sql`and d.id < ${to}`}`
  }

  return {
    /** Newest first: as many of each tenant and state as the page could need, found by index. */
    async list(filter: DeliveryFilter, { limit, page }: PageRequest): Promise<DeliveryPage> {
      const offset = (page - 1) * limit
      const rows = await db<(Row & { total: number; present: boolean | null })[]>`
        with picked as materialized (
          select d.* from ${searched(filter)} cross join lateral (
            select d.tenant_id, d.id from ${matching(filter)}
            order by d.id desc limit ${offset + limit}) d
          order by d.id desc limit ${limit} offset ${offset})
        select counted.total, entry.*
        from (
          select count(*)::int as total from (
            select from ${searched(filter)} cross join lateral (
              select from ${matching(filter)} limit ${COUNTED + 1}) d
            limit ${COUNTED + 1}) found) counted
        left join lateral (
          select true as present, ${shown}
          from picked p cross join lateral (
            select d.* from deliveries d where d.tenant_id = p.tenant_id and d.id = p.id limit 1) d
          ${details}
          order by d.id desc) entry on true`
      const total = rows[0]?.total ?? 0
      return {
        rows: rows.filter(({ present }) => present).map((row) => recordOf(keyring, row)),
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
      const deliveries = await db<Row[]>`
        select ${shown} from deliveries d ${details}
        where d.tenant_id = ${tenantId} and d.order_id = ${orderId} and d.event_id = any(${rows.map(({ id }) => id)})
        order by d.id`
      const events = rows.map(({ id, createdAt }) => ({
        id,
        createdAt,
        deliveries: deliveries.filter(({ eventId }) => eventId === id).map((row) => recordOf(keyring, row)),
      }))
      return { rows: events, total }
    },

    /**
     * Sends deliveries again that have ended, with the same bytes and on a schedule of their own; newest first, from
     * below an id. No claim is touched: what is on its way stays with the worker that has it.
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
            from ${matching(filter, before)}
            order by d.id desc limit ${most}) d
          order by d.id desc limit ${most}) d
        cross join lateral (
          select c.ended_at from callbacks c where c.tenant_id = d.tenant_id and c.id = d.callback_id limit 1) c),
      replayed as (
        -- Held, so that many of them stand in nobody's way: workers take them up by receiver within a second.
        update deliveries d set state = 'held', due_at = now(), queued_at = now(), attempts = 0, ended_at = null, reason = null
        from picked p
        where d.tenant_id = p.tenant_id and d.id = p.id and p.obstacle is null
          and d.state in ('delivered', 'failed') and d.body is not null
        returning d.tenant_id, d.id)
      select p.tenant_id, p.id, case when r.id is null then coalesce(p.obstacle, 'waiting') else 'replayed' end as outcome
      from picked p left join replayed r using (tenant_id, id) order by p.id desc`,

    /** Tenants that have deliveries to this origin, or have paused it. */
    async tenantsOf(origin: string): Promise<string[]> {
      const rows = await db<{ id: string }[]>`
        select t.id from tenants t
        where exists (select from deliveries d where d.tenant_id = t.id and d.origin = ${origin})
          or exists (select from receivers r where r.tenant_id = t.id and r.origin = ${origin})
        order by t.id`
      return rows.map(({ id }) => id)
    },

    /** Forgets attempts and sent bytes after a month, except those under a legal hold; tells whether there may be more. */
    async forgetOld(): Promise<boolean> {
      const attempts = await db.count`
        delete from delivery_attempts where ctid = any(array(
          select ctid from delivery_attempts a where at < now() - ${KEPT}::interval and not exists (
            select from legal_holds h join deliveries d on d.tenant_id = h.tenant_id and d.order_id = h.order_id
            where d.tenant_id = a.tenant_id and d.id = a.delivery_id)
          order by at limit ${FORGOTTEN_AT_ONCE} for update skip locked))`
      const bodies = await db.count`
        update deliveries set body = null where ctid = any(array(
          select ctid from deliveries d where body is not null and ended_at < now() - ${KEPT}::interval and not exists (
            select from legal_holds h where h.tenant_id = d.tenant_id and h.order_id = d.order_id)
          order by ended_at limit ${FORGOTTEN_AT_ONCE} for update skip locked))`
      return attempts === FORGOTTEN_AT_ONCE || bodies === FORGOTTEN_AT_ONCE
    },
  }
}

function recordOf(keyring: Keyring, { callbackId, url, secrets, ...record }: Row): DeliveryRecord {
  const { tenantId, orderId, origin } = record
  return { ...record, url: shownAddress(keyring, { tenantId, orderId, id: callbackId, url, secrets, origin }) }
}
