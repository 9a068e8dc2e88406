import { z } from 'zod'
import { filter } from '../collection.ts'
import { endpoint } from '../endpoint.ts'
import { BOUNCE_TYPES, MESSAGE_CHANNELS, MESSAGE_STATES, RESENDABLE_STATES, WAIT_REASONS } from '../messages.ts'
import * as examples from '../openapi/operator-examples.ts'
import { instant, openEnum, text, Timestamp } from '../primitives.ts'
import { boundedListOf, idOf, readOf } from '../resource-endpoints.ts'
import { AfterWrite } from '../write-position.ts'

export const Message = z
  .object({
    id: z.string(),
    object: z.literal('message'),
    orderId: z.string(),
    orderCode: z.string().nullable().describe('Null once the order was erased.'),
    to: z
      .string()
      .nullable()
      .describe(
        'The address of the participant or requester, masked, as the order has it now. Null for clinics, and for callers who may not see participants.',
      ),
    kind: openEnum([
      'link',
      'linkAgain',
      'booking',
      'bookingChanged',
      'cancellation',
      'authorizationCopy',
      'clinicRequest',
      'clinicChosen',
      'timeBooked',
    ]),
    recipient: z
      .enum(['participant', 'requester', 'clinic'])
      .describe(
        'The recipient. With `requesterSelects`, the requester is asked to choose a clinic. Clinics get a mail about booked times.',
      ),
    channel: z.enum(MESSAGE_CHANNELS).describe('E-mail or text message (`mobile`).'),
    tokenId: z
      .string()
      .nullable()
      .describe('Id of the token whose create request caused it; null if a later change of the order did.'),
    state: z
      .enum(MESSAGE_STATES)
      .describe(
        '`dropped`: it no longer applied. `uncertain`: the worker stopped while sending it, so resending might send it twice. ' +
          '`suppressed`: the address is on the suppression list. `bounced`: it was sent, but came back or was reported as unwanted.',
      ),
    reason: z
      .enum(WAIT_REASONS)
      .nullable()
      .describe(
        'Why it waits. `quota`: the token has reached its mail quota for today, so the message is due tomorrow (UTC). Resend it to send it now.',
      ),
    attempts: z.int().min(0),
    copies: z.int().min(0).describe('How many addresses got a copy, which has no link.'),
    dueAt: Timestamp,
    createdAt: Timestamp,
    endedAt: Timestamp.nullable(),
    url: z.string().meta({ format: 'uri-reference' }),
  })
  .meta({
    id: 'Message',
    description: 'A notification to a participant, requester or clinic. Its text and address are not stored.',
  })

export type Message = z.infer<typeof Message>

const FullMessage = Message.extend({
  bounce: z
    .object({
      type: z.enum(BOUNCE_TYPES),
      at: Timestamp,
      reason: z.string().nullable().describe('As the provider reported it, without addresses.'),
    })
    .nullable()
    .describe('What came back last, if anything did.'),
  log: z.array(
    z.object({
      number: z.int().min(1),
      at: Timestamp,
      durationMs: z.int().min(0),
      outcome: openEnum(['accepted', 'tryAgain', 'refused', 'noServer']),
      detail: z.string().nullable().describe('The response of the server, without addresses.'),
    }),
  ),
}).meta({ id: 'FullMessage' })

export type FullMessage = z.infer<typeof FullMessage>

const MessagePreview = z
  .object({
    object: z.literal('messagePreview'),
    messageId: z.string(),
    channel: z.enum(MESSAGE_CHANNELS),
    isRelevant: z
      .boolean()
      .describe('Whether the message still applies to the order. If not, it is dropped when resent.'),
    subject: z.string().nullable().describe('Null for text messages, and if there is no text.'),
    text: z
      .string()
      .nullable()
      .describe(
        'What the message would say now, as plain text. The link is replaced by one that leads nowhere. Null if it no longer applies.',
      ),
  })
  .meta({ id: 'MessagePreview' })

export type MessagePreview = z.infer<typeof MessagePreview>

const MessageResend = z
  .object({
    object: z.literal('messageResend'),
    resent: z.int().min(0).describe('Number of messages to be sent again.'),
  })
  .meta({ id: 'MessageResend' })

const messages = { path: '/api/operator/v1/messages', tag: 'Messages', one: 'message', many: 'messages' }
const change = { method: 'POST', scope: 'operator.messages.write', tag: 'Messages' } as const

export const listMessages = boundedListOf(messages, {
  headers: AfterWrite,
  scope: 'operator.messages.read',
  summary: 'List messages to participants, requesters and clinics, newest first.',
  filters: {
    state: z.enum(MESSAGE_STATES).optional().describe('Messages in this state.'),
    reason: z.enum(WAIT_REASONS).optional().describe('Messages that wait for this reason.'),
    tokenId: filter('Messages caused by create requests with this token.'),
    orderId: filter('Messages about this order.'),
    channel: z.enum(MESSAGE_CHANNELS).optional().describe('Messages through this channel.'),
    endedFrom: instant().optional().describe('Messages that ended at this time or later.'),
  },
  item: Message,
  example: examples.message,
  exampleQuery: { state: 'failed' },
})

export const readMessage = readOf(messages, {
  scope: 'operator.messages.read',
  summary: 'Read a message with its attempts.',
  reply: FullMessage,
  example: examples.fullMessage,
})

export const previewMessage = endpoint({
  method: 'GET',
  path: `${messages.path}/{id}/preview`,
  scope: 'operator.participants.read',
  tag: 'Messages',
  summary: 'Read what a message would say now.',
  description:
    'The text that was sent is not stored. This composes the message again, from the order as it is now, so it can differ from what was sent. ' +
    'It never contains a usable link. Recorded in the audit log, because it may name the participant.',
  params: idOf(messages),
  replies: { 200: 'The message as it would be sent now.' },
  reply: MessagePreview,
  example: { params: { id: examples.message.id }, reply: examples.messagePreview },
})

export const resendMessage = endpoint({
  ...change,
  path: `${messages.path}/{id}/resend`,
  summary: 'Resend a message.',
  description:
    'The message must have ended, in any state, or wait because of the mail quota. It is dropped if it no longer applies.',
  params: idOf(messages),
  replies: { 200: 'The message, waiting to be sent.' },
  reply: Message,
  refusals: [422],
  example: { params: { id: examples.message.id }, reply: examples.waitingMessage },
})

export const resendMessages = endpoint({
  ...change,
  path: `${messages.path}/resends`,
  summary: 'Resend many messages.',
  description:
    'All failed messages, for example after an outage of the mail server; all uncertain ones, some of which may arrive ' +
    'twice; or all that wait because of the mail quota. Messages that no longer apply are dropped.',
  body: z
    .strictObject({
      state: z.enum(RESENDABLE_STATES).describe('`waiting`: only messages that wait because of the mail quota.'),
      tokenId: text(1, 255).optional().describe('Only messages caused by create requests with this token.'),
      channel: z.enum(MESSAGE_CHANNELS).optional(),
      endedFrom: instant().optional().describe('Only messages that ended at this time or later.'),
    })
    .meta({ id: 'MessageResendRequest' }),
  replies: { 200: 'The number of messages.' },
  reply: MessageResend,
  example: {
    body: { state: 'failed', channel: 'email', endedFrom: '2026-03-02T00:00:00Z' },
    reply: { object: 'messageResend', resent: 1024 },
  },
})
