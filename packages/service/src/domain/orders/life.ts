import { hasBackground } from './scheduling.ts'
import { changeTime, restate, type Order, type OrderClinic, type OrderService } from './order.ts'
import { refuse } from '../refusal.ts'
import { moveService, unscheduleService } from './service-life.ts'
import { isBeforeCheckIn, isClosed, type ServiceStatus } from './statuses.ts'

/** How long after its time a booking counts as missed. */
const MISSED_AFTER_MS = 86_400_000

/** The order with one of its services changed. */
export function changeService(
  order: Order,
  serviceId: string,
  change: (service: OrderService) => OrderService,
  now: Date,
): Order {
  const services = order.services.map((service) => (service.id === serviceId ? change(service) : service))
  return restate({ ...order, services }, changeTime(order, now))
}

/** What is told of a service's specimen and its way; what is known stays where nothing is said. */
export function describeSpecimen(
  service: OrderService,
  told: { specimenId?: string | undefined; courier?: string | undefined; trackingNumber?: string | undefined },
): OrderService {
  return {
    ...service,
    specimenId: told.specimenId ?? service.specimenId,
    courierServiceName: told.courier ?? service.courierServiceName,
    trackingNumber: told.trackingNumber ?? service.trackingNumber,
  }
}

/** What a clinic is needed for; nobody goes to one for a background check. */
export const awaitingCollection = ({ services }: Order): OrderService[] =>
  services.filter((service) => !hasBackground([service]) && (isBefore(service) || service.status === 'lostInTransit'))

/** Books a clinic, for a time or any: what waits for collection is scheduled. */
export function assignClinic(order: Order, clinic: OrderClinic, appointmentAt: Date | null, now: Date): Order {
  const at = changeTime(order, now)
  if (appointmentAt !== null && appointmentAt < now) {
    throw refuse('invalidValue', 'This time is in the past. Send a future time.', '/appointmentAt')
  }
  if (appointmentAt !== null && order.expiresAt !== null && appointmentAt >= order.expiresAt) {
    throw refuse(
      'invalidValue',
      `The order expires at ${order.expiresAt.toISOString()}. Send an earlier time.`,
      '/appointmentAt',
    )
  }
  const waiting = awaitingCollection(order)
  if (isClosed(order.status) || waiting.length === 0) {
    throw refuse('invalidState', `Order ${order.code} has nothing left to collect: it is ${order.status}.`)
  }
  const isSameTime = order.appointmentAt?.getTime() === appointmentAt?.getTime()
  if (order.clinic?.id === clinic.id && order.isBooked && isSameTime && waiting.every(isBefore)) return order
  const services = order.services.map((service) =>
    waiting.includes(service) ? moveService(service, 'scheduled', at) : service,
  )
  return restate({ ...order, isBooked: true, appointmentAt, clinic, services }, at)
}

/** Cancels the booking: scheduled services return to the status they had before. */
export function clearClinic(order: Order, now: Date): Order {
  if (order.clinic === null) return order
  if (isClosed(order.status)) throw refuse('invalidState', `Order ${order.code} is already ${order.status}.`)
  if (awaitingCollection(order).length === 0) {
    throw refuse('invalidState', `Order ${order.code} has nothing left to collect, so its booking cannot be cancelled.`)
  }
  const at = changeTime(order, now)
  const services = order.services.map((service) => unscheduleService(service, at))
  return restate({ ...order, services, clinic: null, isBooked: false, appointmentAt: null }, at)
}

/** When time alone changes the order next: it expires, or its booking counts as missed. */
export function dueAt({ services, expiresAt, appointmentAt }: Order): Date | null {
  const due = [
    expiresAt && services.some(({ status }) => isBeforeCheckIn(status)) ? expiresAt : null,
    appointmentAt && services.some(({ status }) => status === 'scheduled') ? missedAt(appointmentAt) : null,
  ].filter((at) => at !== null)
  return due.length > 0 ? new Date(Math.min(...due.map((at) => at.getTime()))) : null
}

/** The order after the time that has passed: what came first happens first. */
export function elapse(order: Order, now: Date): Order {
  const at = dueAt(order)
  if (at === null || at > now) return order
  const isMissed = order.appointmentAt !== null && missedAt(order.appointmentAt) <= at
  const changed = isMissed ? miss(order, now) : expire(order, now)
  return elapse(changed, now)
}

const missedAt = (appointmentAt: Date) => new Date(appointmentAt.getTime() + MISSED_AFTER_MS)

const isBefore = ({ status }: OrderService) => isBeforeCheckIn(status)

function miss(order: Order, now: Date): Order {
  const services = moveAll(order, ({ status }) => status === 'scheduled', 'noShow', now)
  return restate({ ...order, services, isBooked: false, appointmentAt: null }, changeTime(order, now))
}

/** Only services before check-in expire. The order itself expires when nothing else is left: a missed booking stays a no-show. */
function expire(order: Order, now: Date): Order {
  const services = moveAll(order, ({ status }) => isBeforeCheckIn(status), 'expired', now)
  const isAllExpired = services.every(({ status }) => status === 'expired' || status === 'cancelled')
  const ended = isAllExpired ? ('expired' as const) : order.ended
  return restate({ ...order, services, ended, isBooked: false, appointmentAt: null }, changeTime(order, now))
}

const moveAll = (order: Order, which: (service: OrderService) => boolean, status: ServiceStatus, now: Date) =>
  order.services.map((service) => (which(service) ? moveService(service, status, changeTime(order, now)) : service))
