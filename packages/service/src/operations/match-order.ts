import { gateWord, reasonsAgree, searchWords, traitsOf, type Gate } from '../domain/match-gates.ts'
import { isSomebodyElse, scorePair, type Profile } from '../domain/matching.ts'
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
  const words = searchWords(gate, order.participant, profile, minScore)
  // Nobody could reach the score.
  if (words.length === 0) return undefined
  const time = now()
  const want = { words, since: new Date(time.getTime() - lookBackMs), now: time, profile }
  // Sent together, one after the other: what is found is found behind the lock.
  const [, alike] = await Promise.all([tx.orders.lockWords(caller.tenantId, words), tx.orders.findAlike(caller, want)])
  const scored = alike
    .filter((candidate) => profile === 'standard' || isRecorded(candidate, order))
    // Before the identifiers are opened, which takes longer than all the rest.
    .filter(({ person }) => !isSomebodyElse(order.participant, person, minScore))
    .map(({ id, person, identifiers }) => ({
      id,
      ...scorePair(order.participant, { ...person, identifiers: identifiers() }, profile),
    }))
    .filter(({ score }) => score >= minScore)
    .toSorted((a, b) => b.score - a.score || (a.id < b.id ? 1 : -1))
  for (const { id, score, parts, caps } of scored) {
    // It may have been cancelled since it was found; once locked, it stays as it is until we are done.
    const locked = await tx.orders.lockVisible(caller, id)
    if (!locked || !isOpenTo(profile, locked)) continue
    await tx.orders.recordMatch(caller, id, { at: time, score, explanation: { profile, minScore, parts, caps } })
    return { order: locked, score }
  }
  return undefined
}

/** Whether an order is at a stage that a new one may still be taken for. */
const isOpenTo = (profile: Profile, { status }: Order) =>
  profile === 'standard'
    ? ['ordered', 'scheduled'].includes(status)
    : !['cancelled', 'expired', 'noShow', 'testCancelled'].includes(status)

/** Whether a collector's app recorded the test before its order arrived. */
const isRecorded = (candidate: { source: string | null; testReason: string | null }, order: Order) =>
  candidate.source === 'app' && reasonsAgree(candidate.testReason ?? 'unknown', order.testReason)
