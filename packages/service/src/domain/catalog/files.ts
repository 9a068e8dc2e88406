import { isDeepStrictEqual } from 'node:util'
import { pointerTo, type CatalogFile, type Problem } from '@order-testing/contract'
import { checkGrants, hashSecret } from '../access/tokens.ts'

type Item<K extends keyof CatalogFile> = NonNullable<CatalogFile[K]> extends (infer T)[] ? T : never
type Company = Item<'companies'>

/** A catalog as flat lists, the way it is stored and compared. Secrets are hashed already. */
export interface Entries {
  services: Item<'services'>[]
  packages: Item<'packages'>[]
  clinics: Item<'clinics'>[]
  companies: Omit<Company, 'locations'>[]
  locations: (Company['locations'][number] & { companyId: string })[]
  tokens: (Omit<Item<'tokens'>, 'secret'> & { secretHash?: string })[]
  laboratoryCodes: (Item<'laboratoryCodes'> & { id: string; name: string })[]
}

export const KINDS = ['services', 'packages', 'clinics', 'companies', 'locations', 'tokens', 'laboratoryCodes'] as const
export type Kind = (typeof KINDS)[number]

/** One thing that applying a file does to what is stored. */
export interface Change {
  kind: Kind | 'tenants'
  id: string
  name: string
  action: 'add' | 'change' | 'deactivate'
  /** The members that differ, where an entry changes. */
  members: string[]
}

/** The entries of a file, in the form in which they come back from the database. */
export function entriesOf(file: CatalogFile): Entries {
  const entries = {
    services: file.services,
    packages: file.packages,
    clinics: file.clinics,
    companies: file.companies.map(({ locations: _, ...company }) => company),
    locations: file.companies.flatMap(({ id, locations }) =>
      locations.map((location) => ({ ...location, companyId: id })),
    ),
    tokens: file.tokens.map(({ secret, expiresAt, ...token }) => ({
      ...token,
      ...(secret !== undefined && { secretHash: hashSecret(secret).toString('hex') }),
      // The same moment can be spelled in many ways.
      ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    })),
    laboratoryCodes: (file.laboratoryCodes ?? []).map((code) => ({ ...code, id: codeIdOf(code), name: code.service })),
  }
  // JSON knows no difference between 0 and -0, which a comparison would find on every run.
  return JSON.parse(JSON.stringify(entries)) as Entries
}

