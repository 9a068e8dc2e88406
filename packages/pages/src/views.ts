export const LANGUAGES = ['en', 'es'] as const
export type Language = (typeof LANGUAGES)[number]

/** What a participant may be asked for, by the name of its field. */
export const DETAILS = [
  'line1',
  'line2',
  'city',
  'state',
  'postalCode',
  'country',
  'email',
  'phone',
  'birthDate',
  'identifierType',
  'identifierValue',
  'identifierState',
  'consent',
] as const
export type Detail = (typeof DETAILS)[number]

/** What a booking is made of. */
export const BOOKING = ['place', 'clinic', 'way', 'date', 'time'] as const
export type BookingField = (typeof BOOKING)[number]

export type Field = Detail | BookingField

/** What was typed, as it was typed. */
export type Values = { readonly [name in Field]?: string | undefined }

/** What is wrong with a field, for which there are words in each language. */
export type Fault = 'missing' | 'wrong' | 'tooLong' | 'past' | 'tooLate' | 'tooFar' | 'closed' | 'stateless'

export interface FieldError {
  field: Field
  fault: Fault
}

/** What is sent along in addresses and forms, by name. */
export type Fields = { readonly [name: string]: string | undefined }

/** What a page tells first, of what has become of something before it. */
export type Note = 'lost' | 'overtaken' | 'cancelled'

/** Where a page stands: its language, its address, and what it answers. */
export interface Frame {
  language: Language
  /** Whether the language was asked for, and so is to be kept in addresses. */
  isChosen: boolean
  /** The path of the page. */
  path: string
  /** Which page of it, and what it was asked with, so that the same page can be had in another language. */
  asked?: Fields | undefined
  /** What was posted, where the page answers that. */
  posted?: Record<string, string> | undefined
}

/** Whom a page speaks to: the person tested, or who chooses a clinic for that person. */
export type Reader = 'participant' | 'requester'

/** What every page of an order may tell. */
export interface OrderView {
  reader: Reader
  company: string
  name: string
  services: string[]
  expiresAt: Date | null
}

export interface DetailsView extends OrderView {
  /** What has to be asked: what is on file is neither asked nor shown again. */
  asksBirthDate: boolean
  asksIdentifier: 'no' | 'any' | 'driverLicense'
  hasBackground: boolean
  /** Whether there is a clinic to go to, and still one to choose. */
  visit: 'choose' | 'booked' | 'none'
  values: Values
  errors: FieldError[]
  note?: Note | undefined
}

/** Opening hours by day, Sunday first, as spans of local time such as ['08:00', '17:00']. */
export type WeekHours = readonly (readonly (readonly [string, string])[])[]

/** Where something lies, seen from the place searched: miles along the ground, by the compass. */
export interface Spot {
  east: number
  north: number
}

/** What a map shows around the place searched, which is its middle. */
export interface MapView {
  /** How far it reaches to the sides, and up and down. */
  reach: Spot
  states: Spot[][]
  counties: Spot[][]
  /** The most important first; those without room are left out. */
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
  /** IANA zone; without it no time of day can be agreed on. */
  timezone: string | null
}

export interface ClinicsView {
  order: OrderView
  /** What the list was made by. */
  near: 'address' | 'city' | 'search' | 'nowhere'
  radiusMiles: number
  clinics: ClinicView[]
  map: MapView | null
  isChange: boolean
  /** The details that were entered before, sealed, to be sent along. */
  draft?: string | undefined
  values: Values
  errors: FieldError[]
  note?: Note | undefined
}

export interface TimeView {
  order: OrderView
  clinic: ClinicView
  /** Whether another clinic could be chosen. */
  choosesClinic: boolean
  isChange: boolean
  /** Local dates that can be chosen between. */
  from: string
  until: string
  draft?: string | undefined
  values: Values
  errors: FieldError[]
}

export interface PassView extends OrderView {
  code: string
  clinic: ClinicView | null
  appointmentAt: Date | null
  /** Whether the booking can still be changed. */
  isOpen: boolean
  /** Whether that goes for the clinic too, or for the time alone. */
  choosesClinic: boolean
  isCancellable: boolean
  /** Whether the participant is expected at a clinic that takes nobody any more. */
  isClinicOff: boolean
  note?: Note | undefined
}

export type Notice =
  | 'wrongLink'
  | 'expiredLink'
  | 'cancelled'
  | 'expired'
  | 'missed'
  | 'waiting'
  | 'withdrawn'
  | 'finished'
  | 'tooMany'
  | 'tooLarge'
  | 'broken'
