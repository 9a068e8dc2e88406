const DAY_MS = 86_400_000

/**
 * The instant of a local time in a time zone; the local time is given as if it were UTC. A time skipped in spring moves to
 * the hour after it; of a time repeated in autumn, the first counts.
 */
export function instantIn(timezone: string, asUtc: number): Date {
  const toLocal = localTimeIn(timezone)
  // Clocks may change that day: either the offset of the day before or that of the day after is right.
  const possible = [asUtc - DAY_MS, asUtc + DAY_MS].map((at) => asUtc - (toLocal(at) - at))
  return new Date(possible.find((at) => toLocal(at) === asUtc) ?? possible[0]!)
}

/** The instant of a local date and time such as 2027-03-08 and 09:30; the time may be 24:00. */
export const instantOf = (timezone: string, { date, time }: LocalTime): Date =>
  instantIn(timezone, Date.parse(`${date}T${time}Z`))

export interface LocalTime {
  date: string
  time: string
}

/** Date and time in a time zone. */
export function localTime(at: Date, timezone: string): LocalTime {
  const [date = '', clock = ''] = formatOf(timezone).format(at).split(' ')
  return { date, time: clock.slice(0, 5) }
}

export const dayAfter = (date: string, days = 1): string =>
  new Date(Date.parse(`${date}T00:00Z`) + days * DAY_MS).toISOString().slice(0, 10)

/** The local time of an instant, as if it were UTC. */
function localTimeIn(timezone: string): (at: number) => number {
  const format = formatOf(timezone)
  return (at) => Date.parse(`${format.format(at).replace(' ', 'T')}Z`) + (((at % 1000) + 1000) % 1000)
}

/** Created once for each zone: creating a format takes fifty times as long as using it. */
const formats = new Map<string, Intl.DateTimeFormat>()

/** The Swedish format is almost ISO 8601. */
function formatOf(timezone: string): Intl.DateTimeFormat {
  const known = formats.get(timezone)
  if (known) return known
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'medium' })
  // Zones come from catalogs and tokens, in any spelling of their case.
  if (formats.size < MOST_FORMATS) formats.set(timezone, format)
  return format
}

const MOST_FORMATS = 1_000
