/** What participants and requesters are notified of. */
type Subject =
  | 'link'
  | 'linkAgain'
  | 'booking'
  | 'bookingChanged'
  | 'bookingWithdrawn'
  | 'reminder'
  | 'bookingReminder'
  | 'cancellation'
  | 'clinicRequest'
  | 'clinicRequestAgain'
  | 'clinicReminder'
  | 'clinicNotNeeded'
  | 'clinicChosen'
  | 'clinicLinkAgain'

/** Everything a notification may mention, formatted for its language. Texts get nothing else, so nothing else can leak. */
export interface NotificationFacts {
  /** The recipient's first name; empty if it has nothing to show. */
  name: string
  code: string
  company: string
  /** The participant's first name, for others; the order code if the name has nothing to show. */
  participant: string
  /** When the order expires, with a preposition after a space; empty if it does not expire. */
  by: string
  /** The same without a preposition; null if it does not expire. */
  deadline: string | null
  /** The same with the day only, for subjects. */
  byDay: string
  /** The time of the booking with its zone; null if it has none. */
  appointment: string | null
  /** Whether that time is a planned arrival, for which nothing is reserved. */
  isArrival: boolean
  /** Whether the appointment is on the day on which this is sent, or on the next; null if on neither. */
  day: 'today' | 'tomorrow' | null
  /** Empty without a clinic. */
  clinic: string
  /** Whether the participant chooses the clinic. */
  choosesClinic: boolean
  isBooked: boolean
  /** Whether a clinic still has to be booked. */
  needsBooking: boolean
  /** Whether the page asks for details before it shows the pass. */
  isUnfinished: boolean
}

export type Button = 'book' | 'fillIn' | 'openPass' | 'seeNext' | 'chooseClinic' | 'seeBooking'

/** What a notification says, apart from its facts. Lines and `short` may lack their last period. */
export interface Wording {
  subject: string
  title: string
  lines: string[]
  /** The text message, without sender and link. */
  short: string
}

export interface RowLabels {
  when: string
  /** Instead of `when`, if nothing is reserved. */
  arrival: string
  where: string
  goBy: string
  /** Of orders that need details only. */
  finishBy: string
  forWhom: string
  code: string
  bring: string
  cost: string
}

export interface NotificationTexts {
  buttons: Record<Button, string>
  /** Labels the link in a text message. */
  shortButtons: Record<Button, string>
  /** Precedes the link to the page in this language, in notifications in another. */
  alsoHere: string
  /** The name beside the sender's address. */
  sender: (company: string, tenant: string) => string
  /** Who works for the company. */
  withTenant: (tenant: string) => string
  /** Of what is to be done by a time. */
  by: (when: string) => string
  /** Of what is to be done by the end of a day. */
  byDay: (day: string) => string
  rows: RowLabels
  walkIn: string
  photoId: string
  noCost: string
  directions: string
  phone: (phone: string) => string
  buttonFails: string
  plansChanged: (until: string | null) => string
  isThisReal: string
  whoSends: (tenant: string, company: string) => string
  toBeSure: (contact: string, code: string) => string
  questions: (contact: string) => string
  sentBy: (tenant: string, company: string) => string
  keepLink: string
  privacy: string
  /** Introduces a copy, which has no link. */
  copySubject: (subject: string) => string
  copyNote: (participant: string) => string
  /** In the first text message to a number. */
  optOut: string
  kinds: Record<Subject, (facts: NotificationFacts) => Wording>
}
