import { RADIUS_MILES, type Problem } from '@order-testing/contract'
import type { LocationFacts, PackageFacts } from '../../domain/orders/references.ts'
import { inPersonServiceIds, refusalForClinic, type ClinicOutcome } from '../../domain/orders/scheduling.ts'
import type { OrderClinic } from '../../domain/orders/order.ts'
import type { Point } from '../../domain/places/postal-places.ts'
import type { EligibleClinic } from '../../store/orders/facts.ts'
import type { Context } from '../operation.ts'

/** The clinic that a `schedule` order books, or why there is none. */
export async function chooseClinic(want: Wanted, context: Context): Promise<OrderClinic | Problem> {
  const { near } = want
  const chosen = await (near ? closest({ ...want, near }, context) : configured(want, context))
  if (typeof chosen === 'string') return refusalForClinic(chosen)
  const { id, name, phone, address } = chosen
  return { id, name, phone, address }
}

/** What decides on a clinic. */
export interface Wanted {
  /** Where the participant is; undefined where the clinic is the configured one. */
  near: Point | undefined
  location: LocationFacts
  package: PackageFacts
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
  { location, package: pkg, near }: Wanted & { near: Point },
  { caller, store }: Context,
): Promise<EligibleClinic | ClinicOutcome> {
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
