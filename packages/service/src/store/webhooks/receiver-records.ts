import type { BREAKER_STATES } from '@order-testing/contract/operator'
import type { Db } from '../db/db.ts'
import { COUNTED, pageOf, type Page, type PageRequest } from '../db/page.ts'
import { sql, type Statement } from '../db/sql.ts'
import { breakerState, receiversWithParked, type ReceiverId } from './receivers.ts'

/** A receiver, for operators. */
export interface ReceiverRecord extends ReceiverId {
  state: (typeof BREAKER_STATES)[number]
  failures: number
  /** Since when the breaker has been open. */
  openedAt: Date | null
  /** When an open breaker lets a probe through. */
  openUntil: Date | null
  pausedAt: Date | null
  lastAttemptAt: Date | null
  lastDeliveredAt: Date | null
  usesV1: boolean
  /** Parked deliveries. */
  held: number
  /** Deliveries that are due now or later. */
  waiting: number
  /** When the oldest of these was queued. */
  oldestAt: Date | null
}

/** Deliveries of a receiver searched for the oldest: replayed ones are not in order of their ids. */
const OLDEST_AMONG = 100

/** For a row `a` of receiver_contacts, which are deleted a while after their 30 days. */
const usesV1 = sql`a.sent_v1_at > now() - interval '30 days'`

export interface ReceiverSelection {
  /** Only this one, even if it is healthy. */
  origin?: string | undefined
  withParked: boolean
  withRecent: boolean
  onlyV1: boolean
}

function findReceivers(tenantId: string, { origin, withParked, withRecent, onlyV1 }: ReceiverSelection): Statement {
  if (origin !== undefined) return sql`select ${tenantId}::text as tenant_id, ${origin}::text as origin`
  const contacts = sql`union select a.tenant_id, a.origin from receiver_contacts a where a.tenant_id = ${tenantId}`
  return sql`
    select r.tenant_id, r.origin from receivers r
    where (r.failures > 0 or r.paused_at is not null) and r.tenant_id = ${tenantId}
    ${withParked ? sql`union (${receiversWithParked(tenantId)})` : sql``}
    ${withRecent || onlyV1 ? contacts : sql``}`
}

export const receiverRecords = (db: Db) => {
  const countOf = (state: Statement) => sql`
    (select count(*)::int from (
      select from deliveries d where d.tenant_id = k.tenant_id and d.origin = k.origin and d.state = ${state}
      limit ${COUNTED}) counted)`
  const oldestOf = (state: Statement, order: Statement) => sql`
    (select d.queued_at from deliveries d where d.tenant_id = k.tenant_id and d.origin = k.origin and d.state = ${state}
     order by ${order} limit ${OLDEST_AMONG})`
  /** The records of the receivers `k`. */
  const records = sql`
    select k.tenant_id, k.origin, ${breakerState()} as state, coalesce(r.failures, 0) as failures, r.paused_at, r.opened_at,
      a.attempted_at as last_attempt_at, a.delivered_at as last_delivered_at, coalesce(${usesV1}, false) as uses_v1,
      case when ${breakerState()} = 'open' then r.open_until end as open_until,
      ${countOf(sql`'held'`)} as held, ${countOf(sql`'waiting'`)} as waiting,
      (select min(queued_at) from (${oldestOf(sql`'held'`, sql`d.due_at`)} union all ${oldestOf(sql`'waiting'`, sql`d.id`)}) queued) as oldest_at`

  /** The shared state `r` and the record of attempts `a` of a receiver `k`. */
  const joined = sql`
    left join receivers r on r.tenant_id = k.tenant_id and r.origin = k.origin
    left join receiver_contacts a on a.tenant_id = k.tenant_id and a.origin = k.origin`

  return {
    /** Lists receivers that are paused or failing and, on request, those with parked deliveries or with any attempts. */
    page: (tenantId: string, selection: ReceiverSelection, page: PageRequest): Promise<Page<ReceiverRecord>> =>
      pageOf<ReceiverRecord>(db, page, {
        found: findReceivers(tenantId, selection),
        from: selection.onlyV1
          ? sql`from found join receiver_contacts a using (tenant_id, origin) where ${usesV1}`
          : sql`from found`,
        order: sql`tenant_id, origin`,
        pick: sql`tenant_id, origin`,
        show: sql`${records} from (select picked.*) k ${joined}`,
      }),

    /** Reads one receiver, even if it is healthy. */
    async read({ tenantId, origin }: ReceiverId): Promise<ReceiverRecord> {
      const [row] = await db<ReceiverRecord[]>`
        ${records} from (select ${tenantId}::text as tenant_id, ${origin}::text as origin) k ${joined}`
      return row!
    },

    /** Whether there are deliveries to it, or it is failing or paused. */
    async isKnown({ tenantId, origin }: ReceiverId): Promise<boolean> {
      const [row] = await db<{ isKnown: boolean }[]>`
        select exists (select from deliveries where tenant_id = ${tenantId} and origin = ${origin})
          or exists (select from receivers where tenant_id = ${tenantId} and origin = ${origin}) as is_known`
      return row!.isKnown
    },

    async pause({ tenantId, origin }: ReceiverId): Promise<void> {
      await db`
        insert into receivers (tenant_id, origin, paused_at) values (${tenantId}, ${origin}, now())
        on conflict (tenant_id, origin) do update set paused_at = now() where receivers.paused_at is null`
    },

    /** Ends the wait of an open breaker, so that a worker probes the receiver at once. */
    async probe({ tenantId, origin }: ReceiverId): Promise<void> {
      await db`
        update receivers set open_until = date_trunc('milliseconds', now())
        where tenant_id = ${tenantId} and origin = ${origin} and open_until > now() and probed_at is null and paused_at is null`
    },

    /** Also closes an open breaker. */
    async resume({ tenantId, origin }: ReceiverId): Promise<void> {
      await db`delete from receivers where tenant_id = ${tenantId} and origin = ${origin}`
    },
  }
}
