import { Option, type Command } from 'commander'
import { MESSAGE_CHANNELS, MESSAGE_STATES, RESENDABLE_STATES, WAIT_REASONS } from '@order-testing/contract'
import type { Message } from '@order-testing/contract/operator'
import { Api, ApiRefusal, orderIdOf, withService, type ApiOptions } from '../api.ts'
import { confirm } from '../confirm.ts'
import { messageListing, messageSheet, resendQuestion, resentText } from '../output/notifications.ts'
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
    .description('look after what participants and requesters are told, over the API of a running service')

  withFilter(withService(messages.command('list')), { state: 'only those in this state', choices: MESSAGE_STATES })
    .description('list messages by e-mail and text message, newest first')
    .addOption(new Option('--reason <reason>', 'only those that wait for this reason').choices(WAIT_REASONS))
    .option('--order <order>', 'only those about this order, by its id or code')
    .option('--limit <number>', 'messages a page', readCountFrom(1, 20), 20)
    .option('--page <number>', 'which page', readCountFrom(1, 10_000), 1)
    .option('--json', 'as JSON')
    .action(async ({ state, reason, order, channel, by, since, limit, page, json, ...options }: ListOptions) => {
      const api = new Api(options)
      const orderId = order === undefined ? undefined : await orderIdOf(api, order)
      const query = { state, reason, tokenId: by, orderId, channel, endedFrom: since?.toISOString(), limit, page }
      const found = await api.ask('listMessages', { query })
      print(json ? asJson(found) : messageListing(found))
    })

  withService(messages.command('show'))
    .description('show a message and every attempt to send it; its words and address are not kept')
    .argument('<id>', 'id of the message')
    .option('--json', 'as JSON')
    .action(async (id: string, { json, ...options }: ApiOptions & { json?: boolean }) => {
      const message = await new Api(options).ask('readMessage', { params: { id } })
      print(json ? asJson(message) : messageSheet(message))
    })

  withFilter(withService(messages.command('resend')), {
    state: 'all in this state, not by ids',
    choices: RESENDABLE_STATES,
  })
    .description(
      'send messages once more: those named, or all that failed, may not have arrived, or wait for the mail quota',
    )
    .argument('[ids...]', 'ids of messages that have ended in any state, or that wait because of the mail quota')
    .option('--yes', 'send all of a state without asking')
    .addHelpText('after', '\nWhat has become untrue since is dropped, not sent. What is uncertain may come twice.')
    .action(async (ids: string[], options: ResendOptions, command: Command) => {
      const { state, channel, by, since, yes } = options
      const api = new Api(options)
      if (ids.length > 0 && (state ?? channel ?? by ?? since ?? yes) !== undefined)
        command.error('error: name messages by their ids, or all of a state by options, not both')
      if (ids.length > 0) return resendEach(api, ids, print)
      if (state === undefined) throw new ApiRefusal('Name messages by their ids, or all of a state with --state.')
      const meant = { state, tokenId: by, channel, endedFrom: since?.toISOString() }
      if (!yes) {
        const reason = state === 'waiting' ? 'quota' : undefined
        const { total } = await api.ask('listMessages', { query: { ...meant, reason, limit: 1 } })
        if (total === 0) return print(resentText(0))
        await confirm(resendQuestion(total, state))
      }
      print(resentText((await api.ask('resendMessages', { body: meant })).resent))
    })
}

/** The options that say which messages are meant. */
const withFilter = (command: Command, { state, choices }: { state: string; choices: readonly string[] }) =>
  command
    .addOption(new Option('--state <state>', state).choices(choices))
    .addOption(new Option('--channel <channel>', 'only those by e-mail or text message').choices(MESSAGE_CHANNELS))
    .option('--by <token>', 'only those that creates with this token caused, by its id')
    .option('--since <time>', 'only those that ended at this time or later, such as 2027-01-31T12:00:00Z', readTime)

/** One that is refused keeps none of the others back. */
async function resendEach(api: Api, ids: string[], print: (text: string) => void): Promise<void> {
  const refusals: string[] = []
  for (const id of new Set(ids)) {
    try {
      const { id: resent } = await api.ask('resendMessage', { params: { id } })
      print(`Message ${resent} is sent again.`)
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error
      refusals.push(ids.length > 1 ? `${id}: ${error.message}` : error.message)
    }
  }
  if (refusals.length > 0) throw new ApiRefusal(refusals.join('\n'))
}

const asJson = (value: unknown) => JSON.stringify(value, null, 2)
