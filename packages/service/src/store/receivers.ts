import type { Health } from '../domain/receivers.ts'
import type { Db } from './db/pool.ts'
import { sql } from './db/sql.ts'

/** Scheme, host and port of a callback, with one tenant. */
export interface Receiver {
  tenantId: string
  origin: string
}

export interface ReceiverState extends Receiver {
  failures: number
  /** Whether it is paused, or its breaker open. */
  isBlocked: boolean
}

const LOOKED_UP_AT_ONCE = 500

/** Receivers as rows of a statement. */
export const receiverTable = (receivers: Receiver[]) => sql`
  unnest(${receivers.map(({ tenantId }) => tenantId)}::text[], ${receivers.map(({ origin }) => origin)}::text[])`

/** Of a row `r` of receivers. */
export const isBlocked = () => sql`(r.paused_at is not null or r.open_until is not null)`

/** How receivers do, for all workers to see. One that is well has no row. */
export const receivers = (db: Db) => ({
  /** How these receivers do; one that is well has no state. */
  states: (all: Receiver[]) => db<ReceiverState[]>`
    select r.tenant_id, r.origin, r.failures, ${isBlocked()} as is_blocked from receivers r
    where (r.tenant_id, r.origin) in (select * from ${receiverTable(all)})`,

  /**
   * Receivers that have deliveries held and could get one now, the blocked ones as a probe. They are found by jumping
   * from one to the next, however many each has, and told in no order, so that none is always last.
   */
  withHeld: () => db<ReceiverState[]>`
    with recursive receiver as (
      (select tenant_id, origin from deliveries where state = 'held' order by tenant_id, origin limit 1)
      union all
      select next.* from receiver r cross join lateral (
        select d.tenant_id, d.origin from deliveries d
        where d.state = 'held' and (d.tenant_id, d.origin) > (r.tenant_id, r.origin)
        order by d.tenant_id, d.origin limit 1) next)
    select h.tenant_id, h.origin, coalesce(r.failures, 0) as failures, r.open_until is not null as is_blocked
    from receiver h left join receivers r on r.tenant_id = h.tenant_id and r.origin = h.origin
    where r.paused_at is null and (r.open_until is null or r.open_until <= now())
    order by random() limit ${LOOKED_UP_AT_ONCE}`,

  /**
   * How a receiver does, by the database's clock; nobody else can change it until the transaction ends, which does not wait
   * for the disk: failures that a crash undoes are counted again.
   */
  async lock({ tenantId, origin }: Receiver): Promise<Health & { isPaused: boolean; now: Date }> {
    const [row] = await db<(Health & { isPaused: boolean; now: Date })[]>`
      insert into receivers as r (tenant_id, origin) values (${tenantId}, ${origin})
      on conflict (tenant_id, origin) do update set failures = r.failures
      returning failures, open_until, closed_for, paused_at is not null as is_paused, clock_timestamp() as now,
        set_config('synchronous_commit', 'off', true)`
    return row!
  },

  async setHealth({ tenantId, origin }: Receiver, { failures, openUntil, closedFor }: Health): Promise<void> {
    await db`
      insert into receivers (tenant_id, origin, failures, open_until, closed_for)
      values (${tenantId}, ${origin}, ${failures}, ${openUntil}, ${closedFor})
      on conflict (tenant_id, origin) do update
        set failures = excluded.failures, open_until = excluded.open_until, closed_for = excluded.closed_for`
  },

  /** Forgets all failures of a receiver; tells whether it is paused all the same. */
  async setWell({ tenantId, origin }: Receiver): Promise<boolean> {
    const rows = await db`
      with well as (delete from receivers where tenant_id = ${tenantId} and origin = ${origin} and paused_at is null)
      update receivers set failures = 0, open_until = null, closed_for = 0
      where tenant_id = ${tenantId} and origin = ${origin} and paused_at is not null returning 1`
    return rows.length > 0
  },

  /**
   * Whether this worker may send the one request that shows if a receiver is back: others are kept off for the length
   * of a lease, so that a probe which died with its worker is followed by another.
   */
  async takeProbe({ tenantId, origin }: Receiver, leaseSeconds: number): Promise<boolean> {
    const rows = await db`
      update receivers set open_until = now() + ${leaseSeconds}::float8 * interval '1 second'
      where tenant_id = ${tenantId} and origin = ${origin} and open_until <= now() and paused_at is null
      returning 1`
    return rows.length > 0
  },
})