/** The file that a stored catalog would have come from; secrets are not known any more. */
export function fileOf(tenant: CatalogFile['tenant'], entries: Entries): CatalogFile {
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

/** A code has no id of its own: it is told by its laboratory and itself. */
const codeIdOf = ({ lab, code }: Item<'laboratoryCodes'>) => JSON.stringify([lab, code])

/** What must be done to a stored catalog so that it agrees with a file. */
export function diffEntries(stored: Entries, wanted: Entries): Change[] {
  return KINDS.flatMap((kind) => {
    const before = new Map<string, Entry>(stored[kind].map((entry) => [entry.id, entry]))
    const after = new Map<string, Entry>(wanted[kind].map((entry) => [entry.id, entry]))
    const gone = [...before.values()].filter(({ id }) => !after.has(id))
    return [
      ...[...after.values()].flatMap((entry) => changeOf(kind, before.get(entry.id), entry)),
      ...gone.map(({ id, name }): Change => ({ kind, id, name, action: 'deactivate', members: [] })),
    ]
  })
}

/** What must be done to the tenant itself. */
export const diffTenant = (stored: Entry | undefined, wanted: Entry): Change[] => changeOf('tenants', stored, wanted)

/** The clinics that take no more participants after these changes. */
export function switchedOff(changes: readonly Change[], wanted: Entries): string[] {
  const inactive = new Set(wanted.clinics.flatMap(({ id, isActive }) => (isActive ? [] : [id])))
  const isOff = ({ id, action, members }: Change) =>
    action === 'deactivate' || (members.includes('isActive') && inactive.has(id))
  return changes.filter((change) => change.kind === 'clinics' && isOff(change)).map(({ id }) => id)
}

type Entry = { id: string; name: string }

function changeOf(kind: Change['kind'], before: Entry | undefined, after: Entry): Change[] {
  const { id, name } = after
  if (!before) return [{ kind, id, name, action: 'add', members: [] }]
  const members = differing(before, after)
  return members.length > 0 ? [{ kind, id, name, action: 'change', members }] : []
}

function differing(before: object, after: object): string[] {
  const [a, b] = [new Map(Object.entries(before)), new Map(Object.entries(after))]
  // A file without a secret keeps the one the token has.
  const keys = new Set([...a.keys(), ...b.keys()].filter((key) => key !== 'secretHash' || b.get(key) !== undefined))
  return [...keys].filter((key) => !isDeepStrictEqual(a.get(key), b.get(key)))
}

/** What is wrong with a file beyond its form: names that are given twice, and references to what it does not name. */
export function checkCatalog(file: CatalogFile): Problem[] {
  const locations = file.companies.flatMap((company, i) =>
    company.locations.map((location, j) => ({ ...location, path: ['companies', i, 'locations', j] })),
  )
  const [services, packages, clinics, companies] = [
    ids(file.services),
    ids(file.packages),
    ids(file.clinics),
    ids(file.companies),
  ]
  const codes = file.laboratoryCodes ?? []
  return [
    ...repeated(file.services, 'services'),
    ...repeated(file.packages, 'packages'),
    ...repeated(file.clinics, 'clinics'),
    ...repeated(file.companies, 'companies'),
    ...repeatedAt(
      locations.map(({ id, path }) => ({ value: id, path: [...path, 'id'] })),
      'is the id of another location too',
    ),
    ...repeated(file.tokens, 'tokens'),
    ...file.packages.flatMap((pkg, i) => unknown(pkg.services, services, ['packages', i, 'services'], 'service')),
    ...file.clinics.flatMap((clinic, i) => unknown(clinic.services, services, ['clinics', i, 'services'], 'service')),
    ...file.companies.flatMap((company, i) => checkOffer(company, ['companies', i], packages, clinics)),
    ...locations.flatMap((location) => checkOffer(location, location.path, packages, clinics)),
    ...file.tokens.flatMap((token, i) => unknown(token.companies, companies, ['tokens', i, 'companies'], 'company')),
    ...file.tokens.flatMap((token, i) =>
      checkGrants(token).map((found) => ({ ...found, pointer: `/tokens/${i}${found.pointer}` })),
    ),
    ...checkSecrets(file.tokens),
    ...repeatedAt(
      codes.map((code, i) => ({ value: codeIdOf(code), path: ['laboratoryCodes', i, 'code'] })),
      'is listed more than once',
    ),
    ...codes.flatMap(({ service }, i) =>
      services.has(service)
        ? []
        : [problem(['laboratoryCodes', i, 'service'], `The file does not define a service with the id "${service}".`)],
    ),
    ...file.clinics.flatMap(({ hours }, i) => unstorable(hours, ['clinics', i, 'hours'])),
  ]
}

/** Secrets in a file that may hold none, whatever else is wrong with it: a file is copied, kept and read by many. */
export function refuseSecrets(file: unknown): Problem[] {
  const tokens = (file as { tokens?: unknown } | null)?.tokens
  if (!Array.isArray(tokens)) return []
  const hasSecret = (token: unknown) => typeof token === 'object' && token !== null && 'secret' in token
  return tokens.flatMap((token: unknown, i) => (hasSecret(token) ? [problem(['tokens', i, 'secret'], NO_SECRETS)] : []))
}

const NO_SECRETS =
  'Catalog files cannot contain secrets in production. Remove this member and create the secret with "ots token issue".'

type Path = (string | number)[]

const ids = (items: { id: string }[]) => new Set(items.map(({ id }) => id))

const problem = (path: Path, detail: string): Problem => ({ code: 'invalidValue', detail, pointer: pointerTo(path) })

function repeated(items: { id: string }[], member: string): Problem[] {
  const places = items.map(({ id }, i) => ({ value: id, path: [member, i, 'id'] }))
  return repeatedAt(places, `is the id of several ${member}`)
}

function repeatedAt(places: { value: string; path: Path }[], complaint: string): Problem[] {
  const seen = new Set<string>()
  return places.flatMap(({ value, path }) => {
    if (seen.has(value)) return [problem(path, `"${value}" ${complaint}.`)]
    seen.add(value)
    return []
  })
}

function unknown(references: string[], known: Set<string>, path: Path, what: string): Problem[] {
  return references.flatMap((id, i) =>
    known.has(id) ? [] : [problem([...path, i], `The file does not define a ${what} with the id "${id}".`)],
  )
}

type Offer = Pick<Company['locations'][number], 'packages' | 'settings'>

function checkOffer(
  { packages = [], settings }: Offer,
  path: Path,
  known: Set<string>,
  clinics: Set<string>,
): Problem[] {
  const clinic = settings?.configuredClinic
  return [
    ...unknown(packages, known, [...path, 'packages'], 'package'),
    ...(clinic === undefined || clinics.has(clinic)
      ? []
      : [
          problem(
            [...path, 'settings', 'configuredClinic'],
            `The file does not define a clinic with the id "${clinic}".`,
          ),
        ]),
  ]
}

function checkSecrets(tokens: CatalogFile['tokens']): Problem[] {
  const seen = new Set<string>()
  return tokens.flatMap(({ secret }, i) => {
    if (secret === undefined) return []
    if (seen.has(secret))
      return [problem(['tokens', i, 'secret'], 'Another token has the same secret. Use a different one.')]
    seen.add(secret)
    return []
  })
}

/** Text in free-form members that the database could not hold. */
function unstorable(value: unknown, path: Path): Problem[] {
  if (typeof value === 'string')
    return STORABLE.test(value)
      ? []
      : [problem(path, 'Contains a character that cannot be stored: U+0000 or an unpaired surrogate.')]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) => [
    ...(STORABLE.test(key)
      ? []
      : [
          problem(
            [...path, key],
            'This name contains a character that cannot be stored: U+0000 or an unpaired surrogate.',
          ),
        ]),
    ...unstorable(member, [...path, key]),
  ])
}

const STORABLE = /^[^\u0000\uD800-\uDFFF]*$/u
