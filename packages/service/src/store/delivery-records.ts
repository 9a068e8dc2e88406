import type { DELIVERY_STATES } from '@order-testing/contract'
import type { Db } from './database.ts'
import type { Receiver } from './deliveries.ts'
import type { CallbackVersion } from './outbox.ts'
import { pageOf, type Page, type PageRequest } from './page.ts'

export type DeliveryState = (typeof DELIVERY_STATES)[number]

export interface DeliveryRecord {
  tenantId: string
  id: string
  eventId: string
  orderId: string
  version: CallbackVersion
  /** Without query: that may hold secrets. */
  url: string
  origin: string
  state: DeliveryState
  attempts: number
  createdAt: Date
  /** When it is due, while it waits. */
  dueAt: Date | null
  endedAt: Date | null
  lastAttemptAt: Date | null
  lastStatus: number | null
  lastError: string | null
}

export interface AttemptRecord {
  at: Date
  ms: number
  status: number | null
  error: string | null
  detail: string | null
  excerpt: string
}

export interface DeliveryFilter {
  tenantId?: string | undefined
  id?: string | undefined
  orderId?: string | undefined
  origin?: string | undefined
  state?: DeliveryState | undefined
  createdFrom?: Date | undefined
  createdTo?: Date | undefined
}

/** Attempts, and what was sent, are kept for this long. */
const KEPT = '30 days'
const FORGOTTEN_AT_ONCE = 5_000

/** Deliveries as operators and integrators look at them. */
export const deliveryRecords = (db: Db) => {
  const state = db`case when d.state = 'waiting' and d.claim_id is not null and d.due_at > now() then 'sending' else d.state end`
  const shown = db`
    d.tenant_id, d.id, d.event_id, d.order_id, d.version, split_part(split_part(c.url, '?', 1), '#', 1) as url, d.origin,
    ${state} as state, d.attempts, d.created_at, case when d.state = 'waiting' then d.due_at end as due_at, d.ended_at,
    last.at as last_attempt_at, last.status as last_status, last.error as last_error`
  const joined = db`
    join callbacks c on c.tenant_id = d.tenant_id and c.id = d.callback_id
    left join lateral (
      select a.at, a.status, a.error from delivery_attempts a where a.tenant_id = d.tenant_id and a.delivery_id = d.id
      order by a.seq desc limit 1) last on true`
  const matching = (filter: DeliveryFilter) => db`
    true
    ${filter.tenantId === undefined ? db`` : db`and d.tenant_id = ${filter.tenantId}`}
    ${filter.id === undefined ? db`` : db`and d.id = ${filter.id}`}
    ${filter.orderId === undefined ? db`` : db`and d.order_id = ${filter.orderId}`}
    ${filter.origin === undefined ? db`` : db`and d.origin = ${filter.origin}`}
    ${filter.state === undefined ? db`` : db`and ${state} = ${filter.state}`}
    ${filter.createdFrom === undefined ? db`` : db`and d.created_at >= ${filter.createdFrom}`}
    ${filter.createdTo === undefined ? db`` : db`and d.created_at < ${filter.createdTo}`}`

  return {
    /** Newest first. */
    list: (filter: DeliveryFilter, page: PageRequest): Promise<Page<DeliveryRecord>> =>
      pageOf(db, page, {
        from: db`from deliveries d where ${matching(filter)}`,
        order: db`d.id desc`,
        pick: db`d.tenant_id, d.id`,
        show: db`
          select ${shown} from deliveries d ${joined}
          where d.tenant_id = picked.tenant_id and d.id = picked.id`,
      }),

    attempts: (tenantId: string, deliveryId: string) => db<AttemptRecord[]>`
      select at, ms, status, error, detail, excerpt from delivery_attempts
      where tenant_id = ${tenantId} and delivery_id = ${deliveryId} order by seq`,

    /** An order's events, newest first, with their deliveries. */
    async eventsOf(tenantId: string, orderId: string, page: PageRequest) {
      const { rows, total } = await pageOf<{ id: string; createdAt: Date }>(db, page, {
        from: db`from events e where e.tenant_id = ${tenantId} and e.order_id = ${orderId}`,
        order: db`e.id desc`,
        pick: db`e.id, e.created_at`,
      })
      const deliveries = await db<DeliveryRecord[]>`
        select ${shown} from deliveries d ${joined}
        where d.tenant_id = ${tenantId} and d.event_id = any(${rows.map(({ id }) => id)}) order by d.id`
      const events = rows.map(({ id, createdAt }) => ({
        id,
        createdAt,
        deliveries: deliveries.filter(({ eventId }) => eventId === id),
      }))
      return { rows: events, total }
    },

    /**
     * Sends deliveries again that have ended, with the same bytes and a schedule of its own. Those whose registration
     * has ended, and those whose bytes are forgotten, stay as they are.
     */
    async replay(filter: DeliveryFilter): Promise<number> {
      const rows = await db`
        update deliveries d set state = 'waiting', due_at = now(), queued_at = now(), attempts = 0, claim_id = null, ended_at = null
        from callbacks c
        where c.tenant_id = d.tenant_id and c.id = d.callback_id and c.ended_at is null
          and d.state in ('delivered', 'failed') and d.body is not null and ${matching(filter)}
        returning d.id`
      return rows.length
    },

    receivers: (tenantId?: string) => db<
      (Receiver & { failures: number; openUntil: Date | null; pausedAt: Date | null })[]
    >`
      select tenant_id, origin, failures, open_until, paused_at from receivers
      where ${tenantId === undefined ? db`true` : db`tenant_id = ${tenantId}`} order by tenant_id, origin`,

    async pause({ tenantId, origin }: Receiver): Promise<void> {
      await db`
        insert into receivers (tenant_id, origin, paused_at) values (${tenantId}, ${origin}, now())
        on conflict (tenant_id, origin) do update set paused_at = coalesce(receivers.paused_at, now())`
    },

    /** Also ends a break that failures have brought about. False where nothing kept deliveries back. */
    async resume({ tenantId, origin }: Receiver): Promise<boolean> {
      const rows = await db`
        delete from receivers where tenant_id = ${tenantId} and origin = ${origin} returning origin`
      return rows.length > 0
    },

    /** Tenants that deliver to this origin. */
    tenantsOf: async (origin: string): Promise<string[]> => {
      const rows = await db<{ id: string }[]>`
        select t.id from tenants t where exists (select from deliveries d where d.tenant_id = t.id and d.origin = ${origin})`
      return rows.map(({ id }) => id)
    },

    /** Forgets attempts and sent bytes after a month, a batch at a time; tells whether there may be more. */
    async forgetOld(): Promise<boolean> {
      const attempts = await db`
        delete from delivery_attempts where ctid = any(array(
          select ctid from delivery_attempts where at < now() - ${KEPT}::interval limit ${FORGOTTEN_AT_ONCE})) returning 1`
      const bodies = await db`
        update deliveries set body = null where ctid = any(array(
          select ctid from deliveries
          where body is not null and ended_at < now() - ${KEPT}::interval limit ${FORGOTTEN_AT_ONCE})) returning 1`
      return attempts.length === FORGOTTEN_AT_ONCE || bodies.length === FORGOTTEN_AT_ONCE
    },
  }
}
