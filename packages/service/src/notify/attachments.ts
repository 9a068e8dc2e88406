import {
  calendarFile,
  calendarFileName,
  calendarMethod,
  type Brand,
  type NotificationFacts,
} from '@order-testing/pages'
import { isForBooked, recipientOf, type PersonKind } from '../domain/notifications/plan.ts'
import type { FactsInput } from './facts.ts'
import { addressLines } from './rows.ts'

export interface Attachment {
  filename: string
  contentType: string
  /** In Base64. */
  content: string
  /** The name by which the mail's page shows it. */
  cid?: string
}

interface CalendarInput extends FactsInput {
  brand: Brand
  action: { link: string } | null
  facts: NotificationFacts
  goneAt?: Date | null
}

/** The appointment for the recipient's calendar: added, replaced, or removed. None without a time. */
export function attachmentsOf(kind: PersonKind, input: CalendarInput): Attachment[] {
  const { order, now, language, brand, action, facts, goneAt = null } = input
  const clinic = isForBooked(kind, order) ? order.clinic : null
  const appointmentAt = clinic ? order.appointmentAt : goneAt
  if (!appointmentAt) return []
  const contact = brand.contacts.find(({ email }) => email !== null)
  const entry = {
    id: order.id,
    code: order.code,
    clinic: clinic && { name: clinic.name, address: addressLines(clinic), phone: clinic.phone },
    isClinicOff: false,
    appointmentAt,
    isArrival: order.isArrival ?? false,
    updatedAt: now,
    link: action?.link,
    person: recipientOf(kind) === 'requester' ? facts.participant : undefined,
    organizer: contact ? { name: contact.name, email: contact.email! } : null,
  }
  const content = Buffer.from(calendarFile(entry, language)).toString('base64')
  const contentType = `text/calendar; charset=utf-8; method=${calendarMethod(entry)}`
  return [{ filename: calendarFileName(entry), contentType, content }]
}

/** Mail clients show neither data URLs, nor SVG and WebP everywhere: a PNG or JPEG travels with the mail. */
const ATTACHABLE = /^data:(image\/(png|jpeg));base64,(.+)$/

/** The address of the logo in a mail; null if it has none that mail clients show. */
export function logoOf(logo: string | null): { source: string | null; attachments: Attachment[] } {
  const [, contentType, type, content] = ATTACHABLE.exec(logo ?? '') ?? []
  if (contentType && content)
    return {
      source: `cid:${LOGO}`,
      attachments: [{ filename: `logo.${type}`, contentType, content, cid: LOGO }],
    }
  return { source: logo?.startsWith('https:') ? logo : null, attachments: [] }
}

const LOGO = 'logo@order-testing'
