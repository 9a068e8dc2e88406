import { RADIUS_MILES, type CatalogAddress } from '@order-testing/contract'
import type { ClinicView, MapView } from '@order-testing/pages'
import { readHours } from '../../domain/bookings/clinic-hours.ts'
import { mergeSettings } from '../../domain/orders/settings.ts'
import { visitsOf } from '../../domain/participants/stage.ts'
import type { Order, OrderClinic } from '../../domain/orders/order.ts'
import { isCityAlone, locate, locateLine, milesOf, toPoint, type Point } from '../../domain/places/postal-places.ts'
import { mapAround, projectFrom } from '../../domain/places/map-view.ts'
import type { OfferedClinic } from '../../store/orders/facts.ts'
import type { Transaction } from '../../store/store.ts'

/** Clinics shown at once: who wants others says where. */
const SHOWN = 20

/** No place has a longer name. */
const LONGEST_PLACE = 200

export type Near = 'address' | 'city' | 'search' | 'nowhere'

/** Where a participant looks for clinics: at a place that was asked for, else at home. */
export function placeOf(asked: string, address: CatalogAddress | null): { near: Near; point: Point | null } {
  const searched = asked === '' || asked.length > LONGEST_PLACE ? null : locateLine(asked)
  if (searched) return { near: 'search', point: searched }
  const { postalCode, country, city, state } = address ?? {}
  const home = address && locate({ postalCode, country })
  if (home) return { near: 'address', point: home }
  const town = address && locate({ city, state, country })
  return town ? { near: 'city', point: town } : { near: 'nowhere', point: null }
}

/** What is wrong with a place that could not be found. */
export const faultOfPlace = (asked: string) =>
  asked.length <= LONGEST_PLACE && isCityAlone(asked) ? 'stateless' : 'wrong'

export interface Offer {
  radiusMiles: number
  clinics: ClinicView[]
  map: MapView | null
}

/** The clinics that the order may go to, as those that it could have been created with. */
export async function offerNear(point: Point | null, order: Order, where: Where): Promise<Offer> {
  const { radiusMiles, ...needs } = await needsOf(order, where)
  if (!point) return { radiusMiles, clinics: [], map: null }
  const rows = await where.tx.orderFacts.offeredClinics(where.tenantId, { ...needs, near: point, radiusMiles }, SHOWN)
  const project = projectFrom(point)
  const clinics = rows.map((row) => ({ ...present(row), at: row.position && project(toPoint(row.position)) }))
  const spots = clinics.flatMap(({ at }) => at ?? [])
  return { radiusMiles, clinics, map: spots.length > 0 ? mapAround(point, spots) : null }
}

/** A clinic that was chosen, if the order may still go there. */
export async function offerOf(
  id: string,
  order: Order,
  where: Where,
): Promise<{ clinic: OrderClinic; view: ClinicView } | undefined> {
  const { radiusMiles: _, ...needs } = await needsOf(order, where)
  const row = await where.tx.orderFacts.offeredClinic(where.tenantId, id, needs)
  if (!row) return undefined
  const { name, phone, address } = row
  return { clinic: { id: row.id, name, phone, address }, view: present(row) }
}

/** The clinic that an order goes to, and whether it takes nobody any more. */
export interface OwnClinic {
  clinic: OrderClinic
  view: ClinicView
  isOff: boolean
}

/** Its name and address are those that it was booked with. */
export async function ownClinicOf({ clinic }: Order, { tx, tenantId }: Where): Promise<OwnClinic | undefined> {
  if (!clinic) return undefined
  const { hours, timezone, isActive } = (await tx.clinics.openingOf(tenantId, clinic.id)) ?? UNKNOWN
  return { clinic, view: present({ ...clinic, hours, timezone, chord: null, position: null }), isOff: !isActive }
}

const UNKNOWN = { hours: null, timezone: null, isActive: false }

/** The tenant's data as one transaction sees them. */
export interface Where {
  tx: Pick<Transaction, 'orderFacts' | 'clinics'>
  tenantId: string
}

/** What the settings of an order's location ask of its clinic. */
export async function needsOf(order: Order, { tx, tenantId }: Where) {
  const at = { companyId: order.company.id, locationId: order.location.id }
  const set = await tx.orderFacts.settingsOf(tenantId, at)
  const { clinicFeeCap = null, clinicRadiusMiles = RADIUS_MILES.default } = mergeSettings(
    set?.company ?? {},
    set?.location ?? {},
  )
  return {
    serviceIds: visitsOf(order).map(({ serviceId }) => serviceId),
    feeCap: clinicFeeCap,
    radiusMiles: clinicRadiusMiles,
  }
}

function present({ id, name, phone, address, hours, timezone, chord }: OfferedClinic): ClinicView {
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
