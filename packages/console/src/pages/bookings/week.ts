import type { ClinicDay } from '@order-testing/client/operator'
import * as times from '../../parts/times.ts'
import { addDays } from './day.ts'

const DAYS = 7

/** The dates from Monday to Sunday around a date. */
export function weekOf(date: string): string[] {
  const weekday = (new Date(`${date}T00:00:00Z`).getUTCDay() + 6) % DAYS
  return Array.from({ length: DAYS }, (_, index) => addDays(date, index - weekday))
}

/** An hour of a day. */
export interface Cell {
  isOpen: boolean
  /** Places of the slots in this hour; null for a clinic without slots. */
  places: { capacity: number; taken: number } | null
  booked: number
}

export interface HourRow {
  /** Local hour, from 0 to 23. */
  hour: number
  /** One for each day. */
  cells: Cell[]
}

/** The hours in which the clinic is open or somebody is booked, on any of the days. */
export function hoursOf(days: readonly ClinicDay[]): HourRow[] {
  const used = days.flatMap((day) => [
    ...openHours(day),
    ...day.bookings.flatMap(({ appointmentAt }) => (appointmentAt === null ? [] : localHour(appointmentAt, day))),
  ])
  if (used.length === 0) return []
  const [first, last] = [Math.min(...used), Math.max(...used)]
  return Array.from({ length: last - first + 1 }, (_, index) => {
    const hour = first + index
    return { hour, cells: days.map((day) => cellOf(day, hour)) }
  })
}

function cellOf(day: ClinicDay, hour: number): Cell {
  const slots = day.slots?.filter(({ at }) => localHour(at, day) === hour) ?? []
  const sum = (member: 'capacity' | 'taken') => slots.reduce((total, slot) => total + slot[member], 0)
  return {
    isOpen: openHours(day).includes(hour),
    places: slots.length > 0 ? { capacity: sum('capacity'), taken: sum('taken') } : null,
    booked: day.bookings.filter(({ appointmentAt }) => appointmentAt !== null && localHour(appointmentAt, day) === hour)
      .length,
  }
}

/** Every hour of which at least a part is open. */
const openHours = (day: ClinicDay): number[] =>
  (day.hours ?? []).flatMap(({ from, until }) => {
    const [start, end] = [localHour(from, day), localHour(new Date(Date.parse(until) - 1).toISOString(), day)]
    return Array.from({ length: end - start + 1 }, (_, index) => start + index)
  })

const localHour = (at: string, { zone }: ClinicDay): number => Number(times.toLocal(new Date(at), zone).slice(11, 13))
