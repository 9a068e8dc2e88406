import type * as contract from '@order-testing/contract/operator'
import { canReadParticipant } from '../../domain/access/caller.ts'
import { shortName } from '../../domain/masks.ts'
import type { Order } from '../../domain/orders/order.ts'
import { orNotFound, refuse } from '../../domain/refusal.ts'
import { HOUR_MS } from '../../domain/tasks/reasons.ts'
import { TASK_REASONS } from '@order-testing/contract/operator'
import type { FullResultRow } from '../../store/results/results.ts'
import type { Transaction } from '../../store/store.ts'
import type { TaskChange, TaskRow } from '../../store/tasks/tasks.ts'
import { auditEntry } from '../audit/audit.ts'
import { ok, type Context, type Operation } from '../operation.ts'
import { findZone } from '../orders/zones.ts'
import { referencesIn } from '../results/references.ts'
import { findSenderNames, presentSender, type SenderNames } from '../results/sender-names.ts'

export const listTasks: Operation<typeof contract.listTasks> = ({ query }, context) =>
  context.store.snapshot(async (tx) => {
    const { tenantId, tokenId } = context.caller
    const { state = 'open', ...rest } = query
    const { rows, total } = await tx.tasks.page(tenantId, { ...rest, state, caller: tokenId })
    const results = await readResults(rows, tx, tenantId)
    const data = await Promise.all(rows.map((row) => present(row, tx, context, results)))
    return ok({ data, limit: query.limit, page: query.page, total })
  })

export const readTask: Operation<typeof contract.readTask> = ({ params }, context) =>
  context.store.snapshot(async (tx) =>
    ok(await present(orNotFound(await tx.tasks.find(context.caller.tenantId, params.id)), tx, context)),
  )

export const countTasks: Operation<typeof contract.countTasks> = async (_input, { caller, store }) => {
  const tally = await store.tasks.tally(caller.tenantId, caller.tokenId)
  const sum = (state: 'open' | 'overdue' | 'mine' | 'snoozed' | 'done') =>
    tally.reduce((all, each) => all + each[state], 0)
  const countOf = (reason: string) => tally.find((each) => each.reason === reason)?.open ?? 0
  const reasons = Object.fromEntries(TASK_REASONS.map((reason) => [reason, countOf(reason)]))
  return ok({
    object: 'taskCounts',
    open: sum('open'),
    overdue: sum('overdue'),
    mine: sum('mine'),
    snoozed: sum('snoozed'),
    done: sum('done'),
    reasons: reasons as contract.TaskCounts['reasons'],
  })
}

export const claimTask: Operation<typeof contract.claimTask> = ({ params, body }, context) =>
  changeTask(params.id, 'task.claim', context, (task) => {
    if (isOfAnother(task, context) && body?.takeOver !== true)
      throw refuse('invalidState', 'Somebody else works on this task. Send `takeOver` to claim it all the same.')
    return { claimedBy: context.caller.tokenId }
  })

export const releaseTask: Operation<typeof contract.releaseTask> = ({ params, query }, context) =>
  changeTask(params.id, 'task.release', context, (task) => {
    if (isOfAnother(task, context) && query.takeOver !== true)
      throw refuse('invalidState', 'Somebody else works on this task. Send `takeOver=true` to release it all the same.')
    return { claimedBy: null }
  })

const isOfAnother = ({ claimedBy }: TaskRow, { caller }: Context) => claimedBy !== null && claimedBy !== caller.tokenId

const LONGEST_SNOOZE_MS = 30 * 24 * HOUR_MS

export const snoozeTask: Operation<typeof contract.snoozeTask> = ({ params, body }, context) =>
  changeTask(params.id, 'task.snooze', context, () => {
    const now = context.now().getTime()
    const until = body.until ? new Date(body.until) : body.hours ? new Date(now + body.hours * HOUR_MS) : null
    if (until && (until.getTime() <= now || until.getTime() > now + LONGEST_SNOOZE_MS))
      throw refuse('invalidValue', 'Expected a time within the next 30 days.', '/until')
    return { snoozedUntil: until }
  })

