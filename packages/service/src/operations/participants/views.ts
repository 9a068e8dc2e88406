import type { ClinicsView, ClinicView, PassView, TimeView } from '@order-testing/pages'
import type { OpenState, WalkIn } from '../../domain/bookings/open-state.ts'
import type { Arrival, Days, Slot } from '../../domain/bookings/slots.ts'
import type { Point } from '../../domain/places/postal-places.ts'

/** A clinic with its opening state, for pages that show cards. */
export interface ClinicCard extends ClinicView {
  /** The zone of all times at this clinic. `UTC` means that nothing is known, and must be named. */
  zone: string
  open: OpenState
  walkIns: boolean
  /** Whether times can be booked; if not, a time is only a planned arrival. */
  appointments: boolean
  walkInToday: WalkIn | null
  driveMinutes: number | null
  /** For directions; null if unknown. */
  point: Point | null
  /** False if it opens only after the deadline. */
  isBookable: boolean
}

export const FILTERS = ['openNow', 'walkIns', 'openSaturday'] as const
export type ClinicFilters = Record<(typeof FILTERS)[number], boolean>

export interface ClinicCards extends ClinicsView {
  /** The zone of the deadline. */
  zone: string
  clinics: ClinicCard[]
  filters: ClinicFilters
  /** If no clinic is within the radius: the nearest three beyond it. They can be booked too. */
  nearest: ClinicCard[]
  /** Whether the next Saturday is after the deadline, and the filter is on. */
  isSaturdayTooLate: boolean
}

export interface ClinicTimes extends TimeView {
  /** The zone of all times on the page. */
  zone: string
  clinic: ClinicCard
  /** How a time is chosen: one of the slots, when to walk in, any time, or not at all because the zone is unknown. */
  choice: 'slots' | 'arrival' | 'anyTime' | 'none'
  /** Null if hours or zone are unknown. */
  days: Days | null
  /** The date whose slots or arrivals are shown, one of `days`. */
  day: string | null
  slots: Slot[]
  arrivals: Arrival[]
  /** The slot or arrival to select: the one sent, the booked one, or the closest free one to a slot that was taken. */
  selected: Date | null
  /** The slot that was taken by somebody else meanwhile. */
  taken: { at: Date; closest: Slot | null } | null
}

export interface ZonedPass extends PassView {
  /** The zone of all times on the page, in the file and in the calendar. */
  zone: string
  clinic: ClinicCard | null
}
