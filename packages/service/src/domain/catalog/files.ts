import { createHash } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { pointerTo, type CatalogFile, type Problem } from '@order-testing/contract'
import { checkGrants, hashSecret } from '../access/tokens.ts'
import { problemAt } from '../refusal.ts'
import type { Named } from '@order-testing/contract/agencies'

type Item<K extends keyof CatalogFile> = NonNullable<CatalogFile[K]> extends (infer T)[] ? T : never
type Company = Item<'companies'>

/** A catalog as flat lists, as it is stored and compared. Secrets are hashed. */
export interface CatalogEntries {
  services: Item<'services'>[]
  packages: Item<'packages'>[]
  clinics: Item<'clinics'>[]
  companies: Omit<Company, 'locations'>[]
  locations: (Company['locations'][number] & { companyId: string })[]
  tokens: (Omit<Item<'tokens'>, 'secret'> & { secretHash?: string })[]
  laboratoryCodes: (Item<'laboratoryCodes'> & { id: string; name: string })[]
}

export const ENTRY_KINDS = [
  'services',
  'packages',
  'clinics',
  'companies',
  'locations',
  'tokens',
  'laboratoryCodes',
] as const
export type EntryKind = (typeof ENTRY_KINDS)[number]

/** One change that applying a file makes to the stored catalog. */
export interface Change {
  kind: EntryKind | 'tenants'
  id: string
  name: string
  action: 'add' | 'change' | 'deactivate'
  /** The members that differ; empty unless the action is `change`. */
  members: string[]
}

/** Returns the entries of a file in the form in which the database returns them. */
export function toEntries(file: CatalogFile): CatalogEntries {
  const entries = {
    services: file.services,
    packages: file.packages,
    companies: file.companies.map(({ locations: _, ...company }) => company),
    locations: file.companies.flatMap(({ id, locations }) =>
      locations.map((location) => ({ ...location, companyId: id })),
    ),
    tokens: file.tokens.map(({ secret, expiresAt, ...token }) => ({
      ...token,
      ...(secret !== undefined && { secretHash: hashSecret(secret).toString('hex') }),
      // The same instant can be written in many ways.
      ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    })),
    laboratoryCodes: (file.laboratoryCodes ?? []).map((code) => ({ ...code, id: codeIdOf(code), name: code.service })),
  }
  const { clinics } = file
  return { ...asStored(entries), clinics: clinics.some((each) => hasNegativeZero(each)) ? asStored(clinics) : clinics }
}

/** Turns -0 into 0, as storing it does; otherwise it would differ on every run. */
const asStored = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

/** There may be many clinics, and making all of them anew takes a while. */
const hasNegativeZero = ({ fee, coordinates, hours }: Item<'clinics'>) =>
  [fee, coordinates, hours].some((value) => containsNegativeZero(value))

const containsNegativeZero = (value: unknown): boolean =>
  typeof value === 'object' && value !== null
    ? Object.values(value).some((member) => containsNegativeZero(member))
    : Object.is(value, -0)

/** Rebuilds the file of a stored catalog, without secrets. */
export function toCatalogFile(tenant: CatalogFile['tenant'], entries: CatalogEntries): CatalogFile {
  const locations = new Map<string, Company['locations']>(entries.companies.map(({ id }) => [id, []]))
  for (const { companyId, ...location } of entries.locations) locations.get(companyId)?.push(location)
  return {
    tenant,
    services: entries.services,
    packages: entries.packages,
    clinics: entries.clinics,
    companies: entries.companies.map((company) => ({ ...company, locations: locations.get(company.id) ?? [] })),
    tokens: entries.tokens.map(({ secretHash: _, ...token }) => token),
    ...(entries.laboratoryCodes.length > 0 && {
      laboratoryCodes: entries.laboratoryCodes.map(({ lab, code, service }) => ({ lab, code, service })),
    }),
  }
}

/** Laboratory codes have no id; laboratory and code identify them. */
export const codeIdOf = ({ lab, code }: Pick<Item<'laboratoryCodes'>, 'lab' | 'code'>) => JSON.stringify([lab, code])

