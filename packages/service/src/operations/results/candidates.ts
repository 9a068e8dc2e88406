import type { ResultMessage } from '@order-testing/contract/operator'
import type * as contract from '@order-testing/contract/operator'
import { canReadParticipant, type Caller } from '../../domain/access/caller.ts'
import { orderIdOf } from '../../domain/ids.ts'
import { normaliseCode } from '../../domain/orders/code.ts'
import { maskToName } from '../../domain/orders/masked.ts'
import type { Order } from '../../domain/orders/order.ts'
import { birthKey, identifierText, nameKey, soundKeys } from '../../domain/orders/search-keys.ts'
import { presentOrder } from '../../domain/orders/view.ts'
import { orNotFound } from '../../domain/refusal.ts'
import { rankCandidates, type ResultCandidate } from '../../domain/results/candidates.ts'
import { wordsOf } from '../../domain/text.ts'
import { MOST_READ } from '../../store/orders/search.ts'
import type { Transaction } from '../../store/store.ts'
import { auditEntry } from '../audit/audit.ts'
import { ok, type Operation } from '../operation.ts'

const MOST_CANDIDATES = 10
/** How many orders one reference may find. */
const BOUNDS = { most: 100, read: MOST_READ }
const FEW = { most: 100, read: 100 }

/** The services that a queued report may be about. Which people were compared is recorded. */
export const readCandidates: Operation<typeof contract.readCandidates> = ({ params, query }, context) =>
  context.store.transaction(async (tx) => {
    const { caller } = context
    const row = orNotFound(await tx.results.read(caller.tenantId, params.id))
    const { message } = row.content
    const report = 'event' in message ? asReadable(message, caller) : undefined
    const orders = report
      ? await (query.order === undefined ? findOrders(report, caller, tx) : findNamed(query.order, caller, tx))
      : []
    const candidates = report
      ? rankCandidates(report, orders, { most: MOST_CANDIDATES, least: query.order === undefined ? 1 : 0 })
      : []
    const subject = { type: 'result', id: row.id }
    const after = { serviceIds: candidates.map(({ service }) => service.id) }
    await tx.audit.append([auditEntry({ action: 'result.candidates', subject, after }, context)])
    return ok({
      object: 'resultCandidates',
      resultId: row.id,
      data: candidates.map((candidate, i) => presentCandidate(candidate, i + 1, caller)),
    })
  })

/** Without `operator.participants.read`, people are not compared. */
function asReadable({ participant, ...report }: ResultMessage, caller: Caller): ResultMessage {
  return participant && canReadParticipant(caller) ? { ...report, participant } : report
}

/** Orders that the report refers to, and orders of people with the same birth date or name. */
async function findOrders(report: ResultMessage, caller: Caller, tx: Transaction): Promise<Order[]> {
  const { match, specimen, participant } = report
  const code = match.orderCode === undefined ? null : normaliseCode(match.orderCode)
  const id = match.serviceId === undefined ? undefined : orderIdOf(match.serviceId)
  const specimenIds = [...new Set([match.specimenId, specimen?.id].flatMap((each) => each ?? []))].map(identifierText)
  const found = await Promise.all([
    id === undefined ? [] : tx.orders.findVisible(caller, { id }),
    code === null ? [] : tx.orders.findVisible(caller, { code }),
    ...specimenIds.map((text) => tx.orderSearch.findByPrefix(caller, { kind: 'specimenId', text }, FEW)),
    ...personSearches(participant).map((keys) => tx.orderSearch.find(caller, keys, BOUNDS)),
  ])
  const orders = found.flat().filter((order) => order !== undefined)
  return [...new Map(orders.map((order) => [order.id, order])).values()]
}

/** Orders that an operator looks for by id, code or specimen. */
async function findNamed(text: string, caller: Caller, tx: Transaction): Promise<Order[]> {
  const code = normaliseCode(text)
  const found = await Promise.all([
    tx.orders.findVisible(caller, code === null ? { id: text } : { code }),
    tx.orderSearch.findByPrefix(caller, { kind: 'specimenId', text: identifierText(text) }, FEW),
  ])
  const orders = found.flat().filter((order) => order !== undefined)
  return [...new Map(orders.map((order) => [order.id, order])).values()]
}

/** Birth date and last name, or both names: one of them may be misspelled. */
function personSearches({ firstName, lastName, birthDate }: NonNullable<ResultMessage['participant']> = {}) {
  const names = [firstName, lastName].map((name) =>
    wordsOf(name ?? '').flatMap((word) => [nameKey(word), ...soundKeys(word)]),
  )
  const [first = [], last = []] = names
  const born = birthDate === undefined ? [] : [birthKey(birthDate)]
  return [
    [last, born],
    [first, born],
    [first, last],
  ].filter((keys) => keys.every(({ length }) => length > 0))
}

const presentCandidate = (
  { order, service, score, agrees, differs }: ResultCandidate,
  rank: number,
  caller: Caller,
): contract.ResultCandidate => ({
  object: 'resultCandidate',
  rank,
  serviceId: service.id,
  score,
  agrees,
  differs,
  order: {
    ...presentOrder(order),
    ...(canReadParticipant(caller) && { participant: maskToName(order.participant) }),
  },
})
