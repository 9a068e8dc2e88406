import { z } from 'zod'
import { endpoint } from '../endpoint.ts'
import { BOUNCE_TYPES, MESSAGE_CHANNELS, SUPPRESSION_REASONS } from '../messages.ts'
import * as examples from '../openapi/message-examples.ts'
import { instant, Path, text, Timestamp } from '../primitives.ts'
import { filter } from '../collection.ts'
import { idOf, listOf } from '../resource-endpoints.ts'

const PROVIDERS =
  'For the webhook of a provider. The token may also be the password of HTTP Basic authentication, with any user name, so that it can ' +
  'be part of the webhook’s URL.'

const report = { method: 'POST', scope: 'operator.messages.receive', tag: 'Messages' } as const

export const TEXT_ACTIONS = ['stop', 'start', 'help', 'other'] as const

const TextReply = z
  .object({
    object: z.literal('textReply'),
    action: z
      .enum(TEXT_ACTIONS)
      .describe('`stop`: the number is on the suppression list. `start`: it is no longer, if its owner had opted out.'),
    reply: z.string().nullable().describe('What to answer the sender; null if nothing, as after a second STOP.'),
  })
  .meta({ id: 'TextReply' })

export type TextReply = z.infer<typeof TextReply>

export const IncomingText = z
  .strictObject({ from: text(1, 50).describe('The phone number.'), text: text(0, 2000) })
  .meta({ id: 'IncomingText' })

export const receiveText = endpoint({
  ...report,
  path: '/api/operator/v1/messages/texts',
  summary: 'Take an incoming text message.',
  description: `STOP, STOPALL, UNSUBSCRIBE, CANCEL, END, QUIT, REVOKE, OPT OUT, ALTO, BAJA and PARAR put the number on the suppression list. START, UNSTOP and ALTA take it off. HELP, INFO and AYUDA, and anything else, are answered with whom to call. Forms with Twilio's fields \`From\` and \`Body\` are answered with TwiML. ${PROVIDERS}`,
  body: IncomingText,
  otherTypes: {
    'application/x-www-form-urlencoded': {
      body: 'From=%2B16305550142&Body=STOP',
      reply: examples.twiml,
      replyType: 'text/xml',
    },
  },
  replies: { 200: 'What to answer.' },
  reply: TextReply,
  example: { body: { from: '+16305550142', text: 'HELP' }, reply: examples.textReply },
})

const BounceReceipt = z
  .object({
    object: z.literal('bounceReceipt'),
    messageId: z.string().nullable().describe('The message that came back; null if only the address is known.'),
    isRecorded: z
      .boolean()
      .describe('Whether the message is `bounced` now. False for a copy, or if it is being sent again.'),
    isSuppressed: z.boolean().describe('Whether the address gets no further messages.'),
  })
  .meta({ id: 'BounceReceipt' })

export type BounceReceipt = z.infer<typeof BounceReceipt>

export const reportBounce = endpoint({
  ...report,
  path: '/api/operator/v1/messages/bounces',
  summary: 'Report a message that came back.',
  description: `Requires \`messageId\`, \`notificationId\` or \`address\`. After a hard bounce or a complaint, the address gets no further messages. ${PROVIDERS}`,
  body: z
    .strictObject({
      messageId: text(1, 255)
        .optional()
        .describe('The `Message-ID` header of the mail, with or without angle brackets, or the id of the message.'),
      notificationId: text(1, 255).optional().describe('The id of the message.'),
      address: text(1, 320).optional().describe('The e-mail address or phone number.'),
      type: z.enum(BOUNCE_TYPES),
      reason: text(0, 1000).optional(),
      occurredAt: instant().optional().describe('Default: now.'),
    })
    .meta({ id: 'BounceReport' }),
  replies: { 200: 'What follows from it.' },
  reply: BounceReceipt,
  refusals: [422],
  example: {
    body: {
      messageId: examples.mailId,
      address: 'maria.lopez@example.com',
      type: 'hard',
      reason: '550 5.1.1 Unknown user',
    },
    reply: examples.bounceReceipt,
  },
})

const Suppression = z
  .object({
    id: z.string(),
    object: z.literal('suppression'),
    channel: z.enum(MESSAGE_CHANNELS),
    address: z.string().describe('Masked, unless the token has `operator.participants.read`.'),
    reason: z.enum(SUPPRESSION_REASONS).describe('`optOut`: its owner replied STOP.'),
    messageId: z.string().nullable().describe('The message that led to it, if known.'),
    createdAt: Timestamp,
    url: Path,
  })
  .meta({ id: 'Suppression', description: 'An address that gets no messages.' })

export type Suppression = z.infer<typeof Suppression>

const suppressions = {
  path: '/api/operator/v1/suppressions',
  tag: 'Messages',
  one: 'suppression',
  many: 'suppressions',
}

export const listSuppressions = listOf(suppressions, {
  scope: 'operator.messages.read',
  summary: 'List addresses that get no messages, newest first.',
  filters: {
    channel: z.enum(MESSAGE_CHANNELS).optional().describe('Suppressions of this channel.'),
    reason: z.enum(SUPPRESSION_REASONS).optional().describe('Suppressions for this reason.'),
    address: filter('The suppression of this e-mail address or phone number.'),
    addresses: z
      .enum(['full', 'masked'])
      .default('full')
      .describe(
        'How addresses are shown to tokens with `operator.participants.read`. Only reading in full is recorded in the audit log.',
      ),
  },
  item: Suppression,
  example: examples.suppression,
  exampleQuery: { reason: 'hardBounce' },
})

export const removeSuppression = endpoint({
  method: 'DELETE',
  scope: 'operator.messages.write',
  tag: 'Messages',
  path: `${suppressions.path}/{id}`,
  summary: 'Remove a suppression.',
  description:
    'The address gets messages again. Suppressed messages are not sent by themselves: resend them. Remove an opt-out only if the person has asked for it.',
  params: idOf(suppressions),
  replies: { 200: 'The suppression that was removed.' },
  reply: Suppression,
  example: { params: { id: examples.suppression.id }, reply: examples.suppression },
})
