import type { Health } from '../../domain/webhooks/receivers.ts'
import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import { isClaimed, type Claim } from './workers.ts'

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

/** How long others keep off a receiver that is being probed: longer than an attempt takes. */
const PROBE_SECONDS = 20

/** Receivers as rows of a statement. */
export const receiverTable = (receivers: Receiver[]) => sql`
  unnest(${receivers.map(({ tenantId }) => tenantId)}::text[], ${receivers.map(({ origin }) => origin)}::text[])`

/** Of a row `r` of receivers. */
export const isBlocked = () => sql`(r.paused_at is not null or r.open_until is not null)`

/** The state of the breaker of a row `r` of receivers; half-open while a probe is due or under way. */
export const breakerState = () => sql`
  case when r.open_until is null then 'closed'
       when r.open_until > now() and r.probed_at is null then 'open'
       else 'halfOpen' end`

/** Receivers of all tenants, or of one, that have deliveries held: found by jumping from one to the next, however many each has. */
export const receiversWithHeld = (tenantId?: string) => {
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

/** How receivers do, for all workers to see. One that is well has no row. */
export const receivers = (db: Db) => ({
  /** How these receivers do; one that is well has no state. */
  states: (all: Receiver[]) => db<ReceiverState[]>`
    select r.tenant_id, r.origin, r.failures, ${isBlocked()} as is_blocked from receivers r
    where (r.tenant_id, r.origin) in (select * from ${receiverTable(all)})`,

  /**
   * Receivers that have deliveries held and could get one now, the blocked ones as a probe; in random order, so that
   * none is always last.
   */
  withHeld: () => db<ReceiverState[]>`
    select h.tenant_id, h.origin, coalesce(r.failures, 0) as failures, r.open_until is not null as is_blocked
    from (${receiversWithHeld()}) h left join receivers r on r.tenant_id = h.tenant_id and r.origin = h.origin
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
      insert into receivers as r (tenant_id, origin, failures, open_until, closed_for)
      values (${tenantId}, ${origin}, ${failures}, ${openUntil}, ${closedFor})
      on conflict (tenant_id, origin) do update
        set failures = excluded.failures, open_until = excluded.open_until, closed_for = excluded.closed_for,
          -- A new break means that the probe has failed; failures of earlier requests do not end it.
          probed_at = case when excluded.open_until is not distinct from r.open_until then r.probed_at end`
  },

  /**
   * Forgets all failures of a receiver, because a claimed delivery has arrived. Returns whether it is paused all the
   * same; undefined if the claim no longer holds, and nothing was changed.
   */
  async setWell({ tenantId, origin }: Receiver, claim: Claim): Promise<boolean | undefined> {
    const [row] = await db<{ isHeld: boolean; isPaused: boolean }[]>`
      with held as materialized (
        select from deliveries d
        where d.tenant_id = ${claim.tenantId} and d.id = ${claim.id} and d.claim_id = ${claim.claimId}::uuid and ${isClaimed()}),
      removed as (
        delete from receivers
        where tenant_id = ${tenantId} and origin = ${origin} and paused_at is null and exists (select from held)),
      cleared as (
        update receivers set failures = 0, open_until = null, closed_for = 0, probed_at = null
        where tenant_id = ${tenantId} and origin = ${origin} and paused_at is not null and exists (select from held)
        returning 1)
      select exists (select from held) as is_held, exists (select from cleared) as is_paused`
    return row!.isHeld ? row!.isPaused : undefined
  },

  /**
   * Whether this worker may send the one request that shows if a receiver is back. Others keep off until it has ended
   * for certain, so that a probe which died with its worker is followed by another.
   */
  async takeProbe({ tenantId, origin }: Receiver, seconds = PROBE_SECONDS): Promise<boolean> {
    const rows = await db`
      -- In whole milliseconds, so that it is found unchanged when it comes back from here.
      update receivers set probed_at = now(),
        open_until = date_trunc('milliseconds', now()) + ${seconds}::float8 * interval '1 second'
      where tenant_id = ${tenantId} and origin = ${origin} and open_until <= now() and paused_at is null
      returning 1`
    return rows.length > 0
  },
})
