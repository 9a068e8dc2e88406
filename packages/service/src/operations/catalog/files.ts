import { limitProblems, parseCatalogFile, type CatalogFile, type Problem } from '@order-testing/contract'
import {
  checkCatalog,
  diffEntries,
  diffTenant,
  entriesOf,
  fileOf,
  KINDS,
  refuseSecrets,
  switchedOff,
  type Change,
  type Entries,
} from '../../domain/catalog/files.ts'
import type { SecretOwner } from '../../store/catalog/files.ts'
import type { Store, Transaction } from '../../store/store.ts'
import type { Recorder } from '../audit/audit.ts'

/** A catalog file as it was read, with the name to call it by. */
export interface Source {
  name: string
  content: unknown
}

export interface TenantChanges {
  tenant: CatalogFile['tenant']
  changes: Change[]
  /** How many open bookings the clinics have that are switched off. */
  openBookings: number
}

export type FileProblem = Problem & { source: string }

/** A file that was read. */
interface Given {
  source: string
  tenant: CatalogFile['tenant']
  wanted: Entries
}

/** So many changed clinics leave the database with outdated notions of them. */
const MANY = 1_000

/** Catalog files that cannot be applied, and everything that is wrong with them. */
export class CatalogRefusal extends Error {
  readonly problems: FileProblem[]

