import { idFloor } from '../../domain/ids.ts'
import type { Db } from '../db/db.ts'
import { sql, type Statement } from '../db/sql.ts'
import { removeEvents } from '../orders/events.ts'
import { isOnLegalHold } from './legal-holds.ts'

/** Rows deleted per statement. */
const REMOVED_AT_ONCE = 2_000

/** Records per transaction whose orders are locked while they are judged. */
export const JUDGED_AT_ONCE = 200

/** Expired records of a kind: deletable ones, and ones under a legal hold. */
export interface ExpiredCount {
  due: number
  held: number
}

export interface RemovalStep {
  removed: number
  /** Whether there may be more to delete. */
  isMore: boolean
}

export interface OrderRecord {
  id: string
  orderId: string | null
}

/** Expired records other than orders. Counting reads all of them, so it needs a transaction without a time limit. */
export const retention = (db: Db) => {
  const count = (from: Statement, held: Statement) => db.only<ExpiredCount>`
    select count(*) filter (where not ${held})::int as due, count(*) filter (where ${held})::int as held ${from}`
  const step = (removed: number): RemovalStep => ({ removed, isMore: removed === REMOVED_AT_ONCE })

  const notifications = (tenantId: string, before: Date) =>
    sql`from notifications m where m.tenant_id = ${tenantId} and m.ended_at < ${before}::timestamptz`
  /** Event ids sort by time. An event stays until all of its deliveries have ended. */
  const events = (tenantId: string, before: Date) => sql`
    from events e where e.tenant_id = ${tenantId} and e.id < ${idFloor('evt', before)} and not exists (
      select from deliveries d
      where d.tenant_id = e.tenant_id and d.order_id = e.order_id and d.event_id = e.id and d.ended_at is null)`
  const attempts = (tenantId: string, before: Date) => sql`
    from delivery_attempts a cross join lateral (
      select d.order_id from deliveries d where d.tenant_id = a.tenant_id and d.id = a.delivery_id offset 0) d
    where a.tenant_id = ${tenantId} and a.at < ${before}::timestamptz`
  const bodies = (tenantId: string, before: Date) => sql`
    from deliveries d where d.tenant_id = ${tenantId} and d.body is not null and d.ended_at < ${before}::timestamptz`

  return {
    countNotifications: (tenantId: string, before: Date) =>
      count(notifications(tenantId, before), isOnLegalHold(tenantId, sql`m.order_id`)),

    removeNotifications: async (tenantId: string, before: Date): Promise<RemovalStep> =>
      step(
        await db.count`
          with old as (
            select m.id ${notifications(tenantId, before)} and not ${isOnLegalHold(tenantId, sql`m.order_id`)}
            limit ${REMOVED_AT_ONCE} for update skip locked),
          attempts as (
            delete from notification_attempts where tenant_id = ${tenantId} and notification_id in (select id from old)),
          mailed as (delete from mailbox where notification_id in (select id from old))
          delete from notifications where tenant_id = ${tenantId} and id in (select id from old)`,
      ),

    countEvents: (tenantId: string, before: Date) =>
      count(events(tenantId, before), isOnLegalHold(tenantId, sql`e.order_id`)),

    removeEvents: async (tenantId: string, before: Date): Promise<RemovalStep> => {
      const old = await db.values`
        with old as (
          select e.id, e.order_id ${events(tenantId, before)} and not ${isOnLegalHold(tenantId, sql`e.order_id`)}
          limit ${REMOVED_AT_ONCE} for update of e skip locked),
        sent as (
          delete from deliveries d using old
          where d.tenant_id = ${tenantId} and d.order_id = old.order_id and d.event_id = old.id returning d.id),
        attempts as (
          delete from delivery_attempts where tenant_id = ${tenantId} and delivery_id in (select id from sent))
        select id from old`
      return step(await removeEvents(db, tenantId, sql`id = any(${old})`))
    },

    countAttempts: async (tenantId: string, before: Date): Promise<ExpiredCount> => {
      const held = isOnLegalHold(tenantId, sql`d.order_id`)
      const logged = await count(attempts(tenantId, before), held)
      const sent = await count(bodies(tenantId, before), held)
      return { due: logged.due + sent.due, held: logged.held + sent.held }
    },

    removeAttempts: async (tenantId: string, before: Date): Promise<RemovalStep> => {
      const free = sql`not ${isOnLegalHold(tenantId, sql`d.order_id`)}`
      const logged = step(
        await db.count`
          delete from delivery_attempts where tenant_id = ${tenantId} and (delivery_id, seq) in (
            select a.delivery_id, a.seq ${attempts(tenantId, before)} and ${free} limit ${REMOVED_AT_ONCE})`,
      )
      const sent = step(
        await db.count`
          update deliveries set body = null where tenant_id = ${tenantId} and id in (
            select d.id ${bodies(tenantId, before)} and ${free} limit ${REMOVED_AT_ONCE} for update skip locked)`,
      )
      return { removed: logged.removed + sent.removed, isMore: logged.isMore || sent.isMore }
    },

    /** Expired reports that an operator has dismissed, after an id. */
    findDismissedReports: (tenantId: string, before: Date, last: string) => db<OrderRecord[]>`
      select id, order_id from result_reports
      where tenant_id = ${tenantId} and state = 'dismissed' and settled_at < ${before}::timestamptz and id > ${last}
      order by id limit ${JUDGED_AT_ONCE}`,

    removeReports: (tenantId: string, ids: readonly string[]): Promise<number> => db.count`
      with gone as (delete from documents where tenant_id = ${tenantId} and result_id = any(${ids}))
      delete from result_reports where tenant_id = ${tenantId} and id = any(${ids}) and state = 'dismissed'`,

    /** Expired documents of reports that are not queued, after an id. */
    findDocuments: (tenantId: string, before: Date, last: string) => db<OrderRecord[]>`
      select d.id, r.order_id from documents d
      join result_reports r on r.tenant_id = d.tenant_id and r.id = d.result_id and r.state <> 'queued'
      where d.tenant_id = ${tenantId} and d.created_at < ${before}::timestamptz and d.id > ${last}
      order by d.id limit ${JUDGED_AT_ONCE}`,

    removeDocuments: (tenantId: string, ids: readonly string[]): Promise<number> =>
      db.count`delete from documents where tenant_id = ${tenantId} and id = any(${ids})`,
  }
}
