import type { CatalogAddress } from '@order-testing/contract'
import type { BookedView, ClinicCard, ClinicFilters, ClinicsView } from '@order-testing/pages'
import { servicesToAttend } from '../../domain/bookings/bookings.ts'
import { driveMinutes } from '../../domain/bookings/drive-time.ts'
import { openState, opensSaturdays, walkInToday } from '../../domain/bookings/open-state.ts'
import { scheduleOf, type Schedule } from '../../domain/bookings/schedule.ts'
import type { Order, OrderClinic } from '../../domain/orders/order.ts'
import type { Stage } from '../../domain/participants/stage.ts'
import { searchPlace } from '../../domain/places/place-search.ts'
import { locate, milesOf, toPoint, type Point } from '../../domain/places/postal-places.ts'
import type { ClinicNeeds, ClinicSearch, EligibleClinic } from '../../store/bookings/eligible-clinics.ts'
import type { Transaction } from '../../store/store.ts'
import { findClinicNeeds, toOrderClinic } from '../orders/choose-clinic.ts'

/** Clinics in a list. Searching another place shows others. */
const LISTED = 20
/** Clinics that filters are applied to. */
const FILTERED = 100
/** If no clinic is in reach: how many of the nearest are listed, and how far they are looked for, step by step. */
const NEAREST = 3
const WIDER_MILES = [100, 250, 500, 1_500, 12_500]

const LONGEST_PLACE = 200

type Located = Pick<ClinicsView, 'near' | 'found'> & { point: Point | null }

/** Locates the place searched for, else the participant's home. Towns in the home states are meant first. */
export function locatePlace(
  place: string,
  address: CatalogAddress | null,
  homes: readonly (string | undefined)[],
): Located {
  const searched = place === '' || place.length > LONGEST_PLACE ? null : searchPlace(place, homes)
  if (searched) return { near: 'search', point: searched.at, found: searched }
  const { postalCode, country, city, state } = address ?? {}
  const home = address && locate({ postalCode, country })
  if (home) return { near: 'address', point: home, found: null }
  const town = address && locate({ city, state, country })
  return town ? { near: 'city', point: town, found: null } : { near: 'nowhere', point: null, found: null }
}

/** The clinics around a point that the order may be booked at, or the nearest beyond the radius if there are none. */
export async function findClinics(point: Point | null, filters: ClinicFilters, order: Order, scope: Scope) {
  const { radiusMiles, ...needs } = await findClinicNeeds(order, servicesToAttend(order), scope)
  if (!point) return { radiusMiles, clinics: [], nearest: [], map: null }
  const isFiltered = Object.values(filters).some(Boolean)
  const search = (miles: number, limit: number) =>
    findWithinCap(scope, needs, { near: point, radiusMiles: miles, limit })
  const inReach = await search(radiusMiles, isFiltered ? FILTERED : LISTED)
  const beyond = inReach.length > 0 ? [] : await findNearest(radiusMiles, (miles) => search(miles, NEAREST))
  // Loaded at the first use: most requests need no map.
  const { mapAround, projectFrom } = await import('../../domain/places/map-view.ts')
  const project = projectFrom(point)
  const present = (row: EligibleClinic) => {
    const at = row.position && project(toPoint(row.position))
    return { ...presentClinic(toFound(row), order, scope), at }
  }
  const clinics = bookableFirst(inReach.map(present).filter((card) => matchesFilters(card, filters))).slice(0, LISTED)
  const spots = clinics.flatMap(({ at }) => at ?? [])
  const map = spots.length > 0 ? mapAround(point, spots) : null
  return { radiusMiles, clinics, nearest: bookableFirst(beyond.map(present)), map }
}

/** Clinics that open too late come last. */
const bookableFirst = (cards: ClinicCard[]) => cards.toSorted((a, b) => Number(b.isBookable) - Number(a.isBookable))

export interface FoundClinic {
  clinic: OrderClinic
  /** The zone of the catalog. */
  timezone: string | null
  schedule: Schedule
  point: Point | null
  /** Straight-line distance in miles to the place searched. */
  chord: number | null
  /** Whether the clinic is inactive. */
  isOff: boolean
}

