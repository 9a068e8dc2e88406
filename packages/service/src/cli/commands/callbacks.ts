import { Option, type Command } from 'commander'
import type { OperatorCallback } from '@order-testing/contract/operator'
import { Api, ApiRefusal, forEachId, findOrderId, withService, type ApiOptions } from '../api.ts'
import { confirm } from '../confirm.ts'
import { readOrigin, withPaging, type PageOptions } from '../option-values.ts'
import { withExamples } from '../help.ts'
import { dim, paintState } from '../output/colors.ts'
import { show, showDone } from '../output/print.ts'
import { escapeControls, formatCount, pageTable, type Found } from '../output/table.ts'

interface FilterOptions extends ApiOptions {
  by?: string
  order?: string
  origin?: string
}

interface ListOptions extends FilterOptions, PageOptions {
  active?: true
  ended?: true
  version?: 'v1' | 'v2'
}

interface EndOptions extends FilterOptions {
  yes?: true
}

export function define(callbacks: Command): void {
  withExamples(
    withPaging(withFilter(withService(callbacks.command('list')))),
    'ots callbacks list --order K7M4-2QXD',
    'ots callbacks list --origin https://hooks.example.com --version v1 --active',
  )
    .description('List registered callbacks, newest first. Addresses are shown without their query.')
    .option('--active', 'only active callbacks')
    .addOption(new Option('--ended', 'only callbacks that have ended').conflicts('active'))
    .addOption(
      new Option('--version <version>', 'only those of this version; with --by, --order or --origin').choices([
        'v1',
        'v2',
      ]),
    )
    .action(async ({ active, ended, version, limit, page, ...options }: ListOptions) => {
      const api = new Api(options)
      const isActive = active ? 'true' : ended ? 'false' : undefined
      const query = { ...(await toFilter(options, api)), isActive, version, limit, page }
      const found = await api.ask('listCallbacks', { query })
      show(found, listing)
    })

  const end = withFilter(withService(callbacks.command('end')))
    .description('End callbacks. Give their ids, or select all of a token, an order or an origin.')
    .argument('[ids...]', 'ids of callbacks')
    .option('--yes', 'end all that the options select without asking')
    .addHelpText('after', '\nTheir waiting deliveries are not sent. A token may register an address again.')
    .action(async (ids: string[], { yes, ...options }: EndOptions, command: Command) => {
      const api = new Api(options)
      const filter = await toFilter(options, api)
      const isFiltered = Object.values(filter).some((value) => value !== undefined)
      if (ids.length > 0 && (isFiltered || yes))
        command.error('error: give the ids of callbacks or filter options, not both')
      if (ids.length > 0) return forEachId(ids, (id) => api.ask('endCallback', { params: { id } }), endedOneText)
      if (!isFiltered) throw new ApiRefusal('Give the ids of callbacks, or --by, --order or --origin.')
      if (!yes) {
        const { total, isMore } = await api.ask('listCallbacks', { query: { ...filter, isActive: 'true', limit: 1 } })
        if (total === 0) return show({ object: 'callbackEnd', ended: 0 }, endedText)
        await confirm(`This ends ${isMore ? 'more than ' : ''}${formatCount(total, 'active callback')}. Continue?`)
      }
      showDone(await api.ask('endCallbacks', { body: filter }), endedText)
    })
  withExamples(
    end,
    'ots callbacks end cbk_01hx3v9m2c8k4t6w0q5r7y1z3b',
    'ots callbacks end --origin https://hooks.example.com --yes',
  )
}

const withFilter = (command: Command) =>
  command
    .option('--by <token>', 'only those that this token registered or changed last, by its id')
    .option('--order <order>', 'only those of this order, by its id or code')
    .option('--origin <origin>', 'only those to this origin, such as https://hooks.example.com', readOrigin)

const toFilter = async ({ by, order, origin }: FilterOptions, api: Api) => ({
  tokenId: by,
  orderId: await findOrderId(api, order),
  origin,
})

const endedOneText = ({ id, target }: OperatorCallback) => `Callback ${id} to ${escapeControls(target)} has ended.`

const endedText = ({ ended }: { ended: number }) =>
  ended === 0 ? 'No active callbacks found.' : `Ended ${formatCount(ended, 'callback')}.`

const listing = (found: Found<OperatorCallback>) =>
  pageTable(found, ['callback', 'callbacks'], {
    head: ['Created', 'Callback', 'Order', 'Version', '', 'Registered', 'State', 'Target'],
    empty: 'No callbacks found.',
    row: (callback) => [
      dim(callback.createdAt),
      callback.id,
      callback.orderId,
      callback.version,
      callback.version === 'v1' && callback.showsParticipant ? 'with participant' : '',
      escapeControls(ownersText(callback)),
      callback.endedAt === null
        ? paintState('active')
        : paintState(`ended ${callback.endedAt} (${callback.endReason})`, 'ended'),
      escapeControls(callback.target),
    ],
  })

function ownersText({ registeredBy, changedBy }: OperatorCallback): string {
  const registered = `by ${registeredBy ?? 'an unknown token'}`
  return changedBy === null ? registered : `${registered}, changed by ${changedBy}`
}
