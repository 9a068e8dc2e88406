import type * as contract from '@order-testing/contract'
import { locate, locateLine, milesOf, type Point } from '../../domain/places/postal-places.ts'
import { notFound, refuse } from '../../domain/refusal.ts'
import { spellingsOf } from '../../domain/catalog/search-spelling.ts'
import { wordsOf } from '../../domain/text.ts'
import type { ClinicRow, SearchRequest } from '../../store/catalog/clinics.ts'
import type { Page } from '../../store/db/page.ts'
import { collectionOf, ok, type Context, type Operation } from '../operation.ts'
import { clinicReference, serviceReference } from './references.ts'

/** Words of a search beyond these tell nothing new. */
const MAX_WORDS = 8

export const listClinics: Operation<typeof contract.listClinics> = async ({ query }, { caller, store }) =>
  ok(collectionOf(await store.clinics.pageOwned(caller, query), query, presentClinic))

export const readClinic: Operation<typeof contract.readClinic> = async ({ params }, { caller, store }) => {
  const clinic = await store.clinics.findActive(caller, params.id)
  if (!clinic) throw notFound()
  return ok(presentClinic(clinic))
}

export const searchClinics: Operation<typeof contract.searchClinics> = async ({ body }, context) => {
  if (body.query === undefined && body.near === undefined) throw refuse('required', 'Send `query`, `near` or both.')
  const near = body.near ? pointNear(body.near) : null
  const packageServices =
    body.packageId === undefined ? [] : await context.store.packages.inPersonServiceIds(context.caller, body.packageId)
  if (!packageServices) return ok(collectionOf(NOTHING, body, presentClinic))
  const words = body.query === undefined ? [] : await spell(body.query, context)
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
  if (body.query !== undefined && request.words.length === 0) return ok(collectionOf(NOTHING, body, presentClinic))
  return ok(collectionOf(await search(request, context), body, presentClinic))
}

const NOTHING: Page<ClinicRow> = { rows: [], total: 0 }

/** The most exact of what was given counts. */
function pointNear(near: NonNullable<contract.ClinicSearch['near']>): Point {
  const { coordinates, postalCode, address } = near
  if (coordinates) return coordinates
  if (postalCode !== undefined) return placed(locate({ postalCode }), 'postal code', '/near/postalCode')
  if (address === undefined) throw refuse('required', 'Send `postalCode`, `address` or `coordinates`.', '/near')
  return placed(typeof address === 'string' ? locateLine(address) : locate(address), 'address', '/near/address')
}

function placed(point: Point | null, what: string, pointer: string): Point {
  if (!point) throw refuse('invalidValue', `This ${what} could not be located. Check it, or send coordinates.`, pointer)
  return point
}

async function spell(query: string, { caller, store }: Context) {
  const words = wordsOf(query).slice(0, MAX_WORDS)
  return Promise.all(words.map(async (word) => spellingsOf(word, await store.clinics.wordsLike(caller, word))))
}

/** Clinics with all the words; where there are none, those with any of them. */
async function search(request: SearchRequest, { caller, store }: Context): Promise<Page<ClinicRow>> {
  const all = await store.clinics.search(caller, request)
  if (all.total > 0 || request.words.length < 2) return all
  return store.clinics.search(caller, { ...request, match: 'any' })
}

const presentClinic = (clinic: ClinicRow): contract.Clinic => ({
  ...clinicReference(clinic),
  coordinates: clinic.lat === null || clinic.long === null ? null : { lat: clinic.lat, long: clinic.long },
  distance: typeof clinic.chord === 'number' ? { miles: Math.round(milesOf(clinic.chord) * 100) / 100 } : null,
  isActive: clinic.isActive,
  services: clinic.services.map((service) => serviceReference(service)),
})
