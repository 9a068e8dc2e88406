import { expect, test } from 'vitest'
import type { CatalogClinicOutput, CatalogFileOutput, ClinicDay, OpenBooking } from '@order-testing/client/operator'
import { capacityOf, freeSlots, linesOf } from '../src/pages/bookings/day.ts'
import { propose, wantedOf } from '../src/pages/bookings/proposals.ts'
import { byNeed } from '../src/pages/bookings/ranking.ts'
import { hoursOf, weekOf } from '../src/pages/bookings/week.ts'

const ZONE = 'America/Chicago'
const NOW = new Date('2026-11-16T12:00:00Z')

const booking = (members: Partial<OpenBooking> = {}): OpenBooking => ({
  object: 'booking',
  orderId: 'ord_1',
  code: 'K7M4-2QXD',
  status: 'scheduled',
  company: { id: 'acme', name: 'Acme' },
  location: { id: 'hq', name: 'Headquarters' },
  clinic: { id: 'old', name: 'Old', isActive: false },
  participant: { firstName: 'Maria', lastName: 'L.' },
  packages: ['Basic'],
  services: [{ serviceId: 'urine', name: 'Urine' }],
  appointmentAt: null,
  expiresAt: null,
  url: '',
  ...members,
})

const at = (time: string, date = '2026-11-19') => new Date(`${date}T${time}:00-06:00`).toISOString()
const slot = (time: string, taken: number, capacity = 2) => ({ at: at(time), time, capacity, taken })

const day = (members: Partial<ClinicDay> = {}): ClinicDay => ({
  object: 'clinicDay',
  clinic: { id: 'near', name: 'Near', isActive: true },
  date: '2026-11-19',
  zone: ZONE,
  hours: [{ from: at('08:00'), until: at('10:00') }],
  slots: null,
  bookings: [],
  isMore: false,
  ...members,
})

const clinic = (id: string, members: Partial<CatalogClinicOutput> = {}) => ({
  id,
  name: id,
  services: ['urine'],
  isActive: true,
  ...members,
})

const catalog = (clinics: CatalogClinicOutput[], settings: object = {}) =>
  ({
    clinics,
    companies: [{ id: 'acme', settings: { clinicFeeCap: 50 }, locations: [{ id: 'hq', settings }] }],
  }) as unknown as CatalogFileOutput

/** Kansas City, and places ever farther away from it. */
const OLD = clinic('old', { isActive: false, coordinates: { lat: 39.1, long: -94.6 } })
const NEAR = clinic('near', { coordinates: { lat: 39.2, long: -94.6 } })
const FAR = clinic('far', { coordinates: { lat: 39.5, long: -94.6 } })
const BEYOND = clinic('beyond', { coordinates: { lat: 41, long: -94.6 } })

test('a day has a line for each slot, and hatched ones before, between and after the hours', () => {
  const hours = [
    { from: at('08:00'), until: at('09:00') },
    { from: at('13:00'), until: at('14:00') },
  ]
  const lines = linesOf(day({ hours, slots: [slot('08:00', 1), slot('08:30', 2), slot('13:00', 0), slot('13:30', 0)] }))
  expect(lines.map(({ kind, at: from, until }) => [kind, from, until])).toEqual([
    ['closed', at('00:00'), at('08:00')],
    ['slot', at('08:00'), at('08:30')],
    ['slot', at('08:30'), at('09:00')],
    ['closed', at('09:00'), at('13:00')],
    ['slot', at('13:00'), at('13:30')],
    ['slot', at('13:30'), at('14:00')],
    ['closed', at('14:00'), at('00:00', '2026-11-20')],
  ])
})

test('every booking of a day stands in one line, even outside of the hours and without known hours', () => {
  const bookings = [booking({ appointmentAt: at('08:30') }), booking({ appointmentAt: at('12:15') })]
  const lines = linesOf(day({ bookings }))
  expect(lines.filter((line) => line.bookings.length > 0).map(({ kind, at: from }) => [kind, from])).toEqual([
    ['hour', at('08:00')],
    ['closed', at('10:00')],
  ])
  expect(linesOf(day({ hours: null, bookings })).map(({ kind }) => kind)).toEqual(['hour', 'hour'])
})

test('slots that are full or past cannot be booked, and a clinic without slots has none', () => {
  const slots = [slot('08:00', 0), slot('08:30', 2), slot('09:00', 1)]
  expect(freeSlots(day({ slots }), new Date(at('08:10')))).toEqual([slots[2]])
  expect(freeSlots(day(), NOW)).toBeNull()
})

