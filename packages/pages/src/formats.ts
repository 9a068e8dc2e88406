import { ENGLISH, languageFile } from './languages/index.ts'
import type { Language } from './views.ts'

/** A moment with its zone, such as `Fri, Nov 20, 5 PM CT`. */
export function formatMoment(at: Date, language: Language, timezone: string | null): string {
  const when = formatUnzoned(at, language, timezone)
  return timezone === null ? `${when}${SPACE}UTC` : withZone(when, zoneOf(at, language, timezone), language)
}

/** A moment such as `Fri, Nov 20, 5 PM`, where the page names the zone elsewhere. */
export function formatUnzoned(at: Date, language: Language, timezone: string | null): string {
  const { shortMoment } = languageFile(language).formats
  return shortMoment(formatShortDay(at, language, timezone), timeOfDay(at, language, timezone))
}

/** A day such as `Fri, Nov 20`. */
export function formatShortDay(at: Date, language: Language, timezone: string | null): string {
  return languageFile(language).formats.shortDay(partsOf(dates(language, timezone, 'day', SHORT_DAY), at))
}

/** A moment in full, such as `Wednesday, November 18 at 10:30 AM CT`. */
export function formatLongMoment(at: Date, language: Language, timezone: string | null): string {
  const { longDay, longMoment } = languageFile(language).formats
  const day = capitalize(longDay(partsOf(dates(language, timezone, 'long day', LONG_DAY), at)))
  return withZone(longMoment(day, timeOfDay(at, language, timezone)), zoneOf(at, language, timezone), language)
}

/** The same with the year, for paper, which is kept: `Wednesday, November 18, 2026 at 10:30 AM CT`. */
export function formatDatedMoment(at: Date, language: Language, timezone: string | null): string {
  const { longMoment } = languageFile(language).formats
  const day = formatLongDate(localDate(at, timezone ?? 'UTC'), language)
  return withZone(longMoment(day, timeOfDay(at, language, timezone)), zoneOf(at, language, timezone), language)
}

/** A time with its zone beside it: `5 PM CT`, `5 p. m. (hora central)`. */
export const withZone = (time: string, zone: string, language: Language): string =>
  languageFile(language).formats.withZone(time, zone)

/** A date such as 1990-04-17, in words without the weekday. */
export const formatBirthDate = (date: string, language: Language): string =>
  dates(language, null, 'birth', { dateStyle: 'long' }).format(new Date(`${date}T00:00:00Z`))

/** A date in words with its weekday. */
export const formatLongDate = (date: string, language: Language): string =>
  capitalize(dates(language, null, 'date', { dateStyle: 'full' }).format(new Date(`${date}T00:00:00Z`)))

/** The zone beside a time: `CT` in English, `hora central` in Spanish. In a repeated hour, `CDT` or `CST`. */
export function zoneOf(at: Date, language: Language, timezone: string | null): string {
  if (timezone === null || timezone === 'UTC') return 'UTC'
  if (isRepeated(at, timezone)) return zoneAbbreviation(at, timezone, language)
  const timeZoneName = hasZonesInWords(language) ? 'longGeneric' : 'shortGeneric'
  return partsOf(dates(language, timezone, timeZoneName, { timeZoneName }), at).timeZoneName
}

/** Zones in words are long, and stand on a line of their own where that is possible. */
export const hasZonesInWords = (language: Language): boolean => languageFile(language).formats.zones === 'inWords'

/** The name of a time zone, such as Central Time. */
export const zoneName = (timezone: string, language: Language): string =>
  timezone === 'UTC'
    ? timezone
    : partsOf(dates(language, timezone, 'longGeneric', { timeZoneName: 'longGeneric' }), new Date()).timeZoneName

/** The abbreviation at an instant, such as CDT, to tell the two passes of a repeated hour apart. */
export const zoneAbbreviation = (at: Date, timezone: string, language: Language): string =>
  partsOf(dates(language, timezone, 'abbreviation', { timeZoneName: 'short' }), at).timeZoneName

const HOUR_MS = 3_600_000

/** Whether the clock shows this time twice, because it is set back an hour. */
const isRepeated = (at: Date, timezone: string): boolean =>
  [-HOUR_MS, HOUR_MS].some(
    (away) => timeOfDay(at, ENGLISH, timezone) === timeOfDay(new Date(at.getTime() + away), ENGLISH, timezone),
  )

