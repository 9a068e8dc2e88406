import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import type { Command } from 'commander'
import type { RefusedMessage, Result, ResultCandidate, ResultReceipt } from '@order-testing/contract/operator'
import { Api, ApiRefusal, toRefusal, withService, type ApiOptions, type Content } from '../api.ts'
import { withPaging, type PageOptions } from '../option-values.ts'
import { withExamples } from '../help.ts'
import { addCodes } from './laboratory-codes.ts'
import { findServiceId } from './service-positions.ts'
import { dim, paintState } from '../output/colors.ts'
import { printJson, show, showDone } from '../output/print.ts'
import { escapeControls, pageTable, table, type Found } from '../output/table.ts'

/** The exit code if the message was accepted, but queued for an operator. */
const QUEUED = 3

export function define(results: Command): void {
  withExamples(withService(results.command('post')), 'ots results post result.json', 'ots results post - < message.hl7')
    .description('Submit a result message in JSON or HL7 v2. Exit code 0: applied, 3: queued, 1: rejected.')
    .argument('<file>', 'file with the message, or "-" for standard input')
    .action(async (path: string, options: ApiOptions) => {
      const { receipt, text, isQueued } = await post(new Api(options), await readMessage(path))
      showDone(receipt, () => text)
      if (isQueued) process.exitCode = QUEUED
    })

  withExamples(withPaging(withService(results.command('unmatched'))), 'ots results unmatched')
    .description('List messages that are queued for an operator.')
    .action(async ({ limit, page, ...options }: ApiOptions & PageOptions) => {
      const found = await new Api(options).ask('listResults', { query: { state: 'queued', limit, page } })
      show(found, queueText)
    })

  withExamples(withService(results.command('show')), 'ots results show res_01hx3v9m2c8k4t6w0q5r7y1z3b')
    .description('Print a message with its content, as JSON. The person is masked.')
    .argument('<id>', 'id of the message')
    .option('--reveal', 'show the person in full, which is recorded in the audit log')
    .action(async (id: string, { reveal, ...options }: ApiOptions & { reveal?: true }) => {
      const participants = reveal ? 'full' : 'masked'
      printJson(await new Api(options).ask('readResult', { params: { id }, query: { participants } }))
    })

  withExamples(withPaging(withService(results.command('refused'))), 'ots results refused --limit 5')
    .description('List rejected HL7 messages. With an id, prints one with its text, as JSON. Persons are masked.')
    .argument('[id]', 'id of a rejected message')
    .option('--reveal', 'show persons in full, which is recorded in the audit log')
    .action(async (id: string | undefined, { limit, page, reveal, ...options }: RefusedOptions) => {
      const api = new Api(options)
      const participants = reveal ? 'full' : 'masked'
      if (id !== undefined)
        return printJson(await api.ask('readRefusedMessage', { params: { id }, query: { participants } }))
      show(await api.ask('listRefusedMessages', { query: { limit, page } }), refusedText)
    })

  withExamples(withService(results.command('candidates')), 'ots results candidates rsl_01hx3v9m2c8k4t6w0q5')
    .description('List services a message may be about.')
    .argument('<id>', 'id of the message')
    .action(async (id: string, options: ApiOptions) => {
      show(await new Api(options).ask('readCandidates', { params: { id } }), candidatesText)
    })

  withExamples(
    withService(results.command('assign')),
    'ots results assign rsl_01hx3v9m2c8k4t6w0q5 1',
    'ots results assign rsl_01hx3v9m2c8k4t6w0q5 K7M4-2QXD 1',
    'ots results assign rsl_01hx3v9m2c8k4t6w0q5 osv_01hx3v9m2c8k4t6w0q5',
  )
    .description('Apply a queued message to a service.')
    .argument('<id>', 'id of the message')
    .argument('<target>', 'rank of a candidate, id of a service, or id or code of an order')
    .argument('[service]', 'service of the order: its position (1 is the first) or id')
    .option('--reason <text>', 'why it belongs to this service')
    .option('--remember', "apply later messages with the laboratory's code by themselves")
    .action(async (id: string, target: string, service: string | undefined, given: AssignOptions) => {
      const { reason, remember, ...options } = given
      const api = new Api(options)
      const body = { serviceId: await findTargetId(api, { id, target, service }), reason, rememberCode: remember }
      const result = await api.ask('assignResult', { params: { id }, body })
      showDone(result, ({ orderId }) => `Applied message ${result.id} to order ${orderId}.`)
    })

  withExamples(
    withService(results.command('dismiss')),
    "ots results dismiss res_01hx3v9m2c8k4t6w0q5 --reason 'Sent twice.'",
  )
    .description('Remove a message without applying it.')
    .argument('<id>', 'id of the message')
    .requiredOption('--reason <text>', 'reason, recorded in the audit log')
    .action(async (id: string, { reason, ...options }: ApiOptions & { reason: string }) => {
      const result = await new Api(options).ask('dismissResult', { params: { id }, body: { reason } })
      showDone(result, () => `Dismissed message ${result.id}.`)
    })
  addCodes(results)
}

