import { limitProblems, parseCatalogFile, type CatalogFile, type Problem } from '@order-testing/contract'
import {
  checkBackgroundTexts,
  checkCatalog,
  diffEntries,
  diffTenant,
  toEntries,
  toCatalogFile,
  ENTRY_KINDS,
  checkNoSecrets,
  findSwitchedOff,
  versionOf,
  type Change,
  type CatalogEntries,
} from '../../domain/catalog/files.ts'
import type { SecretOwner } from '../../store/catalog/files.ts'
import type { Store, Transaction } from '../../store/store.ts'
import type { AuditRecorder } from '../audit/audit.ts'
import type { OnProgress } from '../progress.ts'

/** A catalog file: its JSON content, and its name for error messages. */
export interface Source {
  name: string
  content: unknown
}

export interface TenantChanges {
  tenant: CatalogFile['tenant']
  changes: Change[]
  /** Open bookings at clinics that become inactive. */
  openBookings: number
  /** Open orders of companies that become inactive. */
  openOrders: number
  /** The version of the stored catalog that the file was compared with. */
  basedOn: string
}

export type FileProblem = Problem & { source: string }

/** A valid file. */
interface ParsedFile {
  source: string
  tenant: CatalogFile['tenant']
  entries: CatalogEntries
}

/** From this number of changed clinics on, statistics and indexes are refreshed at once. */
const MANY_CLINICS = 1_000

/** How many problems the message of a refusal names; the others are counted. */
const MAX_NAMED = 20

/** Thrown with all problems of catalog files that cannot be applied. */
export class CatalogRefusal extends Error {
  readonly problems: FileProblem[]

