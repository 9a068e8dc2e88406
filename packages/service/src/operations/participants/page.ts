import type { CalendarEntry, CollectorView, Fields, Language, Note } from '@order-testing/pages'
import { hashSecret } from '../../domain/access/tokens.ts'
import { canCancelBooking, cancelBookingByLink, canRebook, nameOfBooking } from '../../domain/participants/stage.ts'
import { bookingStep, redirectToStep, submitBooking, type Form } from './booking.ts'
import { CHANGE_STEPS, changeStep, submitChange } from './change.ts'
import { STEPS } from './filling.ts'
import { presentCollector } from './collector.ts'
import { detailsStep, submitCompletion, submitDetails } from './details.ts'
import { askForHelp, hasAskedForHelp, helpStep } from './help.ts'
import { answerQuestion, isIdentified, showQuestion } from './identity.ts'
import { askForLink } from './new-link.ts'
import { presentPass } from './pass.ts'
import { listRequests } from './requests.ts'
import { openSession } from './opening.ts'
import { saveChange } from './saving.ts'
import { redirect, type LinkName, type LinkResponse, type LinkSession, type ParticipantContext } from './session.ts'
import type { ZonedPass } from './views.ts'

export type LinkQuery = Form & { readonly note?: string | undefined; readonly fault?: string | undefined }

/** Opens a link at a step, and notes when it was first opened. Nothing else changes, because mail scanners open links too. */
export async function openLink(
  { secret, code, query, marks }: LinkName & { query: LinkQuery; marks?: Fields },
  context: ParticipantContext,
): Promise<LinkResponse> {
  const response = await readLink({ secret, code, query, marks }, context)
  if (response.page !== 'notice') await context.store.links.markOpened(hashSecret(secret), context.now())
  return response
}

function readLink(
  { secret, code, query, marks = {} }: LinkName & { query: LinkQuery; marks: Fields | undefined },
  context: ParticipantContext,
): Promise<LinkResponse> {
  return context.store.snapshot(async (tx) => {
    const requests = query.step === 'orders' ? await listRequests(secret, { tx, context }) : undefined
    if (requests) return requests
    const session = await openSession(secret, { tx, context, code, marks, isLocking: false })
    const note = NOTES.find((each) => each === query.note)
    if ('page' in session) return afterCancelling(session, note)
    if (!(await isIdentified(session))) return showQuestion(session, { step: query.step, fault: query.fault })
    return showStep(session, query, note)
  })
}

/** The page of an identified session at a step. */
export async function showStep(session: LinkSession, query: LinkQuery, note: Note | undefined): Promise<LinkResponse> {
  const { stage } = session
  if (query.step === 'help' || (query.step === undefined && (await hasAskedForHelp(session))))
    return helpStep(session, query)
  if (stage === 'details') return detailsStep(session, query, note)
  if (stage === 'clinic') return bookingStep(session, { ...query, ...WITHOUT_DETAILS }, undefined, cancelledNote(note))
  return bookedStep(session, query, note)
}

/** Takes a submitted form: details, a booking, or the cancellation of one. */
export function submitForm(
  { secret, code, form, language, marks }: LinkName & { form: Form; language: Language; marks?: Fields },
  context: ParticipantContext,
): Promise<LinkResponse> {
  return context.store.transaction(async (tx) => {
    if (form.step === 'newLink') return askForLink(secret, tx, context)
    const session = await openSession(secret, { tx, context, code, language, marks, isLocking: true })
    if ('page' in session) return session.page === 'done' ? redirect() : session
    const { order, stage, now, recipient } = session
    if (form.step === 'identify') return answerQuestion(session, form)
    if (!(await isIdentified(session))) return redirect()
    if (form.step === 'cancel') return cancel(session, form)
    if (form.step === 'help') return askForHelp(session, form)
    if (stage === 'details')
      return form.step === 'book' ? submitCompletion(session, form) : submitDetails(session, form)
    const booking = { ...form, draft: undefined }
    const isBooking = form.step === 'book'
    if (stage === 'clinic')
      return forgetDraft(isBooking ? await submitBooking(session, booking) : redirectToStep(booking))
    const note = isBooking || isOfDetails(form) ? 'overtaken' : undefined
    if (!canRebook(order, now, recipient)) return forgetDraft(redirect({ note }))
    if (isBooking) return forgetDraft(await submitChange(session, booking))
    return forgetDraft(form.change === 'yes' ? redirectToStep(booking) : redirect({ note }))
  })
}

/** The participant's appointment as a calendar entry; null if the device has to answer first. */
export function readAppointment(
  { secret, marks }: { secret: string; marks: Fields },
  context: ParticipantContext,
): Promise<CalendarEntry | null | undefined> {
  return context.store.snapshot(async (tx) => {
    const session = await openSession(secret, { tx, context, marks, isLocking: false })
    if ('page' in session || session.recipient !== 'participant') return undefined
    if (!(await isIdentified(session))) return null
    const { id, code, appointmentAt, updatedAt } = session.order
    const { clinic, isClinicOff, isArrival } = await presentPass(session)
    return clinic && appointmentAt ? { id, code, clinic, isClinicOff, appointmentAt, isArrival, updatedAt } : undefined
  })
}

/** Where no details are asked for, none need to be kept. */
const forgetDraft = (response: LinkResponse): LinkResponse =>
  response.page === 'redirect' ? { ...response, draft: '' } : response

/** The pass and what the collector needs, for paper. Otherwise what the link shows instead of a pass. */
export function readPass(
  { secret, marks }: { secret: string; marks: Fields },
  context: ParticipantContext,
): Promise<LinkResponse | { page: 'paper'; view: ZonedPass; collector: CollectorView }> {
  return context.store.snapshot(async (tx) => {
    const session = await openSession(secret, { tx, context, marks, isLocking: false })
    if ('page' in session) return session
    if (session.stage !== 'pass' || !(await isIdentified(session))) return redirect()
    return { page: 'paper', view: await presentPass(session), collector: await presentCollector(session) }
  })
}

/** Whether a form is a step of the details, which another tab has finished meanwhile. */
const isOfDetails = ({ step = '' }: Form) => STEPS.some((each) => each === step.split(':')[0])

/** Steps that only book a clinic carry no details. */
const WITHOUT_DETAILS = { change: undefined, draft: undefined }

const NOTES: readonly Note[] = ['lost', 'cookies', 'overtaken', 'cancelled', 'elsewhere']

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

/** Cancels the booking that was shown. One that was made meanwhile stays. */
async function cancel(session: LinkSession, form: Form): Promise<LinkResponse> {
  const { order, now, recipient } = session
  if (!canCancelBooking(order, now, recipient)) return redirect({ note: order.isBooked ? undefined : 'cancelled' })
  if (form.confirm !== undefined && form.confirm !== nameOfBooking(order)) return redirect({ note: 'overtaken' })
  await saveChange(session, cancelBookingByLink(order, now, recipient), 'cancelBooking')
  return redirect({ note: 'cancelled' })
}
