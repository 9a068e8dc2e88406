import type { Problem, SenderKind } from '@order-testing/contract'
import {
  DOCUMENT_BYTES,
  type QueueReason,
  type ResultEvent,
  type ResultMessage,
} from '@order-testing/contract/operator'
import { changeService, describeSpecimen } from '../orders/life.ts'
import type { Order, OrderService } from '../orders/order.ts'
import {
  correctService,
  REVIEWER_RESULTS,
  isDotDrug,
  isSpecimenTest,
  moveService,
  needsReview,
  findPath,
} from '../orders/service-life.ts'
import { hasResult, isClosedWithoutResult, isOpen, SERVICE_STATUSES, type ServiceStatus } from '../orders/statuses.ts'
import { problemAt, refuse, type Refusal } from '../refusal.ts'
import { findObjection, type Speaker } from './senders.ts'
import type { Target } from './target.ts'

/** What each kind of sender may report. */
const REPORTS: Record<SenderKind, readonly ResultEvent[]> = {
  collector: ['checkedIn', 'collected', 'inTransit', 'lostInTransit', 'result'],
  courier: ['inTransit', 'lostInTransit'],
  lab: ['receivedAtLab', 'lostInTransit', 'testing', 'screened', 'mroReview', 'result'],
  mro: ['mroReview', 'screened', 'result'],
  bat: ['checkedIn', 'screened', 'result'],
  clinic: ['checkedIn', 'collected', 'inTransit', 'inProgress', 'result'],
  background: ['inProgress', 'result'],
}

const DAY_MS = 86_400_000

/** Checks a report beyond the schema of its members. */
export function checkReport(report: ResultMessage, now: Date): Problem[] {
  const { match, event, sender, screen, result, dilute, corrected, occurredAt, documents = [] } = report
  const reports = REPORTS[sender.kind]
  const bytes = documents.reduce((sum, { content }) => sum + Buffer.byteLength(content, 'base64'), 0)
  const isReferenced = [match.serviceId, match.orderCode, match.specimenId].some((reference) => reference !== undefined)
  const isFuture = new Date(occurredAt).getTime() > now.getTime() + DAY_MS
  const rules: (readonly [isBroken: boolean, pointer: string, code: Problem['code'], detail: string])[] = [
    [!isReferenced, '/match', 'required', 'Name the service with serviceId, orderCode or specimenId.'],
    [!reports.includes(event), '/event', 'invalidValue', `A ${sender.kind} can report ${reports.join(', ')}.`],
    [event === 'screened' && !screen, '/screen', 'required', 'The event `screened` requires a screen.'],
    [event !== 'screened' && !!screen, '/screen', 'invalidValue', '`screen` requires the event `screened`.'],
    [event === 'result' && !result, '/result', 'required', 'The event `result` requires a result.'],
    [event !== 'result' && !!result, '/result', 'invalidValue', '`result` requires the event `result`.'],
    [!!dilute && result !== 'negative', '/dilute', 'invalidValue', '`dilute` requires the result `negative`.'],
    [!!corrected && event !== 'result', '/corrected', 'invalidValue', '`corrected` requires the event `result`.'],
    [isFuture, '/occurredAt', 'tooBig', 'This time is more than a day in the future. Check the date and the offset.'],
    ...documents.map(
      ({ content }, i) => [!isPdf(content), `/documents/${i}/content`, 'invalidFormat', NO_PDF] as const,
    ),
    [bytes > DOCUMENT_BYTES, '/documents', 'tooBig', 'All documents together may have up to 10 MB.'],
  ]
  return rules.filter(([isBroken]) => isBroken).map(([, ...problem]) => problemAt(...problem))
}

const NO_PDF = 'Not a PDF: the header is missing.'

/** An HL7 message, or a report in one, that is answered with an error and queued for an operator. */
export interface UnappliedReport {
  controlId: string
  sender: ResultMessage['sender']
  original: string
  /** Absent if the message was not understood. */
  report?: ResultMessage
  why: QueueReason
  problems: readonly Problem[]
  refusal?: Refusal
}

