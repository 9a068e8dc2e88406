import type { RESENDABLE_STATES } from '@order-testing/contract'
import type { FullMessage, Message } from '@order-testing/contract/operator'
import { counted, pageText, table, visible } from './table.ts'

interface Found {
  data: Message[]
  limit: number
  page: number
  total: number
}

/** A page of messages, one a line, and which part of all it is. */
export function messageListing({ data, limit, page, total }: Found): string {
  if (total === 0) return 'There are no such messages.'
  const where = pageText({ page, limit, total, count: data.length }, ['message', 'messages'])
  if (data.length === 0) return where
  const rows = data.map((message) => [
    message.createdAt,
    message.id,
    message.orderId,
    message.kind,
    message.recipient,
    message.channel,
    counted(message.attempts, 'attempt'),
    stateText(message),
  ])
  return `${table(rows)}\n\n${where}`
}

/** All about one message. */
export function messageSheet(message: FullMessage): string {
  const { log } = message
  const facts = table([
    ['Message', message.id],
    ['Order', message.orderId],
    ['Kind', `${message.kind}, for the ${message.recipient}`],
    ['Channel', message.channel],
    ['Created', message.createdAt],
    ['State', stateText(message)],
  ])
  if (log.length === 0) return `${facts}\n\nNo attempt is on record.`
  const rows = log.map(({ number, at, durationMs, outcome, detail }) => [
    String(number),
    at,
    `${durationMs} ms`,
    outcome,
    visible(detail ?? ''),
  ])
  return `${facts}\n\n${counted(log.length, 'attempt')}, first to last:\n\n${table(rows)}`
}

export function resendQuestion(total: number, state: (typeof RESENDABLE_STATES)[number]): string {
  const found = counted(total, 'message')
  if (state === 'waiting')
    return `${found} ${total === 1 ? 'waits' : 'wait'} because of the mail quota. Send ${total === 1 ? 'it' : 'them'} now?`
  if (state === 'failed') return `${found} ${total === 1 ? 'has' : 'have'} failed. Send again?`
  return `${found} may have arrived, and would come twice. Send again all the same?`
}

export const resentText = (resent: number) =>
  resent === 0 ? 'There are no such messages.' : `${counted(resent, 'message is', 'messages are')} sent again.`

function stateText({ state, reason, dueAt, endedAt }: Message): string {
  if (state === 'waiting') return `waiting${reason === null ? '' : ` (${reason})`}, due ${dueAt}`
  return endedAt === null ? state : `${state} ${endedAt}`
}
