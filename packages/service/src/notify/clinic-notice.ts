import type { CatalogSettings } from '@order-testing/contract'
import { ENGLISH, formatDateTime, formatPhone, formatShortDateTime } from '@order-testing/pages'
import { servicesToAttend } from '../domain/bookings/bookings.ts'
import { AGENCIES } from '../domain/catalog/agencies.ts'
import type { ClinicKind } from '../domain/notifications/plan.ts'
import type { Order } from '../domain/orders/order.ts'
import { knownZone } from '../domain/places/zone-of.ts'
import type { Content } from './compose.ts'
import { displayName, toOneLine } from './display-name.ts'
import { toGsmText } from '../domain/notifications/gsm-text.ts'
import { PLAIN_MAIL, renderMailPage } from './mail-page.ts'

export interface ClinicNoticeInput {
  order: Order
  /** The time that was booked or cancelled. */
  at: Date
  /** The zone of the clinic. */
  zone: string
  /** The employer's designated representative, whom collectors may have to call. */
  der: CatalogSettings['der']
}

const WORDS = {
  timeBooked: { title: 'Appointment booked', what: (name: string, when: string) => `${name} is booked for ${when}.` },
  timeChanged: {
    title: 'Appointment moved',
    what: (name: string, when: string) => `${name} will now come on ${when}.`,
  },
  timeCancelled: {
    title: 'Appointment canceled',
    what: (name: string, when: string) => `${name} will not come on ${when}. The time is free again.`,
  },
} satisfies Record<ClinicKind, object>

/** Composes what a clinic needs to expect a participant: who, when, which tests and for whom. No identifiers or contacts. */
export function composeClinicNotice(kind: ClinicKind, { order, at, zone, der }: ClinicNoticeInput): Content {
  const { title, what } = WORDS[kind]
  const timezone = knownZone(zone)
  const { firstName, lastName } = order.participant
  const name = [firstName, lastName].map(displayName).filter(Boolean).join(' ') || order.code
  const subject = `${title}: ${formatShortDateTime(at, ENGLISH, timezone)}, order ${order.code}`
  const opening = what(name, formatDateTime(at, ENGLISH, timezone))
  const facts = kind === 'timeCancelled' ? [] : collectorFacts(order, der)
  const paragraphs = [opening, `Order code: ${order.code}`, ...facts]
  const footer =
    'This is an automatic message. Appointments are changed or canceled by the participant or the employer.'
  return {
    language: ENGLISH,
    subject,
    text: `${[...paragraphs, footer].join('\n\n')}\n`,
    html: renderMailPage({
      ...PLAIN_MAIL,
      language: ENGLISH,
      subject,
      title: subject,
      preview: opening,
      lines: paragraphs,
      footer: [footer],
    }),
    short: toGsmText(opening),
    attachments: [],
  }
}

/** What a collector has to know before the collection (49 CFR 40.14), without identifiers. */
function collectorFacts(order: Order, der: CatalogSettings['der']): string[] {
  const { company, location, agencyId, testReason, otherTestReason, observed } = order
  const agency = AGENCIES.find(({ id }) => id === agencyId)
  const tests = servicesToAttend(order).map((service) => toOneLine(service.name, 80))
  const contact = der && [toOneLine(der.name, 80), der.phone && formatPhone(toOneLine(der.phone, 40))]
  return [
    `Tests: ${tests.join(', ')}`,
    `Employer: ${toOneLine(company.name, 80)}, ${toOneLine(location.name, 80)}`,
    `Reason: ${toWords(testReason)}${otherTestReason ? ` (${toOneLine(otherTestReason, 80)})` : ''}`,
    ...(agency ? [`Regulated by ${agency.code} (${agency.regulation})`] : []),
    ...(observed ? ['The collection is directly observed.'] : []),
    ...(contact ? [`Employer contact: ${contact.filter(Boolean).join(', ')}`] : []),
  ]
}

/** `preEmployment` becomes `pre employment`. */
const toWords = (value: string) => value.replaceAll(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase()
