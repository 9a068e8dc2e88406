import type { FieldError, TimeView } from '@order-testing/pages'
import { canChooseClinic } from '../../domain/bookings/bookings.ts'
import {
  checkAppointment,
  isOpenWithin,
  latestAppointment,
  readAppointmentTime,
} from '../../domain/bookings/clinic-hours.ts'
import type { Schedule } from '../../domain/bookings/schedule.ts'
import { arrivalsOn, daysFrom, hasKnownHours, isStep, slotsOn, type Days } from '../../domain/bookings/slots.ts'
import { dayAfter, localTime } from '../../domain/places/zones.ts'
import { claimSlot, findSlotFault } from '../bookings/slots.ts'
import { filtersOf, type Form } from './form.ts'
import { presentBooked, presentClinic, type FoundClinic } from './clinics.ts'
import { presentOrderView, type LinkResponse, type LinkSession } from './session.ts'

/** The time of a form, null for a walk-in, or what is wrong with it. */
type Reading = { at: Date | null } | { errors: FieldError[]; taken: TimeView['taken'] }

/** Reads the chosen time. With `isClaiming`, a slot is kept from others until the transaction ends. */
export async function readTime(
  form: Form,
  { clinic, schedule }: FoundClinic,
  session: LinkSession,
  { isClaiming }: { isClaiming: boolean },
): Promise<Reading> {
  const { order, now } = session
  const wrong = (...errors: FieldError[]): Reading => ({ errors, taken: null })
  const way = wayOf(form)
  const window = { now, expiresAt: order.expiresAt }
  const { hours, zone } = schedule
  if (way === 'walkIn' && schedule.walkIns)
    return isOpenWithin({ hours, timezone: zone }, window) ? { at: null } : wrong({ field: 'way', fault: 'closed' })
  if (way !== 'appointment' || zone === null)
    return wrong({ field: isListed(schedule) ? 'time' : 'way', fault: 'missing' })
  const at = readInstant(form, { ...schedule, zone }, window)
  if (Array.isArray(at)) return wrong(...at)
  const wanted = { order, clinicId: clinic.id, schedule, at }
  const fault = await (isClaiming ? claimSlot(wanted, session) : findSlotFault(wanted, session))
  if (!fault) return { at }
  const taken = fault.fault === 'full' ? { at, closest: fault.closest } : null
  return { errors: [{ field: 'time', fault: 'closed' }], taken }
}

/** Whether a time is chosen from a list. */
const isListed = (schedule: Schedule) => ['slots', 'arrival'].includes(choiceOf(schedule))

/** A date, a time or a slot without a choice means an appointment. */
export const wayOf = ({ way, date, time, slot }: Form) =>
  slot === 'walkIn' ? slot : way || (date || time || slot ? 'appointment' : undefined)

/** Days and times at a clinic, with what was chosen. */
export async function showTimes(
  session: LinkSession,
  form: Form,
  chosen: FoundClinic,
  isSent: boolean,
): Promise<LinkResponse> {
  const { order, now, recipient } = session
  const { schedule } = chosen
  const zone = schedule.zone ?? session.zone
  const reading = isSent ? await readTime(form, chosen, session, { isClaiming: false }) : null
  const faults = reading && 'errors' in reading ? reading : { errors: [], taken: null }
  const isSame = order.clinic?.id === chosen.clinic.id && order.isBooked && !isSent
  const sent = isSent ? readSlot(form) : null
  const selected = faults.taken ? (faults.taken.closest?.at ?? null) : (sent ?? (isSame ? order.appointmentAt : null))
  const { date, time, place } = { ...(sent && localTime(sent, zone)), ...definedOf(form) }
  const booked = order.appointmentAt
    ? { way: 'appointment', ...localTime(order.appointmentAt, zone) }
    : { way: 'walkIn' }
  const view: TimeView = {
    order: await presentOrderView(session),
    zone,
    booked: await presentBooked(session),
    clinic: presentClinic(chosen, order, session),
    choosesClinic: canChooseClinic(order, recipient),
    isChange: form.change === 'yes',
    filters: filtersOf(form),
    from: localTime(now, zone).date,
    until: localTime(latestAppointment(now, order.expiresAt), zone).date,
    choice: choiceOf(schedule),
    ...(await listTimes(session, faults.taken ? {} : form, chosen, selected)),
    selected,
    taken: faults.taken,
    hasDraft: form.draft !== undefined,
    values: { place, ...(isSame ? booked : { way: wayOf(form), date, time }) },
    errors: faults.errors,
  }
  return { page: 'time', view }
}

