import type { BREAKER_STATES } from '@order-testing/contract/operator'
import type { Db } from '../db/db.ts'
import { sql, type Statement } from '../db/sql.ts'
import { COUNTED } from './records.ts'
import { pageOf, type Page, type PageRequest } from '../db/page.ts'
import { breakerState, receiversWithHeld, type Receiver } from './receivers.ts'

export type BreakerState = (typeof BREAKER_STATES)[number]

/** A receiver as operators see it. */
export interface ReceiverRecord extends Receiver {
  state: BreakerState
  failures: number
  /** When the breaker lets a probe through, while it is open. */
  openUntil: Date | null
  pausedAt: Date | null
  /** Deliveries that are due and kept back for it. */
  held: number
  /** Deliveries that are due, or will be at a set time. */
  waiting: number
  /** Since when the oldest of all these has been on its way. */
  oldestAt: Date | null
}

export interface ReceiverFilter {
  tenantId?: string | undefined
  withHeld?: boolean | undefined
}

/** How many of a receiver's deliveries are looked at to find the oldest: ids do not tell when one was replayed. */
const OLDEST_AMONG = 100

/** Receivers as operators look at them. */
export const receiverRecords = (db: Db) => {
  const countOf = (state: Statement) => sql`
    (select count(*)::int from (
      select from deliveries d where d.tenant_id = k.tenant_id and d.origin = k.origin and d.state = ${state}
      limit ${COUNTED}) counted)`
  const oldestOf = (state: Statement, order: Statement) => sql`
    (select d.queued_at from deliveries d where d.tenant_id = k.tenant_id and d.origin = k.origin and d.state = ${state}
     order by ${order} limit ${OLDEST_AMONG})`
  /** Everything about the receivers `k`. */
  const shown = sql`
    select k.tenant_id, k.origin, ${breakerState()} as state, coalesce(r.failures, 0) as failures, r.paused_at,
      case when ${breakerState()} = 'open' then r.open_until end as open_until,
      ${countOf(sql`'held'`)} as held, ${countOf(sql`'waiting'`)} as waiting,
      (select min(queued_at) from (${oldestOf(sql`'held'`, sql`d.due_at`)} union all ${oldestOf(sql`'waiting'`, sql`d.id`)}) queued) as oldest_at`

  return {
    /** Receivers that are paused or failing and, if asked for, those with deliveries held. */
    page: ({ tenantId, withHeld = false }: ReceiverFilter, page: PageRequest): Promise<Page<ReceiverRecord>> =>
      pageOf<ReceiverRecord>(db, page, {
        found: sql`
          select r.tenant_id, r.origin from receivers r
          where (r.failures > 0 or r.paused_at is not null) ${tenantId === undefined ? sql`` : sql`and r.tenant_id = ${tenantId}`}
          ${withHeld ? sql`union (${receiversWithHeld(tenantId)})` : sql``}`,
        from: sql`from found`,
        order: sql`tenant_id, origin`,
        pick: sql`tenant_id, origin`,
        show: sql`
          ${shown} from (select picked.*) k
          left join receivers r on r.tenant_id = k.tenant_id and r.origin = k.origin`,
      }),

    /** One receiver, also if nothing is wrong with it. */
    async read({ tenantId, origin }: Receiver): Promise<ReceiverRecord> {
      const [row] = await db<ReceiverRecord[]>`
        ${shown} from (select ${tenantId}::text as tenant_id, ${origin}::text as origin) k
        left join receivers r on r.tenant_id = k.tenant_id and r.origin = k.origin`
      return row!
    },

    /** False if it was paused before. */
    async pause({ tenantId, origin }: Receiver): Promise<boolean> {
      const rows = await db`
        insert into receivers (tenant_id, origin, paused_at) values (${tenantId}, ${origin}, now())
        on conflict (tenant_id, origin) do update set paused_at = now() where receivers.paused_at is null
        returning origin`
      return rows.length > 0
    },

    /** Also closes an open breaker. False if nothing kept deliveries back. */
    async resume({ tenantId, origin }: Receiver): Promise<boolean> {
      const rows = await db`
        delete from receivers where tenant_id = ${tenantId} and origin = ${origin}
        returning paused_at is not null or open_until is not null as was_kept_back`
      return rows.some(({ wasKeptBack }) => wasKeptBack)
    },
  }
}
