import { refuse } from '../refusal.ts'
import type { OrderService } from './order.ts'
import { hasResult, isBeforeCheckIn, isClosed, type ServiceStatus } from './statuses.ts'

/** The members that decide which statuses a service can have. */
export type ServiceKind = Pick<OrderService, 'category' | 'type' | 'isDot' | 'requiresMro'>

/**
 * The transitions from each open status. `RESULTS` limits them by category, and `canReportResult` adds results. Besides,
 * every open status may become `cancelled` or `integrationError`, and those before check-in `expired`.
 */
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

/** Possible results by category. DOT drug tests have their own list. */
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

/** Types whose result is read at the collection site. */
const READ_ON_SITE = new Set(['breath', 'instantUrine', 'instantOralFluid'])

const SPECIMEN_CATEGORIES = new Set(['drug', 'alcohol'])

export const isSpecimenTest = ({ category }: ServiceKind) => SPECIMEN_CATEGORIES.has(category)

/** Whether a laboratory tests the specimen; other services are read on site or take no specimen. */
export const goesToLaboratory = (kind: ServiceKind) =>
  isSpecimenTest(kind) && (!READ_ON_SITE.has(kind.type) || isDotDrug(kind))

/** Statuses of a collected specimen. */
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

/** 49 CFR 40.97: the laboratory reports a DOT specimen to the medical reviewer, and only the reviewer reports a result. */
export const isDotDrug = ({ isDot, category }: ServiceKind) => isDot && category === 'drug'

export const needsReview = (kind: ServiceKind) => kind.requiresMro || isDotDrug(kind)

/** Custom categories of a catalog may have the results of health services, the widest list. */
export function resultsOf(kind: ServiceKind): readonly ServiceStatus[] {
  return isDotDrug(kind) ? DOT_DRUG_RESULTS : (RESULTS[kind.category] ?? RESULTS['occupationalHealth']!)
}

/** Every status the service may enter next. */
export function nextStatuses(service: ServiceKind & Pick<OrderService, 'status' | 'history'>): ServiceStatus[] {
  const { status } = service
  if (isClosed(status)) return []
  const steps = status === 'integrationError' ? [statusBefore(service)] : (NEXT[status] ?? [])
  const reported = canReportResult(service) ? resultsOf(service) : []
  const always: ServiceStatus[] = status === 'integrationError' ? ['cancelled'] : ['cancelled', 'integrationError']
  const expiry: ServiceStatus[] = isBeforeCheckIn(status) ? ['expired'] : []
  const next = [...new Set([...steps, ...reported, ...always, ...expiry])].filter((each) => canHave(service, each))
  // A test that needs no review goes to the reviewer only after a non-negative reading.
  return status === 'testing' && !needsReview(service) ? next.filter((each) => each !== 'mroReview') : next
}

/** Moves the service to its next status. Refuses transitions that the table does not have. */
export function moveService(service: OrderService, status: ServiceStatus, at: Date): OrderService {
  const next = nextStatuses(service)
  if (next.includes(status)) return enter(service, status, at)
  const end = hasResult(service.status) ? 'Only a correction can change it.' : 'It cannot change any more.'
  const choice = next.length > 0 ? `Allowed next: ${next.join(', ')}.` : end
  const detail = `The service "${service.name}" is ${service.status} and cannot become ${status}. ${choice}`
  throw refuse('invalidState', detail)
}

/** Returns a scheduled service to the status it had before, for a cancelled booking. */
export function unscheduleService(service: OrderService, at: Date): OrderService {
  if (service.status !== 'scheduled') return service
  const before = service.history.findLast(({ status }) => status !== 'scheduled' && status !== 'integrationError')
  return enter(service, before?.status ?? 'ordered', at)
}

/** Replaces a reported result. Only the medical reviewer and operators may do so. */
export function correctService(service: OrderService, status: ServiceStatus, at: Date): OrderService {
  if (!hasResult(service.status)) {
    throw refuse('invalidState', `The service "${service.name}" has no result to correct: it is ${service.status}.`)
  }
  const others = resultsOf(service).filter((result) => hasResult(result) && result !== service.status)
  if (!others.includes(status)) {
    const detail = `The result "${service.status}" cannot be corrected to "${status}". Allowed: ${others.join(', ')}.`
    throw refuse('invalidState', detail)
  }
  return enter(service, status, at)
}