/** Applies a report to its order, or returns why an operator has to decide. An operator may vouch for the sender. */
export function applyReport(
  target: Target,
  report: ResultMessage,
  now: Date,
  from: Speaker | 'operator',
): Order | QueueReason {
  const { order, service } = target
  const mayCorrect = from === 'operator' || (report.corrected === true && report.sender.kind === 'mro')
  refuseUnreviewed(service, report)
  if (!target.isPerson) return 'personDiffers'
  const { specimen, event } = report
  if (specimen && service.specimenId !== null && service.specimenId !== specimen.id && report.screen !== 'split') {
    return 'matchesDisagree'
  }
  if (order.ended || isClosedWithoutResult(service.status)) return 'orderClosed'
  const objection = from === 'operator' ? undefined : findObjection(report, service, from)
  if (objection) return objection
  const { courier, trackingNumber } = report
  // The recorded specimen stays: a different one is returned above, and only an operator corrects it.
  const described = describeSpecimen(service, {
    specimenId: service.specimenId ?? specimen?.id,
    courier,
    trackingNumber,
  })
  const changed =
    event === 'screened' ? applyScreen(described, report, now) : applyStatus(described, report, now, mayCorrect)
  return typeof changed === 'string' ? changed : changeService(order, service.id, () => changed, now)
}

/** 49 CFR 40.97: only the medical reviewer reports the result of a DOT drug test. */
export function refuseUnreviewed(service: OrderService, { event, sender }: ResultMessage): void {
  if (event !== 'result' || sender.kind === 'mro' || !isDotDrug(service)) return
  const detail = 'Only the medical reviewer may report the result of a DOT drug test (49 CFR 40.97).'
  throw refuse('invalidValue', detail, '/sender/kind')
}

/** The service status that a report names. */
export function reportedStatus({ event, result, dilute }: ResultMessage): ServiceStatus {
  if (event !== 'result') return event as ServiceStatus
  return result === 'negative' && dilute ? 'negativeDilute' : (result as ServiceStatus)
}

function applyStatus(
  service: OrderService,
  report: ResultMessage,
  now: Date,
  mayCorrect: boolean,
): OrderService | QueueReason {
  const status = reportedStatus(report)
  const at = timeOf(report.occurredAt, now)
  const isReviewed = report.sender.kind === 'mro'
  if (hasResult(service.status) && report.event === 'result' && status !== service.status) {
    if (!mayCorrect) return 'correctionNeeded'
    return needsReview(service) && !isReviewed ? 'reviewNeeded' : correctService(service, status, at)
  }
  if (isAlreadyReported(service, status)) return service
  if (needsReview(service) && !isReviewed && REVIEWER_RESULTS.has(status)) return 'reviewNeeded'
  const path = findPath(service, status, { isReviewed })
  if (!path) return hasResult(status) && needsReview(service) && !isReviewed ? 'reviewNeeded' : 'notNext'
  return followPath(service, path, report, now)
}

/** Records a screen, and moves the service to the status that it implies unless it has passed it. */
function applyScreen(service: OrderService, report: ResultMessage, now: Date): OrderService | QueueReason {
  if (!isSpecimenTest(service)) return 'notNext'
  const status = SCREENED_AT[report.screen!]
  const isNew = status !== null && isOpen(service.status) && !isAlreadyReported(service, status)
  const path = isNew ? findPath(service, status, { isReviewed: report.sender.kind === 'mro' }) : undefined
  const moved = followPath(service, path ?? [], report, now)
  return { ...moved, screens: [...moved.screens, { type: report.screen!, at: timeOf(report.occurredAt, now) }] }
}

const followPath = (service: OrderService, path: ServiceStatus[], report: ResultMessage, now: Date) =>
  path.reduce((moved, step) => moveService(moved, step, stepTime(step, report, now)), service)

/** The status that a screen implies. The split specimen says nothing about the first one. */
const SCREENED_AT: Record<NonNullable<ResultMessage['screen']>, ServiceStatus | null> = {
  initial: 'testing',
  validity: 'testing',
  confirmation: 'testing',
  mroReview: 'mroReview',
  mroInterview: 'mroReview',
  split: null,
}

/**
 * Whether the service already had this status, because reports may arrive out of order. Statuses from before it was last
 * scheduled, or before an integration error, do not count: they may occur again.
 */
function isAlreadyReported({ history, status: current }: OrderService, status: ServiceStatus): boolean {
  // An exception may occur more than once.
  if (SERVICE_STATUSES[status] === 'exception') return status === current
  const since = history.findLastIndex((entry) => entry.status === 'scheduled' || entry.status === 'integrationError')
  return history.slice(since + 1).some((entry) => entry.status === status)
}

function stepTime(step: ServiceStatus, { specimen, occurredAt }: ResultMessage, now: Date): Date {
  const known = { collected: specimen?.collectedAt, receivedAtLab: specimen?.receivedAt }[step as string]
  return timeOf(known ?? occurredAt, now)
}

/** PDF readers accept some bytes before the header, so we do too. */
const isPdf = (base64: string) => Buffer.from(base64.slice(0, 1368), 'base64').includes('%PDF-')

/** Sender clocks may run ahead: no report is later than now. */
const timeOf = (text: string, now: Date) => new Date(Math.min(new Date(text).getTime(), now.getTime()))
