import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import type { Command } from 'commander'
import type { RefusedMessage, Result, ResultReceipt } from '@order-testing/contract/operator'
import { Api, ApiRefusal, refusalOf, withService, type ApiOptions } from '../api.ts'
import { readCountFrom } from '../option-values.ts'
import { pageText, table, visible } from '../output/table.ts'

/** How a command ends whose message was accepted, but waits for an operator. */
const QUEUED = 3

type PageOptions = ApiOptions & { limit: number; page: number; json?: boolean }

export function addResultsCommand(ots: Command, print: (text: string) => void): void {
  const results = ots
    .command('results')
    .description('bring results in and look after those that wait, over the API of a running service')

  withService(results.command('post'))
    .description('Submit a result message in JSON or HL7 v2. Exit code 0: applied, 3: queued, 1: rejected.')
    .argument('<file>', 'file of the message, "-" for standard input')
    .option('--json', 'the receipt as JSON')
    .action(async (path: string, options: ApiOptions & { json?: boolean }) => {
      const { text, isQueued } = await post(new Api(options), await readMessage(path), options.json ?? false)
      print(text)
      if (isQueued) process.exitCode = QUEUED
    })

  withService(results.command('unmatched'))
    .description('list the messages that wait for an operator, newest first')
    .option('--limit <number>', 'messages a page', readCountFrom(1, 20), 20)
    .option('--page <number>', 'which page', readCountFrom(1, 10_000), 1)
    .option('--json', 'as JSON')
    .action(async ({ limit, page, json, ...options }: PageOptions) => {
      const found = await new Api(options).ask('listResults', { query: { state: 'queued', limit, page } })
      print(json ? asJson(found) : queueText(found))
    })

  withService(results.command('show'))
    .description('print a message with all it says, as JSON')
    .argument('<id>', 'id of the message')
    .action(async (id: string, options: ApiOptions) => {
      print(asJson(await new Api(options).ask('readResult', { params: { id } })))
    })

  withService(results.command('refused'))
    .description('list HL7 messages that were refused, the last first; or print one with its text, as JSON')
    .argument('[id]', 'id of a refused message')
    .option('--limit <number>', 'messages a page', readCountFrom(1, 20), 20)
    .option('--page <number>', 'which page', readCountFrom(1, 10_000), 1)
    .option('--json', 'as JSON')
    .action(async (id: string | undefined, { limit, page, json, ...options }: PageOptions) => {
      const api = new Api(options)
      if (id !== undefined) return print(asJson(await api.ask('readRefusedMessage', { params: { id } })))
      const found = await api.ask('listRefusedMessages', { query: { limit, page } })
      print(json ? asJson(found) : refusedText(found))
    })

  withService(results.command('assign'))
    .description('apply a waiting message to a service')
    .argument('<id>', 'id of the message')
    .argument('<service>', 'id of the service, as "ots orders show" gives it')
    .option('--reason <text>', 'why it is about this service')
    .action(async (id: string, serviceId: string, { reason, ...options }: ApiOptions & { reason?: string }) => {
      const body = { serviceId, reason }
      const result = await new Api(options).ask('assignResult', { params: { id }, body })
      print(`Message ${result.id} is applied to order ${result.orderId}.`)
    })

  withService(results.command('dismiss'))
    .description('take a waiting message out of the queue')
    .argument('<id>', 'id of the message')
    .requiredOption('--reason <text>', 'why')
    .action(async (id: string, { reason, ...options }: ApiOptions & { reason: string }) => {
      const result = await new Api(options).ask('dismissResult', { params: { id }, body: { reason } })
      print(`Message ${result.id} is dismissed.`)
    })
}

interface Message {
  type: string
  content: Buffer
}

async function readMessage(path: string): Promise<Message> {
  const content = await (path === '-' ? buffer(process.stdin) : readFile(path)).catch((error: Error) => {
    throw new ApiRefusal(`Cannot read ${path}: ${error.message}`)
  })
  // Told by what it is, not by its name: files of laboratories have all sorts of names.
  const begin = content.toString('latin1', 0, 64).replace(/^(?:\u00EF\u00BB\u00BF)?[\s\u000B]*/, '')
  if (begin.startsWith('MSH')) return { type: 'application/hl7-v2', content }
  if (begin.startsWith('{')) return { type: 'application/json', content }
  throw new ApiRefusal(`${path} is neither JSON nor HL7 v2: it should begin with { or MSH.`)
}

async function post(api: Api, message: Message, json: boolean): Promise<{ text: string; isQueued: boolean }> {
  const { status, type, text } = await api.send('postResult', {}, message)
  const isQueued = status === 202
  if (type.includes('hl7')) {
    const acknowledged = text.replace(/[\r\n]+$/, '').split(/\r\n?|\n/)
    const shown = acknowledged.map((segment) => visible(segment)).join('\n')
    const isAccepted = status < 300 && acknowledged.some((segment) => /^MSA\|[AC]A(\||$)/.test(segment))
    if (!isAccepted) throw new ApiRefusal(shown)
    return { text: shown, isQueued }
  }
  if (status >= 300) throw refusalOf(status, text)
  const receipt = JSON.parse(text) as ResultReceipt
  return { text: json ? asJson(receipt) : receiptText(receipt), isQueued }
}

const receiptText = ({ id, state, why, orderId, serviceId }: ResultReceipt) =>
  state === 'applied'
    ? `Message ${id} is applied to order ${orderId}, service ${serviceId}.`
    : `Message ${id} waits for an operator: ${why}.`

function queueText({ data, limit, page, total }: { data: Result[]; limit: number; page: number; total: number }) {
  if (total === 0) return 'No message waits for an operator.'
  const where = pageText({ page, limit, total, count: data.length }, ['message', 'messages'])
  if (data.length === 0) return where
  const rows = data.map((result) => [
    result.receivedAt,
    result.id,
    visible(`${result.sender.kind} ${result.sender.id}`),
    visible(result.messageId),
    result.event,
    result.why ?? '',
    result.orderId ?? 'no order',
  ])
  return `${table(rows)}\n\n${where}`
}

function refusedText(found: { data: RefusedMessage[]; limit: number; page: number; total: number }): string {
  const { data, limit, page, total } = found
  if (total === 0) return 'No HL7 message was refused in the last 30 days.'
  const where = pageText({ page, limit, total, count: data.length }, ['message', 'messages'])
  if (data.length === 0) return where
  const rows = data.map((message) => [
    message.lastAt,
    message.id,
    `${message.count}×`,
    message.door,
    message.address ?? '',
    visible(message.sender),
    visible(message.controlId),
    `${message.code} ${visible(message.reason)}`,
  ])
  return `${table(rows)}\n\n${where}`
}

const asJson = (value: unknown) => JSON.stringify(value, null, 2)
