import type { ClinicView, FieldError, MapView, Note, OrderView, Values } from './views.ts'

/** The filters of the list of clinics. In addresses, `yes` turns one on. */
export const FILTERS = ['openNow', 'walkIns', 'openSaturday'] as const
export type Filter = (typeof FILTERS)[number]
export type ClinicFilters = Record<Filter, boolean>

/** Whether a clinic is open, and if not, whether it opens before the deadline. */
export type OpenView =
  /** `until` is null if it never closes. */
  | { state: 'open'; until: Date | null }
  | { state: 'opens'; at: Date }
  /** Closed until after the deadline, or for good if `at` is null. */
  | { state: 'tooLate'; at: Date | null }
  | { state: 'unknown' }

/** The rest of today's hours for people without an appointment. */
export interface WalkInView {
  /** Null if the clinic is open now. */
  from: Date | null
  until: Date
  arriveBy: Date
}

/** A clinic with its opening state. */
export interface ClinicCard extends ClinicView {
  /** The zone of all times at this clinic. `UTC` means that nothing is known, and must be named. */
  zone: string
  open: OpenView
  walkIns: boolean
  /** Whether times can be booked; if not, a time is only a planned arrival. */
  appointments: boolean
  walkInToday: WalkInView | null
  driveMinutes: number | null
  /** For directions; null if unknown. */
  point: { lat: number; long: number } | null
  /** False if it opens only after the deadline. */
  isBookable: boolean
}

/** The booking that is being changed. */
export interface BookedView {
  clinicId: string
  clinic: string
  /** Null without an appointment. */
  appointmentAt: Date | null
  /** Whether that time is a planned arrival. */
  isArrival: boolean
  zone: string
}

/** What the pages of a booking have in common. */
interface BookingView {
  order: OrderView
  /** The zone of the deadline, or of all times if a clinic is chosen. */
  zone: string
  /** The booking there is; null before the first. */
  booked: BookedView | null
  /** Whether the reader asked to change the booking. */
  isChange: boolean
  /** Which clinics are listed. */
  filters: ClinicFilters
  /** Whether there are details to go back to. */
  hasDraft: boolean
}

export interface ClinicsView extends BookingView {
  now: Date
  /** Where the search was centered. */
  near: 'address' | 'city' | 'search' | 'nowhere'
  /** The place searched, as it was understood; null if none was. */
  found: { name: string; others: string[] } | null
  radiusMiles: number
  clinics: ClinicCard[]
  /** If no clinic is within the radius: the nearest beyond it. They can be booked too. */
  nearest: ClinicCard[]
  /** Whether the next Saturday is after the deadline, and the filter is on. */
  isSaturdayTooLate: boolean
  /** Whether somebody is looking for a clinic. */
  hasAskedForHelp: boolean
  map: MapView | null
  values: Values
  errors: FieldError[]
  note?: Note | undefined
}

type PartOfDay = 'morning' | 'afternoon' | 'evening'

/** An appointment that can be chosen, or could if it were not full. */
export interface SlotView {
  at: Date
  /** Local time such as 10:30. */
  time: string
  part: PartOfDay
  isFull: boolean
}

/** A local date on which the clinic is open before the deadline. */
export interface DayView {
  date: string
  isToday: boolean
  /** The opening hours of the whole day, as local times. */
  hours: readonly (readonly [string, string])[]
  /** What is left of them. */
  from: Date
  until: Date
  isFull: boolean
}

export interface DaysView {
  days: DayView[]
  /** How many weeks after today the list begins. */
  week: number
  hasEarlier: boolean
  hasLater: boolean
  /** The first open date after the deadline, if the list reaches the deadline. */
  tooLate: string | null
}

/** When somebody plans to walk in. */
export interface ArrivalView {
  part: PartOfDay | 'nextHour'
  from: Date
  until: Date
  arriveBy: Date
}

export interface TimeView extends BookingView {
  clinic: ClinicCard
  /** Whether the reader can choose another clinic. */
  choosesClinic: boolean
  /** The first and last local date on offer. */
  from: string
  until: string
  /** How a time is chosen: one of the slots, when to walk in, any time, or not at all because the zone is unknown. */
  choice: 'slots' | 'arrival' | 'anyTime' | 'none'
  /** Null if hours or zone are unknown. */
  days: DaysView | null
  /** The date whose slots or arrivals are shown, one of `days`. */
  day: string | null
  slots: SlotView[]
  arrivals: ArrivalView[]
  /** The slot or arrival to select: the one sent, or the closest free one to a slot that was taken. */
  selected: Date | null
  /** The slot that was taken by somebody else meanwhile. */
  taken: { at: Date; closest: SlotView | null } | null
  values: Values
  errors: FieldError[]
}

/** A change of a booking, to be confirmed. */
export interface ChangeView {
  order: OrderView
  booked: BookedView
  /** What replaces it. */
  next: Omit<BookedView, 'clinicId'>
  /** Whether the reader asked to change the booking, or chose again after booking. */
  isChange: boolean
  /** The fields that book the new time, which also name the booking that they replace. */
  fields: Record<string, string | undefined>
  /** The fields that lead back to the choice of a time. */
  back: Record<string, string | undefined>
}

/** The page on which somebody asks for help finding a clinic, or reads that the request was sent. */
export interface HelpView {
  order: OrderView
  /** When the open request was sent; null before there is one. */
  sentAt: Date | null
  /** Where the person who asks can be reached, masked. */
  email: string | null
  phone: string | null
  /** Whether they can correct that. */
  canEdit: boolean
  place: string
}
