import { Option, type Command } from 'commander'
import type { OperatorCallback } from '@order-testing/contract/operator'
import { Api, ApiRefusal, orderIdOf, withService, type ApiOptions } from '../api.ts'
import { confirm } from '../confirm.ts'
import { readCountFrom, readOrigin } from '../option-values.ts'
import { counted, pageText, table, visible } from '../output/table.ts'

interface FilterOptions extends ApiOptions {
  by?: string
  order?: string
  origin?: string
}

interface ListOptions extends FilterOptions {
  active?: true
  ended?: true
  limit: number
  page: number
  json?: boolean
}

interface EndOptions extends FilterOptions {
  yes?: true
}

export function addCallbacksCommand(ots: Command, print: (text: string) => void): void {
  const callbacks = ots
    .command('callbacks')
    .description('list and end registered callbacks through the API of a running service')

  withFilter(withService(callbacks.command('list')))
    .description('list registered callbacks, newest first; addresses are shown without their query string')
    .option('--active', 'only active callbacks')
    .addOption(new Option('--ended', 'only ended callbacks').conflicts('active'))
    .option('--limit <number>', 'callbacks per page', readCountFrom(1, 20), 20)
    .option('--page <number>', 'page number', readCountFrom(1, 10_000), 1)
    .option('--json', 'print JSON')
    .action(async ({ active, ended, limit, page, json, ...options }: ListOptions) => {
      const api = new Api(options)
      const isActive = active ? 'true' : ended ? 'false' : undefined
      const query = { ...(await filterOf(options, api)), isActive, limit, page }
      const found = await api.ask('listCallbacks', { query })
      print(json ? JSON.stringify(found, null, 2) : listing(found))
    })

  withFilter(withService(callbacks.command('end')))
    .description('end callbacks: those given by id, or all of a token, an order or an origin')
    .argument('[ids...]', 'ids of callbacks')
    .option('--yes', 'do not ask for confirmation')
    .addHelpText('after', '\nTheir waiting deliveries are not sent. A token may register the same address again.')
    .action(async (ids: string[], { yes, ...options }: EndOptions, command: Command) => {
      const api = new Api(options)
      const filter = await filterOf(options, api)
      const isFiltered = Object.values(filter).some((value) => value !== undefined)
      if (ids.length > 0 && (isFiltered || yes)) command.error('error: select callbacks by id or by options, not both')
      if (ids.length > 0) return endEach(api, ids, print)
      if (!isFiltered) throw new ApiRefusal('Select callbacks by id, or with --by, --order or --origin.')
      if (!yes) {
        const { total, isMore } = await api.ask('listCallbacks', { query: { ...filter, isActive: 'true', limit: 1 } })
        if (total === 0) return print(endedText(0))
        await confirm(`${isMore ? 'More than ' : ''}${counted(total, 'active callback')} will end. Continue?`)
      }
      print(endedText((await api.ask('endCallbacks', { body: filter })).ended))
    })
}

/** Adds the options that select callbacks. */
const withFilter = (command: Command) =>
  command
    .option('--by <token>', 'only callbacks registered or last changed by this token, by its id')
    .option('--order <order>', 'only callbacks of this order, by id or code')
    .option('--origin <origin>', 'only callbacks to this origin, such as https://hooks.example.com', readOrigin)

const filterOf = async ({ by, order, origin }: FilterOptions, api: Api) => ({
  tokenId: by,
  orderId: order === undefined ? undefined : await orderIdOf(api, order),
  origin,
})

/** A refusal does not keep the others from ending. */
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
  ended === 0 ? 'No active callbacks match.' : `${counted(ended, 'callback has', 'callbacks have')} ended.`

interface Found {
  data: OperatorCallback[]
  limit: number
  page: number
  total: number
  isMore: boolean
}

function listing({ data, limit, page, total, isMore }: Found): string {
  if (total === 0) return 'No callbacks match.'
  const where = pageText({ page, limit, total, count: data.length, isMore }, ['callback', 'callbacks'])
  if (data.length === 0) return where
  const rows = data.map((callback) => [
    callback.createdAt,
    callback.id,
    callback.orderId,
    callback.version,
    callback.version === 'v1' && callback.showsParticipant ? 'with participant' : '',
    visible(ownersText(callback)),
    callback.endedAt === null ? 'active' : `ended ${callback.endedAt} (${callback.endReason})`,
    visible(callback.target),
  ])
  return `${table(rows)}\n\n${where}`
}

function ownersText({ registeredBy, changedBy }: OperatorCallback): string {
  const made = `by ${registeredBy ?? 'an unknown token'}`
  return changedBy === null ? made : `${made}, changed by ${changedBy}`
}
