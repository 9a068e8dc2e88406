import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { OpenBooking } from '@order-testing/contract/operator'
import { readAppointmentTime } from '../../src/domain/bookings/clinic-hours.ts'
import { refusalOf } from '../http/answers.ts'
import { clinic, created, PERSON, TENANT } from '../orders/given.ts'
import { CLINICS, eventsOf, participantWorld, readOrder, tomorrow } from '../participants/given.ts'
import { startService, type TestService } from '../support/service.ts'
import { operate } from '../support/operator.ts'
import { sql } from '../../src/store/db/sql.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())
beforeEach(() => service.apply(participantWorld()))

const book = (id: string, sent: object) => operate(service, 'PUT', `/orders/${id}/clinic`, sent)
const unbook = (id: string) => operate(service, 'DELETE', `/orders/${id}/clinic`)
const bookings = async (query: string): Promise<{ total: number; data: OpenBooking[] }> =>
  (await operate(service, 'GET', `/bookings?${query}`)).body
const codesAt = async (query: string) => (await bookings(query)).data.map(({ code }) => code)
const move = (order: { id: string; services: { id: string }[] }, status: string) =>
  operate(service, 'POST', `/orders/${order.id}/services/${order.services[0]!.id}/moves`, { status })

const EARLY = '05:00'
/** An instant at a local time of the clinics, three days from now. */
function at(time: string): string {
  const opening = { hours: null, timezone: 'America/Chicago' }
  return (readAppointmentTime(tomorrow(time, 3), opening, { now: new Date(), expiresAt: null }) as Date).toISOString()
}

/** The catalog with other clinics. */
const without = (...ids: string[]) => CLINICS.filter(({ id }) => !ids.includes(id))

describe('bookings by operators', () => {
  test('an operator books without a time: the participant is notified and the order becomes scheduled', async () => {
    const order = await created(service)
    await book(order.id, { clinicId: 'clockless' })
    expect(await readOrder(service, order.id)).toMatchObject({ status: 'scheduled', clinic: { id: 'clockless' } })
    const { data } = (await operate(service, 'GET', `/messages?orderId=${order.id}`)).body
    expect(data.map(({ kind }: { kind: string }) => kind)).toContain('booking')
    await book(order.id, { clinicId: 'clockless' })
    expect(await eventsOf(service, order.id)).toHaveLength(1)
  })

  test.each([
    ['a clinic above the fee cap', { clinicId: 'dear' }, '400 scheduleClinicExcludedByFeeCap /clinicId'],
    [
      'a time when the clinic is closed',
      { clinicId: 'aurora', appointmentAt: at(EARLY) },
      '400 invalidValue /appointmentAt',
    ],
  ])('an operator may book %s only with override', async (_, sent, refusal) => {
    const order = await created(service)
    expect(refusalOf(await book(order.id, sent))).toBe(refusal)
    expect(refusalOf(await book(order.id, { ...sent, override: true }))).toBe('400 required /reason')
    expect(await eventsOf(service, order.id)).toEqual([])
    const agreed = { ...sent, override: true, reason: 'Agreed by telephone.' }
    expect((await book(order.id, agreed)).body).toMatchObject({
      isBooked: true,
      order: { clinic: { id: sent.clinicId } },
    })
    // Repeating the booking changes nothing, so it is not refused.
    expect((await book(order.id, sent)).status).toBe(200)
    const [, entry] = (await operate(service, 'GET', `/audit?subjectId=${order.id}`)).body.data
    expect(entry).toMatchObject({
      action: 'order.clinic',
      reason: 'Agreed by telephone.',
      after: { override: true },
    })
  })

  test('the refusal of a closed time gives the local time of the clinic', async () => {
    const order = await created(service)
    const answer = await book(order.id, { clinicId: 'aurora', appointmentAt: at(EARLY) })
    expect(answer.body.errors[0].detail).toContain(`closed at ${EARLY} on ${tomorrow(EARLY, 3).date} (America/Chicago)`)
  })

  test.each([
    ['an inactive clinic', { clinicId: 'closed' }, '400 invalidValue /clinicId'],
    ['a clinic that lacks a service', { clinicId: 'partial' }, '400 invalidValue /clinicId'],
    [
      'a time after the order expires',
      { clinicId: 'naperville', appointmentAt: at('09:00') },
      '400 invalidValue /appointmentAt',
    ],
    [
      'a time in the past',
      { clinicId: 'naperville', appointmentAt: '2020-01-01T12:00:00Z' },
      '400 invalidValue /appointmentAt',
    ],
  ])('an operator may not book %s, even with override', async (_, sent, refusal) => {
    const order = await created(service, { settings: { schedulingOption: 'link', expiresIn: 1 } })
    const answer = await book(order.id, { ...sent, override: true, reason: 'They said so.' })
    expect(refusalOf(answer)).toBe(refusal)
    expect(await eventsOf(service, order.id)).toEqual([])
  })

  test('a clinic has to offer only the services that are left to collect', async () => {
    const order = await created(service, { package: { id: 'several' } })
    for (const { id, name } of order.services)
      if (name !== 'Hair')
        await operate(service, 'POST', `/orders/${order.id}/services/${id}/moves`, { status: 'cancelled' })
    expect((await book(order.id, { clinicId: 'partial' })).status).toBe(200)
  })

  test('an operator cannot cancel a booking that was attended', async () => {
    const order = await created(service)
    await book(order.id, { clinicId: 'naperville' })
    await move(order, 'checkedIn')
    expect(refusalOf(await unbook(order.id))).toBe('422 invalidState')
    expect((await readOrder(service, order.id)).clinic.id).toBe('naperville')
  })
})

