/** Days as the address and the API write them: `2026-11-16`. */
export interface Period {
  from: string
  to: string
}

export const PRESETS = [7, 14, 30, 90] as const
const DEFAULT_DAYS = 14
const MOST_DAYS = 366
const DAY_MS = 86_400_000

interface Chosen {
  days?: string
  from?: string
  to?: string
}

/** Chosen days win over a number of days that end today. */
export function periodOf({ days, from, to }: Chosen, now: Date): Period {
  if (isDay(from) && isDay(to)) return { from, to }
  const count = Math.min(MOST_DAYS, Math.max(1, Math.trunc(Number(days)) || DEFAULT_DAYS))
  const today = localDay(now)
  return { from: moved(today, 1 - count), to: today }
}

/** The same number of days before. */
export function before(period: Period): Period {
  const count = lengthOf(period)
  return { from: moved(period.from, -count), to: moved(period.from, -1) }
}

export const lengthOf = ({ from, to }: Period) => Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS) + 1

/** Noon, so that a day stays the same day in the zone of the browser. */
export const noonOf = (day: string) => new Date(`${day}T12:00:00`)

const isDay = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text))

const moved = (day: string, days: number) => new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10)

const localDay = (at: Date) =>
  [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, '0')).join('-')
