import { randomBytes, randomInt } from 'node:crypto'
import { Option, type Command } from 'commander'
import {
  INTAKE_SCOPES,
  isStaffScope,
  OPERATOR_SCOPES,
  SCOPES,
  SHORT_SCOPES,
  type Scope,
  type Sender,
} from '@order-testing/contract'
import { refuse } from '../../domain/refusal.ts'
import {
  issueToken,
  issueSecret,
  formatLiveCallbacks,
  revokeWithCallbacks,
  tokenState,
  type RevocationRequest,
} from '../../operations/access/tokens.ts'
import { presentToken } from '../../operations/access/operator-tokens.ts'
import { changeToken } from '../../operations/access/token-changes.ts'
import type { TokenRow } from '../../store/access/tokens.ts'
import type { Store } from '../../store/store.ts'
import { withExamples } from '../help.ts'
import { readCount, readList, readTime } from '../option-values.ts'
import { paintState } from '../output/colors.ts'
import { note, show, showDone } from '../output/print.ts'
import { formatCount, table } from '../output/table.ts'
import { withStore } from '../run/database.ts'
import { recorder } from '../run/local-actor.ts'
import { chooseTenant } from './catalog.ts'
import { addUseCommands } from './token-use.ts'
import { readMember, readScopes, readSender, readSenders } from './token-values.ts'

interface CreateOptions {
  tenant?: string
  id?: string
  name?: string
  scopes: Scope[]
  companies?: string[]
  expires?: Date
  rateLimit?: number
  sender?: Sender[]
  senders?: Sender[]
}

interface RevokeOptions {
  tenant?: string
  callbacks?: RevocationRequest['callbacks']
}

export function define(token: Command): void {
  const tenant = ['--tenant <id>', 'tenant of the token; optional if there is only one'] as const

  token.description(
    'Create, list and revoke API tokens, and see their use. Works on the database; changes are audited.',
  )

  withExamples(
    token.command('create'),
    'ots token create --scopes all --name "HR system"',
    'ots token create --scopes company.list,order.create --companies co-larkmead',
    "ots token create --scopes 'operator.*' --expires 2027-12-31",
  )
    .description('Create a token and print its secret, which is shown only once.')
    .option(...tenant)
    .option('--id <id>', 'id of the token (default: generated)', readMember('id'))
    .option('--name <name>', 'name of the token (default: its id)', readMember('name'))
    .requiredOption(
      '--scopes <scopes>',
      `comma-separated scopes, or all of a kind: ${SHORT_SCOPES.join(', ')}`,
      readScopes,
    )
    .option(
      '--companies <ids>',
      'comma-separated ids of linked companies (default: all active ones; not for operator tokens)',
      readList,
    )
    .option('--expires <time>', 'when the token expires, such as 2027-01-31', readTime)
    .option('--rate-limit <number>', 'requests per minute, 0 for no limit (default: OTS_RATE_LIMIT)', readCount)
    .option(
      '--sender <sender>',
      'sender it may report for, as id:role or id:role:lab,lab; may be repeated (default: any sender)',
      readSender,
    )
    .option('--senders <file>', 'JSON file with senders it may report for: [{id, role, labs, timezone}]', readSenders)
    .action(async (options: CreateOptions) => {
      const created = await withStore((store) => create(options, store))
      const { id, tenantId } = created
      show(created, ({ secret }) => secret)
      note(`Created token "${id}" of tenant "${tenantId}". Store the secret above: it cannot be shown again.`)
    })

  addEditCommand(token)
  addUseCommands(token)

  withExamples(token.command('issue'), 'ots token issue hr')
    .description('Generate the secret of a token and print it once. For tokens that a catalog file lists without one.')
    .argument('<id>', 'id of the token')
    .option(...tenant)
    .action(async (id: string, options: { tenant?: string }) => {
      const issue = async (store: Store) => {
        const tenantId = await chooseTenant(options.tenant, store)
        return { id, tenantId, secret: await issueSecret({ tenantId, id }, store, issuing()) }
      }
      show(await withStore(issue), ({ secret }) => secret)
    })

  withExamples(token.command('list'), 'ots token list', "ots token list --json | jq -r '.[].id'")
    .description('List tokens with scopes, companies, state and last use.')
    .option('--tenant <id>', 'only tokens of this tenant')
    .action(async (options: { tenant?: string }) => {
      const rows = await withStore((store) => store.tokens.list(options.tenant), { readOnly: true })
      show(rows.map(present), () => listing(rows))
    })

  withExamples(token.command('revoke'), 'ots token revoke hr', 'ots token revoke tok_2f61c0d9a4be --callbacks end')
    .description('Revoke a token immediately and permanently.')
    .argument('<id>', 'id of the token')
    .option(...tenant)
    .addOption(
      new Option(
        '--callbacks <choice>',
        'what to do with its active callbacks: keep or end them; required if there are any',
      ).choices(['keep', 'end']),
    )
    .action(async (id: string, options: RevokeOptions) => {
      showDone(await withStore((store) => revoke(id, options, store)), revokedText)
    })
}

