import type { Breaker } from '../../domain/webhooks/receivers.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { isClaimed, type Claim } from './workers.ts'

/** A receiver is an origin (scheme, host and port) that a tenant's callbacks use. */
export interface ReceiverId {
  tenantId: string
  origin: string
}

export interface ReceiverState extends ReceiverId {
  failures: number
  /** Whether it is paused or its breaker is open. */
  isBlocked: boolean
}

const MAX_RECEIVERS = 500

/** How long no other worker probes the receiver: longer than an attempt takes. */
const PROBE_SECONDS = 20

/** Receivers as rows of a statement. */
export const receiverTable = (receivers: ReceiverId[]) => sql`
  unnest(${receivers.map(({ tenantId }) => tenantId)}::text[], ${receivers.map(({ origin }) => origin)}::text[])`

/** For a row `r` of receivers. */
export const isBlocked = () => sql`(r.paused_at is not null or r.open_until is not null)`

/** The breaker state of a row `r` of receivers; half-open while a probe is due or in flight. */
export const breakerState = () => sql`
  case when r.open_until is null then 'closed'
       when r.open_until > now() and r.probed_at is null then 'open'
       else 'halfOpen' end`

/** Receivers with parked deliveries, of all tenants or one. A recursive index skip scan, so its cost does not grow with the number of deliveries. */
export const receiversWithParked = (tenantId?: string) => {
  const ofTenant = tenantId === undefined ? sql`` : sql`and d.tenant_id = ${tenantId}`
  return sql`
    with recursive receiver as (
      (select d.tenant_id, d.origin from deliveries d where d.state = 'held' ${ofTenant} order by d.tenant_id, d.origin limit 1)
      union all
      select next.* from receiver r cross join lateral (
        select d.tenant_id, d.origin from deliveries d
        where d.state = 'held' ${ofTenant} and (d.tenant_id, d.origin) > (r.tenant_id, r.origin)
        order by d.tenant_id, d.origin limit 1) next)
    select tenant_id, origin from receiver`
}

/** Receiver states shared by all workers. A healthy receiver has no row. */
export const receivers = (db: Db) => ({
  /** States of these receivers; healthy ones have none. */
  states: (ids: ReceiverId[]) => db<ReceiverState[]>`
    select r.tenant_id, r.origin, r.failures, ${isBlocked()} as is_blocked from receivers r
    where (r.tenant_id, r.origin) in (select * from ${receiverTable(ids)})`,

  /**
   * Receivers with parked deliveries that could get one now, blocked ones as a probe; in random order, so that none is
   * always last.
   */
  withParked: () => db<ReceiverState[]>`
    select h.tenant_id, h.origin, coalesce(r.failures, 0) as failures, r.open_until is not null as is_blocked
    from (${receiversWithParked()}) h left join receivers r on r.tenant_id = h.tenant_id and r.origin = h.origin
    where r.paused_at is null and (r.open_until is null or r.open_until <= now())
    order by random() limit ${MAX_RECEIVERS}`,

  /**
   * Reads a receiver and locks it until the transaction ends. The transaction is not synced to disk: failures lost in a
   * crash are counted again.
   */
  async lock({ tenantId, origin }: ReceiverId) {
    // Both are sent at once and run in order, so the time is read with the lock held.
    const [row, { now }] = await Promise.all([
      db.only<Breaker & { isPaused: boolean }>`
        insert into receivers as r (tenant_id, origin) values (${tenantId}, ${origin})
        on conflict (tenant_id, origin) do update set failures = r.failures
        returning failures, open_until, closed_for as break_seconds, paused_at is not null as is_paused`,
      db.only<{ now: Date }>`select clock_timestamp() as now, set_config('synchronous_commit', 'off', true)`,
    ])
    return { ...row, now }
  },

  async setBreaker({ tenantId, origin }: ReceiverId, { failures, openUntil, breakSeconds }: Breaker): Promise<void> {
    await db`
      insert into receivers as r (tenant_id, origin, failures, open_until, closed_for, opened_at)
      values (${tenantId}, ${origin}, ${failures}, ${openUntil}, ${breakSeconds}, case when ${openUntil}::timestamptz is not null then now() end)
      on conflict (tenant_id, origin) do update
        set failures = excluded.failures, open_until = excluded.open_until, closed_for = excluded.closed_for,
          opened_at = case when excluded.open_until is not null then coalesce(r.opened_at, excluded.opened_at) end,
          -- A new break means that the probe failed; failures of earlier requests leave the probe in flight.
          probed_at = case when excluded.open_until is not distinct from r.open_until then r.probed_at end`
  },

  /**
   * Clears a receiver's failures after a claimed delivery has arrived. Returns whether it is still paused; undefined if the
   * claim is no longer valid, in which case nothing changes.
   */
  async markHealthy({ tenantId, origin }: ReceiverId, claim: Claim): Promise<boolean | undefined> {
    const [row] = await db<{ isValid: boolean; isPaused: boolean }[]>`
      with valid as materialized (
        select from deliveries d
        where d.tenant_id = ${claim.tenantId} and d.id = ${claim.id} and d.claim_id = ${claim.claimId}::uuid and ${isClaimed()}),
      removed as (
        delete from receivers
        where tenant_id = ${tenantId} and origin = ${origin} and paused_at is null and exists (select from valid)),
      cleared as (
        update receivers set failures = 0, open_until = null, opened_at = null, closed_for = 0, probed_at = null
        where tenant_id = ${tenantId} and origin = ${origin} and paused_at is not null and exists (select from valid)
        returning 1)
      select exists (select from valid) as is_valid, exists (select from cleared) as is_paused`
    return row!.isValid ? row!.isPaused : undefined
  },

  /**
   * Whether this worker may probe the receiver. No other worker may until the probe must have ended, so that a probe lost
   * with its worker is followed by another.
   */
  async takeProbe({ tenantId, origin }: ReceiverId, seconds = PROBE_SECONDS): Promise<boolean> {
    const rows = await db`
      -- In whole milliseconds, because a Date carries no more and the value is compared later.
      update receivers set probed_at = now(),
        open_until = date_trunc('milliseconds', now()) + ${seconds}::float8 * interval '1 second'
      where tenant_id = ${tenantId} and origin = ${origin} and open_until <= now() and paused_at is null
      returning 1`
    return rows.length > 0
  },
})
