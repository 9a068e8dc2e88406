import {
  formatLongMoment,
  formatMoment,
  formatShortDay,
  type Language,
  type NotificationFacts,
  type NotificationTexts,
} from '@order-testing/pages'
import { canChooseClinic, servicesToAttend } from '../domain/bookings/bookings.ts'
import type { Order, Recipient } from '../domain/orders/order.ts'
import { needsDetails } from '../domain/participants/stage.ts'
import { knownZone } from '../domain/places/zone-of.ts'
import { dayAfter, localTime } from '../domain/places/zones.ts'
import { displayName, toOneLine } from './display-name.ts'

export interface FactsInput {
  order: Order
  recipient: Recipient
  language: Language
  texts: NotificationTexts
  /** The zone of all times (ruling 56). UTC is named. */
  zone: string
  now: Date
}

export function factsOf({ order, recipient, language, texts, zone, now }: FactsInput): NotificationFacts {
  const { code, company, participant, clinic, expiresAt, appointmentAt, isBooked } = order
  const timezone = knownZone(zone)
  const by = (when: string) => ` ${texts.by(when)}`
  return {
    name: displayName(order[recipient].firstName),
    code,
    company: toOneLine(company.name, 80),
    participant: displayName(participant.firstName) || code,
    by: expiresAt ? by(formatMoment(expiresAt, language, timezone)) : '',
    deadline: expiresAt && formatMoment(expiresAt, language, timezone),
    // Midnight ends the day before.
    byDay: expiresAt ? ` ${texts.byDay(formatShortDay(new Date(expiresAt.getTime() - 1), language, timezone))}` : '',
    appointment: appointmentAt && formatMoment(appointmentAt, language, timezone),
    isArrival: order.isArrival ?? false,
    day: dayOf(appointmentAt, now, zone),
    clinic: clinic ? toOneLine(clinic.name, 80) : '',
    choosesClinic: canChooseClinic(order, 'participant'),
    isBooked,
    needsBooking: !isBooked && servicesToAttend(order).length > 0,
    isUnfinished: needsDetails(order),
  }
}

/** A time in full, for the table of a mail. */
export const fullTime = (at: Date, { language, zone }: Pick<FactsInput, 'language' | 'zone'>) =>
  formatLongMoment(at, language, knownZone(zone))

/** Whether an appointment is today or tomorrow, in local time. */
function dayOf(appointmentAt: Date | null, now: Date, zone: string): NotificationFacts['day'] {
  const today = localTime(now, zone).date
  const date = appointmentAt && localTime(appointmentAt, zone).date
  if (date === today) return 'today'
  return date === dayAfter(today) ? 'tomorrow' : null
}
