import { message, order } from './operator-examples.ts'

export const mailId = `<${message.id}@book.northfold.example>`

export const twiml =
  '<?xml version="1.0" encoding="UTF-8"?><Response><Message>You won\'t get more texts from Northfold. Any booking stays.</Message></Response>'

export const textReply = {
  object: 'textReply',
  action: 'help',
  reply: 'Boxelder Fulfillment, texts by Northfold. Questions? Boxelder HR (630) 555-0101. Reply STOP to opt out.',
} as const

export const bounceReceipt = {
  object: 'bounceReceipt',
  messageId: message.id,
  isRecorded: true,
  isSuppressed: true,
} as const

const suppressionId = 'sup_01kjqj70ce4aa73qmgs8mt50d6'

export const suppression = {
  id: suppressionId,
  object: 'suppression',
  channel: 'email',
  address: 'm•••@example.com',
  reason: 'hardBounce',
  messageId: message.id,
  createdAt: '2026-03-02T15:04:06.120Z',
  url: `/api/operator/v1/suppressions/${suppressionId}`,
} as const

export const orderLinks = {
  object: 'orderLinks',
  orderId: order.id,
  revoked: 1,
  message: { ...message, kind: 'linkAgain', state: 'waiting', attempts: 0, endedAt: null },
} as const

export const revokedLinks = { ...orderLinks, message: null } as const
