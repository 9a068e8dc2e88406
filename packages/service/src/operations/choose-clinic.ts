import { RADIUS_MILES, type CreateOrder } from '@order-testing/contract'
import type { ResolvedOrder } from '../domain/create-order.ts'
import { inPersonServiceIds, refusalForClinic, type ClinicOutcome } from '../domain/order-scheduling.ts'
import type { OrderClinic } from '../domain/orders.ts'
import { locate } from '../domain/places.ts'
import { Refusal } from '../domain/refusal.ts'
import type { EligibleClinic } from '../store/order-facts.ts'
import type { Context } from './operation.ts'

/** The clinic that a `schedule` order books; null for the other options, where one is chosen later or never. */
export async function chooseClinic(
  request: CreateOrder,
  resolved: ResolvedOrder,
  context: Context,
): Promise<OrderClinic | null> {
  if (resolved.scheduling.option !== 'schedule') return null
  const chosen = await (resolved.scheduling.mode === 'configured'
    ? configured(resolved, context)
    : closest(request, resolved, context))
  if (typeof chosen === 'string') throw new Refusal([refusalForClinic(chosen)])
  const { id, name, phone, address } = chosen
  return { id, name, phone, address }
}

async function configured(
  { location, package: pkg }: ResolvedOrder,
  { caller, store }: Context,
): Promise<EligibleClinic | ClinicOutcome> {
  const { configuredClinic, clinicFeeCap } = location.settings
  if (configuredClinic === undefined) return 'configuredUnavailable'
  const want = { id: configuredClinic, serviceIds: inPersonServiceIds(pkg.services), feeCap: clinicFeeCap ?? null }
  const clinic = await store.orderFacts.configuredClinic(caller.tenantId, want)
  return clinic?.withinCap ? clinic : 'configuredUnavailable'
}

async function closest(
  { participant }: CreateOrder,
  { location, package: pkg }: ResolvedOrder,
  { caller, store }: Context,
): Promise<EligibleClinic | ClinicOutcome> {
  const near = participant.address ? locate(participant.address) : null
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
