import { dayAfter, localTime } from '../places/zones.ts'
import type { WeekHours, Window } from './clinic-hours.ts'
import { joined, spansOn, within, type Schedule, type Span } from './schedule.ts'

/** Whether a clinic is open, and if not, whether it opens before the participant's deadline. */
export type OpenState =
  /** `until` is null if it never closes. */
  | { state: 'open'; until: Date | null }
  | { state: 'opens'; at: Date }
  /** It is closed until after the deadline, or for good if `at` is null. */
  | { state: 'tooLate'; at: Date | null }
  | { state: 'unknown' }

/** Hours repeat weekly, so eight days contain every opening. */
const DAYS = 8

export function openState(hours: WeekHours | null, zone: string | null, now: Date, deadline: Date | null): OpenState {
  if (hours === null || zone === null) return { state: 'unknown' }
  const upcoming = upcomingSpans(hours, zone, now)
  const [first] = upcoming
  if (!first) return { state: 'tooLate', at: null }
  if (first.from <= now) return { state: 'open', until: isEndless(first, zone, now) ? null : first.until }
  return deadline && first.from >= deadline ? { state: 'tooLate', at: first.from } : { state: 'opens', at: first.from }
}

/** When a clinic that is closed opens again; null if it is open, never opens, or its hours are unknown. */
export function nextOpening(hours: WeekHours | null, zone: string | null, now: Date): Date | null {
  const open = openState(hours, zone, now, null)
  return open.state === 'opens' ? open.at : null
}

/** Whether a clinic can be visited before the deadline. Unknown hours count as open. */
export const isReachable = ({ hours, zone }: Schedule, { now, expiresAt }: Window): boolean =>
  openState(hours, zone, now, expiresAt).state !== 'tooLate'

/** The rest of today's opening hours for people without an appointment. */
export interface WalkIn {
  /** Null if the clinic is open now. */
  from: Date | null
  until: Date
  /** The latest arrival that leaves time for the collection. */
  arriveBy: Date
}

/** A collection takes up to this long. */
const COLLECTION_MS = 45 * 60_000

/** Until when people can walk in today; null if they cannot. */
export function walkInToday({ hours, zone, walkIns }: Schedule, { now, expiresAt }: Window): WalkIn | null {
  if (!walkIns || hours === null || zone === null) return null
  const today = spansOn(localTime(now, zone).date, hours, zone).flatMap((span) => within(span, now, expiresAt) ?? [])
  const [first, last] = [today[0], today.at(-1)]
  if (!first || !last) return null
  return { from: first.from > now ? first.from : null, until: last.until, arriveBy: arriveBy(last) }
}

/** The latest arrival in a span that leaves time for the collection. */
export const arriveBy = ({ from, until }: Span): Date =>
  new Date(Math.max(from.getTime(), until.getTime() - COLLECTION_MS))

/** Whether a clinic opens on Saturdays. Unknown hours count as closed. */
export const opensSaturdays = (hours: WeekHours | null): boolean => (hours?.[6] ?? []).length > 0

/** The spans of the next days that have not ended. */
function upcomingSpans(hours: WeekHours, zone: string, now: Date): Span[] {
  const today = localTime(now, zone).date
  const spans = Array.from({ length: DAYS }, (_, days) => spansOn(dayAfter(today, days), hours, zone))
  return joined(spans.flat()).filter(({ until }) => until > now)
}

/** A span that reaches the end of all days looked at has no end. */
const isEndless = ({ until }: Span, zone: string, now: Date) =>
  localTime(until, zone).date >= dayAfter(localTime(now, zone).date, DAYS)
