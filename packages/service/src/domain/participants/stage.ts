import {
  book,
  cancelBooking,
  canChooseClinic,
  hasCheckedIn,
  servicesToAttend,
  type Booking,
} from '../bookings/bookings.ts'
import { changeTime, elapse, restate } from '../orders/life.ts'
import type { Order, OrderService, Participant, Recipient } from '../orders/order.ts'
import { hasBackground } from '../orders/scheduling.ts'
import { moveService } from '../orders/service-life.ts'
import { isBeforeCheckIn } from '../orders/statuses.ts'
import { refuse } from '../refusal.ts'
import { deliveryFor } from './contact.ts'
import { lacksDetails } from './form.ts'

/** What a link leads to: a form, the choice of a clinic, the participant's pass, the requester's booking, or a notice. */
export type Stage =
  | 'details'
  | 'clinic'
  | 'pass'
  | 'booking'
  | 'waiting'
  | 'finished'
  | 'cancelled'
  | 'expired'
  | 'missed'

export function stageOf(stored: Order, now: Date, who: Recipient = 'participant'): Stage {
  const order = elapse(stored, now)
  if (order.status === 'cancelled') return 'cancelled'
  if (order.status === 'expired') return 'expired'
  if (order.status === 'noShow') return 'missed'
  if (who === 'requester') return requesterStageOf(order)
  if (needsDetails(order)) return 'details'
  if (order.isBooked && order.clinic) return 'pass'
  if (!order.services.some(isPending) || hasCheckedIn(order)) return order.clinic ? 'pass' : 'finished'
  if (!canChooseClinic(order, who)) return order.clinic ? 'pass' : 'waiting'
  return wasCompleted(order) ? 'clinic' : 'details'
}

/** Whether the order waits for the requester to choose a clinic. */
export const awaitsRequester = (order: Order) => requesterStageOf(order) === 'clinic'

/** Whether the requester's link shows more than a notice. */
export const hasRequesterPage = (order: Order) => requesterStageOf(order) !== 'finished'
/** Whether the requester can choose the clinic, or change the booking. */
export const isWithRequester = (order: Order) =>
  order.ended === null && ['clinic', 'booking'].includes(requesterStageOf(order))

/** Whether details are missing or a background check needs consent, even if someone else has booked a clinic. */
export function needsDetails(order: Order): boolean {
  const pending = order.services.filter(isPending)
  if (order.scheduling.option !== 'link' || pending.length === 0) return false
  return hasBackground(pending) || (!hasCheckedIn(order) && lacksDetails(order))
}

/** Whether the booking can still be replaced. */
export const canRebook = (order: Order, now: Date, who: Recipient = 'participant') =>
  ['pass', 'booking'].includes(stageOf(order, now, who)) && !hasCheckedIn(order) && servicesToAttend(order).length > 0

/** Whether the booking can be cancelled: only if someone can then choose another clinic. */
export const canCancelBooking = (order: Order, now: Date, who: Recipient = 'participant') =>
  canRebook(order, now, who) && (canChooseClinic(order, who) || canChooseClinic(order, 'requester'))

/** Adds the participant's details and consent, books the clinic and starts the background checks. */
export function completeByLink(order: Order, participant: Participant, booking: Booking | null, now: Date): Order {
  const needsBooking = servicesToAttend(order).length > 0
  if (stageOf(order, now) !== 'details' || needsBooking !== (booking !== null)) throw overtaken(order)
  const at = changeTime(order, now)
  const services = order.services.map((service) =>
    isPending(service) && hasBackground([service]) ? moveService(service, 'inProgress', at) : service,
  )
  const completed = restate({ ...order, participant, delivery: deliveryFor(order, participant), services }, at)
  // A booking that someone else has made stays as it is, even if its time has come.
  return booking && !order.isBooked ? book(completed, booking, now, servicesToAttend(completed)) : completed
}

export function bookByLink(order: Order, booking: Booking, now: Date, who: Recipient = 'participant'): Order {
  if (stageOf(order, now, who) !== 'clinic' && !canRebook(order, now, who)) throw overtaken(order)
  return book(order, booking, now, servicesToAttend(order))
}

/** Names a booking, so that a form never replaces or cancels one that was made meanwhile. */
export const nameOfBooking = ({ clinic, appointmentAt }: Order) =>
  `${appointmentAt?.toISOString() ?? 'walkIn'} ${clinic?.id}`

export function cancelBookingByLink(order: Order, now: Date, who: Recipient = 'participant'): Order {
  if (order.clinic !== null && !canCancelBooking(order, now, who)) throw overtaken(order)
  return cancelBooking(order, now)
}

/** The requester never sees the pass, nor the form that only the participant can fill in. */
function requesterStageOf(order: Order): Stage {
  const isOver = servicesToAttend(order).length === 0 || hasCheckedIn(order)
  if (!canChooseClinic(order, 'requester') || isOver) return 'finished'
  return order.clinic ? 'booking' : 'clinic'
}

/** After a cancelled booking the participant returns to the choice of a clinic, not to the form. */
const wasCompleted = ({ services }: Order) =>
  services.some(({ history }) => history.some(({ status }) => status === 'scheduled' || status === 'inProgress'))

/** Whether the service has not started. A background check is never scheduled: it starts. */
const isPending = (service: OrderService) =>
  isBeforeCheckIn(service.status) && !(hasBackground([service]) && service.status === 'scheduled')

const overtaken = ({ code, status }: Order) =>
  refuse('invalidState', `Order ${code} has changed meanwhile: it is ${status}.`)
