import type { CatalogSettings, CreateOrder, DeepPartial, Problem } from '@order-testing/contract'
import { AGENCIES, type Agency } from '../catalog/agencies.ts'
import { mergeSettings } from './settings.ts'
import { fold } from '../text.ts'

export interface LocationFacts {
  id: string
  name: string
  companyId: string
  companyName: string
  /** The location's own over its company's, as `mergeSettings` does. */
  settings: CatalogSettings
}

/** A location that a reference may mean. */
export interface LocationCandidate extends LocationFacts {
  /** Its own alone. */
  settings: CatalogSettings
  companySettings: CatalogSettings
  /** Of the location and of its company. */
  packageIds: string[]
}

export interface ServiceFacts {
  id: string
  name: string
  category: string
  type: string
  isDot: boolean
  requiresMro: boolean
  lab: { id: string; name: string } | null
}

export interface PackageFacts {
  id: string
  name: string
  services: ServiceFacts[]
}

/** What came of looking for the one thing that a reference names. */
export type Found<T> =
  | { kind: 'one'; value: T }
  | { kind: 'none' }
  | { kind: 'several'; values: T[] }
  /** The id is one's and the name another's. */
  | { kind: 'disagree' }
  | { kind: 'unnamed' }

/** What the references of a request are taken to mean. */
export interface OrderFacts {
  location: Plain<LocationFacts>
  /** Among what the location offers; where that is not known, among all that the caller may order. */
  package: Plain<PackageFacts>
}

type Plain<T> = Exclude<Found<T>, { kind: 'several' }>

/** All that the references may mean; found by the store. */
export interface Candidates {
  locations: LocationCandidate[]
  packages: PackageFacts[]
}

export type Draft = DeepPartial<CreateOrder>

interface Reference {
  id?: string | undefined
  name?: string | undefined
}

/** Every way to read the references of a request: more than one where a name fits several things. */
export function readingsOf(draft: Draft, candidates: Candidates): OrderFacts[] {
  const all = allReadings(draft, candidates)
  // Of several places that share a name, one that does not offer the package is not the one that is meant.
  const whole = all.filter((facts) => facts.location.kind === 'one' && facts.package.kind === 'one')
  return whole.length > 0 ? whole : all
}

function allReadings({ location, package: pkg }: Draft, { locations, packages }: Candidates): OrderFacts[] {
  return each(findLocation(location, locations)).flatMap((found) => {
    const offered = valueOf(found)?.packageIds
    const within = offered ? packages.filter(({ id }) => offered.includes(id)) : packages
    return each(findPackage(pkg, within)).map((package_) => ({ location: withSettings(found), package: package_ }))
  })
}

/** Which names fit several things; a package only where one location offers several of the name. */
export function checkAmbiguity(
  { location }: Draft,
  { locations }: Candidates,
  readings: readonly OrderFacts[],
): Problem[] {
  const fits = (what: string): Problem => ({
    code: 'conflict',
    detail: `Several ${what}s have this name. Send the id: GET /api/v2/${what}s lists them.`,
    pointer: `/${what}`,
  })
  const perLocation = new Set(readings.map((facts) => valueOf(facts.location)?.id)).size
  return [
    ...(findLocation(location, locations).kind === 'several' ? [fits('location')] : []),
    ...(readings.length > perLocation ? [fits('package')] : []),
  ]
}

/** By id or by exact name. */
export function findLocation<T extends Named>(reference: Reference | undefined, candidates: readonly T[]): Found<T> {
  return find(reference, candidates, [(name, candidate) => name === candidate])
}

/** By id or by name, which is matched exactly first and then ignoring case. */
export function findPackage<T extends Named>(reference: Reference | undefined, candidates: readonly T[]): Found<T> {
  return find(reference, candidates, [
    (name, candidate) => name === candidate,
    (name, candidate) => fold(name) === fold(candidate),
  ])
}

/** By id or by code in any case. */
export function findAgency(reference: Draft['agency']): Found<Agency> {
  const byCode = { id: reference?.id, name: reference?.code }
  return find(byCode, AGENCIES, [(code, candidate) => fold(code) === fold(candidate)], ({ code }) => code)
}

/** By id or by exact name, among those that the agency publishes. */
export function findJobCategory(reference: Draft['jobCategory'], agency: Agency): Found<Named> {
  return find(reference, agency.jobCategories, [(name, candidate) => name === candidate])
}

/** Whether the location and the package are known. */
export function checkReferences({ location, package: pkg }: OrderFacts): Problem[] {
  return [...checkFound(location, '/location', 'location'), ...checkFound(pkg, '/package', 'package')]
}

/** Where to find what may be named. The same words whether something is missing, inactive, or another tenant's. */
const UNKNOWN = {
  location: 'Unknown or inactive location. List them with GET /api/v2/locations.',
  package: 'Unknown package, or not available at this location. List them with GET /api/v2/packages?locationId=…',
  agency: 'Unknown agency. List them with GET /api/v2/agencies.',
  'job category': 'Unknown job category of this agency. List them with GET /api/v2/agencies/{id}.',
} as const

export function checkFound(found: Found<unknown>, pointer: string, what: keyof typeof UNKNOWN): Problem[] {
  switch (found.kind) {
    case 'one':
      return []
    case 'unnamed':
      return [{ code: 'required', detail: `Send the id or the name of the ${what}.`, pointer }]
    default:
      return [{ code: 'invalidValue', detail: UNKNOWN[what], pointer }]
  }
}

export const valueOf = <T>(found: Found<T>): T | undefined => (found.kind === 'one' ? found.value : undefined)

interface Named {
  id: string
  name: string
}

function each<T>(found: Found<T>): Plain<T>[] {
  return found.kind === 'several' ? found.values.map((value) => ({ kind: 'one', value })) : [found]
}

function withSettings(found: Plain<LocationCandidate>): Plain<LocationFacts> {
  if (found.kind !== 'one') return found
  const { companySettings, packageIds: _, ...location } = found.value
  return { kind: 'one', value: { ...location, settings: mergeSettings(companySettings, location.settings) } }
}

type SameName = (name: string, candidate: string) => boolean

/** Ways to compare names are tried in turn until one finds something. */
function find<T extends Named>(
  reference: Reference | undefined,
  candidates: readonly T[],
  ways: readonly SameName[],
  nameOf = (candidate: T) => candidate.name,
): Found<T> {
  const { id, name } = reference ?? {}
  if (id !== undefined) {
    const named = candidates.find((candidate) => candidate.id === id)
    if (!named) return { kind: 'none' }
    const agrees = name === undefined || ways.some((same) => same(name, nameOf(named)))
    return agrees ? { kind: 'one', value: named } : { kind: 'disagree' }
  }
  if (name === undefined) return { kind: 'unnamed' }
  for (const same of ways) {
    const values = candidates.filter((candidate) => same(name, nameOf(candidate)))
    if (values.length > 0) return values.length > 1 ? { kind: 'several', values } : { kind: 'one', value: values[0]! }
  }
  return { kind: 'none' }
}
