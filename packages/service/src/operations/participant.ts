import type { CalendarEntry, FieldError, Language, PassView, Values } from '@order-testing/web'
import { hasBackground } from '../domain/order-scheduling.ts'
import type { Order, Recipient } from '../domain/orders.ts'
import { askedOf, contactOf, readDetails } from '../domain/participant-form.ts'
import { bookingOf, cancelBooking, choosesClinic, complete, isRebookable, visitsOf } from '../domain/participation.ts'
import { booking, detailsIn, type Form } from './participant-booking.ts'
import { clinicOf } from './participant-clinics.ts'
import { change, enter, orderView, type ParticipantContext, type Shown, type Visit } from './participant-visit.ts'

const VISITORS: readonly Recipient[] = ['participant', 'requester']

/** What is behind a link now. Looking changes nothing: programs that check mail open links too. */
export function openLink(
  { secret, step }: { secret: string; step: unknown },
  context: ParticipantContext,
): Promise<Shown> {
  return context.store.snapshot(async (tx) => {
    const visit = await enter(secret, { tx, context, isLocking: false, visitors: VISITORS })
    if ('page' in visit) return visit
    const { order, stage } = visit
    if (stage === 'details') return detailsPage(visit, contactOf(order), [])
    if (stage === 'clinic') return booking(visit, { step: 'clinics', back: 'yes' })
    const isOpen = isRebookable(order, visit.now, visit.visitor)
    if (isOpen && step === 'change') return booking(visit, { step: 'clinics', change: 'yes', back: 'yes' })
    const page = stage === 'booking' ? 'booking' : 'pass'
    return { page: isOpen && step === 'cancel' ? 'cancel' : page, view: await passView(visit, isOpen) }
  })
}

/** What somebody sends who has a link: details, a search, a choice, a booking, or that it is cancelled. */
export function submitForm(
  { secret, form, language }: { secret: string; form: Form; language: Language },
  context: ParticipantContext,
): Promise<Shown> {
  return context.store.transaction(async (tx) => {
    const visit = await enter(secret, { tx, context, language, isLocking: true, visitors: VISITORS })
    if ('page' in visit) return visit
    const { order, stage, now, visitor } = visit
    const isOpen = isRebookable(order, now, visitor)
    if (form.step === 'cancel') {
      return isOpen ? change(visit, cancelBooking(order, now, visitor), 'cancelBooking') : { page: 'own' }
    }
    if (stage === 'details') return fillIn(visit, form)
    const isWanted = stage === 'clinic' || (isOpen && form.change === 'yes')
    return isWanted ? booking(visit, form) : { page: 'own' }
  })
}

/** The appointment that a participant's link leads to, for a calendar. */
export function readAppointment(secret: string, context: ParticipantContext): Promise<CalendarEntry | undefined> {
  return context.store.snapshot(async (tx) => {
    const visit = await enter(secret, { tx, context, isLocking: false })
    if ('page' in visit) return undefined
    const { id, code, appointmentAt, updatedAt } = visit.order
    const clinic = await clinicOf(visit.order, visit)
    return clinic && appointmentAt ? { id, code, clinic, appointmentAt, updatedAt } : undefined
  })
}

/** Until all is said, and said right, there is nothing else to do. Nothing is kept before the participant has finished. */
async function fillIn(visit: Visit, form: Form): Promise<Shown> {
  const { order, now } = visit
  const details = readDetails(form, order, now)
  if (Array.isArray(details)) return detailsPage(visit, detailsIn(form), details)
  if (choosesNow(order)) return booking(visit, form, details)
  return change(visit, complete(order, details, bookingOf(order), now), 'complete')
}

/** Whether a clinic is still to be chosen. */
const choosesNow = (order: Order) => visitsOf(order).length > 0 && !bookingOf(order)

function detailsPage(visit: Visit, values: Values, errors: FieldError[]): Shown {
  const { order } = visit
  const { birthDate, identifier } = askedOf(order)
  return {
    page: 'details',
    view: {
      ...orderView(visit),
      asksBirthDate: birthDate,
      asksIdentifier: identifier,
      hasBackground: hasBackground(order.services),
      visit: choosesNow(order) ? 'choose' : visitsOf(order).length > 0 ? 'booked' : 'none',
      values,
      errors,
    },
  }
}

async function passView(visit: Visit, isOpen: boolean): Promise<PassView> {
  const { order } = visit
  return {
    ...orderView(visit),
    code: order.code,
    clinic: await clinicOf(order, visit),
    appointmentAt: order.appointmentAt,
    isOpen,
    choosesClinic: choosesClinic(order, visit.visitor),
  }
}
