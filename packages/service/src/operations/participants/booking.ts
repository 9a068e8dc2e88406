import { BOOKING, type ClinicView, type FieldError, type Fields, type Note, type Values } from '@order-testing/pages'
import { appointmentOf, isOpenWithin, latestOf, localTime } from '../../domain/bookings/clinic-hours.ts'
import type { OrderClinic, Participant } from '../../domain/orders/order.ts'
import { book, choosesClinic, complete } from '../../domain/participants/stage.ts'
import { faultOfPlace, offerNear, offerOf, ownClinicOf, placeOf } from './clinics.ts'
import { change, orderView, type Shown, type Visit } from './visit.ts'

/** What a participant or requester sends, or asks for, by field. */
export type Form = Values & {
  readonly step?: string | undefined
  /** Whether a booking is to be replaced. */
  readonly change?: string | undefined
  /** The details of an order to be completed, sealed. */
  readonly draft?: string | undefined
}

/** No name, and no id, is longer; what is goes into no address. */
const LONGEST = 300

/** The page of a step: the list of clinics, or one of them with its times. `filled` is the participant of an order to be completed. */
export async function bookingStep(visit: Visit, form: Form, filled?: Participant, note?: Note): Promise<Shown> {
  const isAtClinic = form.step === 'time' || form.step === 'book'
  if (!isAtClinic && choosesClinic(visit.order, visit.visitor)) {
    return clinics(visit, form, { filled, note, errors: placeErrors(form) })
  }
  const chosen = await chosenIn(form, visit)
  if (chosen?.isOff) return { page: 'own' }
  if (chosen) return times(visit, form, chosen)
  return clinics(visit, form, { filled, errors: [{ field: 'clinic', fault: form.clinic ? 'wrong' : 'missing' }] })
}

/** Books what was chosen; or leads to the step that says what is wrong with it. */
export async function makeBooking(visit: Visit, form: Form, filled?: Participant): Promise<Shown> {
  const { order, now } = visit
  const chosen = await chosenIn(form, visit)
  if (chosen?.isOff) return { page: 'own' }
  const appointmentAt = chosen && isFor(chosen, form) ? appointmentIn(form, chosen.view, visit) : []
  if (!chosen || Array.isArray(appointmentAt)) return stepAgain(form)
  const made = { clinic: chosen.clinic, appointmentAt }
  return filled
    ? change(visit, complete(order, filled, made, now), 'complete')
    : change(visit, book(order, made, now, visit.visitor), 'book')
}

/** The same step, at an address of its own. */
export function stepAgain(form: Form): Shown {
  const typed = BOOKING.map((name) => [name, form[name]?.slice(0, LONGEST) || undefined])
  const { step, change: isChange, draft } = form
  const asked = { step, ...(isChange === 'yes' && { change: 'yes' }), ...(Object.fromEntries(typed) as Fields), draft }
  return { page: 'step', asked }
}

/** Whether a form asks for the very booking that there is: who sends it twice has done nothing wrong. */
export async function isAsBooked(form: Form, visit: Visit): Promise<boolean> {
  const { clinic, appointmentAt } = visit.order
  const zone = (await ownClinicOf(visit.order, visit))?.view.timezone ?? 'UTC'
  const { date, time } = appointmentAt ? localTime(appointmentAt, zone) : {}
  const isThen = appointmentAt ? form.date === date && form.time === time : wayOf(form) === 'walkIn'
  return clinic !== null && clinic.id === form.clinic && isThen
}

interface Chosen {
  clinic: OrderClinic
  view: ClinicView
  /** Of the order's own: whoever has no say in it would have to go to one that takes nobody any more. */
  isOff?: boolean
}

/** The clinic in a form, if it may be chosen; the order's own where it may not. */
async function chosenIn(form: Form, visit: Visit): Promise<Chosen | undefined> {
  const { order, visitor } = visit
  if (choosesClinic(order, visitor) || !order.clinic) {
    return form.clinic ? offerOf(form.clinic, order, visit) : undefined
  }
  return ownClinicOf(order, visit)
}

/** A time that was chosen for one clinic is not one for another that was chosen meanwhile. */
const isFor = ({ clinic }: Chosen, form: Form) => !form.clinic || form.clinic === clinic.id

interface Listing {
  filled: Participant | undefined
  errors: FieldError[]
  note?: Note | undefined
}

async function clinics(visit: Visit, form: Form, { filled, errors, note }: Listing): Promise<Shown> {
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
      draft: form.draft,
      values: { place },
      errors: isLost ? [...errors, { field: 'place', fault: faultOfPlace(place) }] : errors,
      note,
    },
  }
}

/** A list that is asked for without a place is one around home; a search has to say where. */
const placeErrors = ({ place }: Form): FieldError[] =>
  place !== undefined && place.trim() === '' ? [{ field: 'place', fault: 'missing' }] : []

/** The time that was chosen, null for any; or what is wrong with it. */
function appointmentIn(form: Form, { hours, timezone }: ClinicView, { order, now }: Visit): Date | null | FieldError[] {
  const { date = '', time = '' } = form
  const way = wayOf(form)
  const within = { now, expiresAt: order.expiresAt }
  if (way === 'walkIn') return isOpenWithin({ hours, timezone }, within) ? null : [{ field: 'way', fault: 'closed' }]
  if (way !== 'appointment' || timezone === null) return [{ field: 'way', fault: 'missing' }]
  return appointmentOf({ date, time }, { hours, timezone }, within)
}

/** Who has entered a date has said enough. */
const wayOf = ({ way, date, time }: Form) => way || (date || time ? 'appointment' : undefined)

function times(visit: Visit, form: Form, chosen: Chosen): Shown {
  const { order, now, visitor } = visit
  const { view: clinic } = chosen
  const { date, time, place } = form
  const zone = clinic.timezone ?? 'UTC'
  const isSent = form.step === 'book' && isFor(chosen, form)
  const wrong = isSent ? appointmentIn(form, clinic, visit) : []
  const isSame = order.clinic?.id === clinic.id && order.isBooked && !isSent
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
      draft: form.draft,
      values: { place, ...(isSame ? booked : { way: wayOf(form), date, time }) },
      errors: Array.isArray(wrong) ? wrong : [],
    },
  }
}
