import { dayAfter, instantOf, localTime } from '../places/zones.ts'

/** Opening hours by day, Sunday first, as spans of local time such as ['08:00', '17:00']. */
export type WeekHours = readonly (readonly (readonly [string, string])[])[]

/** When a clinic is open. */
export interface Opening {
  hours: WeekHours | null
  /** IANA zone; null if unknown. */
  timezone: string | null
}

export interface TimeError {
  field: 'date' | 'time'
  fault: 'missing' | 'wrong' | 'past' | 'tooLate' | 'tooFar' | 'closed'
}

/** The period in which the participant may come. */
export interface Window {
  now: Date
  expiresAt: Date | null
}

const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const CLOCK = /^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/
const DAY_MS = 86_400_000
/** Appointments can be made at most this far ahead. */
const LATEST_MS = 90 * DAY_MS

/** Reads hours by day as the catalog has them, `{"mon": [["08:00", "17:00"]]}`. Null if they have any other form. */
export function readHours(given: unknown): WeekHours | null {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return null
  const entries = Object.entries(given as Record<string, unknown>)
  const week: (readonly [string, string])[][] = DAYS.map(() => [])
  for (const [name, spans] of entries) {
    const day = DAYS.indexOf(name.slice(0, 3).toLowerCase())
    const read = Array.isArray(spans) ? spans.map((span: unknown) => readSpan(span)) : [null]
    if (day === -1 || read.includes(null)) return null
    week[day]!.push(...read.filter((span) => span !== null))
  }
  return entries.length > 0 ? week : null
}

/** Reads an appointment in the clinic's local time, or returns what is wrong with it. */
export function readAppointmentTime(
  { date, time }: { date: string; time: string },
  { hours, timezone }: { hours: WeekHours | null; timezone: string },
  { now, expiresAt }: Window,
): Date | TimeError[] {
  const malformed: TimeError[] = [
    ...(isDate(date) ? [] : [{ field: 'date', fault: date === '' ? 'missing' : 'wrong' } as const]),
    ...(CLOCK.test(time) && time !== '24:00'
      ? []
      : [{ field: 'time', fault: time === '' ? 'missing' : 'wrong' } as const]),
  ]
  if (malformed.length > 0) return malformed
  const at = instantOf(timezone, { date, time })
  const errors = checkAppointment(at, { hours, timezone }, { now, expiresAt })
  return errors.length > 0 ? errors : at
}

/** What is wrong with the time of an appointment: nothing, or one error. */
export function checkAppointment(
  at: Date,
  { hours, timezone }: { hours: WeekHours | null; timezone: string },
  { now, expiresAt }: Window,
): TimeError[] {
  if (at < now) return [{ field: 'date', fault: 'past' }]
  const latest = latestAppointment(now, expiresAt)
  if (at > latest) return [{ field: 'date', fault: latest === expiresAt ? 'tooLate' : 'tooFar' }]
  // An order is already expired at its time of expiry.
  if (expiresAt && at >= expiresAt) return [{ field: 'date', fault: 'tooLate' }]
  return isOpenAt(localTime(at, timezone), hours) ? [] : [{ field: 'time', fault: 'closed' }]
}

/** Whether a clinic is open at a local time. Unknown hours count as open. */
export function isOpenAt({ date, time }: { date: string; time: string }, hours: WeekHours | null): boolean {
  const spans = hours?.[weekdayOf(date)]
  return spans === undefined || spans.some(([from, to]) => from <= time && time < to)
}

/** Whether a clinic is open at any time before the order expires, or in any week if its zone is unknown. */
export function isOpenWithin({ hours, timezone }: Opening, { now, expiresAt }: Window): boolean {
  if (hours === null) return true
  if (timezone === null || expiresAt === null) return hours.some((spans) => spans.length > 0)
  const [from, until] = [localTime(now, timezone), localTime(expiresAt, timezone)]
  // Hours repeat weekly, so eight days are enough.
  return Array.from({ length: 8 }, (_, days) => dayAfter(from.date, days)).some((date, days) => {
    if (date > until.date) return false
    const [earliest, latest] = [days === 0 ? from.time : '00:00', date === until.date ? until.time : '24:00']
    const spans = hours[weekdayOf(date)] ?? []
    return spans.some(([opens, closes]) => larger(opens, earliest) < smaller(closes, latest))
  })
}

/** The latest time an appointment may have. */
export function latestAppointment(now: Date, expiresAt: Date | null): Date {
  const latest = new Date(now.getTime() + LATEST_MS)
  return expiresAt && expiresAt < latest ? expiresAt : latest
}

export const weekdayOf = (date: string) => new Date(`${date}T00:00Z`).getUTCDay()
const larger = (a: string, b: string) => (a > b ? a : b)
const smaller = (a: string, b: string) => (a < b ? a : b)

function readSpan(span: unknown): readonly [string, string] | null {
  if (!Array.isArray(span) || span.length !== 2) return null
  const [from, to] = span as unknown[]
  if (typeof from !== 'string' || typeof to !== 'string' || !CLOCK.test(from) || !CLOCK.test(to)) return null
  return from < to ? [from, to] : null
}

/** `Date` reads February 30 as March 2, so the text is compared with the date it gives. */
function isDate(text: string): boolean {
  const at = new Date(`${text}T00:00Z`)
  return /^\d{4}-\d\d-\d\d$/.test(text) && !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text)
}
