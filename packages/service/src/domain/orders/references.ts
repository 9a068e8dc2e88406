import type { CatalogAddress, CatalogSettings, CreateOrder, DeepPartial, Problem } from '@order-testing/contract'
import { AGENCIES, type Agency, type Named } from '@order-testing/contract/agencies'
import { problemAt } from '../refusal.ts'
import { fold } from '../text.ts'
import { mergeSettings } from './settings.ts'

export interface LocationFacts extends Named {
  companyId: string
  companyName: string
  /** The location's own, over those of its company. */
  settings: CatalogSettings
  /** Of the location, else of its company. */
  address?: CatalogAddress | null
}

/** A location that a reference may refer to. */
export interface LocationCandidate extends LocationFacts {
  /** The location's own only. */
  settings: CatalogSettings
  companySettings: CatalogSettings
  /** Of the location and its company. */
  packageIds: string[]
}

export interface ServiceFacts extends Named {
  category: string
  type: string
  isDot: boolean
  requiresMro: boolean
  lab: Named | null
}

export interface PackageFacts extends Named {
  services: ServiceFacts[]
}

/** The result of resolving a reference. An id and a name that refer to different things find none. */
export type Found<T> = { kind: 'one'; value: T } | { kind: 'several'; values: T[] } | { kind: 'none' | 'unnamed' }

/** One way to resolve the references of a request. */
export interface OrderFacts {
  location: Resolved<LocationFacts>
  /** Among the packages of the location; if that is unknown, among all that the caller may order. */
  package: Resolved<PackageFacts>
}

type Resolved<T> = Exclude<Found<T>, { kind: 'several' }>

/** Everything that the references may refer to. */
export interface ReferenceCandidates {
  locations: LocationCandidate[]
  packages: PackageFacts[]
  /** Whether the tenant has both texts of a background check. */
  hasBackgroundTexts: boolean
}

export type Draft = DeepPartial<CreateOrder>

type Reference = DeepPartial<Named>

/** All ways to resolve the references of a request: more than one if a name is ambiguous. */
export function readingsOf(draft: Draft, candidates: ReferenceCandidates): OrderFacts[] {
  const all = allReadings(draft, candidates)
  // Of several locations with the name, only those that offer the package can be meant.
  const complete = all.filter((facts) => facts.location.kind === 'one' && facts.package.kind === 'one')
  return complete.length > 0 ? complete : all
}

function allReadings({ location, package: pkg }: Draft, { locations, packages }: ReferenceCandidates): OrderFacts[] {
  return each(findLocation(location, locations)).flatMap((found) => {
    const offered = valueOf(found)?.packageIds
    const within = offered ? packages.filter(({ id }) => offered.includes(id)) : packages
    return each(findPackage(pkg, within)).map((package_) => ({ location: withSettings(found), package: package_ }))
  })
}

/** Ambiguous names. A package name is ambiguous only if one location offers several packages with it. */
export function checkAmbiguity(
  { location }: Draft,
  { locations }: ReferenceCandidates,
  readings: readonly OrderFacts[],
): Problem[] {
  const ambiguous = (what: string) =>
    problemAt(`/${what}`, 'conflict', `Several ${what}s have this name. Send the id: GET /api/v2/${what}s lists them.`)
  const perLocation = new Set(readings.map((facts) => valueOf(facts.location)?.id)).size
  return [
    ...(findLocation(location, locations).kind === 'several' ? [ambiguous('location')] : []),
    ...(readings.length > perLocation ? [ambiguous('package')] : []),
  ]
}

/** By id or by exact name. */
export function findLocation<T extends Named>(reference: Reference | undefined, candidates: readonly T[]): Found<T> {
  return find(reference, candidates, [(name, candidate) => name === candidate])
}

/** By id or by name: an exact name first, then ignoring case. */
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

/** By id or by exact name, among those of the agency. */
export function findJobCategory(reference: Draft['jobCategory'], agency: Agency): Found<Named> {
  return find(reference, agency.jobCategories, [(name, candidate) => name === candidate])
}

/** Whether the location and the package are known. */
export function checkReferences({ location, package: pkg }: OrderFacts): Problem[] {
  return [...checkFound(location, '/location', 'location'), ...checkFound(pkg, '/package', 'package')]
}

/** The same text whether something is missing, inactive or another tenant's. */
const UNKNOWN = {
  location: 'Unknown or inactive location. List them with GET /api/v2/locations.',
  package: 'Unknown package, or not available at this location. List them with GET /api/v2/packages?locationId=…',
  agency: 'Unknown agency. List them with GET /api/v2/agencies.',
  'job category': 'Unknown job category of this agency. List them with GET /api/v2/agencies/{id}.',
} as const

export function checkFound({ kind }: Found<unknown>, pointer: string, what: keyof typeof UNKNOWN): Problem[] {
  if (kind === 'one') return []
  if (kind === 'unnamed') return [problemAt(pointer, 'required', `Send the id or the name of the ${what}.`)]
  return [problemAt(pointer, 'invalidValue', UNKNOWN[what])]
}

export const valueOf = <T>(found: Found<T>): T | undefined => (found.kind === 'one' ? found.value : undefined)

function each<T>(found: Found<T>): Resolved<T>[] {
  return found.kind === 'several' ? found.values.map((value) => ({ kind: 'one', value })) : [found]
}

function withSettings(found: Resolved<LocationCandidate>): Resolved<LocationFacts> {
  if (found.kind !== 'one') return found
  const { companySettings, packageIds: _, ...location } = found.value
  return { kind: 'one', value: { ...location, settings: mergeSettings(companySettings, location.settings) } }
}

/** Tries the ways to compare names in turn, until one finds something. */
function find<T extends Named>(
  reference: Reference | undefined,
  candidates: readonly T[],
  ways: readonly ((name: string, candidate: string) => boolean)[],
  nameOf = (candidate: T) => candidate.name,
): Found<T> {
  const { id, name } = reference ?? {}
  if (id !== undefined) {
    const found = candidates.find((candidate) => candidate.id === id)
    const agrees = found && (name === undefined || ways.some((same) => same(name, nameOf(found))))
    return agrees ? { kind: 'one', value: found } : { kind: 'none' }
  }
  if (name === undefined) return { kind: 'unnamed' }
  for (const same of ways) {
    const values = candidates.filter((candidate) => same(name, nameOf(candidate)))
    if (values.length > 0) return values.length > 1 ? { kind: 'several', values } : { kind: 'one', value: values[0]! }
  }
  return { kind: 'none' }
}
