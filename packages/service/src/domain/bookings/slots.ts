import { dayAfter, instantOf, localTime } from '../places/zones.ts'
import { latestAppointment, weekdayOf, type WeekHours, type Window } from './clinic-hours.ts'
import { arriveBy } from './open-state.ts'
import { spansOn, within, type Schedule, type SlotPlan } from './schedule.ts'

export type PartOfDay = 'morning' | 'afternoon' | 'evening'

/** An appointment that can be chosen, or could if it were not full. */
export interface Slot {
  at: Date
  /** Local time such as 10:30. */
  time: string
  part: PartOfDay
  isFull: boolean
}

/** A local date on which the clinic is open before the deadline. */
export interface Day {
  date: string
  isToday: boolean
  /** The opening hours of the whole day, as local times. */
  hours: WeekHours[number]
  /** What is left of them: from now on, and before the deadline. */
  from: Date
  until: Date
  /** Whether all slots are full; false without slots. */
  isFull: boolean
}

export interface Days {
  days: Day[]
  /** How many weeks after today the list begins. */
  week: number
  hasEarlier: boolean
  hasLater: boolean
  /** The first open day after the deadline, if the list reaches the deadline. */
  tooLate: string | null
}

/** Days on a page, and days from one page to the next. */
const SHOWN_DAYS = 14
const PAGE_DAYS = 7

/** A clinic whose hours and zone are known. */
type Known = Schedule & { hours: WeekHours; zone: string }

export const hasKnownHours = (schedule: Schedule): schedule is Known =>
  schedule.hours !== null && schedule.zone !== null

/** The start times of a day's slots: within the hours to their end, not in the past, and before the order expires. */
export function slotTimes(date: string, { hours, zone }: Known, { minutes }: SlotPlan, window: Window): Date[] {
  const { now } = window
  const latest = latestAppointment(now, window.expiresAt)
  return allSlotTimes(date, { hours, zone }, { minutes }).filter((at) => at >= now && at < latest)
}

/** The start times of all slots of a day, past ones included. */
export function allSlotTimes(
  date: string,
  { hours, zone }: Pick<Known, 'hours' | 'zone'>,
  { minutes }: Pick<SlotPlan, 'minutes'>,
): Date[] {
  const length = minutes * 60_000
  // Counted in elapsed time: in spring no slot is in the skipped hour, in autumn both of the repeated hours have some.
  return spansOn(date, hours, zone).flatMap(({ from, until }) =>
    Array.from(
      { length: Math.floor((until.getTime() - from.getTime()) / length) },
      (_, i) => new Date(from.getTime() + i * length),
    ),
  )
}

/** The slots of a day; `taken` are the times of the appointments there are. */
export function slotsOn(date: string, schedule: Known, plan: SlotPlan, window: Window, taken: readonly Date[]): Slot[] {
  return slotTimes(date, schedule, plan, window).map((at) => {
    const { time } = localTime(at, schedule.zone)
    return { at, time, part: partOf(time), isFull: !hasPlace(at, plan, taken) }
  })
}

/** Whether an appointment is one of the clinic's slots. */
export const isSlot = (at: Date, schedule: Known, plan: SlotPlan, window: Window): boolean =>
  slotTimes(localTime(at, schedule.zone).date, schedule, plan, window).some((each) => each.getTime() === at.getTime())

/** Whether a slot has a place left. */
export const hasPlace = (at: Date, plan: SlotPlan, taken: readonly Date[]): boolean =>
  takenIn(at, plan, taken) < plan.capacity

/** How many appointments begin during a slot, whatever the slots were when they were made. */
export function takenIn(at: Date, { minutes }: SlotPlan, taken: readonly Date[]): number {
  const end = at.getTime() + minutes * 60_000
  return taken.filter((each) => each >= at && each.getTime() < end).length
}

/** The free slot closest to a time; of two, the later. */
export function closestFree(at: Date, slots: readonly Slot[]): Slot | null {
  const distance = (slot: Slot) => Math.abs(slot.at.getTime() - at.getTime())
  const free = slots.filter(({ isFull }) => !isFull)
  return free.toSorted((a, b) => distance(a) - distance(b) || b.at.getTime() - a.at.getTime())[0] ?? null
}

