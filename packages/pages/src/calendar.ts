import { textsIn } from './texts.ts'
import type { ClinicView, Language } from './views.ts'

export interface CalendarEntry {
  /** The same for every version of the appointment, so that a calendar replaces it. */
  id: string
  code: string
  clinic: Pick<ClinicView, 'name' | 'address' | 'phone'>
  /** Whether the clinic takes nobody any more. */
  isClinicOff: boolean
  appointmentAt: Date
  updatedAt: Date
}

const LASTS_MS = 30 * 60_000

/** The appointment as a calendar file (RFC 5545). Like a message, it says nothing of what is tested. */
export function calendarOf(entry: CalendarEntry, language: Language): string {
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
    `UID:${escaped(id)}`,
    `SEQUENCE:${Math.floor(updatedAt.getTime() / 1000) % 2 ** 31}`,
    `DTSTAMP:${stamp(updatedAt)}`,
    `DTSTART:${stamp(appointmentAt)}`,
    `DTEND:${stamp(new Date(appointmentAt.getTime() + LASTS_MS))}`,
    `SUMMARY:${escaped(texts.calendarTitle(clinic.name))}`,
    `LOCATION:${escaped([clinic.name, ...clinic.address].join(', '))}`,
    `DESCRIPTION:${escaped(description.filter((line) => line !== '').join('\n'))}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

const stamp = (at: Date) => at.toISOString().replaceAll(/[-:]|\.\d+/g, '')

const escaped = (text: string) => text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll(/\r\n|\r|\n/g, String.raw`\n`)

const MOST_OCTETS = 74

/** Lines have at most 75 octets; a letter is never cut in two. */
function folded(line: string): string {
  const parts = ['']
  for (const letter of line) {
    if (Buffer.byteLength(parts.at(-1)! + letter) > MOST_OCTETS) parts.push('')
    parts[parts.length - 1] += letter
  }
  return parts.join('\r\n ')
}
