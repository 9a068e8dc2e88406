import type { OrderStatus } from '@order-testing/contract'

/** What a service of an order can be at, and the group its history is told under. */
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
} as const

export type ServiceStatus = keyof typeof SERVICE_STATUSES

export const hasResult = (status: ServiceStatus) => SERVICE_STATUSES[status] === 'final'
/** Whether nothing follows of its own accord. */
export const isOver = (status: ServiceStatus) => hasResult(status) || SERVICE_STATUSES[status] === 'closed'
export const isBeforeCheckIn = (status: ServiceStatus) => ['ordered', 'scheduling'].includes(SERVICE_STATUSES[status])

/** Outcomes of an order; cancelled, expired and missed orders have none. */
const OUTCOMES = new Set<OrderStatus>([
  'negative',
  'positive',
  'adulterated',
  'substituted',
  'testCancelled',
  'testNotPerformed',
  'unobtainable',
  'pass',
  'fail',
  'fitForDuty',
  'notFitForDuty',
  'complete',
  'released',
])

/** `isFinal`: whether the order has reached an outcome. */
export const hasOutcome = (status: OrderStatus) => OUTCOMES.has(status)

/** An order that ended without an outcome. Outcomes can still be corrected, these cannot change. */
export const CLOSED_STATUSES: readonly OrderStatus[] = ['cancelled', 'expired', 'noShow']

/** Whether the order takes no more changes of its own accord. */
export const isClosed = (status: OrderStatus) => hasOutcome(status) || CLOSED_STATUSES.includes(status)

/** Of several results the worst is the order's. */
const WORST_FIRST = [
  'positive',
  'adulterated',
  'substituted',
  'fail',
  'notFitForDuty',
  'testNotPerformed',
  'unobtainable',
  'testCancelled',
] as const

/** Troubles that an order shows while its services are under way, the gravest first. */
const TROUBLES = ['integrationError', 'lostInTransit', 'nonNegative'] as const

/** The order's status from those of its services; the first rule that fits. */
export function orderStatus(all: readonly ServiceStatus[], ended: 'cancelled' | 'expired' | null): OrderStatus {
  if (ended) return ended
  const services = all.filter((status) => status !== 'cancelled')
  if (services.length === 0) return 'cancelled'
  if (services.every((status) => hasResult(status))) return outcomeOf(services)
  if (services.every((status) => status === 'noShow' || status === 'expired')) {
    return services.includes('noShow') ? 'noShow' : 'expired'
  }
  const trouble = TROUBLES.find((status) => services.includes(status))
  if (trouble) return trouble
  const waiting = (status: ServiceStatus) => isBeforeCheckIn(status) || status === 'noShow' || status === 'expired'
  if (services.some((status) => hasResult(status)) && services.some(waiting)) return 'incomplete'
  if (services.some((status) => !waiting(status) && !isOver(status))) return 'pending'
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
