import type { DELIVERY_STATES } from '@order-testing/contract'
import { idFloor } from '../domain/ids.ts'
import type { Db } from './db/pool.ts'
import { sql, type Statement } from './db/sql.ts'
import { openAttempt, type AttemptRow } from './delivery-attempts.ts'
import type { AttemptRecord } from './deliveries.ts'
import type { Keyring } from './keyring.ts'
import { openCallback, type CallbackVersion } from './outbox.ts'
import { pageOf, type Page, type PageRequest } from './page.ts'
import type { Receiver } from './receivers.ts'

export type DeliveryState = (typeof DELIVERY_STATES)[number]

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

export interface DeliveryPage extends Page<DeliveryRecord> {
  /** Whether there are more than the total says: it is counted no further than `COUNTED`. */
  isMore: boolean
}

/** What replaying did to a delivery, or why it did nothing. */
export type ReplayOutcome = 'replayed' | 'waiting' | 'ended' | 'forgotten'

/** A receiver that is paused or in trouble. */
export interface TroubledReceiver extends Receiver {
  failures: number
  openUntil: Date | null
  pausedAt: Date | null
  /** Deliveries that are kept back for it. */
  held: number
}

/** A record before its callback is opened. */
type Row = Omit<DeliveryRecord, 'url'> & { callbackId: string; url: string | null; secrets: Buffer }

/** Of a month's deliveries there are too many to count them all for a page. */
export const COUNTED = 100_000

/** Attempts, and what was sent, are kept for this long. */
const KEPT = '30 days'
const FORGOTTEN_AT_ONCE = 5_000

