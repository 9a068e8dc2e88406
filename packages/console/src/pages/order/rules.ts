import type { OperatorService } from '@order-testing/client/operator'
import type { ListedOrder } from '../../api/masking.ts'
import { isClosed, isResult } from '../../parts/statuses.ts'

export type ShownService = ListedOrder['services'][number]

/** A service as everybody sees it, with what operators may do to it. */
export interface ServiceWithMoves {
  shown: ShownService
  operator: OperatorService
}

/** What the service would refuse anyway is not offered. These tables follow the rules of the service; a test compares them. */
const DOT_DRUG_RESULTS = [
  'negative',
  'negativeDilute',
  'positive',
  'adulterated',
  'substituted',
  'testCancelled',
  'testNotPerformed',
]

const HEALTH_RESULTS = [
  'fitForDuty',
  'notFitForDuty',
  'pass',
  'fail',
  'complete',
  'released',
  'testNotPerformed',
  'unobtainable',
]

const RESULTS: Record<string, readonly string[]> = {
  drug: [...DOT_DRUG_RESULTS, 'unobtainable', 'pass', 'fail', 'complete'],
  alcohol: ['negative', 'positive', 'testCancelled', 'testNotPerformed', 'unobtainable'],
  occupationalHealth: HEALTH_RESULTS,
  background: ['pass', 'fail', 'complete', 'released', 'unobtainable'],
}

interface Kind {
  isDot: boolean
  category: string
}

/** The results that a kind of service can have. */
export const resultsOf = ({ isDot, category }: Kind): readonly string[] =>
  isDot && category === 'drug' ? DOT_DRUG_RESULTS : (RESULTS[category] ?? HEALTH_RESULTS)

export const kindOf = ({ isDot, attributes }: ShownService): Kind => ({ isDot, category: attributes.category })

export const correctionsOf = ({ shown }: ServiceWithMoves): readonly string[] =>
  isResult(shown.status) ? resultsOf(kindOf(shown)).filter((status) => status !== shown.status) : []

const isDotDrug = ({ isDot, category }: Kind) => isDot && category === 'drug'

export const needsReview = ({ shown, operator }: ServiceWithMoves) => operator.requiresMro || isDotDrug(kindOf(shown))

const REVIEWER_RESULTS = new Set(['positive', 'adulterated', 'substituted', 'fail'])

/** Whether entering a status records a decision of the medical reviewer, whose name and date are then required. */
export function isDecision(service: ServiceWithMoves, status: string): boolean {
  if (!isResult(status)) return false
  const { operator, shown } = service
  if (operator.statusHistory.some((entry) => entry.status === 'mroReview')) return true
  if (!needsReview(service)) return false
  const isUnderReview = operator.status === 'nonNegative' || isResult(operator.status)
  return isUnderReview || isDotDrug(kindOf(shown)) || REVIEWER_RESULTS.has(status)
}

const LATE = new Set(['receivedAtLab', 'testing', 'nonNegative', 'mroReview'])

/** Whether the laboratory may have found something that nobody may see yet. */
export const isWithheld = (service: ServiceWithMoves): boolean =>
  needsReview(service) && LATE.has(service.operator.status)

/** Moves that are made in another way: by a booking, or by a link. */
const ELSEWHERE = new Set(['scheduled', 'linkSent'])
const SELDOM = new Set(['cancelled', 'integrationError', 'expired'])

export type MoveKind = 'steps' | 'results' | 'seldom' | 'correction'

/** The next moves: steps forward, results, and what happens seldom. */
export function movesOf(service: ServiceWithMoves): Record<'steps' | 'results' | 'seldom', string[]> {
  const offered = service.operator.nextStatuses.filter((status) => !ELSEWHERE.has(status))
  // A first reading of a reviewed test is a finding.
  const visible = needsReview(service) ? offered.filter((status) => status !== 'nonNegative') : offered
  return {
    steps: visible.filter((status) => !isResult(status) && !SELDOM.has(status)),
    results: visible.filter(isResult),
    seldom: visible.filter((status) => SELDOM.has(status)),
  }
}

export interface Step {
  status: string
  at: string | null
}

const TO_LABORATORY = [
  'ordered',
  'linkSent',
  'scheduled',
  'checkedIn',
  'collected',
  'inTransit',
  'receivedAtLab',
  'testing',
  'mroReview',
  'result',
]
const ON_SITE = ['ordered', 'linkSent', 'scheduled', 'checkedIn', 'result']
const EXAMINATION = ['ordered', 'linkSent', 'scheduled', 'checkedIn', 'inProgress', 'result']
const BACKGROUND = ['ordered', 'linkSent', 'inProgress', 'result']
const READ_ON_SITE = new Set(['breath', 'instantUrine', 'instantOralFluid', 'saliva'])

/** What happened to a service, and what usually follows. */
export function pathOf(service: ServiceWithMoves): { steps: Step[]; current: number } {
  const { shown } = service
  const reached: Step[] = []
  for (const { status, occurredAt } of shown.statusHistory) {
    // Coming back to an earlier status, such as a new booking, replaces what followed it.
    const before = reached.findIndex((step) => step.status === status)
    if (before >= 0) reached.splice(before)
    reached.push({ status, at: occurredAt })
  }
  const usual = usualPath(service)
  const furthest = Math.max(...reached.map(({ status }) => usual.indexOf(status)))
  const rest = isClosed(shown.status) ? [] : usual.slice(furthest + 1).map((status) => ({ status, at: null }))
  return { steps: [...reached, ...rest], current: reached.length - 1 }
}

function usualPath(service: ServiceWithMoves): string[] {
  const { category, type } = service.shown.attributes
  if (category === 'background') return BACKGROUND
  if (category !== 'drug' && category !== 'alcohol') return EXAMINATION
  if (READ_ON_SITE.has(type) && !isDotDrug(kindOf(service.shown))) return ON_SITE
  return needsReview(service) ? TO_LABORATORY : TO_LABORATORY.filter((status) => status !== 'mroReview')
}
