import type * as contract from '@order-testing/contract/operator'
import { scheduleOf, spansOn, type Schedule } from '../../domain/bookings/schedule.ts'
import { allSlotTimes, hasKnownHours, takenIn } from '../../domain/bookings/slots.ts'
import { localTime } from '../../domain/places/zones.ts'
import { orNotFound, Refusal } from '../../domain/refusal.ts'
import { ok, type Operation } from '../operation.ts'
import { bookAsOperator, presentBooking } from './bookings.ts'
import { idsOfDay } from './days.ts'

/** Bookings of a day that are listed; a clinic has hardly more. */
const MOST_LISTED = 500

export const readClinicDay: Operation<typeof contract.readClinicDay> = async ({ params, query }, context) => {
  const { caller, store } = context
  const { date } = query
  const clinic = orNotFound(await store.clinics.findEntry(caller.tenantId, params.id))
  const { lat, long, name, isActive } = clinic
  const schedule = scheduleOf({ ...clinic, point: lat === null || long === null ? null : { lat, long } })
  const ids = await idsOfDay({ date, clinicId: params.id }, store, caller.tenantId)
  const booked = await store.bookings.findOpen(caller.tenantId, ids.slice(0, MOST_LISTED))
  const taken = booked.flatMap(({ appointmentAt }) => appointmentAt ?? [])
  return ok({
    object: 'clinicDay',
    clinic: { id: params.id, name, isActive },
    date,
    zone: schedule.zone ?? 'UTC',
    hours: hasKnownHours(schedule)
      ? spansOn(date, schedule.hours, schedule.zone).map(({ from, until }) => ({
          from: from.toISOString(),
          until: until.toISOString(),
        }))
      : null,
    slots: slotsOf(date, schedule, taken),
    bookings: booked.map((row) => presentBooking(row, caller)),
    isMore: ids.length > booked.length,
  })
}

function slotsOf(date: string, schedule: Schedule, taken: Date[]): contract.ClinicDay['slots'] {
  const { slots: plan } = schedule
  if (!plan || !hasKnownHours(schedule)) return null
  return allSlotTimes(date, schedule, plan).map((at) => ({
    at: at.toISOString(),
    time: localTime(at, schedule.zone).time,
    capacity: plan.capacity,
    taken: takenIn(at, plan, taken),
  }))
}

/** Each order is booked by itself: one that cannot be booked does not keep the others back. */
export const rebookOrders: Operation<typeof contract.rebookOrders> = async ({ body }, context) => {
  const { orders, override, reason } = body
  const data: contract.Rebooking[] = []
  for (const { id, clinicId, at } of orders) {
    const rebooking = { object: 'rebooking' as const, orderId: id, clinicId }
    try {
      const answer = await bookAsOperator(id, { clinicId, appointmentAt: at, override, reason }, context)
      const { appointmentAt } = 'body' in answer ? answer.body : { appointmentAt: null }
      data.push({ ...rebooking, outcome: 'booked', appointmentAt, problems: [] })
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const problems = error.problems.map(({ code, detail }) => ({ code, detail }))
      data.push({ ...rebooking, outcome: 'refused', appointmentAt: at ? new Date(at).toISOString() : null, problems })
    }
  }
  return ok({ object: 'rebookings', data })
}
