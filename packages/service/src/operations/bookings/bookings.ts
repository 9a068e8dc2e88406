import type { Input } from '@order-testing/contract'
import type * as contract from '@order-testing/contract/operator'
import { canReadParticipant } from '../../domain/access/caller.ts'
import { book, cancelBooking, servicesToBook } from '../../domain/bookings/bookings.ts'
import { isOpenAt } from '../../domain/bookings/clinic-hours.ts'
import { scheduleOf, type Schedule } from '../../domain/bookings/schedule.ts'
import { lastInitial } from '../../domain/masks.ts'
import { toPoint } from '../../domain/places/postal-places.ts'
import { localTime } from '../../domain/places/zones.ts'
import { refuseChangedSince } from '../../domain/orders/concurrent-change.ts'
import type { Order } from '../../domain/orders/order.ts'
import { refuse } from '../../domain/refusal.ts'
import type { BookingRow } from '../../store/bookings/bookings.ts'
import type { EligibleClinic } from '../../store/bookings/eligible-clinics.ts'
import type { Transaction } from '../../store/store.ts'
import { collectionOf, ok, type Context, type Operation } from '../operation.ts'
import { findClinicNeeds, toOrderClinic } from '../orders/choose-clinic.ts'
import { changeAsOperator } from '../orders/operator-orders.ts'
import { idsOfDay } from './days.ts'
import { claimSlot } from './slots.ts'

export const listBookings: Operation<typeof contract.listBookings> = async ({ query }, { caller, store }) => {
  const { clinicId, isActive, date } = query
  if (date !== undefined) {
    const ids = await idsOfDay({ date, clinicId, isActive }, store, caller.tenantId)
    const from = (query.page - 1) * query.limit
    const rows = await store.bookings.findOpen(caller.tenantId, ids.slice(from, from + query.limit))
    return ok(collectionOf({ rows, total: ids.length }, query, (row) => presentBooking(row, caller)))
  }
  // Sorting all bookings of a tenant would be too slow.
  if (clinicId === undefined && isActive !== false)
    throw refuse('required', 'Send a clinicId, a date, or isActive=false for inactive clinics.', '/clinicId')
  const found = await store.bookings.pageOpen(caller.tenantId, query)
  return ok(collectionOf(found, query, (row) => presentBooking(row, caller)))
}

export const setClinic: Operation<typeof contract.setClinic> = ({ params, body }, context) =>
  bookAsOperator(params.id, body, context)

export type ClinicAssignment = Input<typeof contract.setClinic>['body']

export function bookAsOperator(reference: string, body: ClinicAssignment, context: Context) {
  const details = body.override ? { override: true } : {}
  const audited = { action: 'order.clinic', reason: body.reason, details }
  return changeAsOperator(reference, context, audited, async (order, now, tx) => {
    refuseChangedSince(order, body.basedOn)
    if (body.override && !body.reason?.trim()) throw refuse('required', '`override` requires a reason.', '/reason')
    const clinic = await findClinic(order, body.clinicId, tx, context)
    const appointmentAt = body.appointmentAt ? new Date(body.appointmentAt) : null
    const schedule = scheduleOf({ ...clinic, point: clinic.position && toPoint(clinic.position) })
    const booking = { clinic: toOrderClinic(clinic), appointmentAt, isArrival: !schedule.appointments }
    const booked = book(order, booking, now)
    // Repeating a booking is allowed even if it was once made with `override`.
    if (booked !== order && !body.override)
      await checkAgreed({ order, clinic, schedule, appointmentAt }, { tx, now, caller: context.caller })
    return booked
  })
}

export const clearClinic: Operation<typeof contract.clearClinic> = ({ params }, context) =>
  changeAsOperator(params.id, context, { action: 'order.clinic' }, (order, now) => cancelBooking(order, now))

/** A clinic that offers what is left to collect: `override` cannot make up for one that does not. */
async function findClinic(order: Order, id: string, tx: Transaction, { caller }: Context): Promise<EligibleClinic> {
  const needs = await findClinicNeeds(order, servicesToBook(order), { tx, tenantId: caller.tenantId })
  const [clinic] = await tx.bookings.eligibleClinics(caller.tenantId, needs, { id })
  if (clinic) return clinic
  const detail = (await tx.clinics.findVisible(caller, id))
    ? 'This clinic does not offer all services of the order.'
    : 'Unknown or inactive clinic. List them with GET /api/v2/clinics.'
  throw refuse('invalidValue', detail, '/clinicId')
}

const OVERRIDE_HINT = 'If something else was agreed, set `override` and give a reason.'

interface Assigned {
  order: Order
  clinic: EligibleClinic
  schedule: Schedule
  appointmentAt: Date | null
}

/** Fees, opening hours and slots bind unless they are overridden. Hours are local, so they bind only if the zone is known. */
async function checkAgreed(
  { order, clinic, schedule, appointmentAt }: Assigned,
  { tx, now, caller }: { tx: Transaction; now: Date; caller: Context['caller'] },
): Promise<void> {
  if (!clinic.isWithinCap) {
    const detail = `This clinic charges more than the fee cap of the location or company. ${OVERRIDE_HINT}`
    throw refuse('scheduleClinicExcludedByFeeCap', detail, '/clinicId')
  }
  const { hours, zone, slots } = schedule
  if (appointmentAt === null || zone === null) return
  const refused = (detail: string) => refuse('invalidValue', `${detail} ${OVERRIDE_HINT}`, '/appointmentAt')
  const describe = (at: Date) => {
    const local = localTime(at, zone)
    return `${local.time} on ${local.date} (${zone})`
  }
  if (!isOpenAt(localTime(appointmentAt, zone), hours))
    throw refused(`The clinic is closed at ${describe(appointmentAt)}.`)
  const wanted = { order, clinicId: clinic.id, schedule, at: appointmentAt }
  const fault = await claimSlot(wanted, { tx, tenantId: caller.tenantId, now })
  if (fault?.fault === 'noSlot')
    throw refused(`The clinic takes appointments every ${slots!.minutes} minutes of its hours.`)
  if (fault?.fault !== 'full') return
  const closest = fault.closest ? ` The closest free time is ${describe(fault.closest.at)}.` : ''
  throw refused(`The clinic has no place left at ${describe(appointmentAt)}.${closest}`)
}

export const presentBooking = (
  { id, appointmentAt, expiresAt, participant, ...row }: BookingRow,
  caller: Context['caller'],
): contract.OpenBooking => ({
  object: 'booking',
  orderId: id,
  code: row.code,
  status: row.status,
  company: row.company,
  location: row.location,
  clinic: { ...row.clinic, isActive: row.isActive },
  participant: canReadParticipant(caller) ? nameOf(participant) : null,
  packages: row.packages.map(({ name }) => name),
  services: servicesToBook(row).map(({ serviceId, name }) => ({ serviceId, name })),
  appointmentAt: appointmentAt?.toISOString() ?? null,
  expiresAt: expiresAt?.toISOString() ?? null,
  url: `/api/operator/v1/orders/${id}`,
})

const nameOf = ({ firstName, lastName }: Order['participant']) => ({ firstName, lastName: lastInitial(lastName) })