/** A local date such as 2026-11-18 in its parts: `Wed`, `Wednesday`, `18`, and in full. */
export function formatDay(date: string, language: Language) {
  const at = new Date(`${date}T12:00Z`)
  const { shortDay, longDay } = languageFile(language).formats
  const short = partsOf(dates(language, null, 'day', SHORT_DAY), at)
  const long = partsOf(dates(language, null, 'long day', LONG_DAY), at)
  const { weekday, day } = long
  return { short: short.weekday, weekday, day, date: shortDay(short), full: longDay(long) }
}

/** The local date of an instant, such as 2026-11-18. */
export const localDate = (at: Date, timezone: string): string =>
  kept(`iso ${timezone}`, () => new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short' })).format(at)

/** Formats a time of day such as 08:30. A list of clinics has hundreds, most of them the same. */
export const formatTime = (time: string, language: Language): string =>
  kept(`${language} ${time}`, () => {
    const [hours = 0, minutes = 0] = time.split(':').map(Number)
    const at = new Date(Date.UTC(2000, 0, 1, hours, minutes))
    return keepTogether(dates(language, null, 'clock', { timeStyle: 'short' }).format(at))
  })

/** For the start of a line: Spanish day names are in lower case. */
export const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export const formatNumber = (value: number, language: Language, digits: number) =>
  kept(
    `number ${language} ${digits}`,
    () => new Intl.NumberFormat(localeOf(language), { maximumFractionDigits: digits }),
  ).format(value)

/** The days of the week, Sunday first. */
export const weekdays = (language: Language): string[] =>
  kept(`weekdays ${language}`, () => {
    const name = dates(language, null, 'weekday', { weekday: 'long' })
    // January 2, 2000 was a Sunday.
    return Array.from({ length: 7 }, (_, day) => name.format(new Date(Date.UTC(2000, 0, 2 + day))))
  })

/** Formats a list such as `2, 4 and 6`. */
export const formatList = (items: readonly (string | number)[], language: Language) =>
  kept(`list ${language}`, () => new Intl.ListFormat(localeOf(language))).format(items.map(String))

export const countryName = (code: string, language: Language) =>
  kept(`countries ${language}`, () => new Intl.DisplayNames(localeOf(language), { type: 'region' })).of(code) ?? code

const localeOf = (language: Language): string => languageFile(language).formats.locale

const SPACE = '\u00a0'
const SHORT_DAY = { weekday: 'short', month: 'short', day: 'numeric' } as const
const LONG_DAY = { weekday: 'long', month: 'long', day: 'numeric' } as const

/** A time of day; on the hour without minutes: `5 PM`. */
export function timeOfDay(at: Date, language: Language, timezone: string | null): string {
  const format = dates(language, timezone, 'time', { hour: 'numeric', minute: '2-digit' })
  return keepTogether(languageFile(language).formats.time(partsOf(format, at)))
}

/** Keeps AM and PM of a time on its line, and spaces Spanish ones (`5 p. m.`). */
const keepTogether = (text: string) =>
  text.replaceAll(/(?<=\d)\s(?=[ap])/gi, SPACE).replaceAll(/([ap])\.\s?m\./g, `$1.${SPACE}m.`)

const partsOf = (format: Intl.DateTimeFormat, at: Date) =>
  Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, value])) as Record<
    Intl.DateTimeFormatPartTypes,
    string
  >

const dates = (
  language: Language,
  timezone: string | null,
  name: string,
  options: Intl.DateTimeFormatOptions,
): Intl.DateTimeFormat =>
  kept(
    `${name} ${language} ${timezone ?? 'UTC'}`,
    () => new Intl.DateTimeFormat(localeOf(language), { ...options, timeZone: timezone ?? 'UTC' }),
  )

/** Formats by name. Creating one takes longer than formatting a whole page; there are a few for each time zone. */
const formats = new Map<string, unknown>()

function kept<T>(name: string, create: () => T): T {
  const known = formats.get(name) as T | undefined
  if (known !== undefined) return known
  const created = create()
  formats.set(name, created)
  return created
}
