import { InvalidArgumentError, type Command } from 'commander'
import { ORDER_STATUSES } from '@order-testing/contract'
import type { SavedView } from '@order-testing/contract/operator'
import { Api, forEachId, IntegratorApi, toRefusal, withService, type ApiOptions } from '../api.ts'
import { withExamples } from '../help.ts'
import { readCount, readTime, withPaging, type PageOptions } from '../option-values.ts'
import { orderListing } from '../output/integrator-orders.ts'
import { mode } from '../output/mode.ts'
import { show, showDone } from '../output/print.ts'
import { escapeControls, pageTable, type Found } from '../output/table.ts'

/** Says which statuses there are, before the service is asked. */
function readStatuses(text: string): string {
  if (text.split(',').every((each) => ORDER_STATUSES.some((status) => status === each))) return text
  throw new InvalidArgumentError(`Expected statuses separated by commas: ${ORDER_STATUSES.join(', ')}.`)
}

interface FilterOptions extends ApiOptions {
  status?: string
  notStatus?: string
  company?: string
  location?: string
  code?: string
  externalId?: string
  specimen?: string
  from?: Date
  to?: Date
}

const withPlaces = (command: Command) =>
  command
    .option('--status <statuses>', 'orders in this status, or in any of several: a,b', readStatuses)
    .option('--not-status <statuses>', 'orders that are not in this status, or in none of several', readStatuses)
    .option('--company <id>', 'orders for this company')
    .option('--location <id>', 'orders at this location')
    .option('--code <code>', 'the order with this code')
    .option('--external-id <id>', 'orders with this id of the client')
    .option('--specimen <id>', 'orders with this specimen')

const withFilter = (command: Command) =>
  withPlaces(command)
    .option('--from <time>', 'created at this time or later', readTime)
    .option('--to <time>', 'created before this time', readTime)

const toPlaces = ({ status, notStatus, company, location, code, externalId, specimen }: FilterOptions) => ({
  status,
  statusNot: notStatus,
  companyId: company,
  locationId: location,
  code,
  externalId,
  specimenId: specimen,
})

const toFilter = ({ from, to, ...options }: FilterOptions) => ({
  ...toPlaces(options),
  createdFrom: from?.toISOString(),
  createdTo: to?.toISOString(),
})

/** The list of orders, which integrators and operators both have. */
export function addList(orders: Command): void {
  withExamples(
    withPaging(withFilter(withService(orders.command('list'), 'an operator or API token'))),
    'ots orders list --status scheduled --from 2027-01-31',
    'ots orders list --not-status cancelled,expired',
    "ots orders list --json | jq -r '.data[].code'",
  )
    .description('List orders, newest first. Operators see masked participants.')
    .action(async ({ limit, page, ...options }: FilterOptions & PageOptions) => {
      const query = { limit, page, ...toFilter(options) }
      const integrators = new IntegratorApi(options)
      const isOperator = (await integrators.ask('readToken')).scopes.some((scope) => scope.startsWith('operator.'))
      const masked = { query: { ...query, participants: 'masked' } }
      if (isOperator) show(await new Api(options).ask('operatorListOrders', masked), orderListing)
      else show(await integrators.ask('listOrders', { query }), orderListing)
    })
}

/** Orders of one request. */
const EXPORTED = 500

/** What only operators do with lists of orders. */
export function addListCommands(orders: Command): void {
  withExamples(
    withFilter(withService(orders.command('export'))),
    'ots orders export > orders.csv',
    'ots orders export --status pending --from 2027-01-01 > pending.csv',
  )
    .description('Print orders as CSV, newest first. Participants are masked; the export is audited.')
    .action(async (options: FilterOptions, command: Command) => {
      if (mode.json) command.error('error: this prints CSV; use "ots orders list --json" for JSON')
      const api = new Api(options)
      for (let before: string | undefined, isFirst = true; ; isFirst = false) {
        const query = { ...toFilter(options), before, limit: EXPORTED }
        const { status, text } = await api.send('exportOrders', { query })
        if (status >= 300) throw toRefusal(status, text)
        process.stdout.write(isFirst ? text : text.slice(text.indexOf('\n') + 1))
        // Each order begins with its id, at the start of a line. Quoted cells may have lines of their own.
        const unquoted = text.replaceAll(/"(?:[^"]|"")*"/g, '')
        const ids = [...unquoted.matchAll(/^(ord_\w+),/gm)].map(([, id]) => id)
        if (ids.length < EXPORTED) return
        before = ids.at(-1)
      }
    })
  addViewCommands(orders)
}