type RefusedOptions = ApiOptions & PageOptions & { reveal?: true }
type AssignOptions = ApiOptions & { reason?: string; remember?: true }

/** The service that a rank, an id, or an order with a position stands for. */
async function findTargetId(
  api: Api,
  { id, target, service }: { id: string; target: string; service: string | undefined },
): Promise<string> {
  if (target.startsWith('osv_')) return target
  if (!/^\d{1,2}$/.test(target)) return findServiceId(api, target, service ?? '1')
  const { data } = await api.ask('readCandidates', { params: { id } })
  const found = data.find(({ rank }) => rank === Number(target))
  if (found) return found.serviceId
  throw new ApiRefusal(`There is no candidate ${target}.\n${candidatesText({ data })}`)
}

async function readMessage(path: string): Promise<Content> {
  const content = await (path === '-' ? buffer(process.stdin) : readFile(path)).catch((error: Error) => {
    throw new ApiRefusal(`Cannot read ${path}: ${error.message}`)
  })
  // The content decides, because laboratories name their files in many ways.
  const start = content.toString('latin1', 0, 64).replace(/^(?:\u00EF\u00BB\u00BF)?[\s\u000B]*/, '')
  if (start.startsWith('MSH')) return { type: 'application/hl7-v2', content }
  if (start.startsWith('{')) return { type: 'application/json', content }
  throw new ApiRefusal(`${path} is neither JSON nor HL7 v2: it must start with { or MSH.`)
}

/** `receipt` is what the service answered; for HL7 its acknowledgement. */
async function post(api: Api, message: Content): Promise<{ receipt: object; text: string; isQueued: boolean }> {
  const { status, type, text } = await api.send('postResult', {}, message)
  const isQueued = status === 202
  if (type.includes('hl7')) {
    const acknowledged = text.replace(/[\r\n]+$/, '').split(/\r\n?|\n/)
    const printed = acknowledged.map((segment) => escapeControls(segment)).join('\n')
    const isAccepted = status < 300 && acknowledged.some((segment) => /^MSA\|[AC]A(\||$)/.test(segment))
    if (!isAccepted) throw new ApiRefusal(printed)
    return { receipt: { acknowledgement: acknowledged, isQueued }, text: printed, isQueued }
  }
  if (status >= 300) throw toRefusal(status, text)
  const receipt = JSON.parse(text) as ResultReceipt
  return { receipt, text: receiptText(receipt), isQueued }
}

const receiptText = ({ id, state, why, orderId, serviceId }: ResultReceipt) =>
  state === 'applied'
    ? `Applied message ${id} to order ${orderId}, service ${serviceId}.`
    : `Message ${id} is queued for an operator: ${why}.`

function candidatesText({ data }: { data: ResultCandidate[] }): string {
  if (data.length === 0) return 'No candidates. Find the order with "ots orders search".'
  return table(
    data.map(({ rank, score, serviceId, differs, order }) => {
      const { name = '', status = '' } = order.services.find(({ id }) => id === serviceId) ?? {}
      const { firstName = '', lastName = '' } = order.participant ?? {}
      return [
        String(rank),
        `${score} %`,
        order.code,
        escapeControls(name),
        paintState(status),
        escapeControls(`${firstName} ${lastName}`.trim()),
        differs.join(', '),
        serviceId,
      ]
    }),
    { head: ['', 'Score', 'Order', 'Service', 'Status', 'Participant', 'Differs', 'Service id'] },
  )
}

const queueText = (found: Found<Result>) =>
  pageTable(found, ['message', 'messages'], {
    head: ['Received', 'Message', 'Sender', 'Sent as', 'Specimen', 'Event', 'Why', 'Order'],
    empty: 'No queued messages.',
    row: (result) => [
      dim(result.receivedAt),
      result.id,
      escapeControls(`${result.sender.kind} ${result.sender.name ?? result.sender.id}`),
      escapeControls(result.messageId),
      escapeControls(result.specimenId ?? ''),
      result.event,
      result.why ?? '',
      result.orderId ?? 'no order',
    ],
  })

const refusedText = (found: Found<RefusedMessage>) =>
  pageTable(found, ['message', 'messages'], {
    head: ['Last', 'Message', 'Count', 'Entry point', 'Address', 'Sender', 'Control id', 'Reason'],
    empty: 'No HL7 messages were rejected in the last 30 days.',
    row: (message) => [
      dim(message.lastAt),
      message.id,
      `${message.count}×`,
      message.door,
      message.address ?? '',
      escapeControls(message.sender),
      escapeControls(message.controlId),
      `${message.code} ${escapeControls(message.reason)}`,
    ],
  })