export const finishTask: Operation<typeof contract.finishTask> = ({ params }, context) =>
  changeTask(params.id, 'task.done', context, ({ doneAt, doneBy }) =>
    doneAt ? { doneAt, doneBy } : { doneAt: context.now(), doneBy: context.caller.tokenId },
  )

export const reopenTask: Operation<typeof contract.reopenTask> = ({ params }, context) =>
  changeTask(params.id, 'task.reopen', context, () => ({ doneAt: null, doneBy: null }))

function changeTask(id: string, action: string, context: Context, change: (task: TaskRow) => TaskChange) {
  return context.store.transaction(async (tx) => {
    const before = orNotFound(await tx.tasks.lock(context.caller.tenantId, id))
    const after = { ...before, ...change(before) }
    if (isSame(before, after)) return ok(await present(after, tx, context))
    await tx.tasks.change(before, after)
    const { reason, orderId } = before
    const subject = orderId === null ? { type: 'task', id } : { type: 'order', id: orderId }
    const states = { before: stateOf(before), after: { taskId: id, reason, ...stateOf(after) } }
    await tx.audit.append([auditEntry({ action, subject, ...states }, context)])
    return ok(await present(after, tx, context))
  })
}

const stateOf = ({ claimedBy, snoozedUntil, doneAt }: TaskRow) => ({
  claimedBy,
  snoozedUntil: snoozedUntil?.toISOString() ?? null,
  doneAt: doneAt?.toISOString() ?? null,
})

const isSame = (a: TaskRow, b: TaskRow) => JSON.stringify(stateOf(a)) === JSON.stringify(stateOf(b))

type TaskResults = ReadonlyMap<string, NonNullable<contract.Task['result']>>

/** The reports that tasks are about, by id. They are read with the tasks, because a specimen is stored only encrypted. */
async function readResults(rows: TaskRow[], tx: Transaction, tenantId: string): Promise<TaskResults> {
  const ids = rows.filter(({ reason }) => reason === 'resultUnmatched').map(({ subjectId }) => subjectId)
  const reports = await tx.results.readAll(tenantId, ids)
  const names = await findSenderNames(reports.values(), tx, tenantId)
  return new Map([...reports].map(([id, report]) => [id, presentResult(report, names)]))
}

function presentResult(row: FullResultRow, names: SenderNames): NonNullable<contract.Task['result']> {
  return {
    id: row.id,
    messageId: row.messageId,
    sender: presentSender(row, names),
    ...referencesIn(row.content),
    url: `/api/operator/v1/results/${row.id}`,
  }
}

async function present(row: TaskRow, tx: Transaction, context: Context, known?: TaskResults): Promise<contract.Task> {
  const { tenantId } = context.caller
  const results = known ?? (await readResults([row], tx, tenantId))
  const order = row.orderId === null ? undefined : await tx.orders.find(tenantId, row.orderId)
  return {
    id: row.id,
    object: 'task',
    reason: row.reason,
    actor: row.actor,
    subjectId: row.subjectId,
    details: row.details,
    foundAt: row.foundAt.toISOString(),
    dueAt: row.dueAt.toISOString(),
    claimedBy: row.claimedBy === null ? null : await presentClaim(row.claimedBy, tx, context),
    snoozedUntil: row.snoozedUntil?.toISOString() ?? null,
    doneAt: row.doneAt?.toISOString() ?? null,
    result: results.get(row.subjectId) ?? null,
    order: order ? presentOrder(order, await findZone(order, { tx, tenantId }), context) : null,
    url: `/api/operator/v1/tasks/${row.id}`,
  }
}

async function presentClaim(id: string, tx: Transaction, { caller }: Context): Promise<contract.Task['claimedBy']> {
  const name = (await tx.users.namesOf(caller.tenantId, [id])).get(id) ?? null
  return { id, name, isMe: id === caller.tokenId }
}

function presentOrder(order: Order, timezone: string, { caller }: Context): contract.Task['order'] {
  return {
    id: order.id,
    code: order.code,
    status: order.status,
    company: order.company.name,
    location: order.location.name,
    package: order.packages.map(({ name }) => name).join(', '),
    participant: canReadParticipant(caller) ? shortName(order.participant) : null,
    expiresAt: order.expiresAt?.toISOString() ?? null,
    timezone,
    url: `/api/operator/v1/orders/${order.id}`,
  }
}
