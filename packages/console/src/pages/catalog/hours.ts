import type { CatalogClinicOutput } from '@order-testing/client/operator'
import * as times from '../../parts/times.ts'

export const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** `08:00-12:00, 13:00-17:00`; empty if the clinic is closed. */
export const hoursText = (spans: unknown): string =>
  Array.isArray(spans) ? spans.map((span: unknown) => (Array.isArray(span) ? span.join('-') : '')).join(', ') : ''

const SPAN = /^([01]\d|2[0-3]):[0-5]\d-(([01]\d|2[0-3]):[0-5]\d|24:00)$/

/** The spans that a text means: undefined if it is empty, null if it cannot be read. */
export function parseHours(text: string): string[][] | undefined | null {
  const parts = text
    .split(',')
    .map((part) => part.trim().replaceAll(/\s*[-–]\s*/g, '-'))
    .filter((part) => part !== '')
  if (parts.length === 0) return undefined
  const spans = parts.map((part) => part.split('-'))
  return parts.every((part) => SPAN.test(part)) && spans.every(([from, until]) => from! < until!) ? spans : null
}

/** Whether a clinic is open at a time. Hours of another form than ours bind nobody. */
export function isOpenAt({ hours, timezone }: CatalogClinicOutput, at: string): boolean {
  if (typeof hours !== 'object' || hours === null || Array.isArray(hours) || timezone === undefined) return true
  const local = times.toLocal(new Date(at), timezone)
  const weekday = WEEKDAYS[(new Date(`${local.slice(0, 10)}T00:00:00Z`).getUTCDay() + 6) % 7]!
  const spans = (hours as Record<string, unknown>)[weekday]
  const clock = local.slice(11, 16)
  return (
    Array.isArray(spans) &&
    spans.some((span: unknown) => Array.isArray(span) && String(span[0]) <= clock && clock < String(span[1]))
  )
}
