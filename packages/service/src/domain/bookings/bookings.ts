import { changeTime, restate } from '../orders/life.ts'
import type { Order, OrderClinic, OrderService, Recipient } from '../orders/order.ts'
import { hasBackground } from '../orders/scheduling.ts'
import { moveService, unscheduleService } from '../orders/service-life.ts'
import { isBeforeCheckIn, isClosed, isClosedWithoutResult } from '../orders/statuses.ts'
import { refuse } from '../refusal.ts'

/** The participant is expected at this clinic, at any time it is open if `appointmentAt` is null. */
export interface Booking {
  clinic: OrderClinic
  appointmentAt: Date | null
  /** Whether the clinic takes no appointments, so that the time is only planned. */
  isArrival?: boolean
}

/** Books a clinic, or replaces the booking, and schedules the services. Booking the same again changes nothing. */
export function book(
  order: Order,
  { clinic, appointmentAt, isArrival = false }: Booking,
  now: Date,
  booked: OrderService[] = servicesToBook(order),
): Order {
  checkTime(appointmentAt, order, now)
  checkCollectable(order)
  const isSame =
    order.isBooked && order.clinic?.id === clinic.id && order.appointmentAt?.getTime() === appointmentAt?.getTime()
  if (isSame && booked.every(({ status }) => isBeforeCheckIn(status))) return order
  const at = changeTime(order, now)
  const services = order.services.map((service) =>
    booked.includes(service) ? moveService(service, 'scheduled', at) : service,
  )
  const { isArrival: _before, ...rest } = order
  const planned = isArrival && appointmentAt ? { isArrival } : {}
  return restate({ ...rest, clinic, appointmentAt, ...planned, isBooked: true, services }, at)
}

/** Cancels the booking: scheduled services return to the status they had before. */
export function cancelBooking(order: Order, now: Date): Order {
  if (order.clinic === null) return order
  checkCollectable(order)
  const at = changeTime(order, now)
  const services = order.services.map((service) => unscheduleService(service, at))
  return restate({ ...order, services, clinic: null, isBooked: false, appointmentAt: null }, at)
}

/** Whether the participant or requester may choose the clinic. If neither may, the company's setting decides. */
export const canChooseClinic = ({ scheduling: { option, mode } }: Order, who: Recipient) =>
  who === 'requester' ? mode === 'requesterSelects' : option === 'link' || mode === 'closestToParticipant'

/** The services a clinic must offer: those before check-in, and those whose specimen was lost. */
export const servicesToBook = (order: Pick<Order, 'services'>): OrderService[] =>
  inPersonServices(order).filter(({ status }) => isBeforeCheckIn(status) || status === 'lostInTransit')

/** The in-person services that the participant has not checked in for. */
export const servicesToAttend = (order: Order): OrderService[] =>
  inPersonServices(order).filter(({ status }) => isBeforeCheckIn(status))

/** Whether the participant has checked in for any in-person service. */
export const hasCheckedIn = (order: Order) =>
  inPersonServices(order).some(({ status }) => !isBeforeCheckIn(status) && !isClosedWithoutResult(status))

/** The booking that the participant still has to attend. */
export function openBookingOf(order: Order): Booking | null {
  const { clinic, appointmentAt, isBooked } = order
  return isBooked && clinic && servicesToAttend(order).length > 0 ? { clinic, appointmentAt } : null
}

/** The clinic that the participant still has to go to, booked or not. */
export const awaitingClinicId = (order: Order) =>
  servicesToAttend(order).length > 0 ? (order.clinic?.id ?? null) : null

const inPersonServices = ({ services }: Pick<Order, 'services'>) =>
  services.filter((service) => !hasBackground([service]))

function checkTime(appointmentAt: Date | null, { expiresAt }: Order, now: Date): void {
  if (appointmentAt === null) return
  if (appointmentAt < now) throw refuse('invalidValue', 'This time is in the past.', '/appointmentAt')
  if (expiresAt !== null && appointmentAt >= expiresAt)
    throw refuse('invalidValue', `The order expires before this time, at ${expiresAt.toISOString()}.`, '/appointmentAt')
}

function checkCollectable(order: Order): void {
  const { code, status } = order
  if (isClosed(status)) throw refuse('invalidState', `Order ${code} is already ${status}.`)
  if (servicesToBook(order).length > 0) return
  throw refuse('invalidState', `Order ${code} has nothing left to collect: it is ${status}.`)
}
