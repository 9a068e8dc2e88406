import type { CalendarEntry, Language, Note } from '@order-testing/pages'
import { canChooseClinic } from '../../domain/bookings/bookings.ts'
import { canCancelBooking, cancelBookingByLink, canRebook } from '../../domain/participants/stage.ts'
import { bookingStep, redirectToStep, submitBooking, type Form } from './booking.ts'
import { CHANGE_STEPS, changeStep, submitChange } from './change.ts'
import { askForLink } from './new-link.ts'
import { findOwnClinic, presentClinic } from './clinics.ts'
import { detailsStep, submitCompletion, submitDetails } from './details.ts'
import { askForHelp, hasAskedForHelp, helpStep } from './help.ts'
import {
  openSession,
  presentOrderView,
  redirect,
  saveChange,
  type LinkResponse,
  type LinkSession,
  type ParticipantContext,
} from './session.ts'
import type { ZonedPass } from './views.ts'

export type LinkQuery = Form & { readonly note?: string | undefined }

/** Opens a link at a step. Reading changes nothing, because mail scanners open links too. */
export function openLink(
  { secret, query }: { secret: string; query: LinkQuery },
  context: ParticipantContext,
): Promise<LinkResponse> {
  return context.store.snapshot(async (tx) => {
    const session = await openSession(secret, { tx, context, isLocking: false })
    const note = NOTES.find((each) => each === query.note)
    if ('page' in session) return afterCancelling(session, note)
    const { stage } = session
    if (query.step === 'help' || (query.step === undefined && (await hasAskedForHelp(session))))
      return helpStep(session, query)
    if (stage === 'details') return detailsStep(session, query, note)
    if (stage === 'clinic')
      return bookingStep(session, { ...query, ...WITHOUT_DETAILS }, undefined, cancelledNote(note))
    return bookedStep(session, query, note)
  })
}

/** Takes a submitted form: details, a booking, or the cancellation of one. */
export function submitForm(
  { secret, form, language }: { secret: string; form: Form; language: Language },
  context: ParticipantContext,
): Promise<LinkResponse> {
  return context.store.transaction(async (tx) => {
    if (form.step === 'newLink') return askForLink(secret, tx, context)
    const session = await openSession(secret, { tx, context, language, isLocking: true })
    if ('page' in session) return session.page === 'done' ? redirect() : session
    const { order, stage, now, recipient } = session
    if (form.step === 'cancel') return cancel(session)
    if (form.step === 'help') return askForHelp(session, form)
    if (stage === 'details')
      return form.step === 'book' ? submitCompletion(session, form) : submitDetails(session, form)
    const booking = { ...form, draft: undefined }
    const isBooking = form.step === 'book'
    if (stage === 'clinic')
      return forgetDraft(isBooking ? await submitBooking(session, booking) : redirectToStep(booking))
    if (!canRebook(order, now, recipient)) return forgetDraft(redirect({ note: isBooking ? 'overtaken' : undefined }))
    if (isBooking) return forgetDraft(await submitChange(session, booking))
    return forgetDraft(form.change === 'yes' ? redirectToStep(booking) : redirect())
  })
}

/** The participant's appointment as a calendar entry. */
export function readAppointment(secret: string, context: ParticipantContext): Promise<CalendarEntry | undefined> {
  return context.store.snapshot(async (tx) => {
    const session = await openSession(secret, { tx, context, isLocking: false })
    if ('page' in session || session.recipient !== 'participant') return undefined
    const { id, code, appointmentAt, updatedAt } = session.order
    const { clinic, isClinicOff: isOff } = await presentPass(session)
    return clinic && appointmentAt ? { id, code, clinic, isClinicOff: isOff, appointmentAt, updatedAt } : undefined
  })
}

/** Where no details are asked for, none need to be kept. */
const forgetDraft = (response: LinkResponse): LinkResponse =>
  response.page === 'redirect' ? { ...response, draft: '' } : response

/** Steps that only book a clinic carry no details. */
const WITHOUT_DETAILS = { change: undefined, draft: undefined }

const NOTES: readonly Note[] = ['lost', 'cookies', 'overtaken', 'cancelled']

/** Notes come from the address, so each is shown only where it can be true. */
const cancelledNote = (note: Note | undefined) => (note === 'cancelled' ? note : undefined)

const afterCancelling = (response: LinkResponse, note: Note | undefined): LinkResponse =>
  response.page === 'notice' && response.notice === 'waiting' && note === 'cancelled'
    ? { ...response, notice: 'withdrawn' }
    : response

/** The booking, or the steps to replace it. Other steps, which a browser may go back to, redirect to it. */
async function bookedStep(session: LinkSession, query: LinkQuery, note: Note | undefined): Promise<LinkResponse> {
  const { order, stage, now, recipient } = session
  if (CHANGE_STEPS.includes(query.step) && canRebook(order, now, recipient))
    return changeStep(session, { ...query, draft: undefined })
  const view = await presentPass(session)
  if (query.step === 'cancel' && view.isCancellable) return { page: 'cancel', view }
  if (query.step !== undefined) return redirect()
  const isOvertaken = note === 'overtaken'
  return { page: stage === 'booking' ? 'booking' : 'pass', view: { ...view, note: isOvertaken ? note : undefined } }
}

async function cancel(session: LinkSession): Promise<LinkResponse> {
  const { order, now, recipient } = session
  if (!canCancelBooking(order, now, recipient)) return redirect()
  await saveChange(session, cancelBookingByLink(order, now, recipient), 'cancelBooking')
  return redirect({ note: 'cancelled' })
}

async function presentPass(session: LinkSession): Promise<ZonedPass> {
  const { order, now, recipient } = session
  const isOpen = canRebook(order, now, recipient)
  const own = await findOwnClinic(order, session)
  return {
    ...(await presentOrderView(session)),
    clinic: own ? presentClinic(own, order, session) : null,
    appointmentAt: order.appointmentAt,
    isOpen,
    choosesClinic: canChooseClinic(order, recipient),
    isCancellable: canCancelBooking(order, now, recipient),
    isClinicOff: isOpen && own?.isOff === true,
  }
}
