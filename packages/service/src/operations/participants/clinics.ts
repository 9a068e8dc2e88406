import type { CatalogAddress } from '@order-testing/contract'
import type { ClinicView } from '@order-testing/pages'
import { servicesToAttend } from '../../domain/bookings/bookings.ts'
import { readHours } from '../../domain/bookings/clinic-hours.ts'
import type { Order, OrderClinic } from '../../domain/orders/order.ts'
import { mapAround, projectFrom } from '../../domain/places/map-view.ts'
import { isCityAlone, locate, locateLine, milesOf, toPoint, type Point } from '../../domain/places/postal-places.ts'
import type { EligibleClinic } from '../../store/bookings/eligible-clinics.ts'
import type { Transaction } from '../../store/store.ts'
import { findClinicNeeds, toOrderClinic } from '../orders/choose-clinic.ts'

/** Clinics in a list. Searching another place shows others. */
const LISTED = 20

const LONGEST_PLACE = 200

export type Near = 'address' | 'city' | 'search' | 'nowhere'

/** Locates the place searched for, else the participant's home. */
export function locatePlace(place: string, address: CatalogAddress | null): { near: Near; point: Point | null } {
  const searched = place === '' || place.length > LONGEST_PLACE ? null : locateLine(place)
  if (searched) return { near: 'search', point: searched }
  const { postalCode, country, city, state } = address ?? {}
  const home = address && locate({ postalCode, country })
  if (home) return { near: 'address', point: home }
  const town = address && locate({ city, state, country })
  return town ? { near: 'city', point: town } : { near: 'nowhere', point: null }
}

/** Why a place could not be located. */
export const describePlaceFault = (place: string) =>
  place.length <= LONGEST_PLACE && isCityAlone(place) ? 'stateless' : 'wrong'

/** The clinics around a point that the order may be booked at. */
export async function findClinics(point: Point | null, order: Order, scope: Scope) {
  const { radiusMiles, ...needs } = await findClinicNeeds(order, servicesToAttend(order), scope)
  if (!point) return { radiusMiles, clinics: [], map: null }
  const search = { near: point, radiusMiles, limit: LISTED }
  const rows = await scope.tx.bookings.eligibleClinics(scope.tenantId, needs, search)
  const project = projectFrom(point)
  const clinics = rows
    .filter(({ isWithinCap }) => isWithinCap)
    .map((row) => ({ ...present(row), at: row.position && project(toPoint(row.position)) }))
  const spots = clinics.flatMap(({ at }) => at ?? [])
  return { radiusMiles, clinics, map: spots.length > 0 ? mapAround(point, spots) : null }
}

export interface FoundClinic {
  clinic: OrderClinic
  view: ClinicView
  /** Whether the clinic is inactive. */
  isOff: boolean
}

/** The clinic with this id if the order may be booked there, at any distance. */
export async function findEligibleClinic(id: string, order: Order, scope: Scope): Promise<FoundClinic | undefined> {
  const needs = await findClinicNeeds(order, servicesToAttend(order), scope)
  const [row] = await scope.tx.bookings.eligibleClinics(scope.tenantId, needs, { id })
  return row?.isWithinCap ? { clinic: toOrderClinic(row), view: present(row), isOff: false } : undefined
}

/** The clinic of the order, with the name and address it was booked with. */
export async function findOwnClinic({ clinic }: Order, { tx, tenantId }: Scope): Promise<FoundClinic | undefined> {
  if (!clinic) return undefined
  const { hours, timezone, isActive } = (await tx.clinics.findOpening(tenantId, clinic.id)) ?? UNKNOWN
  return { clinic, view: present({ ...clinic, hours, timezone, chord: null }), isOff: !isActive }
}

const UNKNOWN = { hours: null, timezone: null, isActive: false }

/** One tenant within one transaction. */
interface Scope {
  tx: Pick<Transaction, 'bookings' | 'clinics' | 'orderFacts'>
  tenantId: string
}

type ClinicRow = Omit<EligibleClinic, 'position' | 'isWithinCap'>

function present({ id, name, phone, address, hours, timezone, chord }: ClinicRow): ClinicView {
  return {
    id,
    name,
    phone,
    address: address ? linesOf(address) : [],
    miles: chord === null ? null : milesOf(chord),
    at: null,
    hours: readHours(hours),
    timezone,
  }
}

function linesOf({ line1, line2, city, state, postalCode }: CatalogAddress): string[] {
  const town = [city, [state, postalCode].filter((part) => part !== '').join(' ')].filter((part) => part !== '')
  return [line1, line2, town.join(', ')].filter((line) => line !== '')
}
