import type { Db } from '../db/db.ts'

/** What tells that something has changed, and the counts that the console shows everywhere. */
export interface Pulse {
  /** Changes whenever a task is found, claimed, snoozed, finished or ended. */
  tasks: string
  open: number
  overdue: number
  /** Result reports that wait for an operator. */
  results: number
  /** Receivers whose breaker is open. */
  receivers: number
  /** Grows with every change of an order, of any tenant. */
  orders: string
}

export const pulse = (db: Db) => ({
  read: (tenantId: string) => db.only<Pulse>`
    select
      (select coalesce(md5(string_agg(concat(id, claimed_by, snoozed_until, done_at, due_at), ',' order by id)), '')
        from tasks where tenant_id = ${tenantId} and ended_at is null) as tasks,
      (select count(*)::int from tasks where tenant_id = ${tenantId} and ended_at is null and done_at is null
        and (snoozed_until is null or snoozed_until <= now())) as open,
      (select count(*)::int from tasks where tenant_id = ${tenantId} and ended_at is null and done_at is null
        and (snoozed_until is null or snoozed_until <= now()) and due_at < now()) as overdue,
      (select count(*)::int from (
        select from result_reports where tenant_id = ${tenantId} and state = 'queued' limit 1000) queued) as results,
      (select count(*)::int from receivers where tenant_id = ${tenantId} and open_until is not null) as receivers,
      (select coalesce(pg_sequence_last_value(pg_get_serial_sequence('order_changes', 'seq')), 0)::text) as orders`,
})
