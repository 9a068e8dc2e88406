import type { ChangeView } from '@order-testing/pages'
import { nameOfBooking } from '../../domain/participants/stage.ts'
import { bookingStep, findChosenClinic, isAsBooked, isFor, redirectToStep, submitBooking } from './booking.ts'
import { findEligibleClinic, presentBooked } from './clinics.ts'
import type { Form } from './form.ts'
import { presentOrderView, redirect, type LinkResponse, type LinkSession } from './session.ts'
import { readTime } from './times.ts'

/** The steps that replace a booking. A browser may also go back to one of them after the booking was made. */
export const CHANGE_STEPS: readonly (string | undefined)[] = ['change', 'clinics', 'time', 'book', 'confirm']

/** Shows a step of changing a booking, beginning with the times of the booked clinic. */
export async function changeStep(session: LinkSession, query: Form): Promise<LinkResponse> {
  const { order } = session
  if (query.step === 'confirm') return confirmStep(session, query)
  if (query.step !== 'change') return bookingStep(session, query)
  const own = order.clinic && (await findEligibleClinic(order.clinic.id, order, session))
  const step = own ? { step: 'time', clinic: own.clinic.id } : { step: 'clinics' }
  return bookingStep(session, { ...query, change: 'yes', ...step })
}

/** Asks before the booking is replaced, and replaces it once that is confirmed. */
export async function submitChange(session: LinkSession, form: Form): Promise<LinkResponse> {
  if (await isAsBooked(form, session)) return redirect()
  if (form.confirm === nameOfBooking(session.order)) return submitBooking(session, form)
  const next = await readNext(session, form)
  return redirectToStep({ ...form, step: next ? 'confirm' : 'book' })
}

/** The old and the new time side by side. */
async function confirmStep(session: LinkSession, form: Form): Promise<LinkResponse> {
  const booked = await presentBooked(session)
  if (!booked || (await isAsBooked(form, session))) return redirect()
  const next = await readNext(session, form)
  if (!next) return redirectToStep({ ...form, step: 'book' })
  const { place, clinic, way, date, time, slot, openNow, walkIns, openSaturday } = form
  const choice = { ...(form.change === 'yes' && { change: 'yes' }), place, clinic, openNow, walkIns, openSaturday }
  const view: ChangeView = {
    order: await presentOrderView(session),
    booked,
    next,
    isChange: form.change === 'yes',
    fields: { step: 'book', ...choice, way, date, time, slot, confirm: nameOfBooking(session.order) },
    back: { step: 'time', ...choice },
  }
  return { page: 'change', view }
}

/** What a form would book; null if it cannot be booked. */
async function readNext(session: LinkSession, form: Form): Promise<ChangeView['next'] | null> {
  const chosen = await findChosenClinic(form, session)
  if (!chosen || chosen.isOff || !isFor(chosen, form)) return null
  const time = await readTime(form, chosen, session, { isClaiming: false })
  if ('errors' in time) return null
  const { clinic, schedule } = chosen
  return {
    clinic: clinic.name,
    appointmentAt: time.at,
    isArrival: time.at !== null && !schedule.appointments,
    zone: schedule.zone ?? session.zone,
  }
}