/** The days of a page on which the clinic can be visited, up to the deadline. */
export function daysFrom(schedule: Known, window: Window, week: number, taken: readonly Date[]): Days {
  const { now, expiresAt } = window
  const { zone } = schedule
  const today = localTime(now, zone).date
  const latest = latestAppointment(now, expiresAt)
  const last = localTime(latest, zone).date
  const lastWeek = Math.max(0, Math.ceil((daysBetween(today, last) - SHOWN_DAYS + 1) / PAGE_DAYS))
  const shown = Math.min(Math.max(0, week), lastWeek)
  const first = dayAfter(today, shown * PAGE_DAYS)
  const dates = Array.from({ length: SHOWN_DAYS }, (_, i) => dayAfter(first, i))
  return {
    days: dates.flatMap((date) => dayOf(date, schedule, window, taken) ?? []),
    week: shown,
    hasEarlier: shown > 0,
    hasLater: dates.at(-1)! < last,
    tooLate: expiresAt && dates.at(-1)! >= last ? firstOpenDay(schedule, last, expiresAt) : null,
  }
}

/** Whether a time can be chosen at a clinic without slots: on five minutes, or when the clinic opens. */
export const isStep = (at: Date, { hours, zone }: Pick<Schedule, 'hours'> & { zone: string }): boolean =>
  at.getTime() % STEP_MS === 0 ||
  (hours !== null && spansOn(localTime(at, zone).date, hours, zone).some(({ from }) => from.getTime() === at.getTime()))

/** When somebody plans to walk in. */
export interface Arrival {
  part: PartOfDay | 'nextHour'
  from: Date
  until: Date
  /** The latest arrival that leaves time for the collection. */
  arriveBy: Date
}

const HOUR_MS = 3_600_000
const QUARTER_MS = HOUR_MS / 4
const STEP_MS = HOUR_MS / 12
const PARTS = [
  { part: 'morning', from: '00:00', to: '12:00' },
  { part: 'afternoon', from: '12:00', to: '17:00' },
  { part: 'evening', from: '17:00', to: '24:00' },
] as const

/** The parts of a day in which people can walk in. A chosen one is booked as its start. */
export function arrivalsOn(date: string, { hours, zone }: Known, { now, expiresAt }: Window): Arrival[] {
  const spans = spansOn(date, hours, zone).flatMap((span) => within(span, now, expiresAt) ?? [])
  const open = spans.find(({ from }) => from <= now)
  const soon = new Date(Math.ceil((now.getTime() + 1) / QUARTER_MS) * QUARTER_MS)
  const next = open && within({ from: soon, until: new Date(now.getTime() + HOUR_MS) }, soon, open.until)
  const rest = next ? new Date(Math.ceil(next.until.getTime() / HOUR_MS) * HOUR_MS) : soon
  const later = PARTS.flatMap(({ part, from, to }) => {
    const until = instantOf(zone, to === '24:00' ? { date: dayAfter(date), time: '00:00' } : { date, time: to })
    const cut = spans.flatMap((span) => within(span, instantOf(zone, { date, time: from }), until) ?? [])
    return cut.flatMap((span) => within(span, rest, null) ?? []).map((span) => ({ part, ...span }))
  })
  return [
    ...(next ? [{ part: 'nextHour' as const, ...next, arriveBy: next.until }] : []),
    ...later.map((span) => ({ ...span, arriveBy: arriveBy(span) })),
  ]
}

function dayOf(date: string, schedule: Known, window: Window, taken: readonly Date[]): Day | null {
  const { hours, zone, slots } = schedule
  const latest = latestAppointment(window.now, window.expiresAt)
  const left = spansOn(date, hours, zone).flatMap((span) => within(span, window.now, latest) ?? [])
  const times = slots && slotsOn(date, schedule, slots, window, taken)
  if (left.length === 0 || times?.length === 0) return null
  return {
    date,
    isToday: date === localTime(window.now, zone).date,
    hours: hours[weekdayOf(date)] ?? [],
    from: left[0]!.from,
    until: left.at(-1)!.until,
    isFull: times?.every(({ isFull }) => isFull) ?? false,
  }
}

/** The first date from this one on with hours after the deadline. */
function firstOpenDay({ hours, zone }: Known, from: string, deadline: Date): string | null {
  const dates = Array.from({ length: 8 }, (_, i) => dayAfter(from, i))
  const isAfter = (date: string) => {
    const [first] = spansOn(date, hours, zone)
    return first !== undefined && first.from >= deadline
  }
  return dates.find(isAfter) ?? null
}

const partOf = (time: string): PartOfDay => PARTS.find(({ to }) => time < to)!.part

const daysBetween = (from: string, to: string) => (Date.parse(to) - Date.parse(from)) / 86_400_000