/** Results that only the medical reviewer may report for a reviewed test, even one that was read on site. */
export const REVIEWER_RESULTS: ReadonlySet<ServiceStatus> = new Set(['positive', 'adulterated', 'substituted', 'fail'])

/** Whether entering this status records a decision of the medical reviewer. */
export function isReviewerDecision(service: OrderService, status: ServiceStatus): boolean {
  if (!hasResult(status)) return false
  if (service.history.some((entry) => entry.status === 'mroReview')) return true
  const isUnderReview = needsReview(service) && (service.status === 'nonNegative' || hasResult(service.status))
  return isUnderReview || isDotDrug(service) || (needsReview(service) && REVIEWER_RESULTS.has(status))
}

/** Intermediate statuses that a later report implies: a tested specimen was collected and received. */
const IMPLIED = ['checkedIn', 'collected', 'receivedAtLab', 'testing', 'mroReview', 'inProgress'] as const

/**
 * Finds the shortest path of allowed transitions to a status through implied statuses; undefined if there is none. Only a
 * report of the reviewer implies that a medical review took place.
 */
export function findPath(
  service: OrderService,
  status: ServiceStatus,
  { isReviewed }: { isReviewed: boolean },
): ServiceStatus[] | undefined {
  const paths: { service: OrderService; steps: ServiceStatus[] }[] = [{ service, steps: [] }]
  const seen = new Set<ServiceStatus>([service.status])
  for (const path of paths) {
    const next = nextStatuses(path.service)
    if (next.includes(status)) return [...path.steps, status]
    // A report of what follows an integration error ends the error.
    const back = path.service.status === 'integrationError' ? [statusBefore(path.service)] : []
    for (const step of [...back, ...IMPLIED]) {
      if (seen.has(step) || !next.includes(step) || (step === 'mroReview' && !isReviewed)) continue
      seen.add(step)
      paths.push({ service: { ...path.service, status: step }, steps: [...path.steps, step] })
    }
  }
  return undefined
}

/** The state that API readers see: until the review is done, nothing that hints at the laboratory's findings. */
export function publicStateOf(
  service: OrderService,
): Pick<OrderService, 'status' | 'statusUpdatedAt' | 'history' | 'screens'> {
  const { status, statusUpdatedAt, screens } = service
  if (!needsReview(service) || hasResult(status)) return { status, statusUpdatedAt, history: service.history, screens }
  const history = withoutFindings(service.history)
  const last = history.at(-1) ?? service.history[0]!
  return { status: last.status, statusUpdatedAt: last.at, history, screens: [] }
}

/** Removes `nonNegative`. Where it follows an integration error, the status visible before the error takes its place. */
function withoutFindings(history: OrderService['history']): OrderService['history'] {
  const shown: OrderService['history'] = []
  for (const entry of history) {
    if (entry.status !== 'nonNegative') shown.push(entry)
    else if (shown.at(-1)?.status === 'integrationError')
      shown.push({ status: statusBefore({ history: shown }), at: entry.at })
  }
  return shown
}

function enter(service: OrderService, status: ServiceStatus, at: Date): OrderService {
  // Reports arrive late and from other clocks, but the history of a service never goes back in time.
  const last = service.history.at(-1)?.at ?? at
  const since = at > last ? at : last
  // Scheduling another collection gives up the lost specimen.
  const specimenId = service.status === 'lostInTransit' && status === 'scheduled' ? null : service.specimenId
  const history = [...service.history, { status, at: since }]
  return { ...service, status, statusUpdatedAt: since, specimenId, history }
}

/** Whether any result of the category may come next. */
function canReportResult(service: ServiceKind & Pick<OrderService, 'status'>): boolean {
  switch (service.status) {
    case 'checkedIn':
      return READ_ON_SITE.has(service.type)
    case 'testing':
      return !needsReview(service)
    default:
      return service.status === 'inProgress'
  }
}

function canHave(kind: ServiceKind, status: ServiceStatus): boolean {
  if (status === 'inProgress') return !isSpecimenTest(kind)
  // A service without a specimen can have none of the results that end a review.
  if (status === 'mroReview') return isSpecimenTest(kind)
  const isResult = hasResult(status) || status === 'nonNegative'
  return !isResult || resultsOf(kind).includes(status)
}

const statusBefore = ({ history }: Pick<OrderService, 'history'>): ServiceStatus =>
  history.findLast(({ status }) => status !== 'integrationError')?.status ?? 'ordered'
