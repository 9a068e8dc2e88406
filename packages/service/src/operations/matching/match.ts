import { setImmediate as nextTurn } from 'node:timers/promises'
import { canReadParticipant, type Caller } from '../../domain/access/caller.ts'
import {
  isWide,
  personKeys,
  purposeKey,
  reasonsAgree,
  searchKeys,
  type Purpose,
} from '../../domain/matching/blocking-keys.ts'
import { conflictsWith, hasConflict, scorePair, type Profile, type Score } from '../../domain/matching/score.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { MatchingOptions } from '../../domain/orders/settings.ts'
import { isBeforeCheckIn, isClosedWithoutResult } from '../../domain/orders/statuses.ts'
import type { Search } from '../../store/matching/searches.ts'
import type { MatchCandidate } from '../../store/orders/match-candidates.ts'

type Threshold = Pick<MatchingOptions, 'profile' | 'minScore'>

/** Candidates compared in one turn of the event loop: with fifty identifiers each, that takes about ten milliseconds. */
const COMPARED_AT_ONCE = 16

/** The blocking keys of an order, for each profile that can match it in its current status. */
export function blockingKeysOf(order: Order): string[] {
  const purpose = purposeOf(order)
  const profiles: Profile[] = order.source === 'app' ? ['standard', 'appCollection'] : ['standard']
  const open = profiles.filter((profile) => isOpenTo(profile, order))
  return open.flatMap((profile) => [purposeKey(purpose, profile), ...personKeys(purpose, order.participant, profile)])
}

/** The search for orders that may be equivalent. Without blocking keys there are none. */
export function composeSearch(
  order: Order,
  { profile, lookBackMs, minScore }: Threshold & Pick<MatchingOptions, 'lookBackMs'>,
  { caller, now }: { caller: Caller; now: Date },
): Search {
  const blockingKeys = searchKeys(purposeOf(order), order.participant, profile, minScore)
  return { caller, blockingKeys, since: new Date(now.getTime() - lookBackMs), now, profile, isWide: isWide(minScore) }
}

export interface Match {
  order: Order
  score: number
  /** How the score was computed, for operators. */
  explanation: object
}

/** The ids of equivalent orders, best score first; of equal scores, the newest first. */
export async function findEquivalents(
  order: Order,
  candidates: MatchCandidate[],
  options: Threshold,
): Promise<string[]> {
  const isInConflict = conflictsWith(order.participant)
  const comparable = candidates
    .filter((candidate) => options.profile === 'standard' || isRecordedInApp(candidate, order))
    .filter(({ person }) => !isInConflict(person))
  const scored: (Score & { id: string })[] = []
  for (const [i, { id, person }] of comparable.entries()) {
    if (i > 0 && i % COMPARED_AT_ONCE === 0) await nextTurn()
    scored.push({ id, ...scorePair(order.participant, person, options.profile) })
  }
  return scored
    .filter((each) => isEquivalent(each, options))
    .toSorted((x, y) => y.score - x.score || (x.id < y.id ? 1 : -1))
    .map(({ id }) => id)
}

/** Reads or locks the orders in turn, up to the first that is still equivalent: it may have changed since the search. */
export async function firstEquivalent(
  order: Order,
  ids: string[],
  options: Threshold,
  read: (id: string) => Promise<Order | undefined>,
): Promise<Match | undefined> {
  for (const id of ids) {
    const found = await read(id)
    if (!found || !isOpenTo(options.profile, found)) continue
    const scored = scorePair(order.participant, found.participant, options.profile)
    if (!isEquivalent(scored, options)) continue
    const { score, parts, caps } = scored
    return { order: found, score, explanation: { profile: options.profile, minScore: options.minScore, parts, caps } }
  }
  return undefined
}

/** The score that a caller sees: without `order.participant.read`, only whether the match is exact (ruling 41). */
export const visibleScore = ({ score }: Pick<Match, 'score'>, { minScore }: Threshold, caller: Caller) =>
  canReadParticipant(caller) || score === 100 ? score : minScore

const purposeOf = (order: Order): Purpose => ({
  locationId: order.location.id,
  companyId: order.company.id,
  packageIds: order.packages.map(({ id }) => id),
  testReason: order.testReason,
  otherTestReason: order.otherTestReason,
  agencyId: order.agencyId,
  observed: order.observed,
  services: order.services,
})

/** Whether an order has a status in which a new one can still match it. */
const isOpenTo = (profile: Profile, { status }: Order) =>
  profile === 'standard' ? isBeforeCheckIn(status) : !isClosedWithoutResult(status) && status !== 'testCancelled'

const isEquivalent = (scored: Score, { minScore }: Threshold) => !hasConflict(scored) && scored.score >= minScore

/** Whether a collector's app recorded the test before its order arrived. */
const isRecordedInApp = ({ source, testReason }: MatchCandidate, order: Order) =>
  source === 'app' && reasonsAgree(testReason ?? 'unknown', order.testReason)
