import { RADIUS_MILES, type Problem } from '@order-testing/contract'
import type { Order, OrderClinic, OrderService } from '../../domain/orders/order.ts'
import type { LocationFacts, PackageFacts } from '../../domain/orders/references.ts'
import { inPersonServiceIds, refusalForClinic } from '../../domain/orders/scheduling.ts'
import { mergeSettings } from '../../domain/orders/settings.ts'
import type { Point } from '../../domain/places/postal-places.ts'
import type { Transaction } from '../../store/store.ts'
import type { Context } from '../operation.ts'

/** The clinic that a new order with the option `schedule` books, or why there is none. Without `near`, the configured clinic. */
export async function chooseClinic(
  { near, location, package: pkg }: { near: Point | undefined; location: LocationFacts; package: PackageFacts },
  { caller, store }: Context,
): Promise<OrderClinic | Problem> {
  const { configuredClinic, clinicFeeCap = null, clinicRadiusMiles = RADIUS_MILES.default } = location.settings
  if (!near && configuredClinic === undefined) return refusalForClinic('configuredUnavailable')
  const needs = { serviceIds: inPersonServiceIds(pkg.services), feeCap: clinicFeeCap }
  const search = near ? { near, radiusMiles: clinicRadiusMiles, limit: 1 } : { id: configuredClinic! }
  const [found] = await store.bookings.eligibleClinics(caller.tenantId, needs, search)
  if (found?.isWithinCap) return toOrderClinic(found)
  return refusalForClinic(near ? (found ? 'allAboveCap' : 'noneInReach') : 'configuredUnavailable')
}

/** What these services and the settings of the order's location require of its clinic. */
export async function findClinicNeeds(
  { company, location }: Order,
  services: readonly OrderService[],
  { tx, tenantId }: { tx: Pick<Transaction, 'orderFacts'>; tenantId: string },
) {
  const settings = await tx.orderFacts.settingsOf(tenantId, { companyId: company.id, locationId: location.id })
  const { clinicFeeCap: feeCap = null, clinicRadiusMiles: radiusMiles = RADIUS_MILES.default } = mergeSettings(
    settings?.company ?? {},
    settings?.location ?? {},
  )
  return { serviceIds: services.map(({ serviceId }) => serviceId), feeCap, radiusMiles }
}

/** The members of a clinic that an order keeps a copy of. */
export const toOrderClinic = ({ id, name, phone, address }: OrderClinic): OrderClinic => ({ id, name, phone, address })
