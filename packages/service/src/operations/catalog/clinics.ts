import type { Problem } from '@order-testing/contract'
import type * as contract from '@order-testing/contract'
import { findSpellings, type Spelling } from '../../domain/catalog/spelling.ts'
import { locate, locateLine, type Point } from '../../domain/places/postal-places.ts'
import { problemAt, Refusal } from '../../domain/refusal.ts'
import { wordsOf } from '../../domain/text.ts'
import type { ClinicRow, SearchRequest } from '../../store/catalog/clinics.ts'
import type { Page } from '../../store/db/page.ts'
import { collectionOf, ok, type Check, type Context, type Operation } from '../operation.ts'
import { presentClinic } from './reads.ts'

/** Further words of a search are ignored. */
const MAX_WORDS = 8

export const searchClinics: Operation<typeof contract.searchClinics> = async ({ body }, context) => {
  const { query, packageId, radiusMiles, serviceIds = [], isActive, limit, page } = body
  const near = findPoint(body)
  if (isProblem(near)) throw new Refusal([near])
  const { caller, store } = context
  const packageServices = packageId === undefined ? [] : await store.packages.inPersonServiceIds(caller, packageId)
  const words = query === undefined ? [] : await findWords(query, context)
  if (!packageServices || (query !== undefined && words.length === 0))
    return ok(collectionOf({ rows: [], total: 0 }, body, presentClinic))
  const filter = { near, radiusMiles, serviceIds: [...serviceIds, ...packageServices], isActive }
  const found = await search({ words, match: 'all', ...filter, limit, page }, context)
  return ok(collectionOf(found, body, presentClinic))
}

/** A malformed query or place was sent nevertheless, and a malformed member may be the most precise place. */
export const checkSearch: Check<typeof contract.searchClinics> = ({ body: { query, near } }, { faults }) => {
  const isUnsure = (member: string) => faults.some(({ pointer = '' }) => `${pointer}/`.startsWith(`/${member}/`))
  if (isUnsure('near') || (near === undefined && isUnsure('query'))) return []
  const point = findPoint({ query, near: near as Asked['near'] })
  return isProblem(point) ? [point] : []
}

type Asked = Pick<contract.ClinicSearch, 'query' | 'near'>

/** The most precise of the given places, null for a search by text alone; or what is wrong. */
function findPoint({ query, near }: Asked): Point | null | Problem {
  if (near === undefined) return query === undefined ? NOTHING_ASKED : null
  const { coordinates, postalCode, address } = near
  if (coordinates) return coordinates
  if (postalCode !== undefined) return locate({ postalCode }) ?? unknownPlace('postal code', '/near/postalCode')
  if (address === undefined) return NO_PLACE
  const point = typeof address === 'string' ? locateLine(address) : locate(address)
  return point ?? unknownPlace('address', '/near/address')
}

const NOTHING_ASKED: Problem = { code: 'required', detail: 'Send `query`, `near` or both.' }
const NO_PLACE = problemAt('/near', 'required', 'Send `postalCode`, `address` or `coordinates`.')

const unknownPlace = (what: string, pointer: string) =>
  problemAt(pointer, 'invalidValue', `Unknown ${what}. Send another one, or \`coordinates\`.`)

const isProblem = (found: Point | null | Problem): found is Problem => found !== null && 'code' in found

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
