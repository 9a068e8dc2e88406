import type { OrderService } from './order.ts'
import { refuse } from '../refusal.ts'
import { hasResult, isBeforeCheckIn, isOver, SERVICE_STATUSES, type ServiceStatus } from './statuses.ts'

/** What decides which way a service goes. */
export type ServiceKind = Pick<OrderService, 'category' | 'type' | 'isDot' | 'requiresMro'>

/** What may follow each open status. Results are bound by `RESULTS` besides; some come by `reportsResultFrom` alone. */
const NEXT: Partial<Record<ServiceStatus, readonly ServiceStatus[]>> = {
  ordered: ['linkSent', 'scheduled', 'checkedIn', 'inProgress'],
  linkSent: ['scheduled', 'checkedIn', 'inProgress'],
  scheduled: ['scheduled', 'checkedIn', 'noShow'],
  checkedIn: ['collected', 'inProgress', 'testNotPerformed', 'unobtainable'],
  collected: ['inTransit', 'receivedAtLab', 'lostInTransit', 'testCancelled'],
  inTransit: ['receivedAtLab', 'lostInTransit'],
  lostInTransit: ['receivedAtLab', 'scheduled', 'testCancelled'],
  receivedAtLab: ['testing', 'testCancelled'],
  testing: ['mroReview'],
  nonNegative: ['inTransit', 'testing', 'mroReview', 'negative', 'positive', 'fail'],
  mroReview: ['negative', 'negativeDilute', 'positive', 'adulterated', 'substituted', 'testCancelled'],
  inProgress: [],
}

const DOT_DRUG_RESULTS = [
  'negative',
  'negativeDilute',
  'positive',
  'adulterated',
  'substituted',
  'testCancelled',
  'testNotPerformed',
] as const satisfies readonly ServiceStatus[]

/** What can come of a service, by category; DOT drug tests have a list of their own. */
const RESULTS: Record<string, readonly ServiceStatus[]> = {
  drug: [...DOT_DRUG_RESULTS, 'nonNegative', 'unobtainable', 'pass', 'fail', 'complete'],
  alcohol: ['negative', 'positive', 'testCancelled', 'testNotPerformed', 'unobtainable'],
  occupationalHealth: [
    'fitForDuty',
    'notFitForDuty',
    'pass',
    'fail',
    'complete',
    'released',
    'testNotPerformed',
    'unobtainable',
  ],
  background: ['pass', 'fail', 'complete', 'released', 'unobtainable'],
}

/** Types whose result is read where the person is. */
const READ_ON_THE_SPOT = new Set(['breath', 'instantUrine', 'instantOralFluid'])

const SPECIMEN_CATEGORIES = new Set(['drug', 'alcohol'])

export const isSpecimenTest = ({ category }: ServiceKind) => SPECIMEN_CATEGORIES.has(category)

/** Whether a laboratory tests it; others are read on the spot, or take no specimen. */
export const goesToLaboratory = (kind: ServiceKind) =>
  isSpecimenTest(kind) && (!READ_ON_THE_SPOT.has(kind.type) || isDotDrug(kind))

/** Statuses that a specimen has once it was collected. */
const COLLECTED: ReadonlySet<ServiceStatus> = new Set([
  'collected',
  'inTransit',
  'lostInTransit',
  'receivedAtLab',
  'testing',
  'nonNegative',
  'mroReview',
])

/** Whether a specimen was collected since the service was last scheduled, or the service has a result already. */
export function wasCollected({ status, history }: Pick<OrderService, 'status' | 'history'>): boolean {
  const since = history.findLastIndex((entry) => entry.status === 'scheduled')
  return hasResult(status) || history.slice(since + 1).some((entry) => COLLECTED.has(entry.status))
}

/** 49 CFR 40.97: what the laboratory saw of a DOT specimen goes to the medical reviewer, and nobody else reports it. */
export const isDotDrug = ({ isDot, category }: ServiceKind) => isDot && category === 'drug'

export const needsReview = (kind: ServiceKind) => kind.requiresMro || isDotDrug(kind)

/** Categories that a catalog brings of its own are treated as health services, which have the widest choice. */
export function resultsOf(kind: ServiceKind): readonly ServiceStatus[] {
  return isDotDrug(kind) ? DOT_DRUG_RESULTS : (RESULTS[kind.category] ?? RESULTS['occupationalHealth']!)
}

/** Every status that a service may have next. */
export function nextStatuses(service: ServiceKind & Pick<OrderService, 'status' | 'history'>): ServiceStatus[] {
  const { status } = service
  if (isOver(status)) return []
  const steps = status === 'integrationError' ? [statusBefore(service)] : (NEXT[status] ?? [])
  const reported = reportsResultFrom(service) ? resultsOf(service) : []
  const always: ServiceStatus[] = status === 'integrationError' ? ['cancelled'] : ['cancelled', 'integrationError']
  const expiry: ServiceStatus[] = isBeforeCheckIn(status) ? ['expired'] : []
  const next = [...new Set([...steps, ...reported, ...always, ...expiry])].filter((each) => fits(service, each))
  // A test that needs no review goes to the reviewer only after a non-negative reading.
  return status === 'testing' && !needsReview(service) ? next.filter((each) => each !== 'mroReview') : next
}

/** The service in its next status; a move that the table does not have is refused. */
export function moveService(service: OrderService, status: ServiceStatus, at: Date): OrderService {
  const next = nextStatuses(service)
  if (next.includes(status)) return entered(service, status, at)
  const end = hasResult(service.status) ? 'Its result can only be corrected.' : 'Its status is final.'
  const choice = next.length > 0 ? `Its next status is one of ${next.join(', ')}.` : end
  throw refuse(
    'invalidState',
    `The service "${service.name}" is ${service.status} and cannot become ${status}. ${choice}`,
  )
}

