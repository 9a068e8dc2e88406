import type { Command } from 'commander'
import type { FullToken, TokenRequestEntry } from '@order-testing/contract/operator'
import { Api, withService, type ApiOptions } from '../api.ts'
import { withExamples } from '../help.ts'
import { withPaging, type PageOptions } from '../option-values.ts'
import { dim, green, paintState, red } from '../output/colors.ts'
import { show } from '../output/print.ts'
import { escapeControls, formatCount, pageTable, sheet, table, type Found } from '../output/table.ts'

interface RequestOptions extends ApiOptions, PageOptions {
  refused?: true
}

/** What a token was used for. Unlike the other commands for tokens, these ask the service. */
export function addUseCommands(token: Command): void {
  withExamples(withService(token.command('show')), 'ots token show payroll')
    .description('Show a token, and how often each scope was used in 30 days.')
    .argument('<id>', 'id of the token')
    .action(async (id: string, options: ApiOptions) => {
      show(await new Api(options).ask('readToken', { params: { id } }), tokenSheet)
    })

  withExamples(
    withPaging(withService(token.command('requests'))),
    'ots token requests payroll',
    'ots token requests payroll --refused',
  )
    .description('List the last requests of a token, newest first.')
    .argument('<id>', 'id of the token')
    .option('--refused', 'only requests that were refused, with the reasons')
    .action(async (id: string, { refused, limit, page, ...options }: RequestOptions) => {
      const query = { refused: refused && 'true', limit, page }
      show(await new Api(options).ask('listTokenRequests', { params: { id }, query }), requestListing)
    })
}

function tokenSheet({ id, name, state, use, ...token }: FullToken): string {
  const facts = sheet([
    ['Token', id],
    ['Name', escapeControls(name)],
    ['State', paintState(state)],
    ['Last used', token.lastUsedAt ?? 'never'],
    ['Expires', token.expiresAt ?? 'never'],
    ['Companies', token.companies.join(', ') || 'all'],
  ])
  const scopes = use.scopes.map(({ scope, requests, lastOn }) => [
    scope,
    requests === 0 ? `not used since ${use.since}` : formatCount(requests, 'request'),
    dim(lastOn === null ? '' : `last on ${lastOn}`),
  ])
  return `${facts}\n\nScopes and their use since ${use.since}:\n\n${table(scopes)}`
}

const requestListing = (found: Found<TokenRequestEntry>) =>
  pageTable(found, ['request', 'requests'], {
    head: ['Time', 'Request', 'Status', 'Duration', 'Request id', 'Problems'],
    empty: 'No requests on record.',
    row: ({ at, method, route, status, ms, requestId, problems }) => [
      dim(at),
      `${method} ${route}`,
      (status < 400 ? green : red)(`${status}`),
      `${ms} ms`,
      escapeControls(requestId),
      escapeControls(problems.map(problemText).join(' ')),
    ],
  })

const problemText = ({ code, pointer, detail }: TokenRequestEntry['problems'][number]) =>
  `${code}${pointer === null ? '' : ` ${pointer}`}: ${detail}`
