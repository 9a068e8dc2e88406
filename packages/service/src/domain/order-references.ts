import type { CatalogSettings, CreateOrder, DeepPartial, Problem } from '@order-testing/contract'
import { AGENCIES, type Agency } from './agencies.ts'
import { fold } from './text.ts'

export interface LocationFacts {
  id: string
  name: string
  companyId: string
  companyName: string
  /** The location's own over its company's, as `mergeSettings` does. */
  settings: CatalogSettings
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
  | { kind: 'several' }
  /** The id is one's and the name another's. */
  | { kind: 'disagree' }
  | { kind: 'unnamed' }

/** What the catalog says about the references of a request; found by the store. */
export interface OrderFacts {
  location: Found<LocationFacts>
  /** Among what the location offers; where that is not known, among all that the caller may order. */
  package: Found<PackageFacts>
}

export type Draft = DeepPartial<CreateOrder>

interface Reference {
  id?: string | undefined
  name?: string | undefined
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
  const byCode = AGENCIES.map((agency) => ({ id: agency.id, name: agency.code, agency }))
  const found = find({ id: reference?.id, name: reference?.code }, byCode, [
    (code, candidate) => fold(code) === fold(candidate),
  ])
  return found.kind === 'one' ? { kind: 'one', value: found.value.agency } : found
}

/** By id or by exact name, among those that the agency publishes. */
export function findJobCategory(reference: Draft['jobCategory'], agency: Agency): Found<Named> {
  return find(reference, agency.jobCategories, [(name, candidate) => name === candidate])
}

/** Whether the location and the package are known. A reference to two things is a conflict only where there is one. */
export function checkReferences({ location, package: pkg }: OrderFacts): Problem[] {
  return [
    ...checkFound(location, '/location', 'location'),
    // Packages of several locations may share a name, so that it says nothing while the location is open.
    ...(pkg.kind === 'several' && location.kind !== 'one' ? [] : checkFound(pkg, '/package', 'package')),
  ]
}

/** The same words whether something is missing, inactive, somebody else's, or has another name. */
export function checkFound(found: Found<unknown>, pointer: string, what: string): Problem[] {
  switch (found.kind) {
    case 'one':
      return []
    case 'unnamed':
      return [{ code: 'required', detail: `Say which ${what} is meant.`, pointer }]
    case 'several':
      return [{ code: 'conflict', detail: `This fits more than one ${what}: use its id.`, pointer }]
    default:
      return [{ code: 'invalidValue', detail: `This is no ${what} that can be used here.`, pointer }]
  }
}

export const valueOf = <T>(found: Found<T>): T | undefined => (found.kind === 'one' ? found.value : undefined)

interface Named {
  id: string
  name: string
}

type SameName = (name: string, candidate: string) => boolean

/** Ways to compare names are tried in turn until one finds something. */
function find<T extends Named>(
  reference: Reference | undefined,
  candidates: readonly T[],
  ways: readonly SameName[],
): Found<T> {
  const { id, name } = reference ?? {}
  if (id !== undefined) {
    const named = candidates.find((candidate) => candidate.id === id)
    if (!named) return { kind: 'none' }
    const agrees = name === undefined || ways.some((same) => same(name, named.name))
    return agrees ? { kind: 'one', value: named } : { kind: 'disagree' }
  }
  if (name === undefined) return { kind: 'unnamed' }
  for (const same of ways) {
    const [first, second] = candidates.filter((candidate) => same(name, candidate.name))
    if (first) return second ? { kind: 'several' } : { kind: 'one', value: first }
  }
  return { kind: 'none' }
}
