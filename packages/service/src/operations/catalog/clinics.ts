import type * as contract from '@order-testing/contract'
import { locate, locateLine, milesOf, type Point } from '../../domain/places/postal-places.ts'
import { refuse } from '../../domain/refusal.ts'
import { findSpellings } from '../../domain/catalog/spelling.ts'
import { wordsOf } from '../../domain/text.ts'
import type { ClinicRow, SearchRequest } from '../../store/catalog/clinics.ts'
import type { Page } from '../../store/db/page.ts'
import { collectionOf, ok, type Context, type Operation } from '../operation.ts'
import { clinicReference, serviceReference } from '../../domain/catalog/references.ts'
import { listVisible, readVisible } from './visible.ts'

/** Further words of a search are ignored. */
const MAX_WORDS = 8

export const listClinics: Operation<typeof contract.listClinics> = listVisible('clinics', presentClinic)
export const readClinic: Operation<typeof contract.readClinic> = readVisible('clinics', presentClinic)

export const searchClinics: Operation<typeof contract.searchClinics> = async ({ body }, context) => {
  if (body.query === undefined && body.near === undefined) throw refuse('required', 'Send `query`, `near` or both.')
  const near = body.near ? findPoint(body.near) : null
  const packageServices =
    body.packageId === undefined ? [] : await context.store.packages.inPersonServiceIds(context.caller, body.packageId)
  if (!packageServices) return ok(collectionOf(EMPTY_PAGE, body, presentClinic))
  const words = body.query === undefined ? [] : await findWords(body.query, context)
  const request: SearchRequest = {
    words: words.filter((spellings) => spellings.length > 0),
    match: 'all',
    near,
    radiusMiles: body.radiusMiles,
    serviceIds: [...(body.serviceIds ?? []), ...packageServices],
    isActive: body.isActive,
    limit: body.limit,
    page: body.page,
  }
  if (body.query !== undefined && request.words.length === 0) return ok(collectionOf(EMPTY_PAGE, body, presentClinic))
  return ok(collectionOf(await search(request, context), body, presentClinic))
}

const EMPTY_PAGE: Page<ClinicRow> = { rows: [], total: 0 }

/** Uses the most precise of the given places. */
function findPoint(near: NonNullable<contract.ClinicSearch['near']>): Point {
  const { coordinates, postalCode, address } = near
  if (coordinates) return coordinates
  if (postalCode !== undefined) return requirePoint(locate({ postalCode }), 'postal code', '/near/postalCode')
  if (address === undefined) throw refuse('required', 'Send `postalCode`, `address` or `coordinates`.', '/near')
  return requirePoint(typeof address === 'string' ? locateLine(address) : locate(address), 'address', '/near/address')
}

function requirePoint(point: Point | null, what: string, pointer: string): Point {
  if (!point) throw refuse('invalidValue', `Unknown ${what}. Send another one, or \`coordinates\`.`, pointer)
  return point
}

async function findWords(query: string, { caller, store }: Context) {
  const words = wordsOf(query).slice(0, MAX_WORDS)
  return Promise.all(words.map(async (word) => findSpellings(word, await store.clinics.findSimilarWords(caller, word))))
}

/** Returns clinics that match all words or, if there are none, any of them. */
async function search(request: SearchRequest, { caller, store }: Context): Promise<Page<ClinicRow>> {
  const all = await store.clinics.search(caller, request)
  if (all.total > 0 || request.words.length < 2) return all
  return store.clinics.search(caller, { ...request, match: 'any' })
}

function presentClinic(clinic: ClinicRow): contract.Clinic {
  return {
    ...clinicReference(clinic),
    coordinates: clinic.lat === null || clinic.long === null ? null : { lat: clinic.lat, long: clinic.long },
    distance: typeof clinic.chord === 'number' ? { miles: Math.round(milesOf(clinic.chord) * 100) / 100 } : null,
    isActive: clinic.isActive,
    services: clinic.services.map((service) => serviceReference(service)),
  }
}
