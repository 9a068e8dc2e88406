import { givenRows } from '../db/arrays.ts'
import type { Db } from '../db/db.ts'
import type { HalfHour } from '../../domain/webhooks/activity.ts'
import type { ReceiverId } from './receivers.ts'

/** Attempts to a receiver in one half hour. */
export interface ReceiverActivity extends ReceiverId, HalfHour {
  attemptedAt: Date
  deliveredAt: Date | null
  sentV1At: Date | null
}

const CONTACTS_KEPT = '30 days'
const HALF_HOURS_KEPT = '2 days'
const DELETE_BATCH = 5_000
/** What answer times are read from, for each state of deliveries, and for each of these. */
const [NEWEST_DELIVERIES, NEWEST_ATTEMPTS] = [100, 20]

/** What became of the attempts to each receiver, for operators. */
export const receiverActivity = (db: Db) => ({
  /** Adds to what is on record. Rows are written in a fixed order, so that workers do not block each other. */
  async add(activity: ReceiverActivity[]): Promise<void> {
    const given = givenRows(activity, {
      text: ['tenantId', 'origin'],
      timestamptz: ['beganAt', 'attemptedAt', 'deliveredAt', 'sentV1At'],
      int: ['delivered', 'failed'],
    })
    // Not synced to disk: a few seconds of counts lost in a crash change nothing that matters.
    await db`
      with given as materialized (select given.*, set_config('synchronous_commit', 'off', true) from ${given}),
      contacts as (
        insert into receiver_contacts as c (tenant_id, origin, attempted_at, delivered_at, sent_v1_at)
        select tenant_id, origin, max(attempted_at), max(delivered_at), max(sent_v1_at) from given
        group by 1, 2 order by 1, 2
        on conflict (tenant_id, origin) do update set
          attempted_at = greatest(c.attempted_at, excluded.attempted_at),
          delivered_at = greatest(c.delivered_at, excluded.delivered_at),
          sent_v1_at = greatest(c.sent_v1_at, excluded.sent_v1_at))
      insert into receiver_half_hours as h (tenant_id, origin, began_at, delivered, failed)
      select tenant_id, origin, began_at, delivered, failed from given order by 1, 2, 3
      on conflict (tenant_id, origin, began_at) do update
        set delivered = h.delivered + excluded.delivered, failed = h.failed + excluded.failed`
  },

  /** The half hours of these receivers of a tenant since a time. */
  since: (tenantId: string, origins: string[], from: Date) => db<(HalfHour & { origin: string })[]>`
    select origin, began_at, delivered, failed from receiver_half_hours
    where tenant_id = ${tenantId} and origin = any(${origins}) and began_at >= ${from}`,

  /**
   * The time that 95 % of the attempts since a time took at most, by origin. Looks at the newest deliveries of each state only,
   * so that its cost does not grow with their number.
   */
  async answerTimes(tenantId: string, origins: string[], from: Date): Promise<ReadonlyMap<string, number>> {
    const rows = await db<{ origin: string; ms: number }[]>`
      select o.origin, percentile_disc(0.95) within group (order by a.ms) as ms
      from unnest(${origins}::text[]) o (origin)
      cross join (values ('waiting'), ('held'), ('delivered'), ('failed')) s (state)
      cross join lateral (
        select d.id from deliveries d where d.tenant_id = ${tenantId} and d.origin = o.origin and d.state = s.state
        order by d.id desc limit ${NEWEST_DELIVERIES}) d
      cross join lateral (
        select ms from delivery_attempts where tenant_id = ${tenantId} and delivery_id = d.id and at >= ${from}
        order by seq desc limit ${NEWEST_ATTEMPTS}) a
      group by o.origin`
    return new Map(rows.map(({ origin, ms }) => [origin, ms]))
  },

  /** Deletes a batch of what is too old to be shown. True if there may be more. */
  async forgetOld(): Promise<boolean> {
    const halfHours = await db.count`
      delete from receiver_half_hours where ctid = any(array(
        select ctid from receiver_half_hours where began_at < now() - ${HALF_HOURS_KEPT}::interval
        order by began_at limit ${DELETE_BATCH} for update skip locked))`
    const contacts = await db.count`
      delete from receiver_contacts where ctid = any(array(
        select ctid from receiver_contacts where attempted_at < now() - ${CONTACTS_KEPT}::interval
        order by attempted_at limit ${DELETE_BATCH} for update skip locked))`
    return halfHours === DELETE_BATCH || contacts === DELETE_BATCH
  },
})
