import { textsIn } from './texts.ts'
import type { ClinicView, Language } from './views.ts'

export interface CalendarEntry {
  /** The same for every version of the appointment, so that calendars replace the earlier one. */
  id: string
  code: string
  clinic: Pick<ClinicView, 'name' | 'address' | 'phone'>
  /** Whether the clinic is no longer active. */
  isClinicOff: boolean
  appointmentAt: Date
  updatedAt: Date
}

const DURATION_MS = 30 * 60_000

/** The appointment as a calendar file (RFC 5545). Like a notification, it does not mention the tests. */
export function calendarFile(entry: CalendarEntry, language: Language): string {
  const { id, code, clinic, isClinicOff, appointmentAt, updatedAt } = entry
  const texts = textsIn(language)
  const description = [
    isClinicOff ? texts.calendarOff : '',
    texts.calendarText(code),
    clinic.phone ? `${texts.telephone}: ${clinic.phone}` : '',
  ]
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Order Testing Service//Participant//EN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${escapeText(id)}`,
    `SEQUENCE:${Math.floor(updatedAt.getTime() / 1000) % 2 ** 31}`,
    `DTSTAMP:${stamp(updatedAt)}`,
    `DTSTART:${stamp(appointmentAt)}`,
    `DTEND:${stamp(new Date(appointmentAt.getTime() + DURATION_MS))}`,
    `SUMMARY:${escapeText(texts.calendarTitle(clinic.name))}`,
    `LOCATION:${escapeText([clinic.name, ...clinic.address].join(', '))}`,
    `DESCRIPTION:${escapeText(description.filter((line) => line !== '').join('\n'))}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${foldLine(line)}\r\n`).join('')
}

const stamp = (at: Date) => at.toISOString().replaceAll(/[-:]|\.\d+/g, '')

const escapeText = (text: string) =>
  text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll(/\r\n|\r|\n/g, String.raw`\n`)

const MAX_OCTETS = 74

/** Folds lines at 75 octets, never within a character. */
function foldLine(line: string): string {
  const parts = ['']
  for (const character of line) {
    if (Buffer.byteLength(parts.at(-1)! + character) > MAX_OCTETS) parts.push('')
    parts[parts.length - 1] += character
  }
  return parts.join('\r\n ')
}
