import type { CalendarEntry, Language, Note, PassView } from '@order-testing/pages'
import type { Recipient } from '../../domain/orders/order.ts'
import { cancelBooking, choosesClinic, isCancellable, isRebookable } from '../../domain/participants/stage.ts'
import { bookingStep, isAsBooked, makeBooking, stepAgain, type Form } from './booking.ts'
import { ownClinicOf } from './clinics.ts'
import { detailsStep, fillIn, finish } from './details.ts'
import { change, enter, orderView, type ParticipantContext, type Shown, type Visit } from './visit.ts'

const VISITORS: readonly Recipient[] = ['participant', 'requester']

/** What an address asks for. */
export type Asked = Form & { readonly note?: string | undefined }

/** What is behind a link now, at the step asked for. Looking changes nothing: programs that check mail open links too. */
export function openLink(
  { secret, asked }: { secret: string; asked: Asked },
  context: ParticipantContext,
): Promise<Shown> {
  return context.store.snapshot(async (tx) => {
    const visit = await enter(secret, { tx, context, isLocking: false, visitors: VISITORS })
    const note = NOTES.find((each) => each === asked.note)
    if ('page' in visit) return afterCancelling(visit, note)
    const { stage } = visit
    if (stage === 'details') return detailsStep(visit, asked, note)
    if (stage === 'clinic') return bookingStep(visit, { ...asked, ...ALONE }, undefined, cancelledIn(note))
    return bookedStep(visit, asked, note)
  })
}

/** What somebody sends who has a link: details, a booking, or that it is cancelled. */
export function submitForm(
  { secret, form, language }: { secret: string; form: Form; language: Language },
  context: ParticipantContext,
): Promise<Shown> {
  return context.store.transaction(async (tx) => {
    const visit = await enter(secret, { tx, context, language, isLocking: true, visitors: VISITORS })
    if ('page' in visit) return visit
    const { order, stage, now, visitor } = visit
    if (form.step === 'cancel') return cancel(visit)
    if (stage === 'details') return form.step === 'book' ? finish(visit, form) : fillIn(visit, form)
    const asked = { ...form, draft: undefined }
    const isWanted = stage === 'clinic' || (form.change === 'yes' && isRebookable(order, now, visitor))
    if (form.step === 'book') return isWanted ? makeBooking(visit, asked) : overtaken(visit, asked)
    return isWanted ? stepAgain(asked) : { page: 'own' }
  })
}

/** The appointment that a participant's link leads to, for a calendar. */
export function readAppointment(secret: string, context: ParticipantContext): Promise<CalendarEntry | undefined> {
  return context.store.snapshot(async (tx) => {
    const visit = await enter(secret, { tx, context, isLocking: false })
    if ('page' in visit) return undefined
    const { id, code, appointmentAt, updatedAt } = visit.order
    const { clinic, isClinicOff: isOff } = await passView(visit)
    return clinic && appointmentAt ? { id, code, clinic, isClinicOff: isOff, appointmentAt, updatedAt } : undefined
  })
}

/** Steps to a booking alone carry no details. */
const ALONE = { change: undefined, draft: undefined }

const NOTES: readonly Note[] = ['lost', 'overtaken', 'cancelled']

/** A note is told where it is true. */
const cancelledIn = (note: Note | undefined) => (note === 'cancelled' ? note : undefined)

const afterCancelling = (shown: Shown, note: Note | undefined): Shown =>
  shown.page === 'notice' && shown.notice === 'waiting' && note === 'cancelled'
    ? { ...shown, notice: 'withdrawn' }
    : shown

/** The booking, and the steps to another. Steps of before, which a browser goes back to, lead to it. */
async function bookedStep(visit: Visit, asked: Asked, note: Note | undefined): Promise<Shown> {
  const { order, stage, now, visitor } = visit
  const isChange = asked.step === 'change' || asked.change === 'yes'
  if (isChange && isRebookable(order, now, visitor)) return bookingStep(visit, { ...asked, ...ALONE, change: 'yes' })
  const view = await passView(visit)
  if (asked.step === 'cancel' && view.isCancellable) return { page: 'cancel', view }
  if (asked.step !== undefined) return { page: 'own' }
  const isOvertaken = note === 'overtaken'
  return { page: stage === 'booking' ? 'booking' : 'pass', view: { ...view, note: isOvertaken ? note : undefined } }
}

async function cancel(visit: Visit): Promise<Shown> {
  const { order, now, visitor } = visit
  if (!isCancellable(order, now, visitor)) return { page: 'own' }
  await change(visit, cancelBooking(order, now, visitor), 'cancelBooking')
  return { page: 'own', note: 'cancelled' }
}

/** Somebody has booked meanwhile, perhaps the same in another window. */
const overtaken = async (visit: Visit, form: Form): Promise<Shown> => ({
  page: 'own',
  note: (await isAsBooked(form, visit)) ? undefined : 'overtaken',
})

async function passView(visit: Visit): Promise<PassView> {
  const { order, now, visitor } = visit
  const isOpen = isRebookable(order, now, visitor)
  const own = await ownClinicOf(order, visit)
  return {
    ...orderView(visit),
    code: order.code,
    clinic: own?.view ?? null,
    appointmentAt: order.appointmentAt,
    isOpen,
    choosesClinic: choosesClinic(order, visitor),
    isCancellable: isCancellable(order, now, visitor),
    isClinicOff: isOpen && own?.isOff === true,
  }
}