function choiceOf({ slots, zone, hours, appointments }: Schedule): TimeView['choice'] {
  if (slots) return 'slots'
  if (zone === null) return 'none'
  return appointments || hours === null ? 'anyTime' : 'arrival'
}

/** The days on offer, and the times of one: the day asked for, else that of the selected time, else the first with a place. */
async function listTimes(
  { order, now, tx, tenantId }: LinkSession,
  form: Form,
  { clinic, schedule }: FoundClinic,
  selected: Date | null,
): Promise<Pick<TimeView, 'days' | 'day' | 'slots' | 'arrivals'>> {
  if (!hasKnownHours(schedule)) return { days: null, day: null, slots: [], arrivals: [] }
  const window = { now, expiresAt: order.expiresAt }
  const { slots: plan, zone } = schedule
  const range = { from: new Date(now.getTime() - HOUR_MS), until: latestAppointment(now, order.expiresAt) }
  const taken = plan ? await tx.bookings.takenTimes(tenantId, clinic.id, { ...range, except: order.id }) : []
  const wanted = form.day ?? (selected ? localTime(selected, zone).date : undefined)
  const week = form.week === undefined ? weekOf(wanted, localTime(now, zone).date) : Number(form.week)
  const days = daysFrom(schedule, window, Number.isInteger(week) ? week : 0, taken)
  const day = dayOf(days, wanted)
  return {
    days,
    day,
    slots: plan && day !== null ? slotsOn(day, schedule, plan, window, taken) : [],
    arrivals: !plan && day !== null ? arrivalsOn(day, schedule, window) : [],
  }
}

/** Longer than any slot, so that one that has begun is counted. */
const HOUR_MS = 3_600_000

/** The page of days that a date is on. The first page has two weeks. */
function weekOf(date: string | undefined, today: string): number {
  if (date === undefined || !(date > dayAfter(today, 13))) return 0
  return Math.floor((Date.parse(date) - Date.parse(today)) / (7 * 24 * HOUR_MS))
}

const dayOf = ({ days }: Days, wanted: string | undefined): string | null =>
  (days.find(({ date }) => date === wanted) ?? days.find(({ isFull }) => !isFull) ?? days[0])?.date ?? null

/** The instant of a slot or arrival, else of a local date and time. */
function readInstant(
  form: Form,
  { hours, zone, slots }: Schedule & { zone: string },
  window: { now: Date; expiresAt: Date | null },
): Date | FieldError[] {
  const opening = { hours, timezone: zone }
  const typed = { date: form.date ?? '', time: form.time ?? '' }
  const at = readSlot(form) ?? readAppointmentTime(typed, opening, window)
  if (Array.isArray(at)) return at
  const errors = checkAppointment(at, opening, window)
  if (errors.length > 0) return errors
  return slots || isStep(at, { hours, zone }) ? at : [{ field: 'time', fault: 'step' }]
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/

function readSlot({ slot = '' }: Form): Date | null {
  const at = INSTANT.test(slot) ? new Date(slot) : null
  return at && !Number.isNaN(at.getTime()) ? at : null
}

const definedOf = ({ date, time, place }: Form) =>
  Object.fromEntries(Object.entries({ date, time, place }).filter(([, value]) => value !== undefined)) as Pick<
    Form,
    'date' | 'time' | 'place'
  >
