import { order } from './examples.ts'

const messageId = 'msg_01jnbk6w9e3a5b7c9d1e3f5g7h'

export const message = {
  id: messageId,
  object: 'message',
  orderId: order.id,
  kind: 'link',
  recipient: 'participant',
  channel: 'email',
  tokenId: 'hiring',
  state: 'failed',
  reason: null,
  attempts: 1,
  dueAt: order.createdAt,
  createdAt: order.createdAt,
  endedAt: '2026-03-02T15:04:06.120Z',
  url: `/api/operator/v1/messages/${messageId}`,
} as const

export const fullMessage = {
  ...message,
  log: [
    { number: 1, at: '2026-03-02T15:04:06.020Z', durationMs: 84, outcome: 'refused', detail: '550 No such mailbox.' },
  ],
} as const

export const waitingMessage = { ...message, state: 'waiting', endedAt: null } as const
