import { withPeriod } from '@order-testing/pages'
import type { NotificationFacts } from './texts.ts'

/** What a language needs to say where and when a participant is booked. */
export interface BookingPhrases {
  appointment: (when: string, clinic: string) => string
  walkIn: (clinic: string, facts: NotificationFacts) => string
  anyClinic: string
  phone: (phone: string) => string
  bring: (company: string) => string
}

/** The booking, the clinic's address and phone if known, and what to bring. */
export function bookingLines(facts: NotificationFacts, phrases: BookingPhrases, opening: string): string[] {
  const { appointment, clinic, company } = facts
  const name = clinic?.name ?? phrases.anyClinic
  const booking = appointment === null ? phrases.walkIn(name, facts) : phrases.appointment(appointment, name)
  const contact = [clinic?.address, clinic?.phone && phrases.phone(clinic.phone)].flatMap((part) =>
    part ? [withPeriod(part)] : [],
  )
  return [withPeriod(opening + booking), ...(contact.length > 0 ? [contact.join(' ')] : []), phrases.bring(company)]
}