test('the capacity of a clinic is that of the slots in its hours of the weekday', () => {
  const hours = {
    thu: [
      ['08:00', '10:00'],
      ['13:00', '13:50'],
    ],
  }
  const slotted = clinic('near', { hours, slots: { minutes: 30, capacity: 2 } })
  expect(capacityOf(slotted, '2026-11-19')).toBe(10)
  expect(capacityOf(slotted, '2026-11-20')).toBe(0)
  expect(capacityOf(clinic('near'), '2026-11-19')).toBeNull()
})

test('a week runs from Monday to Sunday', () => {
  const week = ['16', '17', '18', '19', '20', '21', '22'].map((date) => `2026-11-${date}`)
  for (const date of ['2026-11-16', '2026-11-19', '2026-11-22']) expect(weekOf(date)).toEqual(week)
})

test('the hours of a week sum up slots, and name closed hours in which somebody is booked', () => {
  const open = day({ slots: [slot('08:00', 1), slot('08:30', 2), slot('09:00', 0)] })
  const closed = day({
    date: '2026-11-20',
    hours: [],
    bookings: [booking({ appointmentAt: at('10:15', '2026-11-20') })],
  })
  expect(hoursOf([open, closed])).toEqual([
    {
      hour: 8,
      cells: [
        { isOpen: true, places: { capacity: 4, taken: 3 }, booked: 0 },
        { isOpen: false, places: null, booked: 0 },
      ],
    },
    {
      hour: 9,
      cells: [
        { isOpen: true, places: { capacity: 2, taken: 0 }, booked: 0 },
        { isOpen: false, places: null, booked: 0 },
      ],
    },
    {
      hour: 10,
      cells: [
        { isOpen: false, places: null, booked: 0 },
        { isOpen: false, places: null, booked: 1 },
      ],
    },
  ])
  expect(hoursOf([day({ hours: [] })])).toEqual([])
})

test('clinics that are off but booked come first, then the busiest; those off without bookings are left out', () => {
  const at1 = (id: string) => booking({ clinic: { id, name: id, isActive: true } })
  const clinics = [clinic('b'), clinic('a'), clinic('busy'), clinic('gone', { isActive: false }), OLD]
  const ranked = byNeed(clinics, [at1('busy')], [booking()])
  expect(ranked.map(({ clinic: { id } }) => id)).toEqual(['old', 'busy', 'a', 'b'])
})

test('clinics that can take a booking offer everything, are within cap and radius, and come by distance', () => {
  const ids = (clinics: CatalogClinicOutput[], settings?: object) =>
    wantedOf(booking(), catalog([OLD, ...clinics], settings)).clinics.map((each) => [each.clinic.id, each.miles])
  expect(ids([FAR, BEYOND, NEAR])).toEqual([
    ['near', 7],
    ['far', 28],
  ])
  expect(ids([clinic('dear', { ...NEAR, id: 'dear', fee: 60 }), clinic('hair', { services: ['hair'] })])).toEqual([])
  // The location overrides its company.
  expect(ids([clinic('dear', { ...NEAR, id: 'dear', fee: 60 })], { clinicFeeCap: 80 })).toEqual([['dear', 7]])
  expect(ids([FAR], { clinicRadiusMiles: 10 })).toEqual([])
})

test('each person is proposed the nearest clinic with a free time closest to theirs, and no place twice', () => {
  const moved = ['08:30', '08:30', '08:30', '08:30'].map((time, index) =>
    booking({ orderId: `ord_${index}`, appointmentAt: at(time) }),
  )
  const near = { clinic: NEAR, miles: 7 }
  const wanted = moved.map((each) => ({ booking: each, clinics: [near] }))
  const days = new Map([['near', day({ slots: [slot('08:00', 1), slot('08:30', 0), slot('09:30', 2)] })]])
  const places = propose(wanted, days, NOW).map(({ place }) => place?.at ?? null)
  expect(places).toEqual([at('08:30'), at('08:30'), at('08:00'), null])
})

test('somebody without a time stays without one where walk-ins are taken, and nobody is sent into the past', () => {
  const wanted = (clinics: CatalogClinicOutput[], members: Partial<OpenBooking> = {}) => [
    { booking: booking(members), clinics: clinics.map((each) => ({ clinic: each, miles: null })) },
  ]
  const [place] = propose(wanted([NEAR]), new Map([['near', day()]]), NOW).map((each) => each.place)
  expect(place).toMatchObject({ at: null, zone: ZONE })
  const late = new Date(at('11:00'))
  const timed = wanted([NEAR], { appointmentAt: at('09:00') })
  expect(propose(timed, new Map([['near', day()]]), late).map((each) => each.place)).toEqual([null])
  expect(propose(timed, new Map([['near', day()]]), NOW)).toMatchObject([{ place: { at: at('09:00') } }])
})