  constructor(problems: FileProblem[]) {
    super(
      problems.map(({ source, pointer, detail }) => `${source}${pointer ? `#${pointer}` : ''}: ${detail}`).join('\n'),
    )
    this.problems = problems
  }
}

/** The content of catalog files; those that are not JSON are reported all at once. */
export function parseFiles(files: readonly { name: string; bytes: Uint8Array }[]): Source[] {
  const problems: FileProblem[] = []
  const sources = files.flatMap(({ name, bytes }): Source[] => {
    try {
      return [{ name, content: JSON.parse(new TextDecoder().decode(bytes)) as unknown }]
    } catch (error) {
      problems.push({ code: 'badRequest', detail: `Invalid JSON: ${(error as Error).message}`, source: name })
      return []
    }
  })
  if (problems.length > 0) throw new CatalogRefusal(problems)
  return sources
}

/** What is asked of files beyond being right. */
export interface Terms {
  /** Production takes no secrets from files. */
  production: boolean
  /** The tenant whose they have to be. */
  tenantId?: string
  /** Looks at what would be changed, and may refuse it or note it in the same transaction. */
  inspect?: (plans: readonly Plan[], tx: Transaction) => Promise<void>
}

/** Records what applying the files changes, for each tenant that it changes. */
export const recordChanges =
  (record: Recorder): NonNullable<Terms['inspect']> =>
  async (plans, tx) => {
    for (const { tenant, changes } of plans) {
      if (changes.length === 0) continue
      const subject = { type: 'catalog', id: tenant.id }
      await record(tenant.id, { action: 'catalog.apply', subject, after: countsOf(changes) }, tx)
    }
  }

/** How many of each kind were added, changed and deactivated. */
export function countsOf(changes: readonly Change[]): Record<string, Partial<Record<Change['action'], number>>> {
  const counts: ReturnType<typeof countsOf> = {}
  for (const { kind, action } of changes) {
    const ofKind = (counts[kind] ??= {})
    ofKind[action] = (ofKind[action] ?? 0) + 1
  }
  return counts
}

/** Makes the database agree with the files, all of them or none. */
export async function applyCatalogs(sources: Source[], store: Store, terms: Terms): Promise<TenantChanges[]> {
  const files = readSources(sources, terms)
  const apply = async (tx: Transaction) => {
    await tx.catalog.lock()
    const plans = await compare(files, tx)
    await terms.inspect?.(plans, tx)
    // What leaves goes first: another token may carry on with a secret.
    for (const plan of plans) await takeAway(plan, tx)
    for (const plan of plans) {
      await tx.catalog.saveTenant(plan.tenant)
      await put(plan, tx)
    }
    if (plans.some(({ changes }) => changes.length > 0)) await tx.catalog.bumpVersion()
    return plans.map((plan) => told(plan))
  }
  const applied = await store.transaction(apply, { isUnlimited: true })
  const clinics = applied.flatMap(({ changes }) => changes.filter(({ kind }) => kind === 'clinics'))
  // The files are applied, whatever becomes of this: the database sees to it by itself in time.
  if (clinics.length >= MANY) await store.settle().catch(() => {})
  return applied
}

/** What applying the files would change. */
export async function diffCatalogs(
  sources: Source[],
  store: Store,
  terms: Omit<Terms, 'inspect'>,
): Promise<TenantChanges[]> {
  const files = readSources(sources, terms)
  const plans = await store.snapshot((tx) => compare(files, tx))
  return plans.map((plan) => told(plan))
}

/** The tenant's catalog as a file; undefined where there is no such tenant. */
export function exportCatalog(tenantId: string, store: Store): Promise<CatalogFile | undefined> {
  return store.snapshot(async (tx) => {
    const tenant = (await tx.catalog.tenants()).find(({ id }) => id === tenantId)
    return tenant && fileOf(tenant, await tx.catalog.load(tenantId))
  })
}

function readSources(sources: Source[], { tenantId, production }: Terms): Given[] {
  const read = sources.map(({ name, content }) => ({ name, content, parsed: parseCatalogFile(content) }))
  const files = read.flatMap(({ name, parsed }): Given[] =>
    parsed.ok ? [{ source: name, tenant: parsed.value.tenant, wanted: entriesOf(parsed.value) }] : [],
  )
  const problems = read.flatMap(({ name, content, parsed }) => {
    const found = parsed.ok ? checkCatalog(parsed.value) : parsed.problems
    const secrets = production ? refuseSecrets(content) : []
    return limitProblems([...found, ...secrets]).map((problem) => ({ ...problem, source: name }))
  })
  const all = [...problems, ...checkTogether(files), ...checkOwner(files, tenantId)]
  if (all.length > 0) throw new CatalogRefusal(all)
  return files
}

/** Before anything is compared: even what differs would tell of somebody else's catalog. */
const checkOwner = (files: Given[], tenantId: string | undefined): FileProblem[] =>
  files.flatMap(({ source, tenant }) =>
    tenantId === undefined || tenant.id === tenantId
      ? []
      : [{ code: 'invalidValue', detail: `Expected "${tenantId}".`, pointer: '/tenant/id', source }],
  )

/** A tenant has one file, and a secret one token. */
function checkTogether(files: Given[]): FileProblem[] {
  const [tenants, secrets] = [new Map<string, string>(), new Map<string, string>()]
  return files.flatMap(({ source, tenant, wanted }) => {
    const other = tenants.get(tenant.id)
    const shared = wanted.tokens.flatMap(({ secretHash = '' }, i) => {
      const owner = secrets.get(secretHash)
      return owner === undefined
        ? []
        : [conflict(source, `/tokens/${i}/secret`, `A token in ${owner} has the same secret.`)]
    })
    tenants.set(tenant.id, source)
    for (const { secretHash } of wanted.tokens) if (secretHash !== undefined) secrets.set(secretHash, source)
    if (other === undefined) return shared
    return [
      conflict(
        source,
        '/tenant/id',
        `The tenant "${tenant.id}" is already defined in ${other}: use one file per tenant.`,
      ),
    ]
  })
}

const conflict = (source: string, pointer: string, detail: string): FileProblem => ({
  code: 'conflict',
  detail,
  pointer,
  source,
})

export interface Plan extends Given, TenantChanges {}

const told = ({ tenant, changes, openBookings }: Plan): TenantChanges => ({ tenant, changes, openBookings })

async function compare(files: Given[], tx: Transaction): Promise<Plan[]> {
  const problems = await checkTokens(files, tx)
  if (problems.length > 0) throw new CatalogRefusal(problems)
  const tenants = await tx.catalog.tenants()
  const revoked = await tx.catalog.revokedTokens(files.map(({ tenant }) => tenant.id))
  const plans: Plan[] = []
  for (const { source, tenant, wanted: given } of files) {
    const wanted = withoutSecrets(given, new Set(revoked.flatMap((row) => (row.tenantId === tenant.id ? row.id : []))))
    const before = tenants.find(({ id }) => id === tenant.id)
    const changes = [...diffTenant(before, tenant), ...diffEntries(await tx.catalog.load(tenant.id), wanted)]
    const openBookings = await tx.bookings.countOpen(tenant.id, switchedOff(changes, wanted))
    plans.push({ source, tenant, wanted, changes, openBookings })
  }
  return plans
}

/** A revoked token keeps the secret it had, so that nobody else can be given it. */
const withoutSecrets = (entries: Entries, revoked: Set<string>): Entries => ({
  ...entries,
  tokens: entries.tokens.map(({ secretHash, ...token }) =>
    secretHash === undefined || revoked.has(token.id) ? token : { ...token, secretHash },
  ),
})

/** A file can neither take over a token that the operator issued, nor a secret that another token keeps. */
async function checkTokens(files: Given[], tx: Transaction): Promise<FileProblem[]> {
  const hashes = files.flatMap(({ wanted }) => wanted.tokens.flatMap(({ secretHash }) => secretHash ?? []))
  const owners = new Map((await tx.catalog.secretOwners(hashes)).map((owner) => [owner.hash, owner]))
  const issued = await tx.catalog.issuedTokens(files.map(({ tenant }) => tenant.id))
  return files.flatMap(({ source, tenant, wanted }) => {
    const issuedIds = new Set(issued.flatMap((token) => (token.tenantId === tenant.id ? token.id : [])))
    return wanted.tokens.flatMap(({ id, secretHash = '' }, i) => {
      const isThis = (token: { tenantId: string; id: string }) => token.tenantId === tenant.id && token.id === id
      const owner = owners.get(secretHash)
      return [
        ...(issuedIds.has(id)
          ? [conflict(source, `/tokens/${i}/id`, `The token "${id}" was issued by an operator; choose another id.`)]
          : []),
        ...(owner && !isThis(owner) && keepsSecret(owner, files)
          ? [conflict(source, `/tokens/${i}/secret`, 'Another token has this secret already.')]
          : []),
      ]
    })
  })
}

/** A token gives its secret up where its file no longer names it, or gives it another. */
function keepsSecret(owner: SecretOwner, files: Given[]): boolean {
  const file = files.find(({ tenant }) => tenant.id === owner.tenantId)
  if (!file || !owner.fromFile) return true
  const token = file.wanted.tokens.find(({ id }) => id === owner.id)
  return token !== undefined && (token.secretHash ?? owner.hash) === owner.hash
}

async function takeAway({ tenant, changes }: Plan, tx: Transaction): Promise<void> {
  for (const kind of KINDS) {
    const gone = changes.filter((change) => change.kind === kind && change.action === 'deactivate')
    await tx.catalog.deactivate(
      tenant.id,
      kind,
      gone.map(({ id }) => id),
    )
  }
  const exchanged = changes.filter(({ kind, members }) => kind === 'tokens' && members.includes('secretHash'))
  await tx.catalog.forgetSecrets(
    tenant.id,
    exchanged.map(({ id }) => id),
  )
}

/** Tokens that are changed and may not read participants. */
function blindTokens(changes: readonly Change[], { tokens }: Entries): string[] {
  const changed = new Set(changes.filter(({ kind }) => kind === 'tokens').map(({ id }) => id))
  return tokens.flatMap(({ id, scopes }) => (changed.has(id) && !scopes.includes('order.participant.read') ? [id] : []))
}

async function put({ tenant, changes, wanted }: Plan, tx: Transaction): Promise<void> {
  for (const kind of KINDS) {
    const changed = changes.filter((change) => change.kind === kind && change.action !== 'deactivate')
    const ids = new Set(changed.map(({ id }) => id))
    await tx.catalog.save(
      tenant.id,
      kind,
      wanted[kind].filter(({ id }) => ids.has(id)),
    )
  }
  if (changes.some(({ kind }) => kind === 'clinics')) await tx.catalog.refreshWords(tenant.id)
  await tx.callbacks.withdrawParticipant(tenant.id, blindTokens(changes, wanted))
}
