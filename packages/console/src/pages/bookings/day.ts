import type { CatalogClinicOutput, ClinicDay, OpenBooking } from '@order-testing/client/operator'
import * as times from '../../parts/times.ts'

const DAY_MS = 86_400_000
const WEEKDAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'] as const
const DATE = /^\d{4}-\d{2}-\d{2}$/

export const isDate = (text: string | undefined): text is string =>
  text !== undefined && DATE.test(text) && !Number.isNaN(Date.parse(text))

/** Dates are calendar days, which UTC counts without gaps. */
export const addDays = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10)

export const today = (): string => times.toLocal(new Date()).slice(0, 10)

/** A time of that date that has the same name everywhere. */
export const noonOf = (date: string): Date => new Date(`${date}T12:00:00`)

/** How many people a clinic can take on a date, if it has slots. */
export function capacityOf({ slots, hours }: CatalogClinicOutput, date: string): number | null {
  if (!slots || typeof hours !== 'object' || hours === null) return null
  const spans = (hours as Record<string, unknown>)[WEEKDAYS[new Date(`${date}T00:00:00Z`).getUTCDay()]!]
  if (!Array.isArray(spans)) return 0
  const open = spans.reduce((sum: number, span: unknown) => {
    const [from, until] = Array.isArray(span) ? span.map((each) => minutesOf(String(each))) : []
    return sum + Math.max(0, Math.floor(((until ?? 0) - (from ?? 0)) / Number(slots.minutes)))
  }, 0)
  return open * slots.capacity
}

const minutesOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3, 5))

/** The slots that can still be booked, the earliest first; null for a clinic without slots. */
export const freeSlots = ({ slots }: ClinicDay, now: Date): ClinicDay['slots'] =>
  slots?.filter(({ at, capacity, taken }) => taken < capacity && Date.parse(at) > now.getTime()) ?? null

/** A line of the day sheet: a slot, an hour in which people plan to come, or a time when the clinic is closed. */
export interface Line {
  kind: 'slot' | 'hour' | 'closed'
  at: string
  until: string
  places: { capacity: number; taken: number } | null
  bookings: OpenBooking[]
}

const HOUR_MS = 3_600_000

/** Every booking of the day stands in exactly one line. */
export function linesOf(day: ClinicDay): Line[] {
  const lines = [...openLines(day), ...closedLines(day)].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
  const left = new Set(day.bookings.filter(({ appointmentAt }) => appointmentAt !== null))
  for (const line of lines) {
    line.bookings = [...left].filter(({ appointmentAt }) => isIn(line, appointmentAt!))
    for (const booking of line.bookings) left.delete(booking)
  }
  const rest = [...left].map((booking): Line => ({
    kind: day.hours === null ? 'hour' : 'closed',
    at: booking.appointmentAt!,
    until: booking.appointmentAt!,
    places: null,
    bookings: [booking],
  }))
  return [...lines, ...rest].toSorted((a, b) => Date.parse(a.at) - Date.parse(b.at))
}

const isIn = ({ at, until }: Line, time: string) =>
  Date.parse(at) <= Date.parse(time) && Date.parse(time) < Date.parse(until)

function openLines({ slots, hours }: ClinicDay): Line[] {
  if (slots !== null)
    return slots.map(({ at, capacity, taken }, index) => {
      const next = slots[index + 1]
      const length = Math.min(slotLength(slots), next ? Date.parse(next.at) - Date.parse(at) : HOUR_MS)
      return { kind: 'slot', at, until: after(at, length), places: { capacity, taken }, bookings: [] }
    })
  return (hours ?? []).flatMap(({ from, until }) => {
    const lines: Line[] = []
    for (let at = from; Date.parse(at) < Date.parse(until); at = after(at, HOUR_MS))
      lines.push({ kind: 'hour', at, until: earlier(after(at, HOUR_MS), until), places: null, bookings: [] })
    return lines
  })
}

/** The shortest distance between two slots. */
const slotLength = (slots: NonNullable<ClinicDay['slots']>) =>
  Math.min(HOUR_MS, ...slots.slice(1).map(({ at }, index) => Date.parse(at) - Date.parse(slots[index]!.at)))

/** Before, between and after the opening hours; the whole day if there are none. */
function closedLines({ hours, date, zone }: ClinicDay): Line[] {
  if (hours === null) return []
  const start = times.toInstant(`${date}T00:00`, zone)
  const end = times.toInstant(`${addDays(date, 1)}T00:00`, zone)
  const starts = [start, ...hours.map(({ until }) => until)]
  const ends = [...hours.map(({ from }) => from), end]
  return starts
    .map((at, index): Line => ({ kind: 'closed', at, until: ends[index]!, places: null, bookings: [] }))
    .filter(({ at, until }) => Date.parse(at) < Date.parse(until))
}

const after = (at: string, ms: number) => new Date(Date.parse(at) + ms).toISOString()
const earlier = (a: string, b: string) => (Date.parse(a) < Date.parse(b) ? a : b)
