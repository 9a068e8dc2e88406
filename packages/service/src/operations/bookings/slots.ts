import type { Schedule } from '../../domain/bookings/schedule.ts'
import { closestFree, hasKnownHours, hasPlace, isSlot, slotsOn, type Slot } from '../../domain/bookings/slots.ts'
import type { Order } from '../../domain/orders/order.ts'
import { dayAfter, localTime } from '../../domain/places/zones.ts'
import type { Transaction } from '../../store/store.ts'

interface Scope {
  tx: Pick<Transaction, 'bookings'>
  tenantId: string
  now: Date
}

/** A time at a clinic that somebody wants to book. */
interface Wanted {
  order: Order
  clinicId: string
  schedule: Schedule
  at: Date
}

/** Why a time cannot be booked: it is none of the clinic's, or all places are taken. */
export type SlotFault = { fault: 'noSlot' } | { fault: 'full'; closest: Slot | null }

/** How far from a full slot others are looked for. */
const DAYS_AROUND = 7
const DAY_MS = 86_400_000

/**
 * Checks that a slot has a place left; null if it has, or if the clinic has no slots. Until the transaction ends, nobody else
 * can take that place: bookings at a clinic wait for each other.
 */
export async function claimSlot(wanted: Wanted, scope: Scope): Promise<SlotFault | null> {
  if (!wanted.schedule.slots) return null
  await scope.tx.bookings.lockClinic(scope.tenantId, wanted.clinicId)
  return findSlotFault(wanted, scope)
}

/** The same without a lock, to show what is wrong. */
export async function findSlotFault(wanted: Wanted, scope: Scope): Promise<SlotFault | null> {
  const { order, clinicId, schedule, at } = wanted
  const { slots: plan } = schedule
  if (!plan || !hasKnownHours(schedule)) return null
  const window = { now: scope.now, expiresAt: order.expiresAt }
  if (!isSlot(at, schedule, plan, window)) return { fault: 'noSlot' }
  const reach = DAYS_AROUND * DAY_MS
  const request = { from: new Date(at.getTime() - reach), until: new Date(at.getTime() + reach), except: order.id }
  const taken = await scope.tx.bookings.takenTimes(scope.tenantId, clinicId, request)
  if (hasPlace(at, plan, taken)) return null
  const { date } = localTime(at, schedule.zone)
  const dates = Array.from({ length: 2 * DAYS_AROUND - 1 }, (_, i) => dayAfter(date, i - DAYS_AROUND + 1))
  const slots = dates.flatMap((each) => slotsOn(each, schedule, plan, window, taken))
  return { fault: 'full', closest: closestFree(at, slots) }
}
