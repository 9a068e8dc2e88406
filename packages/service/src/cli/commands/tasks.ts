import { Option, type Command } from 'commander'
import { TASK_REASONS, TASK_STATES, type Task } from '@order-testing/contract/operator'
import { Api, withService, type ApiOptions } from '../api.ts'
import { withExamples } from '../help.ts'
import { withPaging, type PageOptions } from '../option-values.ts'
import { dim } from '../output/colors.ts'
import { show } from '../output/print.ts'
import { escapeControls, pageTable, type Found } from '../output/table.ts'

interface ListOptions extends ApiOptions, PageOptions {
  state: (typeof TASK_STATES)[number]
  reason?: (typeof TASK_REASONS)[number]
}

export function define(tasks: Command): void {
  withExamples(
    withPaging(withService(tasks.command('list'))),
    'ots tasks list',
    'ots tasks list --reason stuck --json',
    'ots tasks list --state snoozed',
  )
    .description('List what needs an operator, due first.')
    .addOption(new Option('--state <state>', 'which tasks').choices(TASK_STATES).default('open'))
    .addOption(new Option('--reason <reason>', 'only tasks with this reason').choices(TASK_REASONS))
    .action(async ({ state, reason, limit, page, ...options }: ListOptions) => {
      const found = await new Api(options).ask('listTasks', { query: { state, reason, limit, page } })
      show(found, tasksText)
    })
  withExamples(withService(tasks.command('claim <id>')), 'ots tasks claim tsk_01kjqj8mha6rjv3m5c2nqk0w4t')
    .description('Claim a task, so that others see that somebody works on it.')
    .option('--take-over', 'also if somebody else has claimed it')
    .action(async (id: string, { takeOver, ...options }: ApiOptions & { takeOver?: true }) => {
      const task = await new Api(options).ask('claimTask', { params: { id }, body: { takeOver } })
      show(task, () => `Claimed: ${describe(task)}`)
    })
  withExamples(
    withService(tasks.command('snooze <id>')),
    'ots tasks snooze tsk_01kjqj8mha6rjv3m5c2nqk0w4t --until 2027-03-03T14:00:00Z',
  )
    .description('Hide a task until a time, at most 30 days ahead.')
    .requiredOption('--until <time>', 'when it is shown again')
    .action(async (id: string, { until, ...options }: ApiOptions & { until: string }) => {
      const task = await new Api(options).ask('snoozeTask', { params: { id }, body: { until } })
      show(task, () => `Snoozed until ${task.snoozedUntil}: ${describe(task)}`)
    })
  withExamples(withService(tasks.command('done <id>')), 'ots tasks done tsk_01kjqj8mha6rjv3m5c2nqk0w4t')
    .description('Finish a task. It is found again only after its reason was gone in between.')
    .action(async (id: string, options: ApiOptions) => {
      const task = await new Api(options).ask('finishTask', { params: { id } })
      show(task, () => `Done: ${describe(task)}`)
    })
}

const tasksText = (found: Found<Task>) =>
  pageTable(found, ['task', 'tasks'], {
    head: ['Task', 'Reason', 'Subject', 'Due', 'Acts', 'Claimed by'],
    empty: 'Nothing needs you.',
    order: 'due first',
    row: (task) => [
      task.id,
      task.reason,
      escapeControls(subjectOf(task)),
      task.dueAt,
      task.actor,
      task.claimedBy ? dim(escapeControls(task.claimedBy.name ?? task.claimedBy.id)) : '',
    ],
  })

const subjectOf = ({ order, result, subjectId }: Task) =>
  order ? `${order.code} ${order.company}` : result ? resultText(result) : subjectId

/** What the message names, and who sent it. */
const resultText = ({ specimenId, orderCode, messageId, sender }: NonNullable<Task['result']>) =>
  [
    specimenId ? `specimen ${specimenId}` : orderCode ? `order ${orderCode}` : `message ${messageId}`,
    sender.name ?? sender.id,
  ].join(', ')

const describe = (task: Task) => escapeControls(`${task.reason}, ${task.order?.code ?? subjectOf(task)}`)