/** A scheduled service whose booking was cancelled: it returns to the status it had before it was scheduled. */
export function unscheduleService(service: OrderService, at: Date): OrderService {
  if (service.status !== 'scheduled') return service
  const before = service.history.findLast(({ status }) => status !== 'scheduled' && status !== 'integrationError')
  return entered(service, before?.status ?? 'ordered', at)
}

/** Another result than was reported: for the medical reviewer and the operator alone. */
export function correctService(service: OrderService, status: ServiceStatus, at: Date): OrderService {
  if (!hasResult(service.status)) {
    throw refuse('invalidState', `The service "${service.name}" has no result to correct: it is ${service.status}.`)
  }
  const others = resultsOf(service).filter((result) => hasResult(result) && result !== service.status)
  if (!others.includes(status)) {
    const detail = `The result "${service.status}" cannot be corrected to "${status}". Expected one of ${others.join(', ')}.`
    throw refuse('invalidState', detail)
  }
  return entered(service, status, at)
}

/** Results that only the medical reviewer decides on where a test is reviewed, even if it was read on the spot. */
export const FOR_REVIEW: ReadonlySet<ServiceStatus> = new Set(['positive', 'adulterated', 'substituted', 'fail'])

/** Whether giving a service this status records what a medical reviewer decided. */
export function isReviewersDecision(service: OrderService, status: ServiceStatus): boolean {
  if (!hasResult(status)) return false
  if (service.history.some((entry) => entry.status === 'mroReview')) return true
  const isUnderReview = needsReview(service) && (service.status === 'nonNegative' || hasResult(service.status))
  return isUnderReview || isDotDrug(service) || (needsReview(service) && FOR_REVIEW.has(status))
}

/** The statuses in between that a report implies: a specimen that was tested had been collected and received. */
const IMPLIED = ['checkedIn', 'collected', 'receivedAtLab', 'testing', 'mroReview', 'inProgress'] as const

/**
 * The shortest legal way from where a service is to a status, by nothing but implied ones; undefined if there is none.
 * That a medical review took place is implied by what the reviewer says alone.
 */
export function wayTo(
  service: OrderService,
  status: ServiceStatus,
  { isReviewed }: { isReviewed: boolean },
): ServiceStatus[] | undefined {
  const ways: { service: OrderService; steps: ServiceStatus[] }[] = [{ service, steps: [] }]
  const seen = new Set<ServiceStatus>([service.status])
  for (const way of ways) {
    const next = nextStatuses(way.service)
    if (next.includes(status)) return [...way.steps, status]
    // What went wrong on our side is over when somebody reports what comes after it.
    const back = way.service.status === 'integrationError' ? [statusBefore(way.service)] : []
    for (const step of [...back, ...IMPLIED]) {
      if (seen.has(step) || !next.includes(step) || (step === 'mroReview' && !isReviewed)) continue
      seen.add(step)
      ways.push({ service: { ...way.service, status: step }, steps: [...way.steps, step] })
    }
  }
  return undefined
}

/** What readers may know of a service: until its review is done, nothing that hints at what the laboratory saw. */
export function shownOf(
  service: OrderService,
): Pick<OrderService, 'status' | 'statusUpdatedAt' | 'history' | 'screens'> {
  const { status, statusUpdatedAt, screens } = service
  if (!needsReview(service) || hasResult(status)) return { status, statusUpdatedAt, history: service.history, screens }
  const history = withoutFindings(service.history)
  const last = history.at(-1) ?? service.history[0]!
  return { status: last.status, statusUpdatedAt: last.at, history, screens: [] }
}

/** Without what was found; where that was come back to after an error, readers come back to what they saw before it. */
function withoutFindings(history: OrderService['history']): OrderService['history'] {
  const shown: OrderService['history'] = []
  for (const entry of history) {
    if (entry.status !== 'nonNegative') shown.push(entry)
    else if (shown.at(-1)?.status === 'integrationError')
      shown.push({ status: statusBefore({ history: shown }), at: entry.at })
  }
  return shown
}

function entered(service: OrderService, status: ServiceStatus, at: Date): OrderService {
  // Reports come late and from other clocks, but the history of a service never goes back in time.
  const last = service.history.at(-1)?.at ?? at
  const since = at > last ? at : last
  // A specimen that was lost is given up when another is to be collected.
  const specimenId = service.status === 'lostInTransit' && status === 'scheduled' ? null : service.specimenId
  const history = [...service.history, { status, at: since }]
  return { ...service, status, statusUpdatedAt: since, specimenId, history }
}

/** Whether a result of any kind may come next. */
function reportsResultFrom(service: ServiceKind & Pick<OrderService, 'status'>): boolean {
  switch (service.status) {
    case 'checkedIn':
      return READ_ON_THE_SPOT.has(service.type)
    case 'testing':
      return !needsReview(service)
    default:
      return service.status === 'inProgress'
  }
}

function fits(kind: ServiceKind, status: ServiceStatus): boolean {
  if (status === 'inProgress') return !isSpecimenTest(kind)
  // A review that could only end in results which the service cannot have would never end.
  if (status === 'mroReview') return isSpecimenTest(kind)
  const isResult = SERVICE_STATUSES[status] === 'final' || status === 'nonNegative'
  return !isResult || resultsOf(kind).includes(status)
}

const statusBefore = ({ history }: Pick<OrderService, 'history'>): ServiceStatus =>
  history.findLast(({ status }) => status !== 'integrationError')?.status ?? 'ordered'
