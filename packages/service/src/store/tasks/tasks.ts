import type { FoundTask, TaskActor, TaskReason } from '../../domain/tasks/reasons.ts'
import { givenRows } from '../db/arrays.ts'
import type { Db } from '../db/db.ts'
import { pageOf, type Filter, type Page, type PageRequest } from '../db/page.ts'
import { andEqual, sql, type Statement } from '../db/sql.ts'

export interface TaskRow {
  tenantId: string
  id: string
  reason: TaskReason
  subjectId: string
  orderId: string | null
  actor: TaskActor
  details: FoundTask['details']
  foundAt: Date
  dueAt: Date
  claimedBy: string | null
  snoozedUntil: Date | null
  doneAt: Date | null
  doneBy: string | null
}

export type TaskState = 'open' | 'mine' | 'snoozed' | 'done'

export interface TaskTally {
  reason: TaskReason
  open: number
  overdue: number
  mine: number
  snoozed: number
  done: number
}

/** What operators change. */
export type TaskChange = Partial<Pick<TaskRow, 'claimedBy' | 'snoozedUntil' | 'doneAt' | 'doneBy'>>

type TaskFilter = PageRequest & { state: TaskState; caller: string } & Filter<'reason' | 'orderId'>

const COLUMNS = sql`
  tenant_id, id, reason, subject_id, order_id, actor, details, found_at, due_at, claimed_by, snoozed_until, done_at, done_by`

/** What needs an operator. */
export const tasks = (db: Db) => ({
  /**
   * Makes the tasks of a reason agree with what was found: adds new ones, updates those whose facts have changed, and ends
   * the others. Returns whether anything changed.
   */
  async reconcile(
    tenantId: string,
    reason: TaskReason,
    { found, ids, now }: { found: FoundTask[]; ids: string[]; now: Date },
  ): Promise<boolean> {
    const rows = found.map((task, i) => ({ ...task, id: ids[i]!, details: JSON.stringify(task.details) }))
    const columns = { text: ['id', 'subjectId', 'orderId', 'actor', 'details'], timestamptz: ['dueAt'] } as const
    const changed = await db.values`
      with given as materialized (
        select * from ${givenRows(rows, { text: [...columns.text], timestamptz: [...columns.timestamptz] })}),
      ended as (
        update tasks t set ended_at = ${now}
        where t.tenant_id = ${tenantId} and t.reason = ${reason} and t.ended_at is null
          and not exists (select from given where given.subject_id = t.subject_id)
        returning t.id),
      written as (
        insert into tasks (tenant_id, id, reason, subject_id, order_id, actor, details, found_at, due_at)
        select ${tenantId}, id, ${reason}, subject_id, order_id, actor, details::jsonb, ${now}, due_at from given
        on conflict (tenant_id, reason, subject_id) where ended_at is null
        do update set actor = excluded.actor, details = excluded.details, due_at = excluded.due_at, done_at = null, done_by = null
        where tasks.details <> excluded.details
        returning tasks.id)
      select id from ended union all select id from written`
    return changed.length > 0
  },

  page: (tenantId: string, { state, caller, reason, orderId, ...page }: TaskFilter): Promise<Page<TaskRow>> =>
    pageOf<TaskRow>(db, page, {
      from: sql`
        from tasks where tenant_id = ${tenantId} and ended_at is null and ${inState(state, caller)} ${andEqual({ reason, orderId })}`,
      order: state === 'done' ? sql`done_at desc, id` : sql`due_at, id`,
      pick: sql`id`,
      show: sql`select ${COLUMNS} from tasks where tenant_id = ${tenantId} and id = picked.id`,
    }),

  tally: (tenantId: string, caller: string) => db<TaskTally[]>`
    select reason,
      count(*) filter (where ${inState('open', caller)})::int as open,
      count(*) filter (where ${inState('open', caller)} and due_at < now())::int as overdue,
      count(*) filter (where ${inState('mine', caller)})::int as mine,
      count(*) filter (where ${inState('snoozed', caller)})::int as snoozed,
      count(*) filter (where ${inState('done', caller)})::int as done
    from tasks where tenant_id = ${tenantId} and ended_at is null group by reason`,

  find: (tenantId: string, id: string) =>
    db.first<TaskRow>`select ${COLUMNS} from tasks where tenant_id = ${tenantId} and id = ${id} and ended_at is null`,

  /** Locks the task, so that two operators cannot both claim it. */
  lock: (tenantId: string, id: string) => db.first<TaskRow>`
    select ${COLUMNS} from tasks where tenant_id = ${tenantId} and id = ${id} and ended_at is null for update`,

  async change(
    { tenantId, id }: TaskRow,
    { claimedBy, snoozedUntil, doneAt, doneBy }: Required<TaskChange>,
  ): Promise<void> {
    await db`
      update tasks set claimed_by = ${claimedBy}, snoozed_until = ${snoozedUntil}, done_at = ${doneAt}, done_by = ${doneBy}
      where tenant_id = ${tenantId} and id = ${id}`
  },

  /** Deletes a batch of tasks that ended more than 30 days ago. True if there may be more. */
  async forgetOld(): Promise<boolean> {
    const count = await db.count`
      delete from tasks where (tenant_id, id) in (
        select tenant_id, id from tasks where ended_at < now() - interval '30 days' order by ended_at limit 500)`
    return count === 500
  },

  /** True for one worker at a time, until its transaction ends. */
  async isTurn(): Promise<boolean> {
    const [isTurn] = await db.values`select pg_try_advisory_xact_lock(hashtext('order testing service tasks'))::text`
    return isTurn === 'true'
  },
})

const isShown = () => sql`done_at is null and (snoozed_until is null or snoozed_until <= now())`

const STATES: Record<TaskState, (caller: string) => Statement> = {
  open: isShown,
  mine: (caller) => sql`${isShown()} and claimed_by = ${caller}`,
  snoozed: () => sql`done_at is null and snoozed_until > now()`,
  done: () => sql`done_at is not null`,
}

const inState = (state: TaskState, caller: string) => STATES[state](caller)
