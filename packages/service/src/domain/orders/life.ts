import { refuse } from '../refusal.ts'
import type { Order, OrderService } from './order.ts'
import { moveService, publicStateOf } from './service-life.ts'
import { awaitsCheckIn, isBeforeCheckIn, isClosed, isOpen, orderStatus, type ServiceStatus } from './statuses.ts'

const DAY_MS = 86_400_000

/** A booking counts as missed this long after its time. */
export const MISSED_AFTER_MS = DAY_MS

/** Cancelling twice changes nothing; a finished, expired or missed order cannot be cancelled. */
export function cancel(order: Order, reason: string | null, now: Date): Order {
  if (order.status === 'cancelled') return order
  if (isClosed(order.status)) throw refuse('invalidState', `Order ${order.code} is already ${order.status}.`)
  const services = moveServices(order, ({ status }) => isOpen(status), 'cancelled', now)
  const changes = { services, isBooked: false, appointmentAt: null, cancelReason: reason }
  return restate({ ...order, ...changes, ended: 'cancelled' }, changeTime(order, now))
}

/** How many days from today an operator may let an order wait. */
export const MOST_DAYS_AHEAD = 90

/** Changes when the order expires. Only orders that wait for the participant expire, and what has expired stays so. */
export function extend(order: Order, expiresAt: Date, now: Date): Order {
  if (isClosed(order.status)) throw refuse('invalidState', `Order ${order.code} is already ${order.status}.`)
  if (!awaitsCheckIn(order))
    throw refuse('invalidState', `Order ${order.code} does not expire any more: the participant has checked in.`)
  const problem = checkExpiry(order, expiresAt, now)
  if (problem) throw problem
  if (order.expiresAt?.getTime() === expiresAt.getTime()) return order
  return { ...order, expiresAt, updatedAt: changeTime(order, now) }
}

function checkExpiry({ appointmentAt }: Order, expiresAt: Date, now: Date) {
  const pointer = '/expiresAt'
  const today = Math.floor(now.getTime() / DAY_MS) * DAY_MS
  const last = new Date(today + MOST_DAYS_AHEAD * DAY_MS).toISOString().slice(0, 10)
  if (expiresAt <= now) return refuse('tooSmall', 'Expected a time in the future.', pointer)
  if (expiresAt.getTime() >= today + (MOST_DAYS_AHEAD + 1) * DAY_MS)
    return refuse('tooBig', `At most ${MOST_DAYS_AHEAD} days from today, until ${last}.`, pointer)
  if (appointmentAt && expiresAt < appointmentAt)
    return refuse('invalidValue', `The order is booked for ${appointmentAt.toISOString()}, which is later.`, pointer)
  return null
}

/** Changes one service of the order. */
export function changeService(
  order: Order,
  serviceId: string,
  change: (service: OrderService) => OrderService,
  now: Date,
): Order {
  const services = order.services.map((service) => (service.id === serviceId ? change(service) : service))
  return restate({ ...order, services }, changeTime(order, now))
}

/** Records the specimen and its shipment. Members that are not given keep their values. */
export function describeSpecimen(
  service: OrderService,
  given: { specimenId?: string | undefined; courier?: string | undefined; trackingNumber?: string | undefined },
): OrderService {
  return {
    ...service,
    specimenId: given.specimenId ?? service.specimenId,
    courierServiceName: given.courier ?? service.courierServiceName,
    trackingNumber: given.trackingNumber ?? service.trackingNumber,
  }
}

/** When the order next changes by itself: it expires, or its booking counts as missed. */
export function dueAt(order: Order): Date | null {
  const { services, expiresAt } = order
  const appointment = appointmentOf(order)
  const due = [
    expiresAt && awaitsCheckIn(order) ? expiresAt : null,
    appointment && services.some(({ status }) => status === 'scheduled') ? missedAt(appointment) : null,
  ].filter((at) => at !== null)
  return due.length > 0 ? new Date(Math.min(...due.map((at) => at.getTime()))) : null
}

/** Applies expiry and missed bookings up to now, the earliest first. */
export function elapse(order: Order, now: Date): Order {
  const at = dueAt(order)
  if (at === null || at > now) return order
  const appointment = appointmentOf(order)
  const isMissed = appointment !== null && missedAt(appointment) <= at
  return elapse(isMissed ? miss(order, now) : expire(order, now), now)
}

/** Node clocks differ slightly, but the times of an order never go back. */
export function changeTime({ updatedAt }: Order, now: Date): Date {
  return now > updatedAt ? now : updatedAt
}

/** Derives the order's status from the public statuses of its services, and records the change. */
export function restate(order: Order, now: Date): Order {
  const status = orderStatus(
    order.services.map((service) => publicStateOf(service).status),
    order.ended,
  )
  const isChanged = status !== order.status
  return {
    ...order,
    status,
    updatedAt: now,
    statusUpdatedAt: isChanged ? now : order.statusUpdatedAt,
    history: isChanged ? [...order.history, { status, at: now }] : order.history,
  }
}

/** A planned arrival reserves nothing, so it cannot be missed. */
const appointmentOf = ({ appointmentAt, isArrival }: Order) => (isArrival ? null : appointmentAt)

const missedAt = (appointmentAt: Date) => new Date(appointmentAt.getTime() + MISSED_AFTER_MS)

function miss(order: Order, now: Date): Order {
  const services = moveServices(order, ({ status }) => status === 'scheduled', 'noShow', now)
  return restate({ ...order, services, isBooked: false, appointmentAt: null }, changeTime(order, now))
}

/** Only services before check-in expire. The order expires if nothing else is left: a missed booking stays a no-show. */
function expire(order: Order, now: Date): Order {
  const services = moveServices(order, ({ status }) => isBeforeCheckIn(status), 'expired', now)
  const isAllExpired = services.every(({ status }) => status === 'expired' || status === 'cancelled')
  const ended = isAllExpired ? ('expired' as const) : order.ended
  return restate({ ...order, services, ended, isBooked: false, appointmentAt: null }, changeTime(order, now))
}

const moveServices = (order: Order, which: (service: OrderService) => boolean, status: ServiceStatus, now: Date) =>
  order.services.map((service) => (which(service) ? moveService(service, status, changeTime(order, now)) : service))
