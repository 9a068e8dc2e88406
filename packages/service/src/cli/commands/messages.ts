import { Option, type Command } from 'commander'
import { MESSAGE_CHANNELS, MESSAGE_STATES, RESENDABLE_STATES, WAIT_REASONS } from '@order-testing/contract'
import type { Message } from '@order-testing/contract/operator'
import { Api, ApiRefusal, orderIdOf, withService, type ApiOptions } from '../api.ts'
import { confirm } from '../confirm.ts'
import { formatMessage, formatMessageList, formatResendQuestion, formatResent } from '../output/notifications.ts'
import { readCountFrom, readTime } from '../option-values.ts'

interface FilterOptions {
  by?: string
  channel?: Message['channel']
  since?: Date
}

interface ListOptions extends ApiOptions, FilterOptions {
  state?: Message['state']
  reason?: NonNullable<Message['reason']>
  order?: string
  limit: number
  page: number
  json?: boolean
}

interface ResendOptions extends ApiOptions, FilterOptions {
  state?: (typeof RESENDABLE_STATES)[number]
  yes?: true
}

export function addMessagesCommand(ots: Command, print: (text: string) => void): void {
  const messages = ots
    .command('messages')
    .description('manage notifications to participants and requesters through a running service')

  withFilter(withService(messages.command('list')), {
    state: 'only notifications in this state',
    choices: MESSAGE_STATES,
  })
    .description('list e-mails and text messages, newest first')
    .addOption(new Option('--reason <reason>', 'only notifications waiting for this reason').choices(WAIT_REASONS))
    .option('--order <order>', 'only notifications about this order, by id or code')
    .option('--limit <number>', 'messages per page', readCountFrom(1, 20), 20)
    .option('--page <number>', 'page number', readCountFrom(1, 10_000), 1)
    .option('--json', 'print JSON')
    .action(async ({ state, reason, order, channel, by, since, limit, page, json, ...options }: ListOptions) => {
      const api = new Api(options)
      const orderId = order === undefined ? undefined : await orderIdOf(api, order)
      const query = { state, reason, tokenId: by, orderId, channel, endedFrom: since?.toISOString(), limit, page }
      const found = await api.ask('listMessages', { query })
      print(json ? asJson(found) : formatMessageList(found))
    })

  withService(messages.command('show'))
    .description('show a message and every attempt to send it; its text and address are not stored')
    .argument('<id>', 'id of the message')
    .option('--json', 'print JSON')
    .action(async (id: string, { json, ...options }: ApiOptions & { json?: boolean }) => {
      const message = await new Api(options).ask('readMessage', { params: { id } })
      print(json ? asJson(message) : formatMessage(message))
    })

  withFilter(withService(messages.command('resend')), {
    state: 'resend all messages in this state',
    choices: RESENDABLE_STATES,
  })
    .description('send messages again: by id, or all that failed, may not have arrived or wait for the mail quota')
    .argument('[ids...]', 'ids of messages that have ended, or that wait for the mail quota')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText(
      'after',
      '\nMessages that no longer apply are dropped instead of sent. Uncertain messages may arrive twice.',
    )
    .action(async (ids: string[], options: ResendOptions, command: Command) => {
      const { state, channel, by, since, yes } = options
      const api = new Api(options)
      if (ids.length > 0 && (state ?? channel ?? by ?? since ?? yes) !== undefined)
        command.error('error: give either message ids or options, not both')
      if (ids.length > 0) return resendEach(api, ids, print)
      if (state === undefined)
        throw new ApiRefusal('Give the ids of messages, or --state to send all messages in a state.')
      const filter = { state, tokenId: by, channel, endedFrom: since?.toISOString() }
      if (!yes) {
        const reason = state === 'waiting' ? 'quota' : undefined
        const { total } = await api.ask('listMessages', { query: { ...filter, reason, limit: 1 } })
        if (total === 0) return print(formatResent(0))
        await confirm(formatResendQuestion(total, state))
      }
      print(formatResent((await api.ask('resendMessages', { body: filter })).resent))
    })
}

const withFilter = (command: Command, { state, choices }: { state: string; choices: readonly string[] }) =>
  command
    .addOption(new Option('--state <state>', state).choices(choices))
    .addOption(new Option('--channel <channel>', 'only e-mails or only text messages').choices(MESSAGE_CHANNELS))
    .option('--by <token>', 'only messages about orders created with this token id')
    .option('--since <time>', 'only messages that ended at or after this time, such as 2027-01-31T12:00:00Z', readTime)

/** Continues after a refusal, and reports all refusals at the end. */
async function resendEach(api: Api, ids: string[], print: (text: string) => void): Promise<void> {
  const refusals: string[] = []
  for (const id of new Set(ids)) {
    try {
      const { id: resent } = await api.ask('resendMessage', { params: { id } })
      print(`Message ${resent} will be sent again.`)
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error
      refusals.push(ids.length > 1 ? `${id}: ${error.message}` : error.message)
    }
  }
  if (refusals.length > 0) throw new ApiRefusal(refusals.join('\n'))
}

const asJson = (value: unknown) => JSON.stringify(value, null, 2)