interface ViewOptions extends FilterOptions {
  createdWithin?: number
  updatedWithin?: number
  share?: true
}

interface ViewChange extends ApiOptions {
  name?: string
  position?: number
  share?: boolean
}

function addViewCommands(orders: Command): void {
  const views = orders.command('views').description('Save, list and change views.')
  withExamples(withPaging(withService(views.command('list'))), 'ots orders views list')
    .description('List saved views: your own, then those that others share.')
    .action(async ({ limit, page, ...options }: ApiOptions & PageOptions) => {
      show(await new Api(options).ask('listSavedViews', { query: { limit, page } }), viewListing)
    })
  withExamples(
    withPlaces(withService(views.command('save'))),
    "ots orders views save 'At the lab' --status pending --created-within 7",
  )
    .description('Save filters of the list of orders under a name.')
    .argument('<name>', 'name of the view')
    .option('--created-within <days>', 'orders created within this many days', readCount)
    .option('--updated-within <days>', 'orders changed within this many days', readCount)
    .option('--share', 'let all operators see it')
    .action(async (name: string, { createdWithin, updatedWithin, share, ...options }: ViewOptions) => {
      const days = { createdWithinDays: createdWithin, updatedWithinDays: updatedWithin }
      const body = { name, filters: { ...toPlaces(options), ...days }, isShared: share }
      showDone(await new Api(options).ask('createSavedView', { body }), (view) => `Saved: ${describe(view)}`)
    })
  withExamples(
    withService(views.command('update')),
    'ots orders views update vew_01kjqj9c4t6rjv3m5c2nqk0w4t --position 1 --share',
  )
    .description('Rename, move or share a saved view.')
    .argument('<id>', 'id of the view')
    .option('--name <name>', 'new name')
    .option('--position <number>', 'new place among your views, from 1', readCount)
    .option('--share', 'let all operators see it')
    .option('--no-share', 'keep it to yourself')
    .action(async (id: string, { name, position, share, ...options }: ViewChange) => {
      const body = { name, position, isShared: share }
      const view = await new Api(options).ask('updateSavedView', { params: { id }, body })
      showDone(view, () => `Changed: ${describe(view)}`)
    })
  withExamples(withService(views.command('delete')), 'ots orders views delete vew_01kjqj9c4t6rjv3m5c2nqk0w4t')
    .description('Delete saved views.')
    .argument('<ids...>', 'ids of views')
    .action(async (ids: string[], options: ApiOptions) => {
      const api = new Api(options)
      return forEachId(
        ids,
        (id) => api.ask('deleteSavedView', { params: { id } }),
        (view) => `Deleted: ${describe(view)}`,
      )
    })
}

const describe = ({ name, id }: SavedView) => escapeControls(`${name} (${id})`)

const viewListing = (found: Found<SavedView>) =>
  pageTable(found, ['view', 'views'], {
    head: ['Name', 'Filters', 'Owner', 'Shared', 'Id'],
    row: ({ name, filters, owner, isMine, isShared, id }) => [
      escapeControls(name),
      escapeControls(
        Object.entries(filters)
          .map(([member, value]) => `${member}=${value}`)
          .join(' '),
      ),
      escapeControls(isMine ? 'you' : (owner.name ?? owner.id)),
      isShared ? 'yes' : 'no',
      id,
    ],
    empty: 'No saved views.',
    order: 'your own first',
  })
