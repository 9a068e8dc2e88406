import { Option, type Command } from 'commander'
import {
  MESSAGE_CHANNELS,
  MESSAGE_STATES,
  RESENDABLE_STATES,
  SUPPRESSION_REASONS,
  WAIT_REASONS,
} from '@order-testing/contract'
import type { Message, MessagePreview, Suppression } from '@order-testing/contract/operator'
import { Api, ApiRefusal, forEachId, findOrderId, withService, type ApiOptions } from '../api.ts'
import { confirm } from '../confirm.ts'
import { withExamples } from '../help.ts'
import { readTime, withPaging, type PageOptions } from '../option-values.ts'
import {
  notificationListing,
  notificationSheet,
  resendQuestion,
  resentText,
  suppressionListing,
} from '../output/notifications.ts'
import { show, showDone } from '../output/print.ts'
import { escapeControls } from '../output/table.ts'

interface FilterOptions extends ApiOptions {
  by?: string
  channel?: Message['channel']
  since?: Date
}

interface ListOptions extends FilterOptions, PageOptions {
  state?: Message['state']
  reason?: NonNullable<Message['reason']>
  order?: string
}

interface ResendOptions extends FilterOptions {
  state?: (typeof RESENDABLE_STATES)[number]
  yes?: true
}

export function define(messages: Command): void {
  withExamples(
    withPaging(withFilter(withService(messages.command('list')))),
    'ots messages list --state failed',
    'ots messages list --order K7M4-2QXD --channel email',
  )
    .description('List e-mails and text messages, newest first.')
    .addOption(new Option('--state <state>', 'only those in this state').choices(MESSAGE_STATES))
    .addOption(new Option('--reason <reason>', 'only those that wait for this reason').choices(WAIT_REASONS))
    .option('--order <order>', 'only those about this order, by its id or code')
    .action(async ({ state, reason, order, limit, page, ...options }: ListOptions) => {
      const api = new Api(options)
      const query = { state, reason, orderId: await findOrderId(api, order), ...toFilter(options), limit, page }
      const found = await api.ask('listMessages', { query })
      show(found, notificationListing)
    })

  withExamples(withService(messages.command('show')), 'ots messages show msg_01hx3v9m2c8k4t6w0q5r7y1z3b')
    .description('Show a message with all attempts to send it. Its text and address are not stored.')
    .argument('<id>', 'id of the message')
    .action(async (id: string, options: ApiOptions) => {
      show(await new Api(options).ask('readMessage', { params: { id } }), notificationSheet)
    })

  withExamples(withService(messages.command('preview')), 'ots messages preview msg_01hx3v9m2c8k4t6w0q5r7y1z3b')
    .description('Show what a message would say if it were sent now. The text that was sent is not stored.')
    .argument('<id>', 'id of the message')
    .addHelpText('after', '\nThe link is replaced. The read is audited: the text may name the participant.')
    .action(async (id: string, options: ApiOptions) => {
      show(await new Api(options).ask('previewMessage', { params: { id } }), previewText)
    })

  const resend = withFilter(withService(messages.command('resend')))
    .description('Send messages again. Give their ids, or --state for all in a state.')
    .argument('[ids...]', 'ids of messages that have ended, or that wait for the mail quota')
    .addOption(new Option('--state <state>', 'send all messages in this state again').choices(RESENDABLE_STATES))
    .option('--yes', 'send all that the options select without asking')
    .addHelpText('after', '\nMessages that no longer apply are dropped. Uncertain messages may arrive twice.')
    .action(async (ids: string[], { state, yes, ...options }: ResendOptions, command: Command) => {
      const api = new Api(options)
      const { channel, by, since } = options
      if (ids.length > 0 && (state ?? channel ?? by ?? since ?? yes) !== undefined)
        command.error('error: give either message ids or options, not both')
      if (ids.length > 0) return forEachId(ids, (id) => api.ask('resendMessage', { params: { id } }), resentOneText)
      if (state === undefined)
        throw new ApiRefusal('Give the ids of messages, or --state to send all messages in a state.')
      const filter = { state, ...toFilter(options) }
      if (!yes) {
        const reason = state === 'waiting' ? 'quota' : undefined
        const found = await api.ask('listMessages', { query: { ...filter, reason, limit: 1 } })
        if (found.total === 0) return show({ object: 'messageResend', resent: 0 }, resentText)
        await confirm(resendQuestion(found, state))
      }
      showDone(await api.ask('resendMessages', { body: filter }), resentText)
    })
  withExamples(
    resend,
    'ots messages resend msg_01hx3v9m2c8k4t6w0q5r7y1z3b',
    'ots messages resend --state failed --since 2027-01-31 --yes',
  )
  addSuppressions(messages)
}

interface SuppressionOptions extends ApiOptions, PageOptions {
  channel?: Message['channel']
  reason?: Suppression['reason']
  address?: string
}

/** The addresses that get no messages. */
function addSuppressions(messages: Command): void {
  const suppressions = messages.command('suppressions').description('List and remove addresses that get no messages.')
  withExamples(
    withPaging(withService(suppressions.command('list'))),
    'ots messages suppressions list --reason hardBounce',
    'ots messages suppressions list --address maria@example.com',
  )
    .description('List addresses that get no messages, newest first.')
    .addOption(new Option('--channel <channel>', 'only of e-mails or of text messages').choices(MESSAGE_CHANNELS))
    .addOption(new Option('--reason <reason>', 'only for this reason').choices(SUPPRESSION_REASONS))
    .option('--address <address>', 'only this e-mail address or phone number')
    .action(async ({ channel, reason, address, limit, page, ...options }: SuppressionOptions) => {
      const query = { channel, reason, address, limit, page }
      show(await new Api(options).ask('listSuppressions', { query }), suppressionListing)
    })

  withExamples(
    withService(suppressions.command('remove')),
    'ots messages suppressions remove sup_01hx3v9m2c8k4t6w0q5r7y1z3b',
  )
    .description('Let addresses get messages again.')
    .argument('<ids...>', 'ids of suppressions')
    .addHelpText(
      'after',
      '\nRemove an opt-out only if the person has asked for it. Suppressed messages have\nto be resent.',
    )
    .action(async (ids: string[], options: ApiOptions) => {
      const api = new Api(options)
      return forEachId(ids, (id) => api.ask('removeSuppression', { params: { id } }), removedText)
    })
}

function previewText({ isRelevant, subject, text }: MessagePreview): string {
  if (!isRelevant) return 'This message no longer applies to the order as it is now. If resent, it is dropped.'
  const lines = [...(subject === null ? [] : [`Subject: ${subject}`, '']), ...(text ?? '').trimEnd().split('\n')]
  return ['Composed from the order as it is now; it can differ from what was sent.', '', ...lines]
    .map((line) => escapeControls(line))
    .join('\n')
}

const removedText = ({ address }: Suppression) => `${address} gets messages again.`

const withFilter = (command: Command) =>
  command
    .addOption(new Option('--channel <channel>', 'only e-mails or only text messages').choices(MESSAGE_CHANNELS))
    .option('--by <token>', 'only those about orders placed with this token, by its id')
    .option('--since <time>', 'only those that ended at this time or later, such as 2027-01-31T12:00:00Z', readTime)

const toFilter = ({ by, channel, since }: FilterOptions) => ({
  tokenId: by,
  channel,
  endedFrom: since?.toISOString(),
})

const resentOneText = ({ id }: Message) => `Message ${id} will be sent again.`
