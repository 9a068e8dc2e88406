import { gateWord, MOST_WITHOUT_TRAIT, reasonsAgree, traitsOf, type Gate } from '../domain/match-gates.ts'
import { scorePair, type Profile } from '../domain/matching.ts'
import type { MatchingOptions } from '../domain/order-settings.ts'
import type { Order } from '../domain/orders.ts'
import type { Transaction } from '../store/store.ts'
import type { Context } from './operation.ts'

/** The words that an order is found by later: those of each profile that could ever look for it. */
export function wordsOf(order: Order): string[] {
  const gate = gateOf(order)
  const profiles: Profile[] = order.source === 'app' ? ['standard', 'appCollection'] : ['standard']
  return profiles.flatMap((profile) => [gateWord(gate, profile), ...traitsOf(gate, order.participant, profile)])
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

/**
 * The order on file that a new one repeats, best score first and of equal ones the newest. Others who want to place
 * the same order wait here, and then find what this transaction has written.
 */
export async function findMatch(
  order: Order,
  { profile, lookBackMs, minScore }: MatchingOptions,
  tx: Transaction,
  { caller, now }: Context,
): Promise<{ order: Order; score: number } | undefined> {
  const gate = gateOf(order)
  // So low a score may be reached by people who share nothing that they could be found by.
  const anybody = minScore > MOST_WITHOUT_TRAIT ? [] : [gateWord(gate, profile)]
  const traits = traitsOf(gate, order.participant, profile)
  await tx.orders.lockWords(caller.tenantId, [...traits, ...anybody])
  const time = now()
  const want = { since: new Date(time.getTime() - lookBackMs), now: time, profile }
  const alike = await tx.orders.findAlike(caller, { ...want, words: traits })
  const others = anybody.length === 0 ? [] : await tx.orders.findAlike(caller, { ...want, words: anybody })
  const scored = [...new Map([...alike, ...others].map((candidate) => [candidate.id, candidate])).values()]
    .filter((candidate) => profile === 'standard' || isRecorded(candidate, order))
    .map((candidate) => ({
      id: candidate.id,
      score: scorePair(order.participant, candidate.participant, profile).score,
    }))
    .filter(({ score }) => score >= minScore)
    .toSorted((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1))
  for (const { id, score } of scored) {
    // It may have been cancelled since it was found; once locked, it stays as it is until we are done.
    const locked = await tx.orders.lockVisible(caller, id)
    if (locked && isOpenTo(profile, locked)) return { order: locked, score }
  }
  return undefined
}

/** Whether an order is at a stage that a new one may still be taken for. */
const isOpenTo = (profile: Profile, { status }: Order) =>
  profile === 'standard'
    ? ['ordered', 'scheduled'].includes(status)
    : !['cancelled', 'expired', 'noShow', 'testCancelled'].includes(status)

/** Whether a collector's app recorded the test before its order arrived. */
const isRecorded = (candidate: Order, order: Order) =>
  candidate.source === 'app' && reasonsAgree(candidate.testReason, order.testReason)
