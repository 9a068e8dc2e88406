import type { Language } from './languages/index.ts'
import type { Fault, Field, Note, Notice, Reader } from './text-keys.ts'

export type { Language } from './languages/index.ts'
export type { BookingField, Detail, Fault, Field, Note, Notice, Reader } from './text-keys.ts'

/** Values exactly as entered. */
export type Values = { readonly [name in Field]?: string | undefined }

export interface FieldError {
  field: Field
  fault: Fault
  /** With `digits`: how many were entered. */
  count?: number | undefined
}

/** Query or form fields by name. */
export type Fields = { readonly [name: string]: string | undefined }

/** The request that a page answers. */
export interface Frame {
  language: Language
  /** Whether the language was chosen explicitly, and so stays in URLs. */
  isChosen: boolean
  path: string
  /** The query, to link to the same page in another language. */
  asked?: Fields | undefined
  /** The form data, if the page answers a POST. */
  posted?: Record<string, string> | undefined
}

/** Who asks, as the catalog presents them. */
export interface Brand {
  tenant: string
  company: string
  /** A data URL or an https URL. */
  logo: string | null
  accent: string | null
  privacyUrl: string | null
  /** How soon questions are answered, such as `4 business hours`. */
  answerTime?: string | null
  /** Whom to ask, the company first. */
  contacts: Contact[]
}

export interface Contact {
  name: string
  phone: string | null
  email: string | null
}

/** A test of the order. */
export interface ServiceView {
  name: string
  /** The name in other languages, as far as the catalog has it. */
  names: { readonly [language: string]: string | undefined }
  /** Such as `urine`. */
  type: string
  /** Such as `drug`. */
  category?: string | undefined
}

/** How far a test has come. `complete` is the same for every outcome. */
export type ServiceStage = 'toDo' | 'checkedIn' | 'collected' | 'running' | 'complete' | 'notDone'

/** What has happened since the booking, and what comes next. It has no results and no findings. */
export interface LifeView {
  stage: 'partly' | 'checkedIn' | 'collected' | 'complete'
  bookedAt: Date | null
  checkedInAt: Date | null
  collectedAt: Date | null
  completeAt: Date | null
  hasSample: boolean
  goesToLaboratory: boolean
  /** Whether a medical reviewer may call. */
  isReviewed: boolean
  /** In the order of `services`. */
  stages: ServiceStage[]
  reviewer: Contact | null
  /** The employer's representative for questions about the test. */
  representative: Contact | null
}

/** What every page of an order may show. */
export interface OrderView {
  reader: Reader
  brand: Brand
  code: string
  company: string
  name: string
  firstName: string
  services: ServiceView[]
  isForNewJob: boolean
  expiresAt: Date | null
  /** The zone of the deadline until a clinic is chosen; null if unknown. */
  timezone: string | null
  /** Whether a requester has other open orders. */
  hasOthers?: boolean | undefined
}

/** Opening hours by day, Sunday first, as local times such as ['08:00', '17:00']. */
export type WeekHours = readonly (readonly (readonly [string, string])[])[]

/** A position relative to the place searched, in miles along the ground. */
export interface Spot {
  east: number
  north: number
}

export interface NamedLines {
  name: string
  lines: Spot[][]
}

/** The content of a map centered on the place searched. */
export interface MapView {
  /** Half the width and half the height of the map. */
  reach: Spot
  states: Spot[][]
  counties: Spot[][]
  /** Land of other countries, below their lakes, below the states. */
  abroad: Spot[][]
  lakes: NamedLines[]
  highways: NamedLines[]
  /** Most important first; those without room are left out. */
  towns: (Spot & { name: string })[]
}

export interface ClinicView {
  id: string
  name: string
  address: string[]
  phone: string | null
  miles: number | null
  at: Spot | null
  hours: WeekHours | null
  /** IANA zone; appointments need one. */
  timezone: string | null
}

export interface PassView extends OrderView {
  clinic: ClinicView | null
  appointmentAt: Date | null
  /** Whether the time is a planned arrival: the clinic takes walk-ins only and reserves nothing. */
  isArrival: boolean
  /** Whether the booking can still be changed. */
  isOpen: boolean
  /** Whether the clinic can change too, or only the time. */
  choosesClinic: boolean
  isCancellable: boolean
  /** Names the booking that a form cancels. */
  booking?: string | undefined
  /** Whether the booked clinic is no longer active. */
  isClinicOff: boolean
  /** Absent until the participant has checked in. */
  life?: LifeView | undefined
  /** The wallets that can take the pass. */
  wallets?: readonly ('apple' | 'google')[] | undefined
  /** Where messages about the booking go, masked. */
  sentTo?: string | undefined
  note?: Note | undefined
}

/** The question on a device that is not known yet. */
export interface IdentityView {
  brand: Brand
  firstName: string
  asks: 'birthDate' | 'lastName'
  fault: 'incomplete' | 'mismatch' | null
  /** After too many wrong answers: until when none is looked at. */
  lockedUntil: Date | null
  /** The zone of that time. */
  timezone: string
  /** The step that was asked for, to go on with. */
  step?: string | undefined
}

/** What collectors need (49 CFR 40.14). Null is left blank, to be filled in by hand. */
export interface CollectorView {
  /** The type and last digits of an identifier. */
  identifier: { type: string; digits: string } | null
  employer: Office
  representative: Office | null
  administrator: Office
  reviewer: Office | null
  laboratories: string[]
  agency: string | null
  reason: string
  isObserved: boolean
  /** Whether a test is federally regulated. */
  isRegulated: boolean
}

export interface Office {
  name: string
  address: string[]
  phone: string | null
}

/** The open orders of a requester, those that need a clinic first. */
export interface RequestsView {
  brand: Brand
  orders: RequestView[]
  /** How many there are; more than `orders` if the list was cut. */
  count: number
}

export interface RequestView {
  code: string
  name: string
  company: string
  clinic: string | null
  appointmentAt: Date | null
  isArrival: boolean
  expiresAt: Date | null
  /** In which its times are shown. */
  timezone: string | null
}

/** What a notice may say about the order; nothing if the link is unknown or has expired. */
export interface NoticeView {
  notice: Notice
  reader?: Reader | undefined
  about?: (Pick<OrderView, 'brand' | 'expiresAt' | 'timezone' | 'hasOthers'> & { endedAt?: Date | null }) | undefined
}
