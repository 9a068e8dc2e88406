import { Option, type Command } from 'commander'
import type { OperatorCallback } from '@order-testing/contract/operator'
import { Api, ApiRefusal, orderIdOf, withService, type ApiOptions } from '../api.ts'
import { confirm } from '../confirm.ts'
import { readOrigin, withPaging, type PageOptions } from '../option-values.ts'
import { counted, pageTable, toJson, visible, type Found } from '../output/table.ts'

interface FilterOptions extends ApiOptions {
  by?: string
  order?: string
  origin?: string
}

interface ListOptions extends FilterOptions, PageOptions {
  active?: true
  ended?: true
}

interface EndOptions extends FilterOptions {
  yes?: true
}

export function addCallbacksCommand(ots: Command, print: (text: string) => void): void {
  const callbacks = ots
    .command('callbacks')
    .description('List and end registered callbacks, over the API of a running service.')

  withPaging(withFilter(withService(callbacks.command('list'))))
    .description('List registered callbacks, newest first. Addresses are shown without their query.')
    .option('--active', 'only active callbacks')
    .addOption(new Option('--ended', 'only callbacks that have ended').conflicts('active'))
    .action(async ({ active, ended, limit, page, json, ...options }: ListOptions) => {
      const api = new Api(options)
      const isActive = active ? 'true' : ended ? 'false' : undefined
      const query = { ...(await toFilter(options, api)), isActive, limit, page }
      const found = await api.ask('listCallbacks', { query })
      print(json ? toJson(found) : listing(found))
    })

  withFilter(withService(callbacks.command('end')))
    .description('End callbacks: those with the given ids, or all of a token, an order or an origin.')
    .argument('[ids...]', 'ids of callbacks')
    .option('--yes', 'end all that the options select without asking')
    .addHelpText('after', '\nTheir waiting deliveries are not sent. A token may register an address again.')
    .action(async (ids: string[], { yes, ...options }: EndOptions, command: Command) => {
      const api = new Api(options)
      const filter = await toFilter(options, api)
      const isFiltered = Object.values(filter).some((value) => value !== undefined)
      if (ids.length > 0 && (isFiltered || yes))
        command.error('error: give the ids of callbacks or filter options, not both')
      if (ids.length > 0) return endEach(api, ids, print)
      if (!isFiltered) throw new ApiRefusal('Give the ids of callbacks, or --by, --order or --origin.')
      if (!yes) {
        const { total, isMore } = await api.ask('listCallbacks', { query: { ...filter, isActive: 'true', limit: 1 } })
        if (total === 0) return print(endedText(0))
        await confirm(`This ends ${isMore ? 'more than ' : ''}${counted(total, 'active callback')}. Continue?`)
      }
      print(endedText((await api.ask('endCallbacks', { body: filter })).ended))
    })
}

const withFilter = (command: Command) =>
  command
    .option('--by <token>', 'only those that this token registered or changed last, by its id')
    .option('--order <order>', 'only those of this order, by its id or code')
    .option('--origin <origin>', 'only those to this origin, such as https://hooks.example.com', readOrigin)

const toFilter = async ({ by, order, origin }: FilterOptions, api: Api) => ({
  tokenId: by,
  orderId: order === undefined ? undefined : await orderIdOf(api, order),
  origin,
})

/** Goes on after a refusal, and reports all refusals at the end. */
async function endEach(api: Api, ids: string[], print: (text: string) => void): Promise<void> {
  const refusals: string[] = []
  for (const id of new Set(ids)) {
    try {
      const { target } = await api.ask('endCallback', { params: { id } })
      print(`Callback ${id} to ${visible(target)} has ended.`)
    } catch (error) {
      if (!(error instanceof ApiRefusal)) throw error
      refusals.push(ids.length > 1 ? `${id}: ${error.message}` : error.message)
    }
  }
  if (refusals.length > 0) throw new ApiRefusal(refusals.join('\n'))
}

const endedText = (ended: number) =>
  ended === 0 ? 'No active callbacks found.' : `Ended ${counted(ended, 'callback')}.`

const listing = (found: Found<OperatorCallback>) =>
  pageTable(found, ['callback', 'callbacks'], {
    empty: 'No callbacks found.',
    row: (callback) => [
      callback.createdAt,
      callback.id,
      callback.orderId,
      callback.version,
      callback.version === 'v1' && callback.showsParticipant ? 'with participant' : '',
      visible(ownersText(callback)),
      callback.endedAt === null ? 'active' : `ended ${callback.endedAt} (${callback.endReason})`,
      visible(callback.target),
    ],
  })

function ownersText({ registeredBy, changedBy }: OperatorCallback): string {
  const registered = `by ${registeredBy ?? 'an unknown token'}`
  return changedBy === null ? registered : `${registered}, changed by ${changedBy}`
}
