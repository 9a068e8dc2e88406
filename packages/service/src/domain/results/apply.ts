import type { Problem, SenderKind } from '@order-testing/contract'
import {
  DOCUMENT_BYTES,
  type QueueReason,
  type ResultEvent,
  type ResultMessage,
} from '@order-testing/contract/operator'
import { changeService, describeSpecimen } from '../orders/life.ts'
import type { Order, OrderService } from '../orders/order.ts'
import { refuse, type Refusal } from '../refusal.ts'
import {
  correctService,
  FOR_REVIEW,
  isDotDrug,
  isSpecimenTest,
  moveService,
  needsReview,
  wayTo,
} from '../orders/service-life.ts'
import type { Target } from './target.ts'
import { objectionTo, type Speaker } from './senders.ts'
import { hasResult, isOver, SERVICE_STATUSES, type ServiceStatus } from '../orders/statuses.ts'

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

/** What is wrong with a message beyond the form of its members. */
export function checkMessage(message: ResultMessage, now: Date): Problem[] {
  const { match, event, sender, screen, result, dilute, occurredAt, documents = [] } = message
  const bytes = documents.reduce((sum, { content }) => sum + Buffer.byteLength(content, 'base64'), 0)
  const found: (Problem | false)[] = [
    match.serviceId === undefined &&
      match.orderCode === undefined &&
      match.specimenId === undefined &&
      problem('required', '/match', 'Send at least one of serviceId, orderCode and specimenId.'),
    !REPORTS[sender.kind].includes(event) &&
      problem(
        'invalidValue',
        '/event',
        `A sender of kind "${sender.kind}" reports only ${REPORTS[sender.kind].join(', ')}.`,
      ),
    event === 'screened' && !screen && problem('required', '/screen', 'The event `screened` requires `screen`.'),
    event !== 'screened' &&
      screen !== undefined &&
      problem('invalidValue', '/screen', '`screen` requires the event `screened`.'),
    event === 'result' && !result && problem('required', '/result', 'The event `result` requires `result`.'),
    event !== 'result' &&
      result !== undefined &&
      problem('invalidValue', '/result', '`result` requires the event `result`.'),
    dilute === true &&
      result !== 'negative' &&
      problem('invalidValue', '/dilute', '`dilute` requires the result `negative`.'),
    message.corrected === true &&
      event !== 'result' &&
      problem('invalidValue', '/corrected', '`corrected` requires the event `result`.'),
    new Date(occurredAt).getTime() > now.getTime() + DAY_MS &&
      problem('tooBig', '/occurredAt', 'This time is more than a day in the future. Check the date and the offset.'),
    ...documents.map(
      ({ content }, i) =>
        !isPdf(content) &&
        problem('invalidFormat', `/documents/${i}/content`, 'Not a PDF: the content must start with %PDF-.'),
    ),
    bytes > DOCUMENT_BYTES && problem('tooBig', '/documents', 'Documents may have at most 10 MB in total.'),
  ]
  return found.filter((each) => each !== false)
}

/** A message in HL7, or a report in one, that is answered with an error and kept for an operator. */
export interface Unapplied {
  controlId: string
  sender: ResultMessage['sender']
  original: string
  /** Where it was understood. */
  message?: ResultMessage
  why: QueueReason
  problems: readonly Problem[]
  /** What a report was refused with. */
  refusal?: Refusal
}

/** The order as a message leaves it, or why an operator has to look at it first. An operator may vouch for the sender. */
export function applyMessage(
  target: Target,
  message: ResultMessage,
  now: Date,
  from: Speaker | 'operator',
): Order | QueueReason {
  const { order, service } = target
  const mayCorrect = from === 'operator' || (message.corrected === true && message.sender.kind === 'mro')
  refuseUnreviewed(service, message)
  if (!target.isPerson) return 'personDiffers'
  const { specimen, event } = message
  if (specimen && service.specimenId !== null && service.specimenId !== specimen.id && message.screen !== 'split') {
    return 'matchesDisagree'
  }
  if (order.ended || (isOver(service.status) && !hasResult(service.status))) return 'orderClosed'
  const objection = from === 'operator' ? undefined : objectionTo(message, service, from)
  if (objection) return objection
  const { courier, trackingNumber } = message
  // What is known of the specimen stays: another one is found out above, and only an operator corrects it.
  const described = describeSpecimen(service, {
    specimenId: service.specimenId ?? specimen?.id,
    courier,
    trackingNumber,
  })
  const changed =
    event === 'screened' ? screened(described, message, now) : reported(described, message, now, mayCorrect)
  return typeof changed === 'string' ? changed : changeService(order, service.id, () => changed, now)
}

