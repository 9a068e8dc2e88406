import type * as contract from '@order-testing/contract/operator'
import { canReadParticipant, type Caller } from '../../domain/access/caller.ts'
import { maskToName } from '../../domain/orders/masked.ts'
import type { Order } from '../../domain/orders/order.ts'
import { compareHits, judgeHit, type SearchHit } from '../../domain/orders/search-hits.ts'
import {
  keysOf,
  kindsOf,
  parseQuery,
  wholeIdentifier,
  withoutPersonalReadings,
  type Reading,
  type SearchTerm,
} from '../../domain/orders/search-query.ts'
import { presentOrder } from '../../domain/orders/view.ts'
import { refuse } from '../../domain/refusal.ts'
import { MOST_READ, type SearchBounds } from '../../store/orders/search.ts'
import type { Transaction } from '../../store/store.ts'
import { auditEntry } from '../audit/audit.ts'
import { ok, type Operation } from '../operation.ts'
import { findTimes, type OrderTimes } from './zones.ts'

/** The most orders that are opened and compared with the query, in each of two passes. */
const MOST_COMPARED = 500

/** Orders of a term that are read at first: enough to find the newest of two common names. */
const FIRST_READ = 2_000

/** Orders of a term that are read for names that sound alike: of common ones, those as written are found without it. */
const ALIKE_READ = 10_000

export const searchOrders: Operation<typeof contract.searchOrders> = ({ body }, context) =>
  context.store.transaction(async (tx) => {
    const { caller } = context
    const queries = readableQueries(body.q, caller)
    const hits = await findAll(queries, body.limit, caller, tx)
    const shown = hits.slice(0, body.limit)
    const found = shown.map(({ order }) => order)
    const times = await findTimes(found, { tx, tenantId: caller.tenantId })
    const kinds = kindsOf(queries.flat())
    const orderIds = shown.map(({ order }) => order.id)
    const subject = { type: 'search', id: 'orders' }
    await tx.audit.append([auditEntry({ action: 'order.search', subject, after: { kinds, orderIds } }, context)])
    return ok({
      object: 'orderSearch',
      kinds,
      data: shown.map((hit) => presentHit(hit, times.get(hit.order.id)!, caller)),
      limit: body.limit,
      isMore: hits.length > shown.length,
    })
  })

/** What a text may mean as a whole, each with its terms. Without `operator.participants.read`, people cannot be searched for. */
function readableQueries(text: string, caller: Caller): SearchTerm[][] {
  const terms = parseQuery(text)
  if (terms.length === 0) throw refuse('invalidValue', NOTHING_TO_FIND, '/q')
  const identifier = wholeIdentifier(text, terms)
  const queries = identifier ? [terms, [identifier]] : [terms]
  if (canReadParticipant(caller)) return queries
  const readable = queries
    .map((each) => withoutPersonalReadings(each))
    .filter((each) => each.every((term) => term.length > 0))
  if (readable.length === 0) throw refuse('invalidValue', NO_PEOPLE, '/q')
  return readable
}

const NOTHING_TO_FIND = 'Expected a name, birth date, e-mail address, phone number, code, specimen id or external id.'
const NO_PEOPLE =
  'This token can search by code, specimen id and external id only: it lacks the scope operator.participants.read.'

/** The hits of all queries, each order once, as it fits best. */
async function findAll(queries: SearchTerm[][], limit: number, caller: Caller, tx: Transaction): Promise<SearchHit[]> {
  const closest = new Map<string, SearchHit>()
  for (const terms of queries) {
    for (const hit of await findHits(terms, limit, caller, tx)) {
      const known = closest.get(hit.order.id)
      if (!known || hit.distance < known.distance) closest.set(hit.order.id, hit)
    }
  }
  return [...closest.values()].toSorted(compareHits)
}

/**
 * Names as written come first; those that sound alike are looked for if there are too few. Each search begins with the newest
 * orders and goes on only if they do not fill the answer, because opening an order takes longer than finding it.
 */
async function findHits(terms: SearchTerm[], limit: number, caller: Caller, tx: Transaction): Promise<SearchHit[]> {
  const hits = new Map<string, SearchHit>()
  const add = (orders: readonly Order[]) => {
    const found = orders.map((order) => judgeHit(order, terms)).filter((hit) => hit !== null)
    for (const hit of found) hits.set(hit.order.id, hit)
    return found.length
  }
  const isOneTerm = terms.length === 1
  const named = { most: isOneTerm ? limit + 1 : MOST_COMPARED, read: MOST_COMPARED }
  add((await Promise.all(terms.flat().map((reading) => findNamed(reading, named, caller, tx)))).flat())
  for (const isLoose of [false, true]) {
    if (isLoose && (hits.size > limit || !kindsOf(terms).includes('name'))) break
    for (const keys of searchesFor(terms, isLoose)) {
      // Of several names, some may only sound alike: the closest are not the newest.
      if (isOneTerm || !isLoose) {
        const most = limit + 1 + (isLoose ? hits.size : 0)
        const newest = await tx.orderSearch.find(caller, keys, { most, read: FIRST_READ })
        const isAll = isOneTerm && newest.length < most
        if (add(newest) === most || isAll) continue
      }
      const read = isLoose ? ALIKE_READ : MOST_READ
      add(await tx.orderSearch.find(caller, keys, { most: MOST_COMPARED, read }))
    }
  }
  return [...hits.values()]
}

/** Orders whose id, code or other identifier begins like this. */
async function findNamed(reading: Reading, bounds: SearchBounds, caller: Caller, tx: Transaction): Promise<Order[]> {
  switch (reading.kind) {
    case 'id': {
      const order = await tx.orders.findVisible(caller, { id: reading.text })
      return order ? [order] : []
    }
    case 'code':
      return tx.orderSearch.findByCodePrefix(caller, reading.text, bounds.most)
    case 'specimenId':
    case 'externalId':
      return tx.orderSearch.findByPrefix(caller, reading, bounds)
    default:
      return []
  }
}

/** Terms that keys alone can answer are looked up together; those that may be an identifier as well, each on its own. */
function searchesFor(terms: SearchTerm[], isLoose: boolean): string[][][] {
  const keys = (term: SearchTerm) => keysOf(term, { isLoose })
  const [mixed, keyed] = [true, false].map((isMixed) =>
    terms.filter((term) => term.some(({ kind }) => IDENTIFIERS.has(kind)) === isMixed),
  ) as [SearchTerm[], SearchTerm[]]
  const searches = [...(keyed.length > 0 ? [keyed] : []), ...mixed.map((term) => [term])]
  return searches.map((each) => each.map(keys)).filter((each) => each.every(({ length }) => length > 0))
}

const IDENTIFIERS: ReadonlySet<Reading['kind']> = new Set(['id', 'code', 'specimenId', 'externalId'])

const presentHit = ({ order, matchedOn }: SearchHit, times: OrderTimes, caller: Caller): contract.OrderHit => ({
  object: 'orderHit',
  order: {
    ...presentOrder(order),
    ...times,
    ...(canReadParticipant(caller) && { participant: maskToName(order.participant) }),
  },
  matchedOn,
})
