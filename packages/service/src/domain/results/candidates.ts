import type { ResultMessage } from '@order-testing/contract/operator'
import { compareFirst, compareLast, normaliseName } from '../matching/names.ts'
import { normaliseCode } from '../orders/code.ts'
import type { Order, OrderService } from '../orders/order.ts'
import { isClosedWithoutResult } from '../orders/statuses.ts'
import { fold } from '../text.ts'

/** What a report and a service are compared by, and how much each counts. */
const WEIGHTS = {
  orderCode: 30,
  specimenId: 25,
  lastName: 15,
  birthDate: 15,
  firstName: 10,
  panel: 10,
  laboratory: 5,
} as const
export type ComparedMember = keyof typeof WEIGHTS

/** A service that a queued report may be about. */
export interface ResultCandidate {
  order: Order
  service: OrderService
  /** From 0 to 100: how much of what both sides have agrees. */
  score: number
  agrees: ComparedMember[]
  differs: ComparedMember[]
}

type Compared = Pick<ResultMessage, 'match' | 'participant' | 'specimen' | 'sender'>

/** The services that can still take a result and have at least the score, the most similar first. */
export function rankCandidates(
  report: Compared,
  orders: readonly Order[],
  { most, least }: { most: number; least: number },
): ResultCandidate[] {
  return orders
    .filter(({ ended }) => ended === null)
    .flatMap((order) => order.services.map((service) => ({ order, service })))
    .filter(({ service }) => !isClosedWithoutResult(service.status))
    .map((candidate) => judge(report, candidate))
    .filter(({ score }) => score >= least)
    .toSorted((a, b) => b.score - a.score || (a.service.id < b.service.id ? 1 : -1))
    .slice(0, most)
}

function judge(report: Compared, { order, service }: Pick<ResultCandidate, 'order' | 'service'>): ResultCandidate {
  const comparisons = Object.entries(compare(report, order, service)) as [ComparedMember, boolean | null][]
  const known = comparisons.filter(([, isEqual]) => isEqual !== null)
  const agrees = known.filter(([, isEqual]) => isEqual).map(([member]) => member)
  const sum = (members: ComparedMember[]) => members.reduce((total, member) => total + WEIGHTS[member], 0)
  const all = sum(known.map(([member]) => member))
  return {
    order,
    service,
    score: all === 0 ? 0 : Math.floor((100 * sum(agrees)) / all),
    agrees,
    differs: known.filter(([, isEqual]) => !isEqual).map(([member]) => member),
  }
}

/** Null where one side has nothing to compare. */
function compare(
  { match, participant = {}, specimen, sender }: Compared,
  { code, participant: person }: Order,
  { specimenId, serviceId, name, lab }: OrderService,
): Record<ComparedMember, boolean | null> {
  const named = { specimen: match.specimenId ?? specimen?.id, panel: match.panel }
  return {
    orderCode: match.orderCode === undefined ? null : normaliseCode(match.orderCode) === code,
    specimenId: named.specimen === undefined || specimenId === null ? null : named.specimen === specimenId,
    lastName:
      participant.lastName === undefined
        ? null
        : isAlike(compareLast(normaliseName(participant.lastName), normaliseName(person.lastName))),
    birthDate:
      participant.birthDate === undefined || person.birthDate === null
        ? null
        : participant.birthDate === person.birthDate,
    firstName:
      participant.firstName === undefined
        ? null
        : isAlike(compareFirst(namesOf(participant.firstName, ''), namesOf(person.firstName, person.middleName ?? ''))),
    panel: named.panel === undefined ? null : serviceId === named.panel || fold(name) === fold(named.panel),
    laboratory:
      sender.kind !== 'lab' || lab === null ? null : [lab.id, lab.name].some((each) => fold(each) === fold(sender.id)),
  }
}

const isAlike = ({ kind }: { kind: string }) => kind !== 'different'

const namesOf = (first: string, middle: string) => ({ first: normaliseName(first), middle: normaliseName(middle) })
