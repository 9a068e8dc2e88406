import { gateWord, reasonsAgree, searchWords, traitsOf, type Gate } from '../domain/match-gates.ts'
import { scorePair, somebodyElse, type Profile, type Score } from '../domain/matching.ts'
import type { MatchingOptions } from '../domain/order-settings.ts'
import type { Order } from '../domain/orders.ts'
import type { Caller } from '../domain/caller.ts'
import type { Alike, Search } from '../store/alike.ts'
import type { Transaction } from '../store/store.ts'

/** The words that an order is found by later: those of each profile that could look for it at this stage. */
export function wordsOf(order: Order): string[] {
  const gate = gateOf(order)
  const profiles: Profile[] = order.source === 'app' ? ['standard', 'appCollection'] : ['standard']
  const open = profiles.filter((profile) => isOpenTo(profile, order))
  return open.flatMap((profile) => [gateWord(gate, profile), ...traitsOf(gate, order.participant, profile)])
}

/** What other orders must have in common with this one before people are compared. */
function gateOf(order: Order): Gate {
  return {
    locationId: order.location.id,
    companyId: order.company.id,
    packageIds: order.packages.map(({ id }) => id),
    testReason: order.testReason,
    otherTestReason: order.otherTestReason,
    agencyId: order.agencyId,
    observed: order.observed,
    services: order.services,
  }
}

/** Where the order could be on file already; without words, nobody could reach the score. */
export function searchFor(
  order: Order,
  { profile, lookBackMs, minScore }: MatchingOptions,
  { caller, now }: { caller: Caller; now: Date },
): Search {
  const words = searchWords(gateOf(order), order.participant, profile, minScore)
  return { caller, words, since: new Date(now.getTime() - lookBackMs), now, profile }
}

export interface Match {
  order: Order
  score: number
  /** What the score is made of, for the operator. */
  explanation: object
}

/** An order on file that reaches the score. */
export interface Likely extends Score {
  id: string
}

/** The orders that a new one may repeat, best score first and of equal ones the newest. */
export function likeliest(order: Order, alike: Alike[], { profile, minScore }: MatchingOptions): Likely[] {
  const isSomebodyElse = somebodyElse(order.participant, minScore)
  return alike
    .filter((candidate) => profile === 'standard' || isRecorded(candidate, order))
    .filter(({ person }) => !isSomebodyElse(person))
    .map(({ id, person }) => ({ id, ...scorePair(order.participant, person, profile) }))
    .filter(({ score }) => score >= minScore)
    .toSorted((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1))
}

/** The first of them that is still there to be repeated. It is locked, and stays as it is until the transaction ends. */
export async function firstOpen(
  likely: Likely[],
  { profile, minScore }: MatchingOptions,
  { caller, tx }: { caller: Caller; tx: Transaction },
): Promise<Match | undefined> {
  for (const { id, score, parts, caps } of likely) {
    const locked = await tx.orders.lockVisible(caller, id)
    // It may have been cancelled since it was found.
    if (!locked || !isOpenTo(profile, locked)) continue
    return { order: locked, score, explanation: { profile, minScore, parts, caps } }
  }
  return undefined
}

/** Whether an order is at a stage that a new one may still be taken for. */
const isOpenTo = (profile: Profile, { status }: Order) =>
  profile === 'standard'
    ? ['ordered', 'scheduled'].includes(status)
    : !['cancelled', 'expired', 'noShow', 'testCancelled'].includes(status)

/** Whether a collector's app recorded the test before its order arrived. */
const isRecorded = ({ source, testReason }: Alike, order: Order) =>
  source === 'app' && reasonsAgree(testReason ?? 'unknown', order.testReason)
