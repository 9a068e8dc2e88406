import { clinicZone, type ClinicPlace } from '../places/zone-of.ts'
import { dayAfter, instantOf } from '../places/zones.ts'
import { readHours, weekdayOf, type WeekHours } from './clinic-hours.ts'

/** Appointments every so many minutes, each for so many people. */
export interface SlotPlan {
  minutes: number
  capacity: number
}

/** When a clinic can be visited, and how. */
export interface Schedule {
  hours: WeekHours | null
  /** Null if unknown: then nothing can be said about local times. */
  zone: string | null
  /** Null if any time within the hours may be chosen. */
  slots: SlotPlan | null
  /** Whether it takes people without an appointment. */
  walkIns: boolean
  /** Whether times can be booked; if not, a time is only when somebody plans to walk in. */
  appointments: boolean
}

/** A clinic as its catalog entry has it. */
export interface ClinicEntry extends ClinicPlace {
  hours: unknown
  walkIns: boolean | null
  slots: SlotPlan | null
}

/**
 * Slots need hours and a zone. A clinic with slots takes walk-ins only if its entry says so; one without slots whose entry
 * says so takes nothing else.
 */
export function scheduleOf(entry: ClinicEntry): Schedule {
  const hours = readHours(entry.hours)
  const zone = clinicZone(entry)
  const slots = hours && zone !== null ? entry.slots : null
  return {
    hours,
    zone,
    slots,
    walkIns: entry.walkIns ?? slots === null,
    appointments: slots !== null || (zone !== null && entry.walkIns !== true),
  }
}

/** A period in which a clinic is open. */
export interface Span {
  from: Date
  until: Date
}

/** The opening hours of a local date, earliest first. Hours that touch or overlap are one span. */
export function spansOn(date: string, hours: WeekHours, zone: string): Span[] {
  const spans = (hours[weekdayOf(date)] ?? []).map(([from, to]) => ({
    from: instantOf(zone, { date, time: from }),
    until: instantOf(zone, to === '24:00' ? { date: dayAfter(date), time: '00:00' } : { date, time: to }),
  }))
  return joined(spans.filter(({ from, until }) => from < until))
}

/** Joins spans that touch or overlap. */
export function joined(spans: readonly Span[]): Span[] {
  const done: Span[] = []
  for (const { from, until } of spans.toSorted((a, b) => a.from.getTime() - b.from.getTime())) {
    const last = done.at(-1)
    if (last && from <= last.until) last.until = latest(last.until, until)
    else done.push({ from, until })
  }
  return done
}

/** The part of a span within a period; null if there is none. */
export function within({ from, until }: Span, earliest: Date, end: Date | null): Span | null {
  const cut = { from: latest(from, earliest), until: end && end < until ? end : until }
  return cut.from < cut.until ? cut : null
}

const latest = (a: Date, b: Date) => (a > b ? a : b)