/** Deliveries as operators and integrators look at them. */
export const deliveryRecords = (db: Db, keyring: Keyring) => {
  const isSending = sql`(d.claim_id is not null and d.claimed_until > now())`
  const shown = sql`
    d.tenant_id, d.id, d.event_id, d.order_id, d.version, d.callback_id, c.url, c.secrets, d.origin,
    case when d.state in ('waiting', 'held') and ${isSending} then 'sending' else d.state end as state, d.attempts, d.created_at,
    case when d.state = 'waiting' then d.due_at end as due_at, d.ended_at,
    last.at as last_attempt_at, last.status as last_status, coalesce(d.reason, last.error) as last_error`
  const joined = sql`
    join callbacks c on c.tenant_id = d.tenant_id and c.id = d.callback_id
    left join lateral (
      select a.at, a.status, a.error from delivery_attempts a where a.tenant_id = d.tenant_id and a.delivery_id = d.id
      order by a.seq desc limit 1) last on true`
  /** Written out, not as parameters: only so are they seen to be what an index is about. */
  const inState: Record<DeliveryState, Statement> = {
    waiting: sql`and d.state = 'waiting' and not ${isSending}`,
    sending: sql`and d.state in ('waiting', 'held') and ${isSending}`,
    held: sql`and d.state = 'held' and not ${isSending}`,
    delivered: sql`and d.state = 'delivered'`,
    failed: sql`and d.state = 'failed'`,
  }
  const tenants = ({ tenantId }: DeliveryFilter) => sql`
    (select id from tenants where ${tenantId === undefined ? sql`true` : sql`id = ${tenantId}`}) t`
  /** Deliveries of the tenant `t`: every index begins with it. Ids sort by time, so times are places among ids. */
  const matching = (filter: DeliveryFilter) => sql`
    d.tenant_id = t.id
    ${filter.id === undefined ? sql`` : sql`and d.id = ${filter.id}`}
    ${filter.orderId === undefined ? sql`` : sql`and d.order_id = ${filter.orderId}`}
    ${
      filter.orderCode === undefined
        ? sql``
        : sql`and d.order_id = (select o.id from orders o where o.tenant_id = t.id and o.code = ${filter.orderCode})`
    }
    ${filter.origin === undefined ? sql`` : sql`and d.origin = ${filter.origin}`}
    ${filter.state === undefined ? sql`` : inState[filter.state]}
    ${filter.createdFrom === undefined ? sql`` : sql`and d.id >= ${idFloor('dlv', filter.createdFrom)}`}
    ${filter.createdTo === undefined ? sql`` : sql`and d.id < ${idFloor('dlv', filter.createdTo)}`}`

  const isTroubled = sql`(r.failures > 0 or r.paused_at is not null)`
  const heldFor = sql`
    (select count(*)::int from deliveries d
     where d.state = 'held' and d.tenant_id = r.tenant_id and d.origin = r.origin)`

  return {
    /** Newest first: as many of each tenant as the page could need, found by index. */
    async list(filter: DeliveryFilter, { limit, page }: PageRequest): Promise<DeliveryPage> {
      const offset = (page - 1) * limit
      const rows = await db<(Row & { total: number; present: boolean | null })[]>`
        with picked as materialized (
          select d.* from ${tenants(filter)} cross join lateral (
            select d.tenant_id, d.id from deliveries d where ${matching(filter)}
            order by d.id desc limit ${offset + limit}) d
          order by d.id desc limit ${limit} offset ${offset})
        select counted.total, entry.*
        from (
          select count(*)::int as total from (
            select from ${tenants(filter)} cross join lateral (
              select from deliveries d where ${matching(filter)} limit ${COUNTED + 1}) d
            limit ${COUNTED + 1}) found) counted
        left join lateral (
          select true as present, ${shown} from picked join deliveries d using (tenant_id, id) ${joined}
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
        select ${shown} from deliveries d ${joined}
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
      { id: string; outcome: ReplayOutcome }[]
    >`
      with picked as materialized (
        select d.tenant_id, d.id,
          case when d.state not in ('delivered', 'failed') then 'waiting'
               when c.ended_at is not null then 'ended'
               when d.body is null then 'forgotten' end as obstacle
        from ${tenants(filter)} cross join lateral (
          select d.* from deliveries d where ${matching(filter)} ${before === null ? sql`` : sql`and d.id < ${before}`}
          order by d.id desc limit ${most}) d
        join callbacks c on c.tenant_id = d.tenant_id and c.id = d.callback_id
        order by d.id desc limit ${most}),
      replayed as (
        -- Held, so that many of them stand in nobody's way: workers take them up by receiver within a second.
        update deliveries d set state = 'held', due_at = now(), queued_at = now(), attempts = 0, ended_at = null, reason = null
        from picked p
        where d.tenant_id = p.tenant_id and d.id = p.id and p.obstacle is null
          and d.state in ('delivered', 'failed') and d.body is not null
        returning d.tenant_id, d.id)
      select p.id, case when r.id is null then coalesce(p.obstacle, 'waiting') else 'replayed' end as outcome
      from picked p left join replayed r using (tenant_id, id) order by p.id desc`,

    receivers: (tenantId?: string) => db<TroubledReceiver[]>`
      select r.tenant_id, r.origin, r.failures, r.open_until, r.paused_at, ${heldFor} as held
      from receivers r
      where ${isTroubled} ${tenantId === undefined ? sql`` : sql`and r.tenant_id = ${tenantId}`}
      order by r.tenant_id, r.origin`,

    receiverPage: (tenantId: string, page: PageRequest): Promise<Page<TroubledReceiver>> =>
      pageOf<TroubledReceiver>(db, page, {
        from: sql`from receivers r where ${isTroubled} and r.tenant_id = ${tenantId}`,
        order: sql`r.origin`,
        pick: sql`r.tenant_id, r.origin, r.failures, r.open_until, r.paused_at`,
        show: sql`select r.*, ${heldFor} as held from (select picked.*) r`,
      }),

    /** Whatever there is to say of an origin, also where nothing is wrong with it. */
    async receiver({ tenantId, origin }: Receiver): Promise<TroubledReceiver> {
      const [row] = await db<TroubledReceiver[]>`
        select r.tenant_id, r.origin, coalesce(t.failures, 0) as failures, t.open_until, t.paused_at, ${heldFor} as held
        from (select ${tenantId}::text as tenant_id, ${origin}::text as origin) r
        left join receivers t using (tenant_id, origin)`
      return row!
    },

    /** False where it was paused before. */
    async pause({ tenantId, origin }: Receiver): Promise<boolean> {
      const rows = await db`
        insert into receivers (tenant_id, origin, paused_at) values (${tenantId}, ${origin}, now())
        on conflict (tenant_id, origin) do update set paused_at = now() where receivers.paused_at is null
        returning origin`
      return rows.length > 0
    },

    /** Also ends a break that failures have brought about. False where nothing kept deliveries back. */
    async resume({ tenantId, origin }: Receiver): Promise<boolean> {
      const rows = await db`
        delete from receivers where tenant_id = ${tenantId} and origin = ${origin}
        returning paused_at is not null or open_until is not null as was_kept_back`
      return rows.some(({ wasKeptBack }) => wasKeptBack)
    },

    /** Tenants that have deliveries to this origin, or have paused it. */
    async tenantsOf(origin: string): Promise<string[]> {
      const rows = await db<{ id: string }[]>`
        select t.id from tenants t
        where exists (select from deliveries d where d.tenant_id = t.id and d.origin = ${origin})
          or exists (select from receivers r where r.tenant_id = t.id and r.origin = ${origin})
        order by t.id`
      return rows.map(({ id }) => id)
    },

    /** Forgets attempts and sent bytes after a month, a batch at a time; tells whether there may be more. */
    async forgetOld(): Promise<boolean> {
      const attempts = await db.count`
        delete from delivery_attempts where ctid = any(array(
          select ctid from delivery_attempts where at < now() - ${KEPT}::interval
          limit ${FORGOTTEN_AT_ONCE} for update skip locked))`
      const bodies = await db.count`
        update deliveries set body = null where ctid = any(array(
          select ctid from deliveries where body is not null and ended_at < now() - ${KEPT}::interval
          limit ${FORGOTTEN_AT_ONCE} for update skip locked))`
      return attempts === FORGOTTEN_AT_ONCE || bodies === FORGOTTEN_AT_ONCE
    },
  }
}

function recordOf(keyring: Keyring, { callbackId, url: plain, secrets, ...record }: Row): DeliveryRecord {
  const { tenantId, orderId, origin } = record
  try {
    const { url } = openCallback(keyring, { tenantId, orderId, id: callbackId, url: plain, secrets })
    return { ...record, url: url.replace(/[?#].*$/s, '') }
  } catch {
    return { ...record, url: origin }
  }
}
