import type { MessageKind } from '../domain/notifications/plan.ts'
import type { Recipient } from '../domain/orders/order.ts'

/** All that a letter may tell, in words of its language: who asks, by when and where. There is nothing else to let slip. */
export interface Told {
  code: string
  company: string
  /** By the first name, for who has ordered it; by the order code where the name shows nothing. */
  participant: string
  /** When the order ends. */
  until: string | null
  appointment: string | null
  clinic: { name: string; address: string; phone: string | null } | null
  /** Whether the participant has a say in where to go. */
  choosesClinic: boolean
  isBooked: boolean
  /** Whether the page asks for something before it shows the pass. */
  isUnfinished: boolean
}

export interface Words {
  subject: string
  lines: string[]
  button: string
}

export type Say = (told: Told) => Words

export interface LetterTexts {
  /** The name may be empty. */
  hello: (name: string) => string
  orderCode: Record<Recipient, (code: string) => string>
  /** Why there is nobody to answer. */
  footer: (company: string) => string
  says: Record<MessageKind, Say>
}
