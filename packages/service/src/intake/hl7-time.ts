import { instantIn } from '../domain/places/zones.ts'

const TIME = /^(\d{4})(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:\.(\d{1,9}))?)?)?)?)?)?(?:([+-])(\d\d)(\d\d))?$/

const EARLIEST_YEAR = 1900

/** Reads `YYYY[MM[DD[HH[MM[SS[.S+]]]]]][+/-ZZZZ]`, without an offset in the sender's zone. Undefined if invalid. */
export function readInstant(text: string, timezone = 'UTC'): string | undefined {
  const parts = TIME.exec(text)
  if (!parts) return undefined
  const [year, month = 1, day = 1, hour = 0, minute = 0, second = 0] = parts
    .slice(1, 7)
    .map((part) => (part === undefined ? undefined : Number(part)))
  const [fraction = '', sign, hours = '0', minutes = '0'] = parts.slice(7)
  const offset = Number(hours) * 60 + Number(minutes)
  const local = Date.UTC(year!, month - 1, day, hour, minute, second, Number(`${fraction}00`.slice(0, 3)))
  const isReal =
    year! >= EARLIEST_YEAR &&
    new Date(local).getUTCMonth() === month - 1 &&
    new Date(local).getUTCDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60 &&
    Number(minutes) < 60 &&
    offset <= 14 * 60
  if (!isReal) return undefined
  if (sign === undefined && timezone !== 'UTC') return instantIn(timezone, local).toISOString()
  return new Date(local - (sign === '-' ? -offset : offset) * 60_000).toISOString()
}

/** Reads the date as written, in any zone. Undefined if invalid, `''` if the day is missing. */
export function readDate(text: string): string | undefined {
  const written = TIME.exec(text)
  if (!written || readInstant(text) === undefined) return undefined
  const [, year, month, day] = written
  return day === undefined ? '' : `${year}-${month}-${day}`
}

export const formatHl7Time = (at: Date) => `${at.toISOString().replaceAll(/[-:T]/g, '').replace('Z', '')}+0000`
