import { SIMULATED_OUTCOMES, type SenderKind, type SimulatedOutcome } from '@order-testing/contract'
import type { ResultEvent, ResultMessage } from '@order-testing/contract/operator'
import type { OrderService } from '../orders/order.ts'
import {
  goesToLaboratory,
  isDotDrug,
  isSpecimenTest,
  needsReview,
  resultsOf,
  REVIEWER_RESULTS,
  type ServiceKind,
} from '../orders/service-life.ts'
import type { ServiceStatus } from '../orders/statuses.ts'

/** One step of a service: what a sender reports, or what time does. */
export type Step = ReportStep | { by: 'time'; status: 'scheduled' | 'noShow' | 'expired' }

export interface ReportStep {
  by: SenderKind
  event: ResultEvent
  /** The status that the step leads to; null if it leads to none. */
  status: ServiceStatus | null
  screen?: ResultMessage['screen']
  result?: ResultMessage['result']
  reason?: string
}

export const REFUSAL_REASON = 'Simulated: the participant refused the test.'

/** The outcomes that a simulation can give a service. */
export const outcomesOf = (kind: ServiceKind): SimulatedOutcome[] =>
  SIMULATED_OUTCOMES.filter((outcome) => stepsTo(kind, outcome) !== undefined)

/** All steps of a service from its placement to an outcome; undefined if it cannot have the outcome. */
export function stepsTo(kind: ServiceKind, outcome: SimulatedOutcome): Step[] | undefined {
  switch (outcome) {
    case 'expired':
      return [{ by: 'time', status: 'expired' }]
    case 'noShow':
      return [
        { by: 'time', status: 'scheduled' },
        { by: 'time', status: 'noShow' },
      ]
    case 'lostInTransit':
      return goesToLaboratory(kind) ? [...COLLECTION, IN_TRANSIT, move('courier', 'lostInTransit')] : undefined
    case 'refusal':
      return stepsTo(kind, 'testNotPerformed')?.map((step) =>
        'result' in step ? { ...step, reason: REFUSAL_REASON } : step,
      )
    default:
      return resultsOf(kind).includes(outcome) ? stepsToResult(kind, outcome) : undefined
  }
}

type Result = NonNullable<ResultMessage['result']>

function stepsToResult(kind: ServiceKind, result: Result): Step[] | undefined {
  if (kind.category === 'background') return [move('background', 'inProgress'), report('background', result)]
  const isSiteOutcome = result === 'testNotPerformed' || result === 'unobtainable'
  if (!isSpecimenTest(kind)) {
    const seen = move('clinic', 'checkedIn')
    return [seen, ...(isSiteOutcome ? [] : [move('clinic', 'inProgress')]), report('clinic', result)]
  }
  if (!goesToLaboratory(kind)) return readOnSite(kind, result)
  // 49 CFR 40.97: even that a DOT drug test was not performed is reported by the reviewer.
  if (isSiteOutcome) return [CHECK_IN, report(isDotDrug(kind) ? 'mro' : 'collector', result)]
  const tested = [...COLLECTION, IN_TRANSIT, move('lab', 'receivedAtLab'), ...testing(result)]
  if (!needsReview(kind)) return [...tested, report('lab', result)]
  return REVIEWED.has(result) ? [...tested, ...review(result)] : undefined
}

/** Breath and instant tests. A reading that needs a review is confirmed by a laboratory. */
function readOnSite(kind: ServiceKind, result: Result): Step[] | undefined {
  const by = kind.category === 'alcohol' ? 'bat' : 'collector'
  const seen = move(by, 'checkedIn')
  if (!needsReview(kind) || !REVIEWER_RESULTS.has(result)) return [seen, report(by, result)]
  if (!resultsOf(kind).includes('nonNegative')) return undefined
  const read = [seen, report(by, 'nonNegative')]
  if (!REVIEWED.has(result)) return [...read, report('mro', result)]
  return [...read, IN_TRANSIT, move('lab', 'receivedAtLab'), ...testing(result), ...review(result)]
}

const CHECK_IN = move('collector', 'checkedIn')
const COLLECTION = [CHECK_IN, move('collector', 'collected')]
const IN_TRANSIT = move('courier', 'inTransit')

/** Results that end a medical review. */
const REVIEWED: ReadonlySet<Result> = new Set([
  'negative',
  'negativeDilute',
  'positive',
  'adulterated',
  'substituted',
  'testCancelled',
])

const SUSPICIOUS: ReadonlySet<Result> = new Set(['positive', 'nonNegative', 'fail'])
const TAMPERED: ReadonlySet<Result> = new Set(['adulterated', 'substituted', 'negativeDilute'])

/** Suspicious screens are confirmed, and manipulated specimens found by their validity. */
const testing = (result: Result): ReportStep[] => [
  move('lab', 'testing'),
  screen('lab', 'initial'),
  ...(TAMPERED.has(result) ? [screen('lab', 'validity')] : []),
  ...(SUSPICIOUS.has(result) ? [screen('lab', 'confirmation')] : []),
]

const review = (result: Result): ReportStep[] => [
  move('mro', 'mroReview'),
  ...(REVIEWER_RESULTS.has(result) ? [screen('mro', 'mroInterview')] : []),
  report('mro', result),
]

function move(by: SenderKind, status: Exclude<ResultEvent, 'screened' | 'result'>): ReportStep {
  return { by, event: status, status }
}

function screen(by: SenderKind, type: NonNullable<ResultMessage['screen']>): ReportStep {
  return { by, event: 'screened', status: null, screen: type }
}

function report(by: SenderKind, result: Result): ReportStep {
  return { by, event: 'result', status: result, result }
}

/** The specimen of a simulated collection: the same for every report about the service. */
const specimenOf = ({ id }: Pick<OrderService, 'id'>) => `SBX${id.replaceAll(/\W|_/g, '').slice(-10).toUpperCase()}`

/** The report of a step, as its sender would send it. */
export function composeReport(
  service: OrderService,
  { by, event, screen: type, result, reason }: ReportStep,
  { messageId, now }: { messageId: string; now: Date },
): ResultMessage {
  const occurredAt = now.toISOString()
  return {
    messageId,
    sender: { kind: by, id: by === 'lab' && service.lab ? service.lab.id : `sandbox-${by}` },
    match: { serviceId: service.id },
    event,
    occurredAt,
    ...(event === 'collected' && { specimen: { id: specimenOf(service), collectedAt: occurredAt } }),
    ...(event === 'inTransit' && { courier: 'Sandbox Courier', trackingNumber: `${specimenOf(service)}US` }),
    ...(type && { screen: type }),
    ...(result && { result }),
    ...(reason !== undefined && { reason }),
  }
}
