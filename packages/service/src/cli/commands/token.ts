import { randomBytes, randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { InvalidArgumentError, Option, type Command } from 'commander'
import {
  ALL_SCOPES,
  CatalogToken,
  INTAKE_SCOPES,
  isStaffScope,
  mixesScopes,
  OPERATOR_SCOPES,
  parse,
  SCOPES,
  SENDER_KINDS,
  SHORT_SCOPES,
  spelledOut,
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
import type { Store } from '../../store/store.ts'
import type { TokenRow } from '../../store/access/tokens.ts'
import { onlyTenant } from './catalog.ts'
import { readConfig } from '../run/settings.ts'
import { withStore } from '../run/database.ts'
import { recorder } from '../run/local-actor.ts'
import { readCount, readTime } from '../option-values.ts'
import { table } from '../output/table.ts'

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

export function addTokenCommand(ots: Command, print: (text: string) => void): void {
  const token = ots.command('token').description('issue, list and revoke API tokens')
  const tenant = ['--tenant <id>', 'tenant of the token; may be left out where there is only one'] as const

  token
    .command('create')
    .description('issue a token and print its secret, once')
    .option(...tenant)
    .option('--id <id>', 'id to revoke it by (default: made up)', readMember('id'))
    .option('--name <name>', 'what it is for (default: its id)', readMember('name'))
    .requiredOption(
      '--scopes <scopes>',
      `comma-separated scopes; for all of a kind: ${SHORT_SCOPES.join(', ')}`,
      readScopes,
    )
    .option(
      '--companies <ids>',
      'comma-separated companies it is linked to (default: all active ones; not for operators)',
      readList,
    )
    .option('--expires <time>', 'date or date and time it expires, such as 2027-01-31', readTime)
    .option('--rate-limit <number>', 'requests a minute, 0 for no limit (default: the service’s setting)', readCount)
    .option(
      '--sender <sender>',
      'sender it may speak for, id:role or id:role:lab,lab; repeat for several (default: any of its intake scopes)',
      readSender,
    )
    .option(
      '--senders <file>',
      'JSON file with the senders it may speak for: [{id, role, labs, timezone}]',
      readSenders,
    )
    .action(async (options: CreateOptions) => {
      const { id, tenantId, secret } = await withStore(readConfig(process.env), (store) => create(options, store))
      print(secret)
      process.stderr.write(`Token "${id}" of tenant "${tenantId}". Keep the secret above: it cannot be shown again.\n`)
    })

  token
    .command('issue')
    .description('give a token that a catalog file names without a secret its first one, and print it, once')
    .argument('<id>', 'id of the token')
    .option(...tenant)
    .action(async (id: string, options: { tenant?: string }) => {
      print(
        await withStore(readConfig(process.env), async (store) =>
          issueSecret({ tenantId: options.tenant ?? (await onlyTenant(store)), id }, store, issuing()),
        ),
      )
    })

  token
    .command('list')
    .description('list tokens: scopes, companies, state and last use')
    .option('--tenant <id>', 'only those of this tenant')
    .option('--json', 'as JSON')
    .action(async (options: { tenant?: string; json?: boolean }) => {
      const rows = await withStore(readConfig(process.env), async (store) => store.tokens.list(options.tenant), {
        readOnly: true,
      })
      print(options.json ? JSON.stringify(rows, null, 2) : listing(rows))
    })

  token
    .command('revoke')
    .description('revoke a token at once and for good')
    .argument('<id>', 'id of the token')
    .option(...tenant)
    .addOption(
      new Option(
        '--callbacks <choice>',
        'what becomes of its live callbacks: keep lets them go on as registered, end ends them',
      ).choices(['keep', 'end']),
    )
    .action(async (id: string, options: RevokeOptions) => {
      print(await withStore(readConfig(process.env), (store) => revokeOne(id, options, store)))
    })
}

async function revokeOne(id: string, { tenant, callbacks }: RevokeOptions, store: Store): Promise<string> {
  const tenantId = tenant ?? (await onlyTenant(store))
  const revoked = await revokeWithCallbacks({ tenantId, id, callbacks }, store, recorder())
  if (revoked.outcome === 'missing') throw refuse('notFound', `Tenant "${tenantId}" has no token "${id}".`)
  if (revoked.outcome === 'undecided')
    throw refuse(
      'required',
      `Token "${id}" has ${formatLiveCallbacks(revoked.live)}: add --callbacks keep or --callbacks end.`,
    )
  const ended = revoked.ended > 0 ? ` Callbacks ended: ${revoked.ended}.` : ''
  return `Token "${id}" ${revoked.outcome === 'revoked' ? 'is revoked' : 'was revoked before'}.${ended}`
}

async function create(options: CreateOptions, store: Store) {
  const tenantId = options.tenant ?? (await onlyTenant(store))
  const id = options.id ?? `tok_${randomBytes(6).toString('hex')}`
  const request = {
    tenantId,
    id,
    name: options.name ?? id,
    scopes: options.scopes,
    companyIds: options.companies ?? null,
    expiresAt: options.expires ?? null,
    rateLimit: options.rateLimit ?? null,
    senders: options.sender || options.senders ? [...(options.senders ?? []), ...(options.sender ?? [])] : null,
  }
  const { secret } = await issueToken(request, store, issuing())
  return { id, tenantId, secret }
}

const issuing = () => ({ random: randomInt, record: recorder() })

function listing(rows: TokenRow[]): string {
  if (rows.length === 0) return 'There are no tokens.'
  return table(
    rows.map((row) => [
      row.tenantId,
      row.id,
      row.name,
      scopesText(row.scopes, row.senders),
      row.scopes.some((scope) => isStaffScope(scope)) ? 'every company' : `${row.companyIds.length} companies`,
      STATES[tokenState(row, new Date())],
      row.lastUsedAt ? `used ${row.lastUsedAt.toISOString()}` : 'never used',
    ]),
  )
}

const STATES: Record<ReturnType<typeof tokenState>, string> = {
  active: 'active',
  withoutSecret: 'without a secret',
  expired: 'expired',
  inactive: 'no longer in its file',
  revoked: 'revoked',
}

/** How many scopes of which kind, and for how many senders. */
function scopesText(scopes: readonly Scope[], senders: readonly Sender[] | null): string {
  const count = (all: readonly Scope[], kind: string) => {
    const had = scopes.filter((scope) => all.includes(scope)).length
    return had === 0 ? [] : [`${had === all.length ? 'all' : had} ${kind}scopes`]
  }
  const kinds = [...count(SCOPES, ''), ...count(OPERATOR_SCOPES, 'operator '), ...count(INTAKE_SCOPES, 'intake ')]
  const bound = senders === null ? [] : [`${senders.length} ${senders.length === 1 ? 'sender' : 'senders'}`]
  return kinds.length === 0 ? '0 scopes' : [...kinds, ...bound].join(', ')
}

const readList = (text: string) =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')

function readScopes(text: string): Scope[] {
  const scopes = spelledOut(readList(text))
  const known = new Set<string>(ALL_SCOPES)
  const unknown = scopes.filter((scope) => !known.has(scope))
  if (unknown.length > 0)
    throw new InvalidArgumentError(`Unknown: ${unknown.join(', ')}. Known: ${[...SHORT_SCOPES, ...known].join(', ')}.`)
  if (mixesScopes(scopes))
    throw new InvalidArgumentError('Scopes of operator.* and intake.* are never in one token with others.')
  return scopes
}

/** `id:role` or `id:role:lab,lab`; the id may hold colons itself. */
function readSender(text: string, others: Sender[] = []): Sender[] {
  const [, id, role, labs] = new RegExp(`^(.+):(${SENDER_KINDS.join('|')})(?::(.*))?$`).exec(text) ?? []
  if (id === undefined) throw new InvalidArgumentError(`Expected id:role, the role one of ${SENDER_KINDS.join(', ')}.`)
  return [...others, { id, role: role as Sender['role'], ...(labs !== undefined && { labs: readList(labs) }) }]
}

function readSenders(path: string): Sender[] {
  const parsed = parse(CatalogToken.shape.senders.unwrap(), readJson(path))
  if (parsed.ok) return parsed.value
  const told = parsed.problems.map(({ pointer, detail }) => `${pointer ?? ''}: ${detail}`).join(' ')
  throw new InvalidArgumentError(`${path}${told}`)
}

function readJson(path: string): unknown {
  try {
    return JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new InvalidArgumentError(`Cannot read ${path} as JSON: ${(error as Error).message}`)
  }
}

/** As in a catalog file. */
const readMember = (member: 'id' | 'name') => (text: string) => {
  const parsed = CatalogToken.shape[member].safeParse(text)
  if (!parsed.success) throw new InvalidArgumentError(parsed.error.issues.map(({ message }) => message).join(' '))
  return parsed.data
}
