import { textsIn } from './texts.ts'
import type { ClinicView, Language } from './views.ts'

export interface CalendarEntry {
  /** The same for every version of the appointment, so that calendars replace the earlier one. */
  id: string
  code: string
  /** Null if the entry is removed: the booking that had it is gone. */
  clinic: Pick<ClinicView, 'name' | 'address' | 'phone'> | null
  /** Whether the clinic is no longer active. */
  isClinicOff: boolean
  appointmentAt: Date
  /** Whether nothing is reserved for that time. */
  isArrival: boolean
  updatedAt: Date
  /** The reader's page. */
  link?: string | null | undefined
  /** The participant's first name, for the calendar of somebody else. */
  person?: string | undefined
  /** Whom to ask. */
  organizer?: { name: string; email: string } | null | undefined
}

const DURATION_MS = 30 * 60_000
/** The e-mail reminder comes a day before. */
const ALARM = '-PT2H'

/** What a calendar does with the entry: adds or replaces it, or removes it. */
export const calendarMethod = ({ clinic }: Pick<CalendarEntry, 'clinic'>) => (clinic ? 'PUBLISH' : 'CANCEL')

export const calendarFileName = ({ isArrival }: Pick<CalendarEntry, 'isArrival'>) =>
  isArrival ? 'arrival.ics' : 'appointment.ics'

/** The appointment as a calendar file (RFC 5545). Like a notification, it does not mention the tests. */
export function calendarFile(entry: CalendarEntry, language: Language): string {
  const { id, clinic, appointmentAt, updatedAt, organizer } = entry
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Order Testing Service//Participant//EN',
    `METHOD:${calendarMethod(entry)}`,
    'BEGIN:VEVENT',
    `UID:${escapeText(id)}`,
    `SEQUENCE:${Math.floor(updatedAt.getTime() / 1000) % 2 ** 31}`,
    `DTSTAMP:${stamp(updatedAt)}`,
    `DTSTART:${stamp(appointmentAt)}`,
    `DTEND:${stamp(new Date(appointmentAt.getTime() + DURATION_MS))}`,
    `STATUS:${clinic ? 'CONFIRMED' : 'CANCELLED'}`,
    ...(organizer ? [`ORGANIZER;CN="${quotable(organizer.name)}":mailto:${encodeURI(organizer.email)}`] : []),
    ...(clinic ? detailLines({ ...entry, clinic }, language) : cancelledLines(entry, language)),
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${foldLine(line)}\r\n`).join('')
}

type Booked = CalendarEntry & { clinic: NonNullable<CalendarEntry['clinic']> }

function detailLines({ code, clinic, isClinicOff, isArrival, link, person }: Booked, language: Language): string[] {
  const texts = textsIn(language)
  const title = isArrival ? texts.calendarArrival(clinic.name) : texts.calendarTitle(clinic.name)
  const summary = person ? `${person}: ${title}` : title
  const description = [
    isClinicOff ? texts.calendarOff : '',
    isArrival ? texts.arrivalHint : '',
    person ? '' : texts.calendarText(code),
    clinic.phone ? `${texts.telephone}: ${clinic.phone}` : '',
    link ? `${texts.messages.calendarLink}: ${link}` : '',
  ]
  return [
    `SUMMARY:${escapeText(summary)}`,
    `LOCATION:${escapeText([clinic.name, ...clinic.address].join(', '))}`,
    `DESCRIPTION:${escapeText(description.filter((line) => line !== '').join('\n'))}`,
    ...(link ? [`URL:${link}`] : []),
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `TRIGGER:${ALARM}`,
    `DESCRIPTION:${escapeText(summary)}`,
    'END:VALARM',
  ]
}

const cancelledLines = ({ person, isArrival }: CalendarEntry, language: Language) => {
  const { calendarCancelled, arrivalCancelled } = textsIn(language).messages
  const summary = isArrival ? arrivalCancelled : calendarCancelled
  return [`SUMMARY:${escapeText(person ? `${person}: ${summary}` : summary)}`]
}

const stamp = (at: Date) => at.toISOString().replaceAll(/[-:]|\.\d+/g, '')

const escapeText = (text: string) =>
  text.replaceAll(/[\\;,]/g, String.raw`\$&`).replaceAll(/\r\n|\r|\n/g, String.raw`\n`)

/** Parameter values have no escapes. */
const quotable = (text: string) => text.replaceAll(/["\p{Cc}]/gu, ' ')

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