  constructor(problems: FileProblem[]) {
    const named = problems
      .slice(0, MAX_NAMED)
      .map(({ source, pointer, detail }) => `${source}${pointer ? `#${pointer}` : ''}: ${detail}`)
    const more = problems.slice(MAX_NAMED).reduce((sum, { omitted = 1 }) => sum + omitted, 0)
    super([...named, ...(more > 0 ? [`and ${more.toLocaleString('en')} more`] : [])].join('\n'))
    this.problems = problems
  }
}

/** Parses the content of catalog files; reports all that are not JSON. */
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

export interface ApplyOptions {
  /** Production refuses secrets in files. */
  production: boolean
  /** The tenant that every file must be for. */
  tenantId?: string
  /** Whether a refusal has all problems of the files, instead of the first hundred of each. */
  listsAll?: boolean
  /** Versions of stored catalogs. A file that was compared with another version than one of these is refused. */
  basedOn?: readonly string[] | undefined
  /** Called with the planned changes before they are made; may refuse or record them in the same transaction. */
  inspect?: (plans: readonly Plan[], tx: Transaction) => Promise<void>
  /** Gets the number of entries that were saved. */
  onProgress?: OnProgress | undefined
  /** The digest of the files, to be remembered with the version that they lead to. */
  digest?: Buffer | undefined
}

/** Records the changes of each tenant. */
export const recordChanges =
  (record: AuditRecorder): NonNullable<ApplyOptions['inspect']> =>
  async (plans, tx) => {
    for (const { tenant, changes } of plans) {
      if (changes.length === 0) continue
      const subject = { type: 'catalog', id: tenant.id }
      await record(tenant.id, { action: 'catalog.apply', subject, after: countChanges(changes) }, tx)
    }
  }

/** Counts changes by kind and action. */
export function countChanges(changes: readonly Change[]): Record<string, Partial<Record<Change['action'], number>>> {
  const counts: ReturnType<typeof countChanges> = {}
  for (const { kind, action } of changes) {
    const ofKind = (counts[kind] ??= {})
    ofKind[action] = (ofKind[action] ?? 0) + 1
  }
  return counts
}

/** Applies all files in one transaction. Entries that a file no longer has are deactivated. */
export async function applyCatalogs(
  sources: Source[],
  store: Pick<Store, 'transaction' | 'settle'>,
  options: ApplyOptions,
): Promise<TenantChanges[]> {
  const files = readSources(sources, options)
  const apply = async (tx: Transaction) => {
    await tx.catalog.lock()
    const plans = await planChanges(files, tx)
    if (options.basedOn) refuseChangedSince(plans, options.basedOn)
    await options.inspect?.(plans, tx)
    // Deactivate first: another token may take over a secret.
    for (const plan of plans) await deactivateMissing(plan, tx)
    const onSaved = countSaved(plans, options.onProgress)
    for (const plan of plans) {
      await tx.catalog.saveTenant(plan.tenant)
      await saveChanged(plan, tx, onSaved)
    }
    if (plans.some(({ changes }) => changes.length > 0)) await tx.catalog.bumpVersion()
    if (options.digest) await tx.catalog.rememberFiles(options.digest)
    return plans.map((plan) => summarize(plan))
  }
  const applied = await store.transaction(apply, { isUnlimited: true })
  const clinics = applied.flatMap(({ changes }) => changes.filter(({ kind }) => kind === 'clinics'))
  // Only an optimization: the files are applied, and autovacuum does the same later.
  if (clinics.length >= MANY_CLINICS) await store.settle().catch(() => {})
  return applied
}

/** Returns the changes that applying the files would make. */
export async function diffCatalogs(
  sources: Source[],
  store: Pick<Store, 'snapshot'>,
  options: Omit<ApplyOptions, 'inspect'>,
): Promise<TenantChanges[]> {
  const files = readSources(sources, options)
  const plans = await store.snapshot((tx) => planChanges(files, tx))
  return plans.map((plan) => summarize(plan))
}

/** Returns the tenant's catalog as a file, or undefined for an unknown tenant. */
export function exportCatalog(tenantId: string, store: Pick<Store, 'snapshot'>): Promise<CatalogFile | undefined> {
  return store.snapshot(async (tx) => {
    const tenant = (await tx.catalog.tenants()).find(({ id }) => id === tenantId)
    return tenant && toCatalogFile(tenant, await tx.catalog.load(tenantId))
  })
}

function readSources(sources: Source[], { tenantId, production, listsAll = false }: ApplyOptions): ParsedFile[] {
  const read = sources.map(({ name, content }) => ({ name, content, parsed: parseCatalogFile(content, { listsAll }) }))
  const files = read.flatMap(({ name, parsed }): ParsedFile[] =>
    parsed.ok ? [{ source: name, tenant: parsed.value.tenant, entries: toEntries(parsed.value) }] : [],
  )
  const problems = read.flatMap(({ name, content, parsed }) => {
    const found = parsed.ok
      ? [...checkCatalog(parsed.value), ...(production ? checkBackgroundTexts(parsed.value) : [])]
      : parsed.problems
    const secrets = production ? checkNoSecrets(content) : []
    const all = [...found, ...secrets]
    return (listsAll ? all : limitProblems(all)).map((problem) => ({ ...problem, source: name }))
  })
  const all = [...problems, ...checkAcrossFiles(files), ...checkOwner(files, tenantId)]
  if (all.length > 0) throw new CatalogRefusal(all)
  return files
}

/** Runs before any comparison, because even a difference would disclose another tenant's catalog. */
const checkOwner = (files: ParsedFile[], tenantId: string | undefined): FileProblem[] =>
  files.flatMap(({ source, tenant }) =>
    tenantId === undefined || tenant.id === tenantId
      ? []
      : [{ code: 'invalidValue', detail: `Expected "${tenantId}".`, pointer: '/tenant/id', source }],
  )

/** Checks that no tenant is in two files and no secret in two files. */
function checkAcrossFiles(files: ParsedFile[]): FileProblem[] {
  const [tenants, secrets] = [new Map<string, string>(), new Map<string, string>()]
  return files.flatMap(({ source, tenant, entries }) => {
    const other = tenants.get(tenant.id)
    const shared = entries.tokens.flatMap(({ secretHash = '' }, i) => {
      const owner = secrets.get(secretHash)
      return owner === undefined
        ? []
        : [conflict(source, `/tokens/${i}/secret`, `Duplicate secret: a token in ${owner} has the same one.`)]
    })
    tenants.set(tenant.id, source)
    for (const { secretHash } of entries.tokens) if (secretHash !== undefined) secrets.set(secretHash, source)
    if (other === undefined) return shared
    return [
      conflict(source, '/tenant/id', `Tenant "${tenant.id}" is also defined in ${other}. A tenant must have one file.`),
    ]
  })
}

function conflict(source: string, pointer: string, detail: string): FileProblem {
  return { code: 'conflict', detail, pointer, source }
}

export interface Plan extends ParsedFile, TenantChanges {}

const summarize = ({ tenant, changes, openBookings, openOrders, basedOn }: Plan): TenantChanges => ({
  tenant,
  changes,
  openBookings,
  openOrders,
  basedOn,
})

/** What was changed since a preview would be undone without anybody having seen it. */
function refuseChangedSince(plans: readonly Plan[], versions: readonly string[]): void {
  const changed = plans.filter(({ basedOn }) => !versions.includes(basedOn))
  if (changed.length === 0) return
  const detail = 'The catalog has changed since the preview. Compare the file again.'
  throw new CatalogRefusal(changed.map(({ source }) => ({ code: 'conflict', detail, source })))
}

async function planChanges(files: ParsedFile[], tx: Transaction): Promise<Plan[]> {
  const problems = await checkTokens(files, tx)
  if (problems.length > 0) throw new CatalogRefusal(problems)
  const tenants = await tx.catalog.tenants()
  const revoked = await tx.catalog.revokedTokens(files.map(({ tenant }) => tenant.id))
  const plans: Plan[] = []
  for (const { source, tenant, entries: parsed } of files) {
    const revokedIds = new Set(revoked.flatMap((row) => (row.tenantId === tenant.id ? row.id : [])))
    const entries = withoutSecrets(parsed, revokedIds)
    const before = tenants.find(({ id }) => id === tenant.id)
    const stored = await tx.catalog.load(tenant.id)
    const changes = [...diffTenant(before, tenant), ...diffEntries(stored, entries)]
    const openBookings = await tx.bookings.countOpen(tenant.id, findSwitchedOff('clinics', changes, entries))
    const openOrders = await tx.orders.countOpen(tenant.id, findSwitchedOff('companies', changes, entries))
    plans.push({ source, tenant, entries, changes, openBookings, openOrders, basedOn: versionOf(before, stored) })
  }
  return plans
}

/** Drops the secrets of revoked tokens: they keep their old ones, so that no other token can get them. */
const withoutSecrets = (entries: CatalogEntries, revoked: Set<string>): CatalogEntries => ({
  ...entries,
  tokens: entries.tokens.map(({ secretHash, ...token }) =>
    secretHash === undefined || revoked.has(token.id) ? token : { ...token, secretHash },
  ),
})

/** A file cannot redefine a token that an operator issued, nor use a secret that another token keeps. */
async function checkTokens(files: ParsedFile[], tx: Transaction): Promise<FileProblem[]> {
  const hashes = files.flatMap(({ entries }) => entries.tokens.flatMap(({ secretHash }) => secretHash ?? []))
  const owners = new Map((await tx.catalog.findSecretOwners(hashes)).map((owner) => [owner.hash, owner]))
  const issued = await tx.catalog.issuedTokens(files.map(({ tenant }) => tenant.id))
  return files.flatMap(({ source, tenant, entries }) => {
    const issuedIds = new Set(issued.flatMap((token) => (token.tenantId === tenant.id ? token.id : [])))
    return entries.tokens.flatMap(({ id, secretHash = '' }, i) => {
      const problems: FileProblem[] = []
      if (issuedIds.has(id))
        problems.push(
          conflict(source, `/tokens/${i}/id`, `Token "${id}" was issued by an operator. Choose another id.`),
        )
      const owner = owners.get(secretHash)
      const isOther = owner && (owner.tenantId !== tenant.id || owner.id !== id)
      if (isOther && keepsSecret(owner, files))
        problems.push(conflict(source, `/tokens/${i}/secret`, 'Another token already has this secret.'))
      return problems
    })
  })
}

/** A token releases its secret if its file no longer has the token, or has another secret for it. */
function keepsSecret(owner: SecretOwner, files: ParsedFile[]): boolean {
  const file = files.find(({ tenant }) => tenant.id === owner.tenantId)
  if (!file || !owner.fromFile) return true
  const token = file.entries.tokens.find(({ id }) => id === owner.id)
  return token !== undefined && (token.secretHash ?? owner.hash) === owner.hash
}

async function deactivateMissing({ tenant, changes }: Plan, tx: Transaction): Promise<void> {
  for (const kind of ENTRY_KINDS) {
    const gone = changes.flatMap((each) => (each.kind === kind && each.action === 'deactivate' ? each.id : []))
    await tx.catalog.deactivate(tenant.id, kind, gone)
  }
  const replaced = changes.filter(({ kind, members }) => kind === 'tokens' && members.includes('secretHash'))
  const ids = replaced.map(({ id }) => id)
  await tx.catalog.clearSecrets(tenant.id, ids)
}

/** Reports how many of the entries of all plans were saved. */
function countSaved(plans: readonly Plan[], onProgress: OnProgress | undefined): (count: number) => void {
  const isSaved = ({ kind, action }: Change) => kind !== 'tenants' && action !== 'deactivate'
  const total = plans.flatMap(({ changes }) => changes.filter(isSaved)).length
  let done = 0
  return (count) => onProgress?.({ kind: 'entries', done: (done += count), total })
}

async function saveChanged(
  { tenant, changes, entries }: Plan,
  tx: Transaction,
  onSaved: (count: number) => void,
): Promise<void> {
  for (const kind of ENTRY_KINDS) {
    const changed = changes.filter((change) => change.kind === kind && change.action !== 'deactivate')
    const ids = new Set(changed.map(({ id }) => id))
    const saved = entries[kind].filter(({ id }) => ids.has(id))
    await tx.catalog.save(tenant.id, kind, saved, onSaved)
  }
  if (changes.some(({ kind }) => kind === 'clinics')) await tx.catalog.refreshWords(tenant.id)
  const tokens = new Set(changes.flatMap(({ kind, id }) => (kind === 'tokens' ? id : [])))
  const blind = entries.tokens.filter(({ id, scopes }) => tokens.has(id) && !scopes.includes('order.participant.read'))
  const blindIds = blind.map(({ id }) => id)
  await tx.callbacks.withdrawParticipant(tenant.id, blindIds)
}
