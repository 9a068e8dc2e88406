import type { FieldError, Language, Note, OrderView, Values } from './views.ts'

/** The pages of the form with a participant's details. */
export type DetailsStep = 'you' | 'contact' | 'address'

/** What is asked for together. */
export type DetailsGroup = 'birthDate' | 'identifier' | 'email' | 'phone' | 'address'

/** Whether the participant chooses a clinic, has one booked, or needs none. */
export type ClinicNeed = 'choose' | 'booked' | 'none'

type Region = [code: string, name: string]

export interface DetailsView extends OrderView {
  step: DetailsStep
  /** Tells whether another tab has saved the page since. */
  seen?: string | undefined
  /** Which of the pages to fill in this is; null if it only changes something. */
  part: { at: number; of: number } | null
  isFirst: boolean
  /** The step before; null at the first. */
  back: string | null
  /** Details on file are not asked for again, unless they are to be changed. */
  asks: DetailsGroup[]
  /** The identifier that is asked for. */
  identifier: 'any' | 'driverLicense'
  /** The identifier that was entered, masked. It is never shown again. */
  enteredIdentifier: string | null
  /** The states or provinces of the chosen country; null if it has no list. */
  regions: Region[] | null
  /** The states that issue identifiers. */
  issuers: Region[]
  clinic: ClinicNeed
  values: Values
  errors: FieldError[]
  note?: Note | undefined
}

/** Details to be confirmed; those on file are masked. */
export interface CheckRows {
  /** Null if it is on file. */
  birthDate: string | null
  /** `masked` is null if it is on file: a stranger with the link must not see digits of it. */
  identifier: { type: string; issuer: string | null; masked: string | null } | null
  email: string | null
  phone: { number: string } | { ending: string }
  /** Empty if it is on file. */
  address: string[]
}

/** A text that people agree to, as it is shown and kept. */
export interface AgreementView {
  language: Language
  text: string
  hash: string
  /** Whether it is a placeholder. */
  isSample: boolean
}

/** In each language of the pages. */
export type AgreementByLanguage = Record<Language, AgreementView & { kind: string }>

export interface CheckView extends OrderView {
  rows: CheckRows
  /** Tells whether another tab has changed the details since. */
  seen?: string | undefined
  isFirst: boolean
  back: string | null
  /** The notice or the consent; null if there is only a background check. */
  agreement: AgreementByLanguage | null
  /** Whether a disclosure and an authorization follow. */
  isBackground: boolean
  /** Whom results of regulated tests go to. */
  der: { name: string; phone: string | null } | null
  /** When the participant told us that they do not agree. */
  declinedAt: Date | null
  clinic: ClinicNeed
  errors: FieldError[]
  note?: Note | undefined
}

export interface DisclosureView {
  order: OrderView
  text: AgreementByLanguage
}

export interface AuthorizationView {
  order: OrderView
  text: AgreementByLanguage
  /** The local date of the signature. */
  date: string
  /** Where the copy goes, masked. */
  email: string
  declinedAt: Date | null
  values: Values
  errors: FieldError[]
}

export interface DoneView {
  order: OrderView
  /** Who makes the report. */
  provider: string
  authorizedAt: Date
  /** Whether the check has not ended. */
  isRunning: boolean
}

export interface DeclineView {
  order: OrderView
  what: 'consent' | 'authorization'
  /** When the participant told us; null before. */
  declinedAt: Date | null
}
