import type { CatalogSettings } from '@order-testing/contract'
import { ENGLISH, formatLongMoment, formatMoment, formatPhone, withPeriod, type Brand } from '@order-testing/pages'
import { servicesToAttend } from '../domain/bookings/bookings.ts'
import { AGENCIES } from '@order-testing/contract/agencies'
import type { ClinicKind } from '../domain/notifications/plan.ts'
import type { Order } from '../domain/orders/order.ts'
import { describeReason } from '../domain/orders/test-reason.ts'
import { knownZone } from '../domain/places/zone-of.ts'
import { plainSpaces, type Content } from './compose.ts'
import { displayName, toOneLine } from './display-name.ts'
import { toGsmText } from '../domain/notifications/gsm-text.ts'
import { PLAIN_MAIL, renderMailPage } from './mail-page.ts'

export interface ClinicNoticeInput {
  order: Order
  /** The time that was booked or cancelled. */
  at: Date
  /** Whether the time is only planned: the clinic reserves none. */
  isArrival: boolean
  /** The zone of the clinic. */
  zone: string
  /** Whom the clinic may ask. */
  brand: Brand
  /** The employer's designated representative, whom collectors may have to call. */
  der: CatalogSettings['der']
}

type Words = Record<ClinicKind, { title: string; what: (name: string, when: string) => string }>

/** Of a time that the clinic reserves. */
const APPOINTMENT: Words = {
  timeBooked: { title: 'Appointment booked', what: (name, when) => `${name} is booked for ${when}.` },
  timeChanged: {
    title: 'Appointment moved',
    what: (name, when) => `${name} will now come on ${when}.`,
  },
  timeCancelled: {
    title: 'Appointment canceled',
    what: (name, when) => `${name} will not come on ${when}. The time is free again.`,
  },
}

/** Of a time at which somebody plans to walk in. */
const ARRIVAL: Words = {
  timeBooked: { title: 'Planned arrival', what: (name, when) => `${name} plans to walk in on ${when}.` },
  timeChanged: { title: 'Planned arrival moved', what: (name, when) => `${name} now plans to walk in on ${when}.` },
  timeCancelled: {
    title: 'Planned arrival canceled',
    what: (name, when) => `${name} no longer plans to walk in on ${when}.`,
  },
}

/** Composes what a clinic needs to expect a participant: who, when, which tests and for whom. No identifiers or contacts. */
export function composeClinicNotice(kind: ClinicKind, input: ClinicNoticeInput): Content {
  const { order, at, isArrival, zone, brand, der } = input
  const { title, what } = (isArrival ? ARRIVAL : APPOINTMENT)[kind]
  const timezone = knownZone(zone)
  const { firstName, lastName } = order.participant
  const name = [firstName, lastName].map(displayName).filter(Boolean).join(' ') || order.code
  const subject = plainSpaces(`${title}: ${formatMoment(at, ENGLISH, timezone)}, order ${order.code}`)
  const opening = what(name, formatLongMoment(at, ENGLISH, timezone))
  const facts = kind === 'timeCancelled' ? [] : collectorFacts(order, der)
  const paragraphs = [opening, `Order code: ${order.code}`, ...facts]
  const footer = [
    `This is an automatic message. ${isArrival ? 'Planned arrivals' : 'Appointments'} are changed or canceled by the participant or the employer.`,
    ...brand.contacts.slice(0, 1).map(contactLine),
  ]
  return {
    language: ENGLISH,
    subject,
    text: `${[...paragraphs, ...footer].join('\n\n')}\n`,
    html: renderMailPage({
      ...PLAIN_MAIL,
      language: ENGLISH,
      subject,
      title: subject,
      preview: opening,
      lines: paragraphs,
      footer,
    }),
    short: toGsmText(opening),
    attachments: [],
  }
}

/** What a collector has to know before the collection (49 CFR 40.14), without identifiers. */
function collectorFacts(order: Order, der: CatalogSettings['der']): string[] {
  const { company, location, agencyId, observed } = order
  const agency = AGENCIES.find(({ id }) => id === agencyId)
  const tests = servicesToAttend(order).map((service) => toOneLine(service.name, 80))
  const contact = der && [toOneLine(der.name, 80), der.phone && formatPhone(toOneLine(der.phone, 40))]
  return [
    `Tests: ${tests.join(', ')}`,
    `Employer: ${toOneLine(company.name, 80)}, ${toOneLine(location.name, 80)}`,
    `Reason: ${toOneLine(describeReason(order), 160)}`,
    ...(agency ? [`Regulated by ${agency.code} (${agency.regulation})`] : []),
    ...(observed ? ['The collection is directly observed.'] : []),
    ...(contact ? [`Employer contact: ${contact.filter(Boolean).join(', ')}`] : []),
  ]
}

function contactLine({ name, phone, email }: Brand['contacts'][number]): string {
  const ways = [phone && formatPhone(toOneLine(phone, 40)), email && toOneLine(email, 80)].filter(Boolean)
  return withPeriod(`Questions? Contact ${[toOneLine(name, 80), ...ways].join(', ')}`)
}
