/** The fields of the details form. */
export const DETAILS = [
  'line1',
  'line2',
  'city',
  'state',
  'postalCode',
  'country',
  'email',
  'phone',
  'birthMonth',
  'birthDay',
  'birthYear',
  'birthDate',
  'identifierType',
  'identifierValue',
  'identifierState',
  'consent',
  'signature',
] as const
export type Detail = (typeof DETAILS)[number]

/** The fields of a booking. */
export const BOOKING = ['place', 'clinic', 'way', 'date', 'time'] as const
export type BookingField = (typeof BOOKING)[number]

export type Field = Detail | BookingField

/** What is wrong with a field. The texts of each language have a message for it. */
export type Fault =
  | 'missing'
  | 'wrong'
  | 'tooLong'
  | 'digits'
  | 'noSuchDay'
  | 'future'
  | 'past'
  | 'tooLate'
  | 'tooFar'
  | 'closed'
  | 'step'

/** A note at the top of a page about what just happened. */
export type Note = 'lost' | 'cookies' | 'overtaken' | 'cancelled' | 'elsewhere'

/** The participant, or the requester who chooses a clinic for them. */
export type Reader = 'participant' | 'requester'

export type Notice =
  | 'wrongLink'
  | 'expiredLink'
  | 'newLink'
  | 'cancelled'
  | 'expired'
  | 'missed'
  | 'waiting'
  | 'withdrawn'
  | 'finished'
  | 'tooMany'
  | 'tooLarge'
  | 'unreadable'
  | 'broken'

/** What is done at the clinic. The texts of each language say what to bring and to expect. */
export type VisitKind =
  | 'urine'
  | 'oralFluid'
  | 'hair'
  | 'breath'
  | 'blood'
  | 'dotPhysical'
  | 'physical'
  | 'audiogram'
  | 'respiratorFit'
  | 'pulmonaryFunction'
  | 'vaccination'
  | 'tuberculosis'
  | 'vision'
  | 'otherSample'
  | 'otherExam'