function addEditCommand(token: Command): void {
  withExamples(
    token.command('edit'),
    'ots token edit hr --scopes order.create,order.read',
    'ots token edit hr --expires never --rate-limit 600',
  )
    .description('Change what a token may do. Its secret stays the same.')
    .argument('<id>', 'id of the token')
    .option('--tenant <id>', 'tenant of the token; optional if there is only one')
    .option('--name <name>', 'new name', readMember('name'))
    .option('--scopes <scopes>', `all scopes it has from now on, or ${SHORT_SCOPES.join(', ')}`, readScopes)
    .option('--companies <ids>', 'all companies it is linked to from now on', readList)
    .option('--expires <time>', 'when it expires, or never', (text) => (text === 'never' ? null : readTime(text)))
    .option('--rate-limit <number>', 'requests per minute, 0 for no limit', readCount)
    .option('--sender <sender>', 'sender it may report for, as id:role; may be repeated', readSender)
    .option('--senders <file>', 'JSON file with senders it may report for', readSenders)
    .option('--reason <text>', 'reason, recorded in the audit log')
    .action(async (id: string, options: EditOptions, command: Command) => {
      const { tenant: _tenant, reason: _reason, ...changes } = options
      if (Object.keys(changes).length === 0) command.error('error: give at least one option with a new value')
      const edited = await withStore((store) => edit(id, options, store))
      showDone(present(edited), () => `Token "${id}" is changed: ${scopesText(edited.scopes, edited.senders)}.`)
    })
}

type EditOptions = Partial<Omit<CreateOptions, 'id' | 'expires'>> & { expires?: Date | null; reason?: string }

async function edit(id: string, options: EditOptions, store: Store): Promise<TokenRow> {
  const { name, scopes, companies, expires, rateLimit, sender, senders, reason } = options
  const tenantId = await chooseTenant(options.tenant, store)
  const change = {
    tenantId,
    id,
    name,
    scopes,
    companyIds: companies,
    expiresAt: expires,
    rateLimit,
    reason,
    senders: sender || senders ? [...(senders ?? []), ...(sender ?? [])] : undefined,
  }
  const edited = await changeToken(change, store, { record: recorder(), now: new Date() })
  if (!edited) throw refuse('notFound', `Tenant "${tenantId}" has no token "${id}".`)
  return edited
}

interface Revoked {
  id: string
  tenantId: string
  outcome: 'revoked' | 'alreadyRevoked'
  callbacksEnded: number
}

async function revoke(id: string, { tenant, callbacks }: RevokeOptions, store: Store): Promise<Revoked> {
  const tenantId = await chooseTenant(tenant, store)
  const revoked = await revokeWithCallbacks({ tenantId, id, callbacks }, store, recorder())
  if (revoked.outcome === 'missing') throw refuse('notFound', `Tenant "${tenantId}" has no token "${id}".`)
  if (revoked.outcome === 'undecided')
    throw refuse(
      'required',
      `Token "${id}" has ${formatLiveCallbacks(revoked.live)}: add --callbacks keep or --callbacks end.`,
    )
  const outcome = revoked.outcome === 'revoked' ? 'revoked' : 'alreadyRevoked'
  return { id, tenantId, outcome, callbacksEnded: revoked.ended }
}

function revokedText({ id, outcome, callbacksEnded }: Revoked): string {
  const ended = callbacksEnded > 0 ? ` Callbacks ended: ${callbacksEnded}.` : ''
  return `Token "${id}" ${outcome === 'revoked' ? 'is revoked' : 'was already revoked'}.${ended}`
}

async function create(options: CreateOptions, store: Store) {
  const { id = `tok_${randomBytes(6).toString('hex')}`, name = id, sender, senders } = options
  const tenantId = await chooseTenant(options.tenant, store)
  const request = {
    tenantId,
    id,
    name,
    scopes: options.scopes,
    companyIds: options.companies ?? null,
    expiresAt: options.expires ?? null,
    rateLimit: options.rateLimit ?? null,
    senders: sender || senders ? [...(senders ?? []), ...(sender ?? [])] : null,
  }
  const { secret } = await issueToken(request, store, issuing())
  return { id, tenantId, secret }
}

/** As the API presents it, with the tenant, since a command may list those of all. */
const present = (row: TokenRow) => ({ tenantId: row.tenantId, ...presentToken(row, new Date()) })

const issuing = () => ({ random: randomInt, record: recorder() })

function listing(rows: TokenRow[]): string {
  if (rows.length === 0) return 'No tokens found.'
  return table(
    rows.map((row) => [
      row.tenantId,
      row.id,
      row.name,
      scopesText(row.scopes, row.senders),
      row.scopes.some((scope) => isStaffScope(scope))
        ? 'all companies'
        : formatCount(row.companyIds.length, 'company', 'companies'),
      stateText(row),
      row.lastUsedAt ? `used ${row.lastUsedAt.toISOString()}` : 'never used',
    ]),
    { head: ['Tenant', 'Token', 'Name', 'Scopes', 'Companies', 'State', 'Last use'] },
  )
}

function stateText(row: TokenRow): string {
  const state = tokenState(row, new Date())
  return paintState(STATES[state], state)
}

const STATES: Record<ReturnType<typeof tokenState>, string> = {
  active: 'active',
  withoutSecret: 'no secret yet',
  expired: 'expired',
  inactive: 'removed from its catalog file',
  revoked: 'revoked',
}

/** Counts the scopes of each kind, and the senders. */
function scopesText(scopes: readonly Scope[], senders: readonly Sender[] | null): string {
  const count = (all: readonly Scope[], kind: string) => {
    const held = scopes.filter((scope) => all.includes(scope)).length
    if (held === 0) return []
    return [held === all.length ? `all ${kind}scopes` : formatCount(held, `${kind}scope`)]
  }
  const kinds = [...count(SCOPES, ''), ...count(OPERATOR_SCOPES, 'operator '), ...count(INTAKE_SCOPES, 'intake ')]
  const bound = senders === null ? [] : [formatCount(senders.length, 'sender')]
  return kinds.length === 0 ? '0 scopes' : [...kinds, ...bound].join(', ')
}
