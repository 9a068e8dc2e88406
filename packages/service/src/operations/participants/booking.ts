import { BOOKING, FILTERS, type ClinicsView, type FieldError, type Fields, type Note } from '@order-testing/pages'
import { canChooseClinic } from '../../domain/bookings/bookings.ts'
import { weekdayOf } from '../../domain/bookings/clinic-hours.ts'
import type { Participant } from '../../domain/orders/order.ts'
import { bookByLink, completeByLink } from '../../domain/participants/stage.ts'
import { dayAfter, instantOf, localTime } from '../../domain/places/zones.ts'
import { findZone } from '../orders/zones.ts'
import {
  findClinics,
  findEligibleClinic,
  findOwnClinic,
  locatePlace,
  presentBooked,
  townLine,
  type FoundClinic,
} from './clinics.ts'
import { filtersOf, type Form } from './form.ts'
import { saveChange } from './saving.ts'
import { presentOrderView, redirect, type LinkResponse, type LinkSession } from './session.ts'
import { readTime, showTimes, wayOf } from './times.ts'

export type { Form } from './form.ts'

/** The fields that travel in addresses. */
const CARRIED = [...BOOKING, ...FILTERS, 'day', 'week', 'slot'] as const

/** Values are cut at this length in addresses. No name and no id is longer. */
const LONGEST = 300

/** Shows the list of clinics, or the times of one. `filled` is the participant of an order to complete. */
export async function bookingStep(
  opened: LinkSession,
  form: Form,
  filled?: Participant,
  note?: Note,
): Promise<LinkResponse> {
  const session = await inZoneOf(filled, opened)
  const isAtClinic = form.step === 'time' || form.step === 'book'
  if (!isAtClinic && canChooseClinic(session.order, session.recipient)) {
    return listClinics(session, form, { filled, note, errors: placeErrors(form) })
  }
  const chosen = await findChosenClinic(form, session)
  if (chosen?.isOff) return redirect()
  if (chosen) return showTimes(session, form, chosen, form.step === 'book' && isFor(chosen, form))
  return listClinics(session, form, { filled, errors: [{ field: 'clinic', fault: form.clinic ? 'wrong' : 'missing' }] })
}

/** Books the chosen clinic and time, or leads back to the step that shows what is wrong. */
export async function submitBooking(session: LinkSession, form: Form, filled?: Participant): Promise<LinkResponse> {
  const { order, now } = session
  const chosen = await findChosenClinic(form, session)
  if (chosen?.isOff) return redirect()
  const time = chosen && isFor(chosen, form) && (await readTime(form, chosen, session, { isClaiming: true }))
  if (!chosen || !time || 'errors' in time) return redirectToStep(form)
  const booking = { clinic: chosen.clinic, appointmentAt: time.at, isArrival: !chosen.schedule.appointments }
  return filled
    ? saveChange(session, completeByLink(order, filled, booking, now), 'complete')
    : saveChange(session, bookByLink(order, booking, now, session.recipient), 'book')
}

/** Redirects to the address of the form's step. */
export function redirectToStep({ step, change, ...form }: Form): LinkResponse {
  const values = CARRIED.map((name) => [name, form[name]?.slice(0, LONGEST) || undefined])
  return redirect({ step, ...(change === 'yes' && { change }), ...(Object.fromEntries(values) as Fields) })
}

/** Whether a form asks for the existing booking: submitting it twice is not an error. */
export async function isAsBooked(form: Form, session: LinkSession): Promise<boolean> {
  const { clinic, appointmentAt } = session.order
  const zone = (await findOwnClinic(session.order, session))?.schedule.zone ?? 'UTC'
  const { date, time } = appointmentAt ? localTime(appointmentAt, zone) : {}
  const isSlot = appointmentAt !== null && form.slot !== undefined && Date.parse(form.slot) === appointmentAt.getTime()
  const isThen = appointmentAt ? isSlot || (form.date === date && form.time === time) : wayOf(form) === 'walkIn'
  return clinic !== null && clinic.id === form.clinic && isThen
}

/** The clinic of the form if it may be chosen, else the order's own. */
export async function findChosenClinic(form: Form, session: LinkSession): Promise<FoundClinic | undefined> {
  const { order, recipient } = session
  if (canChooseClinic(order, recipient) || !order.clinic) {
    return form.clinic ? findEligibleClinic(form.clinic, order, session) : undefined
  }
  return findOwnClinic(order, session)
}

/** A time chosen for one clinic does not apply to another that was booked meanwhile. */
export const isFor = ({ clinic }: FoundClinic, form: Form) => !form.clinic || form.clinic === clinic.id

/** Before a clinic is chosen, times are in the zone of the address that was just entered. */
const inZoneOf = async (filled: Participant | undefined, session: LinkSession): Promise<LinkSession> =>
  filled ? { ...session, zone: await findZone(session.order, session, filled.address) } : session

async function listClinics(
  session: LinkSession,
  form: Form,
  { filled, errors, note }: { filled: Participant | undefined; errors: FieldError[]; note?: Note | undefined },
): Promise<LinkResponse> {
  const { order, zone, tx, tenantId } = session
  const { address } = filled ?? order.participant
  // Requesters see nothing of the participant's address.
  const home = address && session.recipient === 'participant' ? townLine(address) : ''
  const typed = form.place?.trim()
  const place = typed === home ? '' : (typed ?? '')
  const { address: location } = await tx.bookings.findPlaces(tenantId, order)
  const { near, point, found } = locatePlace(place, address, [address?.state, location?.state])
  const isUnknown = place !== '' && near !== 'search'
  const filters = filtersOf(form)
  const view: ClinicsView = {
    order: await presentOrderView(session),
    zone,
    now: session.now,
    near,
    found,
    booked: await presentBooked(session),
    ...(await findClinics(point, filters, order, session)),
    filters,
    isSaturdayTooLate: filters.openSaturday && isSaturdayTooLate(session),
    hasAskedForHelp: (await tx.helpRequests.findOpen(tenantId, order.id)) !== undefined,
    isChange: form.change === 'yes',
    hasDraft: form.draft !== undefined,
    values: { place: typed ?? (near === 'nowhere' ? '' : home) },
    errors: isUnknown ? [...errors, { field: 'place', fault: 'wrong' }] : errors,
    note,
  }
  return { page: 'clinics', view }
}

/** Whether the deadline is before the next Saturday. */
function isSaturdayTooLate({ order: { expiresAt }, now, zone }: LinkSession): boolean {
  const today = localTime(now, zone).date
  const saturday = dayAfter(today, 6 - weekdayOf(today))
  return expiresAt !== null && expiresAt <= instantOf(zone, { date: saturday, time: '00:00' })
}

/** Without the field the list is around the participant's home; a search needs a place. */
const placeErrors = ({ place }: Form): FieldError[] =>
  place !== undefined && place.trim() === '' ? [{ field: 'place', fault: 'missing' }] : []