/** 49 CFR 40.97: of a DOT drug test only the medical reviewer reports a result. */
export function refuseUnreviewed(service: OrderService, { event, sender }: ResultMessage): void {
  if (event !== 'result' || sender.kind === 'mro' || !isDotDrug(service)) return
  const detail = 'Only the medical reviewer may report a result of a DOT drug test (49 CFR 40.97).'
  throw refuse('invalidValue', detail, '/sender/kind')
}

/** What a message says that a service has come to. */
export function statusOf({ event, result, dilute }: ResultMessage): ServiceStatus {
  if (event !== 'result') return event as ServiceStatus
  return result === 'negative' && dilute ? 'negativeDilute' : (result as ServiceStatus)
}

function reported(
  service: OrderService,
  message: ResultMessage,
  now: Date,
  mayCorrect: boolean,
): OrderService | QueueReason {
  const status = statusOf(message)
  const at = timeOf(message.occurredAt, now)
  const isReviewed = message.sender.kind === 'mro'
  if (hasResult(service.status) && message.event === 'result' && status !== service.status) {
    if (!mayCorrect) return 'correctionNeeded'
    return needsReview(service) && !isReviewed ? 'reviewNeeded' : correctService(service, status, at)
  }
  if (isKnown(service, status)) return service
  if (needsReview(service) && !isReviewed && FOR_REVIEW.has(status)) return 'reviewNeeded'
  const way = wayTo(service, status, { isReviewed })
  if (!way) return hasResult(status) && needsReview(service) && !isReviewed ? 'reviewNeeded' : 'notNext'
  return way.reduce((moved, step) => moveService(moved, step, stepTime(step, message, now)), service)
}

/** A test that was run tells where the specimen is, as far as that is news. */
function screened(service: OrderService, message: ResultMessage, now: Date): OrderService | QueueReason {
  if (!isSpecimenTest(service)) return 'notNext'
  const status = SCREENED_AT[message.screen!]
  const isReviewed = message.sender.kind === 'mro'
  const way = status && !isOver(service.status) && !isKnown(service, status) && wayTo(service, status, { isReviewed })
  const moved = (way || []).reduce((each, step) => moveService(each, step, stepTime(step, message, now)), service)
  return { ...moved, screens: [...moved.screens, { type: message.screen!, at: timeOf(message.occurredAt, now) }] }
}

/** What a service has come to when this test was run on it; the second half of a split one says nothing of the first. */
const SCREENED_AT: Record<NonNullable<ResultMessage['screen']>, ServiceStatus | null> = {
  initial: 'testing',
  validity: 'testing',
  confirmation: 'testing',
  mroReview: 'mroReview',
  mroInterview: 'mroReview',
  split: null,
}

/**
 * Whether a report is no news: milestones overtake each other on their way here. What happened before the service was
 * scheduled anew, or failed to get through, does not count: it may happen again.
 */
function isKnown({ history, status: current }: OrderService, status: ServiceStatus): boolean {
  // That something went wrong once does not make it old news that it did again.
  if (SERVICE_STATUSES[status] === 'exception') return status === current
  const since = history.findLastIndex((entry) => entry.status === 'scheduled' || entry.status === 'integrationError')
  return history.slice(since + 1).some((entry) => entry.status === status)
}

function stepTime(step: ServiceStatus, { specimen, occurredAt }: ResultMessage, now: Date): Date {
  const known = { collected: specimen?.collectedAt, receivedAtLab: specimen?.receivedAt }[step as string]
  return timeOf(known ?? occurredAt, now)
}

/** Readers forgive some bytes before the header, so that we do too. */
const isPdf = (base64: string) => Buffer.from(base64.slice(0, 1368), 'base64').includes('%PDF-')

/** Clocks of senders run ahead now and then; nothing has happened later than now. */
const timeOf = (text: string, now: Date) => new Date(Math.min(new Date(text).getTime(), now.getTime()))

const problem = (code: Problem['code'], pointer: string, detail: string): Problem => ({ code, detail, pointer })
