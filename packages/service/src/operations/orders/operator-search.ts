import type * as contract from '@order-testing/contract/operator'
import { canReadParticipant, type Caller } from '../../domain/access/caller.ts'
import type { Order } from '../../domain/orders/order.ts'
import { compareHits, judgeHit, maskParticipant, type SearchHit } from '../../domain/orders/search-hits.ts'
import {
  keysOf,
  kindsOf,
  parseQuery,
  withoutPersonalReadings,
  type SearchTerm,
} from '../../domain/orders/search-query.ts'
import { presentOrder } from '../../domain/orders/view.ts'
import { refuse } from '../../domain/refusal.ts'
import type { Transaction } from '../../store/store.ts'
import { auditEntry } from '../audit/audit.ts'
import { ok, type Operation } from '../operation.ts'

/** The most orders that are opened and compared with the query, in each of two passes. */
const MOST_COMPARED = 500

export const searchOrders: Operation<typeof contract.searchOrders> = ({ query }, context) =>
  context.store.transaction(async (tx) => {
    const { caller } = context
    const terms = readableTerms(parseQuery(query.q), caller)
    const hits = await findHits(terms, query.limit, caller, tx)
    const shown = hits.slice(0, query.limit)
    const kinds = kindsOf(terms)
    const orderIds = shown.map(({ order }) => order.id)
    const subject = { type: 'search', id: 'orders' }
    await tx.audit.append([auditEntry({ action: 'order.search', subject, after: { kinds, orderIds } }, context)])
    return ok({
      object: 'orderSearch',
      kinds,
      data: shown.map((hit) => presentHit(hit, caller)),
      limit: query.limit,
      isMore: hits.length > shown.length,
    })
  })

/** Without `operator.participants.read`, people cannot be searched for. */
function readableTerms(terms: SearchTerm[], caller: Caller): SearchTerm[] {
  if (terms.length === 0) throw refuse('invalidValue', NOTHING_TO_FIND, '/q')
  if (canReadParticipant(caller)) return terms
  const readable = withoutPersonalReadings(terms)
  if (readable.some((term) => term.length === 0)) throw refuse('invalidValue', NO_PEOPLE, '/q')
  return readable
}

const NOTHING_TO_FIND = 'Expected a name, birth date, e-mail address, phone number, code, specimen id or external id.'
const NO_PEOPLE =
  'This token can search by code, specimen id and external id only: it lacks the scope operator.participants.read.'

/** Names as written come first; those that sound alike are looked for if there are too few. */
async function findHits(terms: SearchTerm[], limit: number, caller: Caller, tx: Transaction): Promise<SearchHit[]> {
  const hits = new Map<string, SearchHit>()
  const add = (orders: (Order | undefined)[]) => {
    for (const order of orders) {
      const hit = order && judgeHit(order, terms)
      if (hit) hits.set(order.id, hit)
    }
  }
  add(await findNamed(terms, caller, tx))
  for (const isLoose of [false, true]) {
    const keys = terms.map((term) => keysOf(term, { isLoose }))
    if (!isLoose || (hits.size <= limit && terms.flat().some(({ kind }) => kind === 'name')))
      add(await tx.orderSearch.find(caller, keys, MOST_COMPARED))
  }
  return [...hits.values()].toSorted(compareHits)
}

/** Orders whose id or code was entered. */
async function findNamed(terms: SearchTerm[], caller: Caller, tx: Transaction): Promise<(Order | undefined)[]> {
  const found = terms.flat().map((reading) => {
    if (reading.kind === 'id') return tx.orders.findVisible(caller, { id: reading.text }).then((order) => [order])
    return reading.kind === 'code' ? tx.orderSearch.findByCodePrefix(caller, reading.text, MOST_COMPARED) : []
  })
  return (await Promise.all(found)).flat()
}

const presentHit = ({ order, matchedOn }: SearchHit, caller: Caller): contract.OrderHit => ({
  object: 'orderHit',
  order: {
    ...presentOrder(order),
    ...(canReadParticipant(caller) && { participant: maskParticipant(order.participant) }),
  },
  matchedOn,
})