/** Names the state of a stored catalog. */
export const versionOf = (tenant: CatalogFile['tenant'] | undefined, entries: CatalogEntries): string =>
  createHash('sha256')
    .update(JSON.stringify([tenant, entries]))
    .digest('hex')
    .slice(0, 32)

/** Compares a stored catalog with the entries of a file. */
export function diffEntries(stored: CatalogEntries, entries: CatalogEntries): Change[] {
  return ENTRY_KINDS.flatMap((kind) => {
    const before = new Map<string, Named>(stored[kind].map((entry) => [entry.id, entry]))
    const after = new Map<string, Named>(entries[kind].map((entry) => [entry.id, entry]))
    const gone = [...before.values()].filter(({ id }) => !after.has(id))
    return [
      ...[...after.values()].flatMap((entry) => diffEntry(kind, before.get(entry.id), entry)),
      ...gone.map(({ id, name }): Change => ({ kind, id, name, action: 'deactivate', members: [] })),
    ]
  })
}

export const diffTenant = (stored: Named | undefined, tenant: Named): Change[] => diffEntry('tenants', stored, tenant)

/** Returns the clinics or companies that these changes deactivate. */
export function findSwitchedOff(
  kind: 'clinics' | 'companies',
  changes: readonly Change[],
  entries: CatalogEntries,
): string[] {
  const inactive = new Set(entries[kind].flatMap(({ id, isActive }) => (isActive ? [] : [id])))
  const isClosed = ({ id, action, members }: Change) =>
    action === 'deactivate' || (members.includes('isActive') && inactive.has(id))
  return changes.filter((change) => change.kind === kind && isClosed(change)).map(({ id }) => id)
}

function diffEntry(kind: Change['kind'], before: Named | undefined, after: Named): Change[] {
  const { id, name } = after
  if (!before) return [{ kind, id, name, action: 'add', members: [] }]
  const members = findChangedMembers(before, after)
  return members.length > 0 ? [{ kind, id, name, action: 'change', members }] : []
}

function findChangedMembers(before: object, after: object): string[] {
  const [a, b] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  // A file without a secret keeps the token's stored one.
  const keys = new Set([...a.keys(), ...b.keys()].filter((key) => key !== 'secretHash' || b.get(key) !== undefined))
  return [...keys].filter((key) => !isDeepStrictEqual(a.get(key), b.get(key)))
}

/** Checks what the schema cannot: duplicate ids, references to unknown entries, tokens and text that cannot be stored. */
export function checkCatalog(file: CatalogFile): Problem[] {
  const locations = file.companies.flatMap((company, i) =>
    company.locations.map((location, j) => ({ ...location, path: ['companies', i, 'locations', j] })),
  )
  const [services, packages] = [ids(file.services), ids(file.packages)]
  const [clinics, companies] = [ids(file.clinics), ids(file.companies)]
  const codes = file.laboratoryCodes ?? []
  return [
    ...(['services', 'packages', 'clinics', 'companies'] as const).flatMap((kind) => checkUniqueIds(file[kind], kind)),
    ...checkUnique(
      locations.map(({ id, path }) => ({ value: id, path: [...path, 'id'] })),
      (id) => `Duplicate location id "${id}".`,
    ),
    ...checkUniqueIds(file.tokens, 'tokens'),
    ...(['packages', 'clinics'] as const).flatMap((kind) =>
      file[kind].flatMap((item, i) => checkReferences(item.services, services, [kind, i, 'services'], 'service')),
    ),
    ...file.companies.flatMap((company, i) => checkOffer(company, ['companies', i], packages, clinics)),
    ...locations.flatMap((location) => checkOffer(location, location.path, packages, clinics)),
    ...file.tokens.flatMap((token, i) =>
      checkReferences(token.companies, companies, ['tokens', i, 'companies'], 'company'),
    ),
    ...file.tokens.flatMap((token, i) =>
      checkGrants(token).map((found) => ({ ...found, pointer: `/tokens/${i}${found.pointer}` })),
    ),
    ...checkUnique(
      file.tokens.map(({ secret }, i) => ({ value: secret, path: ['tokens', i, 'secret'] })),
      () => 'Duplicate secret: another token has the same one.',
    ),
    ...checkUnique(
      codes.map((code, i) => ({ value: codeIdOf(code), path: ['laboratoryCodes', i, 'code'] })),
      (code) => `Duplicate laboratory code "${code}".`,
    ),
    ...codes.flatMap(({ service }, i) =>
      checkReference(service, services, ['laboratoryCodes', i, 'service'], 'service'),
    ),
    ...file.clinics.flatMap(({ hours }, i) => checkStorable(hours, ['clinics', i, 'hours'])),
  ]
}

