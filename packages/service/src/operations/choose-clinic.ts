import { RADIUS_MILES, type Problem } from '@order-testing/contract'
import type { LocationFacts, PackageFacts } from '../domain/order-references.ts'
import {
  inPersonServiceIds,
  refusalForClinic,
  type ClinicOutcome,
  type schedulingOf,
} from '../domain/order-scheduling.ts'
import type { OrderClinic } from '../domain/orders.ts'
import { locate, type PlaceName } from '../domain/places.ts'
import type { EligibleClinic } from '../store/order-facts.ts'
import type { Context } from './operation.ts'

/** The clinic that a `schedule` order books; null for the other options, where one is chosen later or never. */
export async function chooseClinic(want: Wanted, context: Context): Promise<OrderClinic | Problem | null> {
  if (want.scheduling.option !== 'schedule') return null
  const chosen = await (want.scheduling.mode === 'configured' ? configured(want, context) : closest(want, context))
  if (typeof chosen === 'string') return refusalForClinic(chosen)
  const { id, name, phone, address } = chosen
  return { id, name, phone, address }
}

/** What decides on a clinic. */
export interface Wanted {
  scheduling: ReturnType<typeof schedulingOf>
  location: LocationFacts
  package: PackageFacts
  address: Pick<PlaceName, 'postalCode' | 'country'> | undefined
}

async function configured(
  { location, package: pkg }: Wanted,
  { caller, store }: Context,
): Promise<EligibleClinic | ClinicOutcome> {
  const { configuredClinic, clinicFeeCap } = location.settings
  if (configuredClinic === undefined) return 'configuredUnavailable'
  const want = { id: configuredClinic, serviceIds: inPersonServiceIds(pkg.services), feeCap: clinicFeeCap ?? null }
  const clinic = await store.orderFacts.configuredClinic(caller.tenantId, want)
  return clinic?.withinCap ? clinic : 'configuredUnavailable'
}

async function closest(
  { location, package: pkg, address }: Wanted,
  { caller, store }: Context,
): Promise<EligibleClinic | ClinicOutcome> {
  // By the postal code alone: a city of that name may be anywhere in it.
  const near = address ? locate({ postalCode: address.postalCode, country: address.country }) : null
  if (!near) return 'unplaced'
  const { clinicFeeCap, clinicRadiusMiles } = location.settings
  const clinic = await store.orderFacts.nearestClinic(caller.tenantId, {
    serviceIds: inPersonServiceIds(pkg.services),
    near,
    radiusMiles: clinicRadiusMiles ?? RADIUS_MILES.default,
    feeCap: clinicFeeCap ?? null,
  })
  if (!clinic) return 'noneInReach'
  return clinic.withinCap ? clinic : 'allAboveCap'
}
