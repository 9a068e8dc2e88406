import { elapse, clearClinic } from '../orders/life.ts'
import { hasBackground, inPersonServiceIds } from '../orders/scheduling.ts'
import {
  changeTime,
  restate,
  type Order,
  type OrderClinic,
  type OrderService,
  type Participant,
  type Recipient,
} from '../orders/order.ts'
import { lacksDetails } from './form.ts'
import { refuse } from '../refusal.ts'
import { moveService } from '../orders/service-life.ts'
import { isBeforeCheckIn, isOver } from '../orders/statuses.ts'

/**
 * What is found behind a link: details to fill in, a clinic to choose, the participant's pass or the requester's booking;
 * nothing yet, nothing any more; or why there is nothing.
 */
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
  if (isUnfinished(order)) return 'details'
  if (order.isBooked && order.clinic) return 'pass'
  const isLeft = order.services.some((service) => isAwaited(service))
  if (!isLeft || isCollecting(order)) return order.clinic ? 'pass' : 'finished'
  if (!choosesClinic(order)) return order.clinic ? 'pass' : 'waiting'
  return wasBegun(order) ? 'clinic' : 'details'
}

/** Whether the details were completed once: a cancelled booking leads back to the choice of a clinic, not to the form. */
const wasBegun = ({ services }: Order) =>
  services.some(({ history }) => history.some(({ status }) => status === 'scheduled' || status === 'inProgress'))

/** The requester is asked for a clinic and shown the booking: never the pass, nor what only the person can give. */
function requesterStageOf(order: Order): Stage {
  if (!choosesClinic(order, 'requester') || visitsOf(order).length === 0 || isCollecting(order)) return 'finished'
  return order.clinic ? 'booking' : 'clinic'
}

/** Whether nothing goes on before the requester has chosen a clinic. */
export const awaitsRequester = (order: Order) => requesterStageOf(order) === 'clinic'

/** Whether the booking can still be changed: until something was collected. */
export const isRebookable = (order: Order, now: Date, who: Recipient = 'participant') =>
  ['pass', 'booking'].includes(stageOf(order, now, who)) && !isCollecting(order) && visitsOf(order).length > 0

/** Whether it can be cancelled too: where nobody could choose another clinic then, the order would lead nowhere. */
export const isCancellable = (order: Order, now: Date, who: Recipient = 'participant') =>
  isRebookable(order, now, who) && (choosesClinic(order, who) || choosesClinic(order, 'requester'))

/** Who has a say in where to go: the requester or the participant; where neither has, the company's setting decides. */
export const choosesClinic = ({ scheduling: { option, mode } }: Order, who: Recipient = 'participant') =>
  who === 'requester' ? mode === 'requesterSelects' : option === 'link' || mode === 'closestToParticipant'

/** What the participant has to go somewhere for, and has not yet. */
export function visitsOf({ services }: Order): OrderService[] {
  const inPerson = new Set(inPersonServiceIds(services))
  return services.filter((service) => inPerson.has(service.id) && isBeforeCheckIn(service.status))
}

/** The clinic that the participant has still to go to. */
export const awaitedAt = (order: Order) => (visitsOf(order).length > 0 ? (order.clinic?.id ?? null) : null)

/** Where and when the participant is still expected, where somebody has agreed on that. */
export function bookingOf(order: Order): Booking | null {
  const { clinic, appointmentAt, isBooked } = order
  return isBooked && clinic && visitsOf(order).length > 0 ? { clinic, appointmentAt } : null
}

/** Where the participant goes, and when; any time the clinic is open where there is no time. */
export interface Booking {
  clinic: OrderClinic
  appointmentAt: Date | null
}

/** The participant has given what was missing and agreed: whatever was waiting for that begins. */
export function complete(order: Order, participant: Participant, booking: Booking | null, now: Date): Order {
  if (stageOf(order, now) !== 'details') throw overtaken(order)
  const visits = new Set(visitsOf(order).map(({ id }) => id))
  if (visits.size > 0 !== (booking !== null)) throw overtaken(order)
  const at = changeTime(order, now)
  const services = order.services.map((service) => {
    // What somebody else has booked meanwhile stays as it is.
    if (!isAwaited(service) || (order.isBooked && service.status === 'scheduled')) return service
    return moveService(service, visits.has(service.id) ? 'scheduled' : 'inProgress', at)
  })
  return restate({ ...order, participant, services, ...(booking && { ...booking, isBooked: true }) }, at)
}

/** Another clinic or time, or a first one after the booking was cancelled. The same again changes nothing. */
export function book(order: Order, { clinic, appointmentAt }: Booking, now: Date, who?: Recipient): Order {
  if (stageOf(order, now, who) !== 'clinic' && !isRebookable(order, now, who)) throw overtaken(order)
  const isSame =
    order.isBooked && order.clinic?.id === clinic.id && order.appointmentAt?.getTime() === appointmentAt?.getTime()
  if (isSame) return order
  const at = changeTime(order, now)
  const visits = visitsOf(order)
  const services = order.services.map((service) =>
    visits.includes(service) ? moveService(service, 'scheduled', at) : service,
  )
  return restate({ ...order, clinic, appointmentAt, isBooked: true, services }, at)
}

/** The clinic no longer expects the participant; whoever chooses may choose again. */
export function cancelBooking(order: Order, now: Date, who?: Recipient): Order {
  if (order.clinic === null) return order
  if (!isCancellable(order, now, who)) throw overtaken(order)
  return clearClinic(order, now)
}

/** Whoever has booked a clinic meanwhile: details are still asked for, and a background check waits for consent. */
export function isUnfinished(order: Order): boolean {
  const awaited = order.services.filter((service) => isAwaited(service))
  if (order.scheduling.option !== 'link' || awaited.length === 0) return false
  return hasBackground(awaited) || (!isCollecting(order) && lacksDetails(order))
}

/** Not begun, and not over. A background check is never scheduled: it begins. */
const isAwaited = (service: OrderService) =>
  isBeforeCheckIn(service.status) && !(hasBackground([service]) && service.status === 'scheduled')

/** Whether anything the participant had to come for was begun. */
function isCollecting({ services }: Order): boolean {
  const inPerson = new Set(inPersonServiceIds(services))
  return services.some(({ id, status }) => inPerson.has(id) && !isBeforeCheckIn(status) && !isEndedUnbegun(status))
}

const isEndedUnbegun = (status: OrderService['status']) =>
  isOver(status) && ['cancelled', 'expired', 'noShow'].includes(status)

const overtaken = ({ code, status }: Order) =>
  refuse('invalidState', `Order ${code} changed in the meantime: it is now ${status}.`)
