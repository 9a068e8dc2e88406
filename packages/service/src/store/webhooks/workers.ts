import type { Db } from '../db/db.ts'
import { sql, type Statement } from '../db/sql.ts'

/** A delivery that a worker has claimed. */
export interface Claim {
  tenantId: string
  id: string
  claimId: string
}

/** Whether the claim of a row `d` of deliveries is valid: until its own lease ends, or its worker's. */
export const isClaimed = (): Statement => sql`(
  d.claim_id is not null and d.claimed_until > now()
  and (d.claimed_by is null or d.claimed_by = any (${aliveWorkers()})))`

/**
 * The opposite, for rows that may have no claim. A statement that began before a worker cannot see that worker's lease, but
 * sees its claims when it locks their rows: those are not free.
 */
export const isFree = (leaseSeconds: number): Statement => sql`(
  d.claimed_until is null or d.claimed_until <= now()
  or d.claimed_by <> all (${aliveWorkers()}) and d.claimed_until < now() + ${leaseSeconds}::float8 * interval '1 second')`

/** Whether a worker may claim: a claim made after its lease would be free at once, even for itself. */
export const mayClaim = (workerId: string | null): Statement =>
  workerId === null ? sql`true` : sql`${workerId}::uuid = any (${aliveWorkers()})`

/** An array, so that it is evaluated once per statement and not once per row. */
const aliveWorkers = () => sql`array(select w.id from delivery_workers w where w.alive_until > now())`

/** Delivery workers, each with a lease that it renews, by the database's clock. */
export const deliveryWorkers = (db: Db) => ({
  /** Begins a lease, and removes the one it replaces and those that have ended. */
  async begin(id: string, { seconds, replaces }: { seconds: number; replaces: string | null }): Promise<void> {
    await db`
      with removed as (delete from delivery_workers where id = ${replaces}::uuid or alive_until <= now())
      insert into delivery_workers (id, alive_until)
      select ${id}::uuid, now() + ${seconds}::float8 * interval '1 second'
      from (select set_config('synchronous_commit', 'off', true)) unsynced`
  },

  /** False if the lease had already ended: other workers may have the claims. */
  async renew(id: string, seconds: number): Promise<boolean> {
    const renewed = await db.count`
      update delivery_workers set alive_until = now() + ${seconds}::float8 * interval '1 second'
      from (select set_config('synchronous_commit', 'off', true)) unsynced
      where id = ${id}::uuid and alive_until > now()`
    return renewed > 0
  },

  /** Frees the worker's remaining claims. */
  async end(id: string): Promise<void> {
    await db`delete from delivery_workers where id = ${id}::uuid`
  },

  /** Counts the claims that are still valid. */
  async countValid(claims: readonly Claim[]): Promise<number> {
    const [row] = await db<{ count: number }[]>`
      select count(*)::int as count
      from unnest(${claims.map(({ tenantId }) => tenantId)}::text[], ${claims.map(({ id }) => id)}::text[],
        ${claims.map(({ claimId }) => claimId)}::uuid[]) as c (tenant_id, id, claim_id)
      cross join lateral (
        select from deliveries d
        where d.tenant_id = c.tenant_id and d.id = c.id and d.claim_id = c.claim_id and ${isClaimed()}
        offset 0) valid`
    return row!.count
  },
})
