import { describe, expect, test } from 'vitest'
import { readClinicDay, rebookOrders, type OpenBooking } from '@order-testing/contract/operator'
import { refusalOf } from '../http/answers.ts'
import { clinic, created } from '../orders/given.ts'
import { CLINICS, participantService, readOrder } from '../participants/given.ts'
import { DISCREET_OPERATOR, operate } from '../support/operator.ts'

const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun']
const DAILY = Object.fromEntries(DAYS.map((day) => [day, [['08:00', '10:00']]]))

const service = participantService({
  clinics: [
    ...CLINICS,
    clinic('slotted', '60540', { hours: DAILY, slots: { minutes: 30, capacity: 2 }, timezone: 'America/Chicago' }),
    clinic('eastern', '60540', { hours: DAILY, slots: { minutes: 30, capacity: 2 }, timezone: 'America/New_York' }),
  ],
})

const ZONES = { slotted: 'America/Chicago', eastern: 'America/New_York' }
const dateIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)

/** The instant of a local time of a clinic. */
function at(clinicId: keyof typeof ZONES, date: string, time: string): string {
  const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: ZONES[clinicId], dateStyle: 'short', timeStyle: 'short' })
  const offsets = ['-06:00', '-05:00', '-04:00'].map((offset) => new Date(`${date}T${time}:00${offset}`))
  return offsets.find((instant) => clock.format(instant) === `${date} ${time}`)!.toISOString()
}

const book = async (clinicId: keyof typeof ZONES, date: string, time: string) => {
  const order = await created(service)
  const appointmentAt = at(clinicId, date, time)
  const answer = await operate(service, 'PUT', `/orders/${order.id}/clinic`, { clinicId, appointmentAt })
  if (answer.status !== 200) throw new Error(answer.text)
  return order
}
const dayOf = async (id: string, date: string) => {
  const { body } = await operate(service, 'GET', `/clinics/${id}/day?date=${date}`)
  expect(readClinicDay.reply.parse(body)).toEqual(body)
  return readClinicDay.reply.parse(body)
}
const codes = async (query: string) =>
  (await operate(service, 'GET', `/bookings?${query}`)).body.data.map(({ code }: OpenBooking) => code)

describe('bookings of a day', () => {
  test('a day of a clinic has its hours, its slots with capacity and taken places, and its bookings', async () => {
    const date = dateIn(5)
    const first = await book('slotted', date, '08:00')
    const second = await book('slotted', date, '08:00')
    await book('slotted', dateIn(6), '08:00')
    const day = await dayOf('slotted', date)
    expect(day).toMatchObject({ clinic: { id: 'slotted', isActive: true }, zone: 'America/Chicago', isMore: false })
    expect(day.hours).toEqual([{ from: at('slotted', date, '08:00'), until: at('slotted', date, '10:00') }])
    expect(day.slots!.map(({ time, capacity, taken }) => [time, capacity, taken])).toEqual([
      ['08:00', 2, 2],
      ['08:30', 2, 0],
      ['09:00', 2, 0],
      ['09:30', 2, 0],
    ])
    expect(new Set(day.bookings.map(({ orderId }) => orderId))).toEqual(new Set([first.id, second.id]))
  })

  test('a booking names its participant masked, or not at all, and what is left to be done', async () => {
    const date = dateIn(7)
    const order = await book('slotted', date, '09:00')
    const [seen] = (await dayOf('slotted', date)).bookings
    expect(seen).toMatchObject({
      code: order.code,
      participant: { firstName: 'Maria', lastName: 'L.' },
      packages: ['Basic'],
      services: [{ serviceId: 'urine', name: 'Urine' }],
    })
    const path = `/bookings?date=${date}&clinicId=slotted`
    const [discreet] = (await operate(service, 'GET', path, undefined, DISCREET_OPERATOR)).body.data
    expect(discreet).toMatchObject({ code: order.code, participant: null })
  })

  test('the day of each clinic is that of its own zone', async () => {
    const date = dateIn(9)
    const [east, west] = [await book('eastern', date, '08:00'), await book('slotted', date, '09:30')]
    await book('eastern', dateIn(10), '08:00')
    expect(await codes(`date=${date}`)).toEqual([east.code, west.code])
    expect(await codes(`date=${date}&clinicId=slotted`)).toEqual([west.code])
    expect(await codes(`date=${date}&limit=1&page=2`)).toEqual([west.code])
  })

  test('a clinic without slots has none, and an unknown clinic is not found', async () => {
    expect(await dayOf('clockless', dateIn(5))).toMatchObject({ slots: null, bookings: [] })
    expect(refusalOf(await operate(service, 'GET', `/clinics/nowhere/day?date=${dateIn(5)}`))).toBe('404 notFound')
    expect(refusalOf(await operate(service, 'GET', '/clinics/slotted/day?date=today'))).toBe('400 invalidFormat /date')
  })
})

test('many orders are rebooked at once: those that cannot be are reported and keep their booking', async () => {
  const date = dateIn(12)
  const orders = [await book('slotted', date, '08:00'), await book('slotted', date, '08:00'), await created(service)]
  const wanted = orders.map(({ id }) => ({ id, clinicId: 'eastern', at: at('eastern', date, '08:30') }))
  const { body } = await operate(service, 'POST', '/bookings/rebookings', { orders: wanted })
  expect(rebookOrders.reply.parse(body)).toEqual(body)
  expect(body.data).toMatchObject([
    { orderId: orders[0]!.id, outcome: 'booked', clinicId: 'eastern', problems: [] },
    { orderId: orders[1]!.id, outcome: 'booked' },
    { orderId: orders[2]!.id, outcome: 'refused', problems: [{ code: 'invalidValue' }] },
  ])
  expect((await readOrder(service, orders[0]!.id)).clinic).toMatchObject({ id: 'eastern' })
  expect((await readOrder(service, orders[2]!.id)).clinic).toBeNull()
})
