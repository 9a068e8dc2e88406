import type { Words } from '../languages/en.ts'

/** The zone of the browser, for times that belong to no order or clinic. */
export const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone

const formats = new Map<string, Intl.DateTimeFormat>()

function format(words: Words, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = words.locale + JSON.stringify(options)
  const known = formats.get(key) ?? new Intl.DateTimeFormat(words.locale, options)
  formats.set(key, known)
  return known
}

/** The day in a zone: `2026-11-16`. */
const dayOf = (at: Date, zone: string) => toLocal(at, zone).slice(0, 10)
const yearIfOther = (at: Date) => (at.getFullYear() === new Date().getFullYear() ? {} : ({ year: 'numeric' } as const))

/** `Nov 16` */
export const day = (words: Words, at: Date, timeZone = ZONE) =>
  format(words, { month: 'short', day: 'numeric', ...yearIfOther(at), timeZone }).format(at)

/** `Mon, Nov 16` */
export const weekday = (words: Words, at: Date, timeZone = ZONE) =>
  format(words, { weekday: 'short', month: 'short', day: 'numeric', ...yearIfOther(at), timeZone }).format(at)

/** `8:02 AM` */
export const clock = (words: Words, at: Date, timeZone = ZONE) =>
  format(words, { hour: 'numeric', minute: '2-digit', timeZone }).format(at)

/** `8:02 AM` in the zone of a clinic. */
export const clockIn = (words: Words, at: Date, timeZone: string) => clock(words, at, timeZone)

/** `8:02:41 AM` */
export const exactClock = (words: Words, at: Date, timeZone = ZONE) =>
  format(words, { hour: 'numeric', minute: '2-digit', second: '2-digit', timeZone }).format(at)

/** `CT` */
export function zoneName(words: Words, zone = ZONE): string {
  const parts = format(words, { timeZoneName: 'shortGeneric', timeZone: zone }).formatToParts(new Date())
  return parts.find(({ type }) => type === 'timeZoneName')?.value ?? zone
}

/** `Nov 16, 8:02 AM CT` */
export const moment = (words: Words, at: Date, zone = ZONE) =>
  `${day(words, at, zone)}, ${clock(words, at, zone)} ${zoneName(words, zone)}`

/** The time of today, or the day. */
export const short = (words: Words, at: Date, zone = ZONE) =>
  isSameDay(at, new Date(), zone) ? clock(words, at, zone) : day(words, at, zone)

export const isSameDay = (a: Date, b: Date, zone = ZONE) => dayOf(a, zone) === dayOf(b, zone)

/** `4:30 PM CT` today, `Wed 9:00 AM ET` this week, or with the day, as clocks of the zone show it. */
export function inZone(words: Words, at: Date, zone = ZONE): string {
  const away = Math.abs(at.getTime() - Date.now())
  const time = { hour: 'numeric', minute: '2-digit', timeZone: zone } as const
  const date = isSameDay(at, new Date(), zone)
    ? {}
    : away < 6 * 86_400_000
      ? ({ weekday: 'short' } as const)
      : ({ month: 'short', day: 'numeric' } as const)
  return `${format(words, { ...date, ...time }).format(at)} ${zoneName(words, zone)}`
}

/** `2026-11-16 14:30:07.412Z` */
export const inUtc = (at: Date) => at.toISOString().replace('T', ' ')

/** `4 d 2 h`, `3 h 02 m`, `38 min` */
export function duration({ durations }: Words, ms: number): string {
  const minutes = Math.floor(Math.abs(ms) / 60_000)
  if (minutes < 1) return durations.moments
  if (minutes < 60) return durations.minutes(minutes)
  const hours = Math.floor(minutes / 60)
  return hours < 24 ? durations.hours(hours, minutes % 60) : durations.days(Math.floor(hours / 24), hours % 24)
}

/** A `datetime-local` value of a zone as an instant. */
export function toInstant(local: string, zone = ZONE): string {
  const asUtc = Date.parse(`${local}Z`)
  // The offset of the zone changes at most once a day, so the second look is right.
  const first = asUtc - offsetOf(zone, asUtc)
  return new Date(asUtc - offsetOf(zone, first)).toISOString()
}

/** The clock of a zone as a `datetime-local` value. */
export const toLocal = (at: Date, zone = ZONE): string =>
  new Date(at.getTime() + offsetOf(zone, at.getTime())).toISOString().slice(0, 16)

function offsetOf(zone: string, at: number): number {
  const local = new Intl.DateTimeFormat('en-US', { ...CLOCK, timeZone: zone })
  const parts = new Map(local.formatToParts(at).map(({ type, value }) => [type, Number(value)]))
  const [y, mo, d, h, mi, s] = (['year', 'month', 'day', 'hour', 'minute', 'second'] as const).map((name) =>
    parts.get(name)!,
  )
  return Date.UTC(y!, mo! - 1, d, h, mi, s) - Math.floor(at / 1000) * 1000
}

const CLOCK = {
  hourCycle: 'h23',
  year: 'numeric',
  month: 'numeric',
  day: 'numeric',
  hour: 'numeric',
  minute: 'numeric',
  second: 'numeric',
} as const
