import type { RESENDABLE_STATES } from '@order-testing/contract'
import type { FullMessage, Message } from '@order-testing/contract/operator'
import { counted, pageText, table, visible } from './table.ts'

interface MessagePage {
  data: Message[]
  limit: number
  page: number
  total: number
}

export function formatMessageList({ data, limit, page, total }: MessagePage): string {
  if (total === 0) return 'No messages match.'
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
    formatState(message),
  ])
  return `${table(rows)}\n\n${where}`
}

export function formatMessage(message: FullMessage): string {
  const { log } = message
  const facts = table([
    ['Message', message.id],
    ['Order', message.orderId],
    ['Kind', `${message.kind}, for the ${message.recipient}`],
    ['Channel', message.channel],
    ['Created', message.createdAt],
    ['State', formatState(message)],
  ])
  if (log.length === 0) return `${facts}\n\nNo attempts yet.`
  const rows = log.map(({ number, at, durationMs, outcome, detail }) => [
    String(number),
    at,
    `${durationMs} ms`,
    outcome,
    visible(detail ?? ''),
  ])
  return `${facts}\n\n${counted(log.length, 'attempt')}, first to last:\n\n${table(rows)}`
}

export function formatResendQuestion(total: number, state: (typeof RESENDABLE_STATES)[number]): string {
  const found = counted(total, 'message')
  if (state === 'waiting')
    return `${found} ${total === 1 ? 'waits' : 'wait'} for the mail quota. Send ${total === 1 ? 'it' : 'them'} now?`
  if (state === 'failed') return `${found} ${total === 1 ? 'has' : 'have'} failed. Send again?`
  return `${found} may have arrived and would then arrive twice. Send again anyway?`
}

export const formatResent = (resent: number) =>
  resent === 0 ? 'No messages match.' : `${counted(resent, 'message', 'messages')} will be sent again.`

function formatState({ state, reason, dueAt, endedAt }: Message): string {
  if (state === 'waiting') return `waiting${reason === null ? '' : ` (${reason})`}, due ${dueAt}`
  return endedAt === null ? state : `${state} ${endedAt}`
}
