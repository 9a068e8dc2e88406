import { CatalogFile, parse, type Problem } from '@order-testing/contract'
import {
  checkCatalog,
  diffEntries,
  entriesOf,
  fileOf,
  KINDS,
  type Change,
  type Entries,
  type Kind,
} from '../domain/catalog.ts'
import type { Store, Transaction } from '../store/store.ts'

/** A catalog file as it was read, with the name to call it by. */
export interface Source {
  name: string
  content: unknown
}

export interface TenantChanges {
  tenant: CatalogFile['tenant']
  changes: Change[]
}

/** Catalog files that cannot be applied, and everything that is wrong with them. */
export class CatalogRefusal extends Error {
  readonly problems: (Problem & { source: string })[]

  constructor(problems: (Problem & { source: string })[]) {
    super(
      problems.map(({ source, pointer, detail }) => `${source}${pointer ? `#${pointer}` : ''}: ${detail}`).join('\n'),
    )
    this.problems = problems
  }
}

/** Makes the database agree with the files, all of them or none. */
export async function applyCatalogs(sources: Source[], store: Store): Promise<TenantChanges[]> {
  const files = readSources(sources)
  return store.transaction(async (tx) => {
    await tx.catalog.lock()
    const applied: TenantChanges[] = []
    let renamed = false
    for (const { name, file } of files) {
      renamed = (await tx.catalog.saveTenant(file.tenant)) || renamed
      const { changes, wanted } = await compare(name, file, tx)
      await write(file.tenant.id, changes, wanted, tx)
      applied.push({ tenant: file.tenant, changes })
    }
    if (renamed || applied.some(({ changes }) => changes.length > 0)) await tx.catalog.bumpVersion()
    return applied
  })
}

/** What applying the files would change. */
export async function diffCatalogs(sources: Source[], store: Store): Promise<TenantChanges[]> {
  const files = readSources(sources)
  return Promise.all(
    files.map(async ({ name, file }) => ({ tenant: file.tenant, changes: (await compare(name, file, store)).changes })),
  )
}

/** The tenant's catalog as a file; undefined where there is no such tenant. */
export async function exportCatalog(tenantId: string, store: Store): Promise<CatalogFile | undefined> {
  const tenant = (await store.catalog.tenants()).find(({ id }) => id === tenantId)
  return tenant && fileOf(tenant, await store.catalog.load(tenantId))
}

function readSources(sources: Source[]): { name: string; file: CatalogFile }[] {
  const problems: (Problem & { source: string })[] = []
  const files = sources.flatMap(({ name, content }) => {
    const parsed = parse(CatalogFile, content)
    const found = parsed.ok ? checkCatalog(parsed.value) : parsed.problems
    problems.push(...found.map((problem) => ({ ...problem, source: name })))
    return parsed.ok ? [{ name, file: parsed.value }] : []
  })
  const seen = new Map<string, string>()
  for (const { name, file } of files) {
    const other = seen.get(file.tenant.id)
    if (other !== undefined) {
      const detail = `The tenant "${file.tenant.id}" is in ${other} too; a tenant has one file.`
      problems.push({ code: 'conflict', detail, pointer: '/tenant/id', source: name })
    }
    seen.set(file.tenant.id, name)
  }
  if (problems.length > 0) throw new CatalogRefusal(problems)
  return files
}

async function compare(
  name: string,
  file: CatalogFile,
  tx: Transaction,
): Promise<{ changes: Change[]; wanted: Entries }> {
  const wanted = entriesOf(file)
  await checkTokens(name, file, tx)
  return { changes: diffEntries(await tx.catalog.load(file.tenant.id), wanted), wanted }
}

/** A file can neither take over a token that the operator issued, nor a secret that another token has. */
async function checkTokens(name: string, file: CatalogFile, tx: Transaction): Promise<void> {
  const tokens = entriesOf(file).tokens
  const issued = new Set((await tx.catalog.issuedTokens(file.tenant.id)).map(({ id }) => id))
  const hashes = tokens.flatMap(({ secretHash }) => (secretHash === undefined ? [] : [secretHash]))
  const owners = new Map((await tx.catalog.secretOwners(hashes)).map((owner) => [owner.hash, owner]))
  const named = new Set(tokens.map(({ id }) => id))
  const problems = tokens.flatMap(({ id, secretHash }, i) => {
    const owner = secretHash === undefined ? undefined : owners.get(secretHash)
    const leaves = owner?.tenantId === file.tenant.id && owner.fromFile && !named.has(owner.id)
    const taken = owner && (owner.tenantId !== file.tenant.id || owner.id !== id) && !leaves
    return [
      ...(issued.has(id)
        ? [{ detail: `The token "${id}" was issued by an operator; choose another id.`, pointer: `/tokens/${i}/id` }]
        : []),
      ...(taken ? [{ detail: 'Another token has this secret already.', pointer: `/tokens/${i}/secret` }] : []),
    ]
  })
  if (problems.length > 0)
    throw new CatalogRefusal(problems.map((problem) => ({ ...problem, code: 'conflict', source: name })))
}

async function write(tenantId: string, changes: Change[], wanted: Entries, tx: Transaction): Promise<void> {
  const idsOf = (kind: Kind, deactivated: boolean) =>
    changes
      .filter((change) => change.kind === kind && (change.action === 'deactivate') === deactivated)
      .map(({ id }) => id)
  for (const kind of KINDS) {
    // What leaves goes first: a new token may carry on with its secret.
    await tx.catalog.deactivate(tenantId, kind, idsOf(kind, true))
    const saved = new Set(idsOf(kind, false))
    await tx.catalog.save(tenantId, kind, wanted[kind].filter(({ id }) => saved.has(id)))
  }
  if (changes.some(({ kind }) => kind === 'clinics')) await tx.catalog.refreshWords(tenantId)
}
