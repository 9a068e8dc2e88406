import type * as contract from '@order-testing/contract/operator'
import { isOpenAt, localTime, readHours } from '../../domain/bookings/clinic-hours.ts'
import { assignClinic, awaitingCollection, clearClinic as withoutClinic } from '../../domain/orders/life.ts'
import type { Order, OrderClinic } from '../../domain/orders/order.ts'
import { refuse } from '../../domain/refusal.ts'
import type { BookingRow } from '../../store/bookings/bookings.ts'
import type { Transaction } from '../../store/store.ts'
import { collectionOf, ok, type Context, type Operation } from '../operation.ts'
import { changing } from '../orders/operator-orders.ts'
import { needsOf } from '../participants/clinics.ts'

export const listBookings: Operation<typeof contract.listBookings> = async ({ query }, { caller, store }) => {
  const { clinicId, isActive } = query
  // All bookings of a tenant are too many to be put in order.
  if (clinicId === undefined && isActive !== false)
    throw refuse('required', 'Send a clinicId, or isActive=false for bookings at inactive clinics.', '/clinicId')
  return ok(collectionOf(await store.bookings.pageOpen(caller.tenantId, query), query, (row) => presentBooking(row)))
}

export const setClinic: Operation<typeof contract.setClinic> = ({ params, body }, context) => {
  const noted = body.override ? { override: true } : {}
  return changing(
    params.id,
    context,
    { action: 'order.clinic', reason: body.reason, noted },
    async (order, now, tx) => {
      if (body.override && !body.reason?.trim()) throw refuse('required', '`override` requires a reason.', '/reason')
      const clinic = await ableClinic(order, body.clinicId, tx, context)
      const appointmentAt = body.appointmentAt ? new Date(body.appointmentAt) : null
      const booked = assignClinic(order, clinic, appointmentAt, now)
      // What is so already, by whatever agreement, may be said again.
      if (booked !== order && !body.override) {
        await refuseAboveCap(order, clinic, tx, context)
        if (appointmentAt) await refuseClosed(clinic, appointmentAt, tx, context)
      }
      return booked
    },
  )
}

export const clearClinic: Operation<typeof contract.clearClinic> = ({ params }, context) =>
  changing(params.id, context, { action: 'order.clinic' }, (order, now) => withoutClinic(order, now))

/** A clinic that can do what is left to be done: no agreement makes up for one that cannot. */
async function ableClinic(order: Order, clinicId: string, tx: Transaction, { caller }: Context): Promise<OrderClinic> {
  const clinic = await tx.clinics.findActive(caller, clinicId)
  if (!clinic)
    throw refuse(
      'invalidValue',
      'Unknown or inactive clinic. List them with GET /api/operator/v1/catalog.',
      '/clinicId',
    )
  const { id, name, phone, address, services } = clinic
  const offered = new Set(services.map((service) => service.id))
  if (!awaitingCollection(order).every(({ serviceId }) => offered.has(serviceId)))
    throw refuse(
      'invalidValue',
      'This clinic does not offer all services that are still to be collected. Choose another one.',
      '/clinicId',
    )
  return { id, name, phone, address }
}

const OTHERWISE = 'To book it anyway, send override and a reason.'

async function refuseAboveCap(order: Order, { id }: OrderClinic, tx: Transaction, { caller }: Context): Promise<void> {
  const { feeCap } = await needsOf(order, { tx, tenantId: caller.tenantId })
  const serviceIds = awaitingCollection(order).map(({ serviceId }) => serviceId)
  if (await tx.orderFacts.offeredClinic(caller.tenantId, id, { serviceIds, feeCap })) return
  const detail = `The fee of this clinic exceeds the fee cap of the location or company. ${OTHERWISE}`
  throw refuse('scheduleClinicExcludedByFeeCap', detail, '/clinicId')
}

/** Hours are by the clinic's clocks, so they bind only where these are known. */
async function refuseClosed({ id }: OrderClinic, at: Date, tx: Transaction, { caller }: Context): Promise<void> {
  const { hours, timezone } = (await tx.clinics.openingOf(caller.tenantId, id)) ?? { hours: null, timezone: null }
  if (timezone === null) return
  const local = localTime(at, timezone)
  if (isOpenAt(local, readHours(hours))) return
  const then = `at ${local.time} on ${local.date} (${timezone})`
  throw refuse('invalidValue', `The clinic is closed ${then}. ${OTHERWISE}`, '/appointmentAt')
}

const presentBooking = ({ id, appointmentAt, expiresAt, ...row }: BookingRow): contract.OpenBooking => ({
  object: 'booking',
  orderId: id,
  code: row.code,
  status: row.status,
  company: row.company,
  location: row.location,
  clinic: { ...row.clinic, isActive: row.isActive },
  appointmentAt: appointmentAt?.toISOString() ?? null,
  expiresAt: expiresAt?.toISOString() ?? null,
  url: `/api/operator/v1/orders/${id}`,
})
