import type { Reply, RESENDABLE_STATES } from '@order-testing/contract'
import type { FullMessage, listMessages, Message, Suppression } from '@order-testing/contract/operator'
import { dim, paintState } from './colors.ts'
import { escapeControls, formatCount, pageTable, sheet, table, type Found } from './table.ts'

export const notificationListing = (found: Found<Message>) =>
  pageTable(found, ['message', 'messages'], {
    head: ['Created', 'Message', 'Order', 'Kind', 'Recipient', 'Channel', 'Attempts', 'State'],
    empty: 'No messages match.',
    row: (message) => [
      dim(message.createdAt),
      message.id,
      message.orderId,
      message.kind,
      message.recipient,
      message.channel,
      formatCount(message.attempts, 'attempt'),
      stateText(message),
    ],
  })

/** Everything about one notification. */
export function notificationSheet(message: FullMessage): string {
  const { log } = message
  const facts = sheet([
    ['Message', message.id],
    ['Order', message.orderId],
    ['Kind', `${message.kind}, for the ${message.recipient}`],
    ['Channel', message.channel],
    ['Created', message.createdAt],
    ['State', stateText(message)],
    ...(message.copies > 0 ? [['Copies', String(message.copies)] as [string, string]] : []),
    ...(message.bounce
      ? [
          [
            'Bounce',
            `${message.bounce.type} ${message.bounce.at} ${escapeControls(message.bounce.reason ?? '')}`.trimEnd(),
          ] as [string, string],
        ]
      : []),
  ])
  if (log.length === 0) return `${facts}\n\nNo attempts yet.`
  const rows = log.map(({ number, at, durationMs, outcome, detail }) => [
    String(number),
    dim(at),
    `${durationMs} ms`,
    paintState(outcome),
    escapeControls(detail ?? ''),
  ])
  return `${facts}\n\n${formatCount(log.length, 'attempt')}, first to last:\n\n${table(rows)}`
}

export const suppressionListing = (found: Found<Suppression>) =>
  pageTable(found, ['suppression', 'suppressions'], {
    head: ['Created', 'Suppression', 'Channel', 'Reason', 'Address'],
    empty: 'No suppressions match.',
    row: ({ createdAt, id, channel, reason, address }) => [
      dim(createdAt),
      id,
      channel,
      reason,
      escapeControls(address),
    ],
  })

export function resendQuestion(
  { total, isMore }: Pick<Reply<typeof listMessages>, 'total' | 'isMore'>,
  state: (typeof RESENDABLE_STATES)[number],
): string {
  const found = `${isMore ? 'More than ' : ''}${formatCount(total, 'message')}`
  if (state === 'waiting')
    return `${found} ${total === 1 ? 'waits' : 'wait'} for the mail quota. Send ${total === 1 ? 'it' : 'them'} now?`
  if (state === 'failed') return `${found} ${total === 1 ? 'has' : 'have'} failed. Send again?`
  return `${found} may have arrived and would then arrive twice. Send again anyway?`
}

export const resentText = ({ resent }: { resent: number }) =>
  resent === 0 ? 'No messages match.' : `${formatCount(resent, 'message')} will be sent again.`

function stateText({ state, reason, dueAt, endedAt }: Message): string {
  const painted = paintState(state)
  if (state === 'waiting') return `${painted}${reason === null ? '' : ` (${reason})`}, due ${dueAt}`
  return endedAt === null ? painted : `${painted} ${endedAt}`
}
