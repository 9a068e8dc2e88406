import { DETAILS, type ClinicView, type FieldError, type Values } from '@order-testing/web'
import { appointmentOf, latestOf, localTime } from '../domain/clinic-hours.ts'
import type { OrderClinic, Participant } from '../domain/orders.ts'
import { book, choosesClinic, complete } from '../domain/participation.ts'
import { clinicOf, offerNear, offerOf, placeOf } from './participant-clinics.ts'
import { change, orderView, type Shown, type Visit } from './participant-visit.ts'

/** What a participant or requester sends, by field. */
export type Form = Values & {
  readonly step?: string | undefined
  /** Whether a booking is to be replaced. */
  readonly change?: string | undefined
  /** Whether the list is asked for again, and not a place. */
  readonly back?: string | undefined
}

/** From the list of clinics over one of them to the booking. `filled` is the participant of an order to be completed. */
export async function booking(visit: Visit, form: Form, filled?: Participant): Promise<Shown> {
  const { order, visitor } = visit
  if (!choosesClinic(order, visitor) && order.clinic) {
    const view = (await clinicOf(order, visit))!
    // A time that was chosen for one clinic is not one for another that was chosen meanwhile.
    const asked = form.clinic && form.clinic !== order.clinic.id ? { ...form, step: 'time' } : form
    return when(visit, asked, { clinic: order.clinic, view }, filled)
  }
  if (form.step === 'clinics' || form.step === 'details') return clinics(visit, form, filled, placeErrors(form))
  const chosen = form.clinic ? await offerOf(form.clinic, order, visit) : undefined
  if (chosen) return when(visit, form, chosen, filled)
  return clinics(visit, form, filled, [{ field: 'clinic', fault: form.clinic ? 'wrong' : 'missing' }])
}

/** The details in a form, to be sent along from step to step: nothing is kept before the last. */
export const detailsIn = (form: Form): Values => Object.fromEntries(DETAILS.map((name) => [name, form[name]]))

async function clinics(
  visit: Visit,
  form: Form,
  filled: Participant | undefined,
  errors: FieldError[],
): Promise<Shown> {
  const { order } = visit
  const place = form.place?.trim() ?? ''
  const { near, point } = placeOf(place, (filled ?? order.participant).address)
  const isLost = place !== '' && near !== 'search'
  return {
    page: 'clinics',
    view: {
      order: orderView(visit),
      near,
      ...(await offerNear(point, order, visit)),
      isChange: form.change === 'yes',
      carried: filled ? detailsIn(form) : {},
      values: { place },
      errors: isLost ? [...errors, { field: 'place', fault: 'wrong' }] : errors,
    },
  }
}

const placeErrors = ({ step, place = '', back }: Form): FieldError[] =>
  step === 'clinics' && place.trim() === '' && back !== 'yes' ? [{ field: 'place', fault: 'missing' }] : []

interface Chosen {
  clinic: OrderClinic
  view: ClinicView
}

async function when(visit: Visit, form: Form, chosen: Chosen, filled: Participant | undefined): Promise<Shown> {
  const { order, now } = visit
  if (form.step !== 'book') return times(visit, form, chosen, filled, [])
  const appointmentAt = appointmentIn(form, chosen.view, visit)
  if (Array.isArray(appointmentAt)) return times(visit, form, chosen, filled, appointmentAt)
  const made = { clinic: chosen.clinic, appointmentAt }
  return filled
    ? change(visit, complete(order, filled, made, now), 'complete')
    : change(visit, book(order, made, now, visit.visitor), 'book')
}

/** The time that was chosen, null for any; or what is wrong with it. */
function appointmentIn(form: Form, { hours, timezone }: ClinicView, { order, now }: Visit): Date | null | FieldError[] {
  const { date = '', time = '' } = form
  const way = wayOf(form)
  if (way === 'walkIn') return null
  if (way !== 'appointment' || timezone === null) return [{ field: 'way', fault: 'missing' }]
  return appointmentOf({ date, time }, { hours, timezone }, { now, expiresAt: order.expiresAt })
}

/** Who has entered a date has said enough. */
const wayOf = ({ way, date, time }: Form) => way || (date || time ? 'appointment' : undefined)

function times(
  visit: Visit,
  form: Form,
  { view: clinic }: Chosen,
  filled: Participant | undefined,
  errors: FieldError[],
): Shown {
  const { order, now, visitor } = visit
  const { date, time, place } = form
  const zone = clinic.timezone ?? 'UTC'
  const isSame = order.clinic?.id === clinic.id && order.isBooked && form.step !== 'book'
  const booked = order.appointmentAt
    ? { way: 'appointment', ...localTime(order.appointmentAt, zone) }
    : { way: 'walkIn' }
  return {
    page: 'time',
    view: {
      order: orderView(visit),
      clinic,
      choosesClinic: choosesClinic(order, visitor),
      isChange: form.change === 'yes',
      from: localTime(now, zone).date,
      until: localTime(latestOf(now, order.expiresAt), zone).date,
      carried: filled ? detailsIn(form) : {},
      values: { place, ...(isSame ? booked : { way: wayOf(form), date, time }) },
      errors,
    },
  }
}
