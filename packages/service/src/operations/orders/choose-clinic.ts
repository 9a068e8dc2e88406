import { RADIUS_MILES, type Problem } from '@order-testing/contract'
import type { OrderClinic } from '../../domain/orders/order.ts'
import type { LocationFacts, PackageFacts } from '../../domain/orders/references.ts'
import { inPersonServiceIds, refusalForClinic, type ClinicOutcome } from '../../domain/orders/scheduling.ts'
import type { Point } from '../../domain/places/postal-places.ts'
import type { EligibleClinic } from '../../store/orders/facts.ts'
import type { Context } from '../operation.ts'

export interface ClinicChoice {
  /** Where the participant is; undefined for the configured clinic. */
  near: Point | undefined
  location: LocationFacts
  package: PackageFacts
}

/** The clinic to book for a `schedule` order, or why there is none. */
export async function chooseClinic(choice: ClinicChoice, context: Context): Promise<OrderClinic | Problem> {
  const chosen = await (choice.near ? findNearest(choice, choice.near, context) : findConfigured(choice, context))
  if (typeof chosen === 'string') return refusalForClinic(chosen)
  const { id, name, phone, address } = chosen
  return { id, name, phone, address }
}

async function findConfigured(
  { location, package: pkg }: ClinicChoice,
  { caller, store }: Context,
): Promise<EligibleClinic | ClinicOutcome> {
  const { configuredClinic: id, clinicFeeCap } = location.settings
  if (id === undefined) return 'configuredUnavailable'
  const needs = { serviceIds: inPersonServiceIds(pkg.services), feeCap: clinicFeeCap ?? null }
  const clinic = await store.orderFacts.findConfiguredClinic(caller.tenantId, { id, ...needs })
  return clinic?.withinCap ? clinic : 'configuredUnavailable'
}

async function findNearest(
  { location, package: pkg }: ClinicChoice,
  near: Point,
  { caller, store }: Context,
): Promise<EligibleClinic | ClinicOutcome> {
  const { clinicFeeCap, clinicRadiusMiles } = location.settings
  const clinic = await store.orderFacts.findNearestClinic(caller.tenantId, {
    serviceIds: inPersonServiceIds(pkg.services),
    near,
    radiusMiles: clinicRadiusMiles ?? RADIUS_MILES.default,
    feeCap: clinicFeeCap ?? null,
  })
  if (!clinic) return 'noneInReach'
  return clinic.withinCap ? clinic : 'allAboveCap'
}