/** Rejects secrets even in a file that is invalid otherwise: catalog files are copied, archived and read by many. */
export function checkNoSecrets(file: unknown): Problem[] {
  const tokens = (file as { tokens?: unknown } | null)?.tokens
  if (!Array.isArray(tokens)) return []
  const hasSecret = (token: unknown) => typeof token === 'object' && token !== null && 'secret' in token
  return tokens.flatMap((token: unknown, i) => (hasSecret(token) ? [problem(['tokens', i, 'secret'], NO_SECRETS)] : []))
}

/** In production, background checks need the tenant's own texts: the built-in ones are placeholders (15 USC 1681b(b)(2)). */
export function checkBackgroundTexts({ tenant, services, packages }: CatalogFile): Problem[] {
  const missing = (['backgroundDisclosure', 'backgroundAuthorization'] as const).filter((name) => !tenant.texts?.[name])
  if (missing.length === 0) return []
  const background = ids(services.filter(({ category }) => category === 'background'))
  return packages.flatMap((item, i) =>
    item.isActive && item.services.some((id) => background.has(id))
      ? [problem(['packages', i], `Packages with a background check require ${named(missing)} of the tenant.`)]
      : [],
  )
}

const named = (texts: string[]) => texts.map((name) => `/tenant/texts/${name}`).join(' and ')

const NO_SECRETS =
  'In production, catalog files must not contain secrets. Remove this and create the secret with "ots token issue".'

type Path = (string | number)[]

const ids = (items: { id: string }[]) => new Set(items.map(({ id }) => id))

const problem = (path: Path, detail: string) => problemAt(pointerTo(path), 'invalidValue', detail)

function checkUniqueIds(items: { id: string }[], member: string): Problem[] {
  const places = items.map(({ id }, i) => ({ value: id, path: [member, i, 'id'] }))
  return checkUnique(places, (id) => `Duplicate id in ${member} "${id}".`)
}

function checkUnique(
  places: { value: string | undefined; path: Path }[],
  describe: (value: string) => string,
): Problem[] {
  const seen = new Set<string>()
  return places.flatMap(({ value, path }) => {
    if (value === undefined) return []
    if (seen.has(value)) return [problem(path, describe(value))]
    seen.add(value)
    return []
  })
}

function checkReferences(references: string[], known: Set<string>, path: Path, what: string): Problem[] {
  return references.flatMap((id, i) => checkReference(id, known, [...path, i], what))
}

const checkReference = (id: string, known: Set<string>, path: Path, what: string): Problem[] =>
  known.has(id) ? [] : [problem(path, `The file does not define a ${what} with the id "${id}".`)]

type Offer = Pick<Company['locations'][number], 'packages' | 'settings'>

function checkOffer(
  { packages = [], settings }: Offer,
  path: Path,
  known: Set<string>,
  clinics: Set<string>,
): Problem[] {
  const clinic = settings?.configuredClinic
  const clinicPath = [...path, 'settings', 'configuredClinic']
  return [
    ...checkReferences(packages, known, [...path, 'packages'], 'package'),
    ...(clinic === undefined ? [] : checkReference(clinic, clinics, clinicPath, 'clinic')),
  ]
}

/** Checks free-form members for text that the database cannot store. */
function checkStorable(value: unknown, path: Path): Problem[] {
  if (typeof value === 'string')
    return STORABLE.test(value) ? [] : [problem(path, 'Contains a character that cannot be stored.')]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => [
    ...(STORABLE.test(key)
      ? []
      : [problem([...path, key], 'The member name contains a character that cannot be stored.')]),
    ...checkStorable(member, [...path, key]),
  ])
}

const STORABLE = /^[^\u0000\uD800-\uDFFF]*$/u
