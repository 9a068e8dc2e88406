import type { NotificationKind } from '../domain/notifications/plan.ts'
import type { Recipient } from '../domain/orders/order.ts'

/** Everything a notification may mention, formatted for its language. Texts get nothing else, so nothing else can leak. */
export interface NotificationFacts {
  code: string
  company: string
  /** The participant's first name, for the requester; the order code if the name has nothing to show. */
  participant: string
  /** When the order expires. */
  until: string | null
  appointment: string | null
  clinic: { name: string; address: string; phone: string | null } | null
  /** Whether the participant chooses the clinic. */
  choosesClinic: boolean
  isBooked: boolean
  /** Whether a clinic still has to be booked. */
  needsBooking: boolean
  /** Whether the page asks for details before it shows the pass. */
  isUnfinished: boolean
}

export interface Wording {
  subject: string
  lines: string[]
  button: string
}

export type Compose = (facts: NotificationFacts) => Wording

export interface NotificationTexts {
  /** The name may be empty. */
  hello: (name: string) => string
  orderCode: Record<Recipient, (code: string) => string>
  footer: (company: string) => string
  kinds: Record<NotificationKind, Compose>
}
