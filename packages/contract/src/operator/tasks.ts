import { z } from 'zod'
import { filter } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import * as examples from '../openapi/operator-examples.ts'
import { FlagText, instant, Path, Timestamp } from '../primitives.ts'
import { idOf, listOf, readOf } from '../resource-endpoints.ts'
import { ResultSender } from './results.ts'

export const TASK_REASONS = [
  'helpAsked',
  'declined',
  'linkNotOpened',
  'expiring',
  'notificationFailed',
  'resultUnmatched',
  'clinicOff',
  'receiverFailing',
  'stuck',
] as const

export const TASK_ACTORS = [
  'operator',
  'participant',
  'collector',
  'clinic',
  'courier',
  'laboratory',
  'reviewer',
  'receiver',
] as const

export const TASK_STATES = ['open', 'mine', 'snoozed', 'done'] as const

const TaskOrder = z
  .object({
    id: z.string(),
    code: z.string(),
    status: z.string(),
    company: z.string(),
    location: z.string(),
    package: z.string(),
    participant: z
      .string()
      .nullable()
      .describe('First name and last initial, for callers with `operator.participants.read`.'),
    expiresAt: Timestamp.nullable(),
    timezone: z.string().describe('The zone in which times of the order are shown.'),
    url: Path,
  })
  .meta({ id: 'TaskOrder' })

const TaskResult = z
  .object({
    id: z.string(),
    messageId: z.string().describe('Id that the sender gave the message.'),
    sender: ResultSender,
    orderCode: z.string().nullable().describe('The order that the message names.'),
    specimenId: z.string().nullable().describe('The specimen that the message names.'),
    url: Path,
  })
  .meta({ id: 'TaskResult' })

const Task = z
  .object({
    id: z.string(),
    object: z.literal('task'),
    reason: z
      .enum(TASK_REASONS)
      .describe(
        '`helpAsked`: somebody found no clinic or time. `declined`: a participant does not agree. `linkNotOpened`: nobody has opened the link for 48 hours. ' +
          '`expiring`: the order expires within 24 hours. `notificationFailed`: an e-mail or text message did not arrive. `resultUnmatched`: a result report ' +
          'waits for an operator. `clinicOff`: the booked clinic is no longer active. `receiverFailing`: a webhook receiver fails. `stuck`: a test stays longer ' +
          'than usual where it is.',
      ),
    actor: z.enum(TASK_ACTORS).describe('Who must act.'),
    subjectId: z.string().describe('The order, the result report, or the origin of the receiver.'),
    details: z
      .record(z.string(), z.union([z.string(), z.number(), z.null()]))
      .describe(
        'Facts of the reason, without personal data, such as `status`, `since` and `usualSeconds` of a stuck test.',
      ),
    foundAt: Timestamp,
    dueAt: Timestamp,
    claimedBy: z
      .object({ id: z.string(), name: z.string().nullable(), isMe: z.boolean() })
      .nullable()
      .describe('The person or token that works on it.'),
    snoozedUntil: Timestamp.nullable(),
    doneAt: Timestamp.nullable(),
    order: TaskOrder.nullable(),
    result: TaskResult.nullable().describe('The message that waits, if the reason is `resultUnmatched`.'),
    url: Path,
  })
  .meta({
    id: 'Task',
    description:
      'Something that needs an operator. It is found by the service, and ends by itself when its reason is gone.',
  })

export type Task = z.infer<typeof Task>

const tasks = { path: '/api/operator/v1/tasks', tag: 'Tasks', one: 'task', many: 'tasks' }

export const listTasks = listOf(tasks, {
  scope: 'operator.orders.read',
  summary: 'List tasks, the one that is due first at the top.',
  description:
    'What needs an operator now. Tasks whose reason is gone are not listed. `done` lists what was finished and still has its reason.',
  filters: {
    state: z
      .enum(TASK_STATES)
      .optional()
      .describe('`open` (the default): neither snoozed nor done. `mine`: open and claimed by the caller.'),
    reason: z.enum(TASK_REASONS).optional().describe('Tasks with this reason.'),
    orderId: filter('Tasks about this order.'),
  },
  item: Task,
  example: examples.task,
  exampleQuery: { state: 'open' },
})

export const readTask = readOf(tasks, { scope: 'operator.orders.read', reply: Task, example: examples.task })

const Counts = z.object({
  helpAsked: z.int(),
  declined: z.int(),
  linkNotOpened: z.int(),
  expiring: z.int(),
  notificationFailed: z.int(),
  resultUnmatched: z.int(),
  clinicOff: z.int(),
  receiverFailing: z.int(),
  stuck: z.int(),
} satisfies Record<(typeof TASK_REASONS)[number], z.ZodType>)

const TaskCounts = z
  .object({
    object: z.literal('taskCounts'),
    open: z.int(),
    overdue: z.int(),
    mine: z.int(),
    snoozed: z.int(),
    done: z.int(),
    reasons: Counts.describe('Open tasks by reason.'),
  })
  .meta({ id: 'TaskCounts' })

export type TaskCounts = z.infer<typeof TaskCounts>

export const countTasks = endpoint({
  method: 'GET',
  scope: 'operator.orders.read',
  tag: 'Tasks',
  path: `${tasks.path}/counts`,
  summary: 'Count tasks by state and reason.',
  replies: { 200: 'The counts.' },
  reply: TaskCounts,
  example: { reply: examples.taskCounts },
})

const change = {
  scope: ['operator.orders.write', 'operator.tasks.write'],
  tag: 'Tasks',
  params: idOf(tasks),
  replies: { 200: 'The task, changed.' },
  reply: Task,
} as const
const example = { params: { id: examples.task.id }, reply: examples.task }

export const claimTask = endpoint({
  ...change,
  method: 'PUT',
  path: `${tasks.path}/{id}/claim`,
  summary: 'Claim a task.',
  description:
    'Others see who works on it. A task that somebody else has claimed is refused, unless `takeOver` is true.',
  body: z.strictObject({ takeOver: z.boolean().optional() }).optional(),
  refusals: [422],
  example: { ...example, body: { takeOver: false } },
})

export const releaseTask = endpoint({
  ...change,
  method: 'DELETE',
  path: `${tasks.path}/{id}/claim`,
  summary: 'Release a claimed task.',
  description: 'A task that somebody else has claimed is refused, unless `takeOver` is true.',
  query: z.strictObject({
    takeOver: FlagText.optional().describe('Release it although somebody else has claimed it.'),
  }),
  refusals: [422],
  example: { ...example, query: { takeOver: 'false' } },
})

export const snoozeTask = endpoint({
  ...change,
  method: 'PUT',
  path: `${tasks.path}/{id}/snooze`,
  summary: 'Hide a task until a time.',
  description:
    '`until` a time, or for some `hours`, at most 30 days ahead. Without either, or with `until: null`, it is shown again.',
  body: z.strictObject({
    until: instant().nullable().optional().describe('When it is shown again.'),
    hours: z.int().min(1).max(720).optional().describe('The same as a number of hours from now.'),
  }),
  refusals: [422],
  example: { ...example, body: { hours: 4 } },
})

export const finishTask = endpoint({
  ...change,
  method: 'PUT',
  path: `${tasks.path}/{id}/done`,
  summary: 'Finish a task.',
  description: 'It is found again only after its reason was gone in between.',
  example,
})

export const reopenTask = endpoint({
  ...change,
  method: 'DELETE',
  path: `${tasks.path}/{id}/done`,
  summary: 'Reopen a finished task.',
  example,
})