describe('the open bookings of a clinic', () => {
  test('open bookings are listed by appointment until the participant has checked in', async () => {
    const orders = []
    for (let i = 0; i < 6; i++) orders.push(await created(service))
    const [anyTime, late, soon, cancelled, kept, taken] = orders
    const clinicId = 'dallas'
    await book(anyTime.id, { clinicId })
    await book(late.id, { clinicId, appointmentAt: at('15:00') })
    await book(soon.id, { clinicId, appointmentAt: at('09:00') })
    for (const { id } of [cancelled, kept, taken]) await book(id, { clinicId })
    await operate(service, 'PUT', `/orders/${cancelled.id}/cancellation`, {})
    await move(kept, 'checkedIn')
    await unbook(taken.id)
    const list = await bookings(`clinicId=${clinicId}`)
    expect(list.data.map(({ orderId }) => orderId)).toEqual([soon.id, late.id, anyTime.id])
    expect(list.total).toBe(3)
    expect(list.data[0]).toEqual({
      object: 'booking',
      orderId: soon.id,
      participant: { firstName: 'Maria', lastName: 'L.' },
      packages: ['Basic'],
      services: [{ serviceId: 'urine', name: 'Urine' }],
      code: soon.code,
      status: 'scheduled',
      company: { id: 'acme', name: 'Acme' },
      location: { id: 'hq', name: 'Headquarters' },
      clinic: { id: 'dallas', name: 'Dallas Clinic', isActive: true },
      appointmentAt: at('09:00'),
      expiresAt: null,
      url: `/api/operator/v1/orders/${soon.id}`,
    })
    expect(await codesAt(`clinicId=${clinicId}&limit=1&page=2`)).toEqual([late.code])
    expect(await bookings(`clinicId=${clinicId}&page=9`)).toMatchObject({ data: [], total: 3 })
    expect(await bookings(`clinicId=${clinicId}&isActive=false`)).toMatchObject({ data: [], total: 0 })
  })

  test('open bookings include those that orders were created with', async () => {
    const { code } = await created(service, { participant: PERSON, settings: { schedulingOption: 'schedule' } })
    expect(await codesAt('clinicId=naperville')).toContain(code)
  })

  test.each(['', 'isActive=true'])('open bookings cannot be listed for all clinics at once (%s)', async (query) => {
    expect(refusalOf(await operate(service, 'GET', `/bookings?${query}`))).toBe('400 required /clinicId')
  })

  test('open bookings are found by index in a large table', async () => {
    await service.pool.transaction(async (tx) => {
      await tx`set local enable_seqscan = off`
      for (const condition of [sql`o.awaited_clinic_id = 'naperville'`, sql`not c.is_active`]) {
        const rows = await tx`
          explain select count(*) from orders o join clinics c on c.tenant_id = o.tenant_id and c.id = o.awaited_clinic_id
          where o.tenant_id = ${TENANT} and o.awaited_clinic_id is not null and ${condition}`
        expect(JSON.stringify(rows)).toContain('orders_awaited')
      }
    })
  })
})

describe('a clinic that becomes inactive', () => {
  const OFF = clinic('fading', '60540', { name: 'Fading Clinic' })
  const offering = (clinics: object[]) => participantWorld({ clinics })
  const applied = (clinics: object[]) => operate(service, 'PUT', '/catalog', offering(clinics))

  test.each([
    ['is switched off by a catalog file', [...CLINICS, { ...OFF, isActive: false }]],
    ['is removed from the catalog file', CLINICS],
  ])(
    'when a clinic %s, the answer counts its open bookings, which are listed until they are rebooked',
    async (_, after) => {
      await service.apply(offering([...CLINICS, OFF]))
      const [first, second] = [await created(service), await created(service)]
      await book(first.id, { clinicId: 'fading' })
      await book(second.id, { clinicId: 'fading' })
      const seen = await operate(service, 'POST', '/catalog/diff', offering(after))
      expect(seen.body).toMatchObject({ openBookings: 2 })
      expect(await codesAt('isActive=false')).toEqual([])
      expect((await applied(after)).body).toMatchObject({ openBookings: 2 })
      expect((await applied(after)).body).toMatchObject({ changes: [], openBookings: 0 })
      expect(await bookings('isActive=false')).toMatchObject({
        total: 2,
        data: [{ clinic: { id: 'fading', isActive: false } }, { clinic: { id: 'fading', isActive: false } }],
      })
      expect(refusalOf(await book(first.id, { clinicId: 'fading', appointmentAt: at('09:00') }))).toBe(
        '400 invalidValue /clinicId',
      )
      await book(first.id, { clinicId: 'naperville' })
      expect(await codesAt('isActive=false')).toEqual([second.code])
      expect(await codesAt('clinicId=fading')).toEqual([second.code])
      await unbook(second.id)
      expect(await codesAt('isActive=false')).toEqual([])
    },
  )

  test('changes of other clinics, or of a clinic without bookings, count no open bookings', async () => {
    await service.apply(offering([...CLINICS, OFF]))
    const order = await created(service)
    await book(order.id, { clinicId: 'fading' })
    expect((await applied([...without('closed'), { ...OFF, name: 'Renamed' }])).body).toMatchObject({ openBookings: 0 })
    await unbook(order.id)
  })
})
