import type { OrderStatus, ServiceStatus, StatusGroup } from '@order-testing/contract'

/** The statuses of a service, each with the group its history entries are listed under. */
export const SERVICE_STATUSES = {
  ordered: 'ordered',
  linkSent: 'ordered',
  scheduled: 'scheduling',
  checkedIn: 'collection',
  collected: 'collection',
  inTransit: 'transit',
  lostInTransit: 'exception',
  receivedAtLab: 'lab',
  testing: 'lab',
  nonNegative: 'exception',
  mroReview: 'mro',
  inProgress: 'processing',
  integrationError: 'exception',
  negative: 'final',
  negativeDilute: 'final',
  positive: 'final',
  adulterated: 'final',
  substituted: 'final',
  testCancelled: 'final',
  testNotPerformed: 'final',
  unobtainable: 'final',
  pass: 'final',
  fail: 'final',
  fitForDuty: 'final',
  notFitForDuty: 'final',
  complete: 'final',
  released: 'final',
  cancelled: 'closed',
  expired: 'closed',
  noShow: 'closed',
} as const satisfies Record<ServiceStatus, StatusGroup>

export type { ServiceStatus }

/** Order statuses share the names of service statuses, except `pending` and `incomplete`, which belong to no group. */
type Status = ServiceStatus | OrderStatus

const GROUPS: Partial<Record<Status, string>> = SERVICE_STATUSES

export const hasResult = (status: ServiceStatus) => GROUPS[status] === 'final'

/** `isFinal`: whether the order has reached an outcome. */
export const hasOutcome = (status: OrderStatus) => GROUPS[status] === 'final'

/** Orders that ended without an outcome. Outcomes can still be corrected, these orders cannot change. */
export const CLOSED_WITHOUT_RESULT = ['cancelled', 'expired', 'noShow'] as const satisfies readonly Status[]

export const isClosedWithoutResult = (status: Status) => GROUPS[status] === 'closed'

/** Whether only a correction can still change it. */
export const isClosed = (status: Status) => GROUPS[status] === 'final' || isClosedWithoutResult(status)

export const isOpen = (status: Status) => !isClosed(status)

export const isBeforeCheckIn = (status: Status) => GROUPS[status] === 'ordered' || GROUPS[status] === 'scheduling'

/** Whether any service still waits for the participant to check in. */
export const awaitsCheckIn = ({ services }: { services: readonly { status: ServiceStatus }[] }) =>
  services.some(({ status }) => isBeforeCheckIn(status))

/** The order takes the worst result of its services. */
export const WORST_FIRST = [
  'positive',
  'adulterated',
  'substituted',
  'fail',
  'notFitForDuty',
  'testNotPerformed',
  'unobtainable',
  'testCancelled',
] as const

/** Exceptions that an order shows while its services are in progress, the most severe first. */
export const EXCEPTIONS = ['integrationError', 'lostInTransit', 'nonNegative'] as const

/** Derives the order's status from those of its services: the first rule that applies wins. */
export function orderStatus(all: readonly ServiceStatus[], ended: 'cancelled' | 'expired' | null): OrderStatus {
  if (ended) return ended
  const services = all.filter((status) => status !== 'cancelled')
  if (services.length === 0) return 'cancelled'
  if (services.every((status) => hasResult(status))) return outcomeOf(services)
  if (services.every((status) => isClosedWithoutResult(status))) {
    return services.includes('noShow') ? 'noShow' : 'expired'
  }
  const exception = EXCEPTIONS.find((status) => services.includes(status))
  if (exception) return exception
  // Cancelled services are filtered out above.
  const isUnattended = (status: ServiceStatus) => isBeforeCheckIn(status) || isClosedWithoutResult(status)
  if (services.some((status) => hasResult(status)) && services.some(isUnattended)) return 'incomplete'
  if (services.some((status) => !isUnattended(status) && isOpen(status))) return 'pending'
  return services.includes('scheduled') ? 'scheduled' : 'ordered'
}

function outcomeOf(services: readonly ServiceStatus[]): OrderStatus {
  const results = services.map((status) => (status === 'negativeDilute' ? 'negative' : status))
  const worst = WORST_FIRST.find((status) => results.includes(status))
  if (worst) return worst
  const graded = results.filter((status) => status !== 'complete' && status !== 'released')
  const distinct = [...new Set(graded.length > 0 ? graded : results)]
  if (distinct.length === 1) return distinct[0] as OrderStatus
  return graded.length > 0 ? 'pass' : 'complete'
}
