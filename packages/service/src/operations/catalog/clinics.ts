import type * as contract from '@order-testing/contract'
import { findSpellings, type Spelling } from '../../domain/catalog/spelling.ts'
import { locate, locateLine, type Point } from '../../domain/places/postal-places.ts'
import { refuse } from '../../domain/refusal.ts'
import { wordsOf } from '../../domain/text.ts'
import type { ClinicRow, SearchRequest } from '../../store/catalog/clinics.ts'
import type { Page } from '../../store/db/page.ts'
import { collectionOf, ok, type Context, type Operation } from '../operation.ts'
import { presentClinic } from './reads.ts'

/** Further words of a search are ignored. */
const MAX_WORDS = 8

export const searchClinics: Operation<typeof contract.searchClinics> = async ({ body }, context) => {
  const { query, near, packageId, radiusMiles, serviceIds = [], isActive, limit, page } = body
  if (query === undefined && near === undefined) throw refuse('required', 'Send `query`, `near` or both.')
  const point = near ? findPoint(near) : null
  const { caller, store } = context
  const packageServices = packageId === undefined ? [] : await store.packages.inPersonServiceIds(caller, packageId)
  const words = query === undefined ? [] : await findWords(query, context)
  if (!packageServices || (query !== undefined && words.length === 0))
    return ok(collectionOf({ rows: [], total: 0 }, body, presentClinic))
  const filter = { near: point, radiusMiles, serviceIds: [...serviceIds, ...packageServices], isActive }
  const found = await search({ words, match: 'all', ...filter, limit, page }, context)
  return ok(collectionOf(found, body, presentClinic))
}

/** Uses the most precise of the given places. */
function findPoint({ coordinates, postalCode, address }: NonNullable<contract.ClinicSearch['near']>): Point {
  if (coordinates) return coordinates
  if (postalCode !== undefined) return requirePoint(locate({ postalCode }), 'postal code', '/near/postalCode')
  if (address === undefined) throw refuse('required', 'Send `postalCode`, `address` or `coordinates`.', '/near')
  return requirePoint(typeof address === 'string' ? locateLine(address) : locate(address), 'address', '/near/address')
}

function requirePoint(point: Point | null, what: string, pointer: string): Point {
  if (!point) throw refuse('invalidValue', `Unknown ${what}. Send another one, or \`coordinates\`.`, pointer)
  return point
}

/** The known spellings of each word. Words without any are left out. */
async function findWords(query: string, { caller, store }: Context): Promise<Spelling[][]> {
  const words = wordsOf(query).slice(0, MAX_WORDS)
  const found = words.map(async (word) => findSpellings(word, await store.clinics.findSimilarWords(caller, word)))
  return (await Promise.all(found)).filter((spellings) => spellings.length > 0)
}

/** Returns clinics that match all words or, if there are none, any of them. */
async function search(request: SearchRequest, { caller, store }: Context): Promise<Page<ClinicRow>> {
  const all = await store.clinics.search(caller, request)
  if (all.total > 0 || request.words.length < 2) return all
  return store.clinics.search(caller, { ...request, match: 'any' })
}
