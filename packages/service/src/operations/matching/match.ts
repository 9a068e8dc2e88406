import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  gateWord,
  isWide,
  reasonsAgree,
  searchWords,
  traitsOf,
  type Gate,
} from '../../domain/matching/blocking-keys.ts'
import { conflictsWith, hasConflict, scorePair, type Profile, type Score } from '../../domain/matching/score.ts'
import type { MatchingOptions } from '../../domain/orders/settings.ts'
import type { Order } from '../../domain/orders/order.ts'
import { canReadParticipant, type Caller } from '../../domain/access/caller.ts'
import type { Search } from '../../store/matching/searches.ts'
import type { Alike } from '../../store/orders/alike.ts'
import type { Transaction } from '../../store/store.ts'

/** The blocking keys of an order, for each profile that can match it at this stage. */
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

/** How to find equivalent orders. Without blocking keys there can be none. */
export function searchFor(
  order: Order,
  { profile, lookBackMs, minScore }: Pick<MatchingOptions, 'profile' | 'lookBackMs' | 'minScore'>,
  { caller, now }: { caller: Caller; now: Date },
): Search {
  const words = searchWords(gateOf(order), order.participant, profile, minScore)
  return { caller, words, since: new Date(now.getTime() - lookBackMs), now, profile, isWide: isWide(minScore) }
}

export interface Match {
  order: Order
  score: number
  /** How the score came about, for operators. */
  explanation: object
}

/** The ids of equivalent orders, best score first and of equal scores the newest. */
export async function equivalents(order: Order, alike: Alike[], options: Threshold): Promise<string[]> {
  const isInConflict = conflictsWith(order.participant)
  const candidates = alike
    .filter((candidate) => options.profile === 'standard' || isRecorded(candidate, order))
    .filter(({ person }) => !isInConflict(person))
  const scored: (Score & { id: string })[] = []
  for (const [i, { id, person }] of candidates.entries()) {
    if (i > 0 && i % COMPARED_AT_ONCE === 0) await nextTurn()
    scored.push({ id, ...scorePair(order.participant, person, options.profile) })
  }
  return scored
    .filter((each) => isEquivalent(each, options))
    .toSorted((x, y) => y.score - x.score || (x.id < y.id ? 1 : -1))
    .map(({ id }) => id)
}

/** Candidates compared in one turn of the event loop: with fifty identifiers each, that takes about ten milliseconds. */
const COMPARED_AT_ONCE = 16

type Threshold = Pick<MatchingOptions, 'profile' | 'minScore'>

const isEquivalent = (scored: Score, { minScore }: Threshold) => !hasConflict(scored) && scored.score >= minScore

/** The first of these orders that is still equivalent once it is locked: it may have changed since it was found. */
export async function firstEquivalent(
  order: Order,
  ids: string[],
  options: Threshold,
  { caller, tx }: { caller: Caller; tx: Transaction },
): Promise<Match | undefined> {
  for (const id of ids) {
    const locked = await tx.orders.lockVisible(caller, id)
    if (!locked || !isOpenTo(options.profile, locked)) continue
    const scored = scorePair(order.participant, locked.participant, options.profile)
    if (!isEquivalent(scored, options)) continue
    const { score, parts, caps } = scored
    return { order: locked, score, explanation: { profile: options.profile, minScore: options.minScore, parts, caps } }
  }
  return undefined
}

/** The score that a token is shown: without `order.participant.read` only whether the match is exact (ruling 41). */
export const shownScore = ({ score }: Match, { minScore }: Threshold, caller: Caller) =>
  canReadParticipant(caller) || score === 100 ? score : minScore

/** Whether an order is at a stage that a new one may still be taken for. */
const isOpenTo = (profile: Profile, { status }: Order) =>
  profile === 'standard'
    ? ['ordered', 'scheduled'].includes(status)
    : !['cancelled', 'expired', 'noShow', 'testCancelled'].includes(status)

/** Whether a collector's app recorded the test before its order arrived. */
const isRecorded = ({ source, testReason }: Alike, order: Order) =>
  source === 'app' && reasonsAgree(testReason ?? 'unknown', order.testReason)
