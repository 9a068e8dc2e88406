import type { CatalogChange, CatalogFileOutput } from '@order-testing/client/operator'

export const KINDS = ['companies', 'locations', 'packages', 'services', 'clinics'] as const
export type Kind = (typeof KINDS)[number]

/** An entry of a catalog file, of any kind. */
export type Entry = Record<string, unknown> & { id: string; name: string; isActive?: boolean }

export interface Listed {
  entry: Entry
  /** The company of a location. */
  owner: Entry | undefined
  /** Where it is, or what it consists of. */
  detail: string
}

export function listedOf(file: CatalogFileOutput, kind: Kind): Listed[] {
  if (kind === 'locations')
    return file.companies.flatMap((company) =>
      company.locations.map((location) => ({
        entry: asEntry(location),
        owner: asEntry(company),
        detail: [company.name, placeOf(location)].filter(Boolean).join(' · '),
      })),
    )
  return file[kind].map((each) => ({ entry: asEntry(each), owner: undefined, detail: detailOf(asEntry(each)) }))
}

/** The file with one entry changed. */
export function withEntry(file: CatalogFileOutput, kind: Kind, changed: Entry): CatalogFileOutput {
  const replace = <T extends { id: string }>(all: T[]): T[] =>
    all.map((each) => (each.id === changed.id ? (changed as unknown as T) : each))
  if (kind !== 'locations') return { ...file, [kind]: replace(file[kind] as { id: string }[]) }
  const companies = file.companies.map((company) => ({ ...company, locations: replace(company.locations) }))
  return { ...file, companies }
}

/** Whether a file changes nothing but this entry. Anything else was changed by others since the file was read. */
export const isOnlyChange = (
  changes: readonly CatalogChange[],
  kind: Kind,
  { saved, entry }: { saved: Entry; entry: Entry },
): boolean =>
  changes.every(
    (change) =>
      change.kind === kind &&
      change.id === entry.id &&
      change.members.every((member) => JSON.stringify(saved[member]) !== JSON.stringify(entry[member])),
  )

export const isActive = ({ isActive: is }: Entry): boolean => is !== false

const asEntry = (value: object): Entry => value as Entry

function placeOf(entry: object): string {
  const { address } = entry as { address?: { city?: string; state?: string } }
  return [address?.city, address?.state].filter(Boolean).join(', ')
}

function detailOf(entry: Entry): string {
  const { category, type, services } = entry
  if (typeof category === 'string') return `${category} · ${String(type)}`
  if (Array.isArray(services) && entry['address'] === undefined) return services.join(', ')
  return placeOf(entry)
}

/** The value at a path such as `settings.clinicFeeCap`. */
export function valueAt(entry: Entry | undefined, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], entry)
}

/** The entry with another value at a path. An object that becomes empty is left out. */
export function withValue(entry: Entry, path: string, value: unknown): Entry {
  return (setIn(entry, path.split('.'), value) ?? {}) as Entry
}

function setIn(
  object: Record<string, unknown>,
  [name = '', ...rest]: string[],
  value: unknown,
): Record<string, unknown> | undefined {
  const inner = (object[name] ?? {}) as Record<string, unknown>
  const next = rest.length === 0 ? value : setIn(inner, rest, value)
  const { [name]: _, ...others } = object
  const result = next === undefined ? others : { ...object, [name]: next }
  return Object.keys(result).length === 0 ? undefined : result
}
