import type { Db } from '../db/db.ts'
import { sql } from '../db/sql.ts'
import type { ClaimedNotification } from './notifications.ts'

/** How many notifications one statement postpones. */
const MAX_POSTPONED = 5_000

const TODAY = sql`(now() at time zone 'UTC')::date`
const TOMORROW = sql`((${TODAY} + 1)::timestamp at time zone 'UTC')`

/** How many addresses the orders created with a token write to per day (UTC). The last notification may exceed the quota. */
export const notificationQuota = (db: Db) => ({
  /** Counts a claimed notification before it is sent; false if its token has used up the quota. */
  async take(
    { tenantId, id, tokenId, claimId }: ClaimedNotification,
    { addresses, quota }: { addresses: number; quota: number },
  ): Promise<boolean> {
    const count = await db.count`
      with counted as (
        insert into notification_counts as c (tenant_id, token_id, day, sent) values (${tenantId}, ${tokenId}, ${TODAY}, ${addresses}::int)
        on conflict (tenant_id, token_id, day) do update set sent = c.sent + excluded.sent where c.sent < ${quota}
        returning c.sent)
      update notifications m set is_released = true from counted
      where m.tenant_id = ${tenantId} and m.id = ${id} and m.claim_id = ${claimId}`
    return count > 0
  },

  /**
   * Postpones a claimed notification until tomorrow, along with all others of its token that are due, so that they are not
   * claimed one by one. False if the claim was lost.
   */
  async postpone({ tenantId, id, claimId }: ClaimedNotification): Promise<boolean> {
    const count = await db.count`
      with own as (
        update notifications set state = 'waiting', reason = 'quota', due_at = ${TOMORROW}, claim_id = null, lease_until = null,
          attempts = attempts - 1, tries = tries - 1
        where tenant_id = ${tenantId} and id = ${id} and claim_id = ${claimId} returning tenant_id, id, token_id),
      due as materialized (
        select m.tenant_id, m.id from own join notifications m on m.tenant_id = own.tenant_id and m.token_id = own.token_id
        where m.state = 'waiting' and m.channel in ('email', 'mobile') and m.due_at <= now() and not m.is_released
        limit ${MAX_POSTPONED} for update of m skip locked),
      others as (
        update notifications m set reason = 'quota', due_at = ${TOMORROW} from due
        where m.tenant_id = due.tenant_id and m.id = due.id)
      select from own`
    return count > 0
  },

  /** Deletes a batch of old counts; true if there may be more. */
  async forgetOld(): Promise<boolean> {
    const count = await db.count`
      delete from notification_counts where ctid = any(array(
        select ctid from notification_counts where day < ${TODAY} - 7 limit 500 for update skip locked))`
    return count === 500
  },
})
