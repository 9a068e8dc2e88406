import { instantIn } from '../domain/places/zones.ts'

const TIME = /^(\d{4})(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:(\d\d)(?:\.(\d{1,9}))?)?)?)?)?)?(?:([+-])(\d\d)(\d\d))?$/

const EARLIEST_YEAR = 1900

/** `YYYY[MM[DD[HH[MM[SS[.S+]]]]]][+/-ZZZZ]` as an instant; in the zone of its sender where it has no offset. Undefined if it is none. */
export function instantOf(text: string, timezone = 'UTC'): string | undefined {
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

/** The day as it was written, wherever it was; undefined if it is none, `''` if it is told less precisely. */
export function dateOf(text: string): string | undefined {
  const written = TIME.exec(text)
  if (!written || instantOf(text) === undefined) return undefined
  const [, year, month, day] = written
  return day === undefined ? '' : `${year}-${month}-${day}`
}

/** As HL7 writes a time. */
export const hl7Time = (at: Date) => `${at.toISOString().replaceAll(/[-:T]/g, '').replace('Z', '')}+0000`
