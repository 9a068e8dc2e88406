import { withPeriod } from '@order-testing/pages'
import type { PersonKind } from '../domain/notifications/plan.ts'
import type { Recipient } from '../domain/orders/order.ts'

/** Everything a notification may mention, formatted for its language. Texts get nothing else, so nothing else can leak. */
export interface NotificationFacts {
  code: string
  company: string
  /** The participant's first name, for the requester; the order code if the name has nothing to show. */
  participant: string
  /** When the order expires, with a preposition after a space; empty if it does not expire. */
  by: string
  /** The same as a request to act, without the space; “soon” if it does not expire. */
  soonOrBy: string
  appointment: string | null
  /** Whether the appointment is on the day on which this is sent, or on the next; null if on neither. */
  day: 'today' | 'tomorrow' | null
  clinic: { name: string; address: string; phone: string | null } | null
  /** Whether the participant chooses the clinic. */
  choosesClinic: boolean
  isBooked: boolean
  /** Whether a clinic still has to be booked. */
  needsBooking: boolean
  /** Whether the page asks for details before it shows the pass. */
  isUnfinished: boolean
}

export type Button = 'book' | 'fillIn' | 'openPass' | 'seeNext' | 'chooseClinic'

export interface NotificationTexts {
  /** The name may be empty. */
  hello: (name: string) => string
  orderCode: Record<Recipient, (code: string) => string>
  footer: (company: string) => string
  by: (when: string) => string
  soon: string
  buttons: Record<Button, string>
  /** The lines may lack their last period. */
  kinds: Record<PersonKind, (facts: NotificationFacts) => [subject: string, ...lines: string[]]>
}

/** What a language needs to say where and when a participant is booked. */
interface BookingPhrases {
  appointment: (when: string, clinic: string) => string
  walkIn: (clinic: string, by: string) => string
  anyClinic: string
  phone: (phone: string) => string
  bring: (company: string) => string
}

/** The booking, the clinic's address and phone if known, and what to bring. */
export const bookingLines = (phrases: BookingPhrases) => (facts: NotificationFacts, opening: string) => {
  const { appointment, clinic, company, by } = facts
  const name = clinic?.name ?? phrases.anyClinic
  const booking = appointment === null ? phrases.walkIn(name, by) : phrases.appointment(appointment, name)
  const contact = [clinic?.address, clinic?.phone && phrases.phone(clinic.phone)].flatMap((part) =>
    part ? [withPeriod(part)] : [],
  )
  return [opening + booking, ...(contact.length > 0 ? [contact.join(' ')] : []), phrases.bring(company)]
}