/** The clinic with this id if the order may be booked there, at any distance. */
export async function findEligibleClinic(id: string, order: Order, scope: Scope): Promise<FoundClinic | undefined> {
  const needs = await findClinicNeeds(order, servicesToAttend(order), scope)
  const [row] = await findWithinCap(scope, needs, { id })
  return row && toFound(row)
}

/** The clinic of the order, with the name and address it was booked with. */
export async function findOwnClinic({ clinic }: Order, { tx, tenantId }: Scope): Promise<FoundClinic | undefined> {
  if (!clinic) return undefined
  const entry = (await tx.clinics.findEntry(tenantId, clinic.id)) ?? UNKNOWN
  const { lat, long, timezone, isActive } = entry
  const point = lat === null || long === null ? null : { lat, long }
  const address = entry.address ?? clinic.address
  const schedule = scheduleOf({ ...entry, point, address })
  return { clinic, timezone, schedule, point, chord: null, isOff: !isActive }
}

/** The booking that a change replaces; null if there is none. */
export async function presentBooked(session: Scope & { order: Order; stage: Stage }): Promise<BookedView | null> {
  const { order, stage, zone } = session
  const own = stage === 'pass' || stage === 'booking' ? await findOwnClinic(order, session) : undefined
  if (!own) return null
  const { id, name } = own.clinic
  return {
    clinicId: id,
    clinic: name,
    appointmentAt: order.appointmentAt,
    isArrival: order.isArrival ?? false,
    zone: own.schedule.zone ?? zone,
  }
}

const UNKNOWN = {
  hours: null,
  timezone: null,
  walkIns: null,
  slots: null,
  address: null,
  lat: null,
  long: null,
  isActive: false,
}

/** One tenant within one transaction, and the zone for clinics whose own is unknown. */
interface Scope {
  tx: Pick<Transaction, 'bookings' | 'clinics' | 'orderFacts'>
  tenantId: string
  now: Date
  zone: string
}

export function presentClinic(found: FoundClinic, { expiresAt }: Order, { now, zone }: Scope): ClinicCard {
  const { clinic, timezone, schedule, point, chord } = found
  const miles = chord === null ? null : milesOf(chord)
  const open = openState(schedule.hours, schedule.zone, now, expiresAt)
  return {
    id: clinic.id,
    name: clinic.name,
    phone: clinic.phone,
    address: clinic.address ? linesOf(clinic.address) : [],
    miles,
    at: null,
    hours: schedule.hours,
    timezone,
    zone: schedule.zone ?? zone,
    open,
    walkIns: schedule.walkIns,
    appointments: schedule.appointments,
    walkInToday: walkInToday(schedule, { now, expiresAt }),
    driveMinutes: miles === null ? null : driveMinutes(miles),
    point,
    isBookable: open.state !== 'tooLate',
  }
}

function toFound(row: EligibleClinic): FoundClinic {
  const point = row.position && toPoint(row.position)
  const { timezone, chord } = row
  return { clinic: toOrderClinic(row), timezone, schedule: scheduleOf({ ...row, point }), point, chord, isOff: false }
}

const matchesFilters = ({ open, walkIns, hours }: ClinicCard, filters: ClinicFilters) =>
  (!filters.openNow || open.state === 'open') &&
  (!filters.walkIns || walkIns) &&
  (!filters.openSaturday || opensSaturdays(hours))

async function findWithinCap(
  { tx, tenantId }: Scope,
  needs: ClinicNeeds,
  search: ClinicSearch,
): Promise<EligibleClinic[]> {
  const rows = await tx.bookings.eligibleClinics(tenantId, needs, search)
  return rows.filter(({ isWithinCap }) => isWithinCap)
}

/** Looks farther step by step: around a point, an index finds the clinics. */
async function findNearest(
  radiusMiles: number,
  search: (miles: number) => Promise<EligibleClinic[]>,
): Promise<EligibleClinic[]> {
  let found: EligibleClinic[] = []
  for (const miles of WIDER_MILES.filter((each) => each > radiusMiles)) {
    found = await search(miles)
    if (found.length >= NEAREST) break
  }
  return found
}

export const linesOf = (address: CatalogAddress): string[] =>
  [address.line1, address.line2, townLine(address)].filter((line) => line !== '')

/** City, state and postal code in one line. */
export const townLine = ({ city, state, postalCode }: CatalogAddress): string =>
  [city, [state, postalCode].filter((part) => part !== '').join(' ')].filter((part) => part !== '').join(', ')
