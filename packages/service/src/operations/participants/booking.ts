import { BOOKING, type ClinicView, type FieldError, type Fields, type Note, type Values } from '@order-testing/pages'
import { canChooseClinic } from '../../domain/bookings/bookings.ts'
import { isOpenWithin, latestAppointment, readAppointmentTime } from '../../domain/bookings/clinic-hours.ts'
import { localTime } from '../../domain/places/zones.ts'
import type { Participant } from '../../domain/orders/order.ts'
import { bookByLink, completeByLink } from '../../domain/participants/stage.ts'
import {
  describePlaceFault,
  findClinics,
  findEligibleClinic,
  findOwnClinic,
  locatePlace,
  type FoundClinic,
} from './clinics.ts'
import { presentOrderView, redirect, saveChange, type LinkResponse, type LinkSession } from './session.ts'

/** The fields of a form or of an address. */
export type Form = Values & {
  readonly step?: string | undefined
  /** `yes` to replace a booking. */
  readonly change?: string | undefined
  /** The details of an order to complete, sealed. */
  readonly draft?: string | undefined
}

/** Values are cut at this length in addresses. No name and no id is longer. */
const LONGEST = 300

/** Shows the list of clinics, or the times of one. `filled` is the participant of an order to complete. */
export async function bookingStep(
  session: LinkSession,
  form: Form,
  filled?: Participant,
  note?: Note,
): Promise<LinkResponse> {
  const isAtClinic = form.step === 'time' || form.step === 'book'
  if (!isAtClinic && canChooseClinic(session.order, session.recipient)) {
    return listClinics(session, form, { filled, note, errors: placeErrors(form) })
  }
  const chosen = await findChosenClinic(form, session)
  if (chosen?.isOff) return redirect()
  if (chosen) return showTimes(session, form, chosen)
  return listClinics(session, form, { filled, errors: [{ field: 'clinic', fault: form.clinic ? 'wrong' : 'missing' }] })
}

/** Books the chosen clinic and time, or leads back to the step that shows what is wrong. */
export async function submitBooking(session: LinkSession, form: Form, filled?: Participant): Promise<LinkResponse> {
  const { order, now } = session
  const chosen = await findChosenClinic(form, session)
  if (chosen?.isOff) return redirect()
  const appointmentAt = chosen && isFor(chosen, form) ? readTime(form, chosen.view, session) : []
  if (!chosen || Array.isArray(appointmentAt)) return redirectToStep(form)
  const booking = { clinic: chosen.clinic, appointmentAt }
  return filled
    ? saveChange(session, completeByLink(order, filled, booking, now), 'complete')
    : saveChange(session, bookByLink(order, booking, now, session.recipient), 'book')
}

/** Redirects to the address of the form's step. */
export function redirectToStep({ step, change, draft, ...form }: Form): LinkResponse {
  const values = BOOKING.map((name) => [name, form[name]?.slice(0, LONGEST) || undefined])
  return redirect({ step, ...(change === 'yes' && { change }), ...(Object.fromEntries(values) as Fields), draft })
}

/** Whether a form asks for the existing booking: submitting it twice is not an error. */
export async function isAsBooked(form: Form, session: LinkSession): Promise<boolean> {
  const { clinic, appointmentAt } = session.order
  const zone = (await findOwnClinic(session.order, session))?.view.timezone ?? 'UTC'
  const { date, time } = appointmentAt ? localTime(appointmentAt, zone) : {}
  const isThen = appointmentAt ? form.date === date && form.time === time : wayOf(form) === 'walkIn'
  return clinic !== null && clinic.id === form.clinic && isThen
}

/** The clinic of the form if it may be chosen, else the order's own. */
async function findChosenClinic(form: Form, session: LinkSession): Promise<FoundClinic | undefined> {
  const { order, recipient } = session
  if (canChooseClinic(order, recipient) || !order.clinic) {
    return form.clinic ? findEligibleClinic(form.clinic, order, session) : undefined
  }
  return findOwnClinic(order, session)
}

/** A time chosen for one clinic does not apply to another that was booked meanwhile. */
const isFor = ({ clinic }: FoundClinic, form: Form) => !form.clinic || form.clinic === clinic.id

async function listClinics(
  session: LinkSession,
  form: Form,
  { filled, errors, note }: { filled: Participant | undefined; errors: FieldError[]; note?: Note | undefined },
): Promise<LinkResponse> {
  const { order } = session
  const place = form.place?.trim() ?? ''
  const { near, point } = locatePlace(place, (filled ?? order.participant).address)
  const isUnknown = place !== '' && near !== 'search'
  return {
    page: 'clinics',
    view: {
      order: presentOrderView(session),
      near,
      ...(await findClinics(point, order, session)),
      isChange: form.change === 'yes',
      draft: form.draft,
      values: { place },
      errors: isUnknown ? [...errors, { field: 'place', fault: describePlaceFault(place) }] : errors,
      note,
    },
  }
}

/** Without the field the list is around the participant's home; a search needs a place. */
const placeErrors = ({ place }: Form): FieldError[] =>
  place !== undefined && place.trim() === '' ? [{ field: 'place', fault: 'missing' }] : []

/** The chosen time, null for a walk-in, or what is wrong with it. */
function readTime(
  form: Form,
  { hours, timezone }: ClinicView,
  { order, now }: LinkSession,
): Date | null | FieldError[] {
  const { date = '', time = '' } = form
  const way = wayOf(form)
  const within = { now, expiresAt: order.expiresAt }
  if (way === 'walkIn') return isOpenWithin({ hours, timezone }, within) ? null : [{ field: 'way', fault: 'closed' }]
  if (way !== 'appointment' || timezone === null) return [{ field: 'way', fault: 'missing' }]
  return readAppointmentTime({ date, time }, { hours, timezone }, within)
}

/** A date or time without a choice means an appointment. */
const wayOf = ({ way, date, time }: Form) => way || (date || time ? 'appointment' : undefined)

function showTimes(session: LinkSession, form: Form, chosen: FoundClinic): LinkResponse {
  const { order, now, recipient } = session
  const { view: clinic } = chosen
  const { date, time, place } = form
  const zone = clinic.timezone ?? 'UTC'
  const isSent = form.step === 'book' && isFor(chosen, form)
  const wrong = isSent ? readTime(form, clinic, session) : []
  const isSame = order.clinic?.id === clinic.id && order.isBooked && !isSent
  const booked = order.appointmentAt
    ? { way: 'appointment', ...localTime(order.appointmentAt, zone) }
    : { way: 'walkIn' }
  return {
    page: 'time',
    view: {
      order: presentOrderView(session),
      clinic,
      choosesClinic: canChooseClinic(order, recipient),
      isChange: form.change === 'yes',
      from: localTime(now, zone).date,
      until: localTime(latestAppointment(now, order.expiresAt), zone).date,
      draft: form.draft,
      values: { place, ...(isSame ? booked : { way: wayOf(form), date, time }) },
      errors: Array.isArray(wrong) ? wrong : [],
    },
  }
}
