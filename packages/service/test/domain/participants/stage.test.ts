import { describe, expect, test } from 'vitest'
import { awaitingClinicId, openBookingOf } from '../../../src/domain/bookings/bookings.ts'
import {
  bookByLink,
  canCancelBooking,
  cancelBookingByLink,
  canRebook,
  completeByLink,
  stageOf,
} from '../../../src/domain/participants/stage.ts'
import type { Order, OrderService } from '../../../src/domain/orders/order.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { orderOf } from '../../support/orders.ts'

const NOW = new Date('2027-03-01T12:00:00Z')
const CREATED = new Date('2027-02-28T12:00:00Z')
const CLINIC = { id: 'naperville', name: 'Naperville', address: null, phone: null }
const BOOKING = { clinic: CLINIC, appointmentAt: null }
const BOOKED = { clinic: CLINIC, isBooked: true }
const CRIMINAL = { serviceId: 'criminal', name: 'Criminal', category: 'background', type: 'criminal' }
const SCHEDULE = { scheduling: { option: 'schedule', mode: 'configured' } }

/** A participant with all details that the option `order` requires. */
const KNOWN = {
  address: { line1: '1 Main St', line2: '', city: 'Naperville', state: 'IL', postalCode: '60540', country: 'US' },
  birthDate: '1990-03-07',
  email: 'maria@example.com',
  phone: '+16305550142',
  identifiers: [{ type: 'ssn', value: '536-22-8841', issuingCountry: null, issuingState: null }],
}
const UNKNOWN = { participant: { ...KNOWN, birthDate: null } }

type Given = Omit<Parameters<typeof orderOf>[0] & object, 'services'>
const order = (services: Partial<OrderService>[], members: Given = {}): Order =>
  orderOf({ createdAt: CREATED, participant: KNOWN, services, ...members })
const statuses = ({ services }: Order) => services.map(({ status }) => status)

describe('the stage of a participant’s link', () => {
  test.each<[string, Order]>([
    ['details', order([{ status: 'linkSent' }])],
    ['details', order([{ status: 'linkSent' }], { clinic: CLINIC })],
    ['clinic', order([{ status: 'scheduled' }])],
    ['clinic', order([{ ...CRIMINAL, status: 'inProgress' }, { status: 'scheduled' }])],
    ['pass', order([{ status: 'scheduled' }], BOOKED)],
    ['details', order([{ ...CRIMINAL, status: 'linkSent' }, { status: 'scheduled' }], BOOKED)],
    ['details', order([{ ...CRIMINAL, status: 'linkSent' }, { status: 'collected' }], BOOKED)],
    ['details', order([{ status: 'scheduled' }], { ...BOOKED, ...UNKNOWN })],
    ['pass', order([{ status: 'checkedIn' }, { status: 'scheduled' }], { ...BOOKED, ...UNKNOWN })],
    ['pass', order([{ status: 'scheduled' }], { ...SCHEDULE, ...BOOKED, ...UNKNOWN })],
    ['pass', order([{ status: 'collected' }], BOOKED)],
    ['pass', order([{ status: 'negative' }], { clinic: CLINIC })],
    ['finished', order([{ status: 'negative' }])],
    ['finished', order([{ ...CRIMINAL, status: 'inProgress' }])],
    ['waiting', order([{ status: 'scheduled' }], SCHEDULE)],
    ['cancelled', order([{ status: 'cancelled' }], { ended: 'cancelled' })],
    ['expired', order([{ status: 'expired' }], { ended: 'expired' })],
    ['expired', order([{ status: 'linkSent' }], { expiresAt: NOW })],
    ['missed', order([{ status: 'noShow' }])],
    ['missed', order([{ status: 'scheduled' }], { ...BOOKED, appointmentAt: CREATED })],
  ])('the stage is %s', (stage, found) => {
    expect(stageOf(found, NOW)).toBe(stage)
  })

  test('a booking can be replaced until the participant has checked in', () => {
    expect(canRebook(order([{ status: 'scheduled' }], BOOKED), NOW)).toBe(true)
    expect(canRebook(order([{ status: 'scheduled' }, { status: 'checkedIn' }], BOOKED), NOW)).toBe(false)
    expect(canRebook(order([{ status: 'negative' }], { clinic: CLINIC }), NOW)).toBe(false)
    expect(canRebook(order([{ ...CRIMINAL, status: 'inProgress' }, { status: 'scheduled' }], BOOKED), NOW)).toBe(true)
  })
})

describe('where the requester chooses the clinic', () => {
  const REQUESTED = { scheduling: { option: 'order', mode: 'requesterSelects' } }

  test.each<[string, string, Order]>([
    ['clinic', 'waiting', order([{ status: 'ordered' }], REQUESTED)],
    ['clinic', 'waiting', order([{ status: 'scheduled' }], REQUESTED)],
    ['booking', 'pass', order([{ status: 'scheduled' }], { ...REQUESTED, ...BOOKED })],
    ['booking', 'pass', order([{ status: 'ordered' }], { ...REQUESTED, clinic: CLINIC })],
    ['finished', 'pass', order([{ status: 'scheduled' }, { status: 'checkedIn' }], { ...REQUESTED, ...BOOKED })],
    ['finished', 'finished', order([{ status: 'ordered' }, { status: 'collected' }], REQUESTED)],
    ['finished', 'pass', order([{ status: 'negative' }], { ...REQUESTED, clinic: CLINIC })],
    ['cancelled', 'cancelled', order([{ status: 'cancelled' }], { ...REQUESTED, ended: 'cancelled' })],
    ['expired', 'expired', order([{ status: 'ordered' }], { ...REQUESTED, expiresAt: NOW })],
    ['missed', 'missed', order([{ status: 'scheduled' }], { ...REQUESTED, ...BOOKED, appointmentAt: CREATED })],
    ['finished', 'details', order([{ status: 'linkSent' }])],
    ['finished', 'pass', order([{ status: 'scheduled' }], { ...SCHEDULE, ...BOOKED })],
  ])('the requester’s stage is %s, and the participant’s %s', (requester, participant, found) => {
    expect([stageOf(found, NOW, 'requester'), stageOf(found, NOW)]).toEqual([requester, participant])
  })

  test('only the requester makes the first booking; both may change and cancel it', () => {
    const open = order([{ status: 'ordered' }], REQUESTED)
    expect(() => bookByLink(open, BOOKING, NOW)).toThrow(Refusal)
    const booked = bookByLink(open, BOOKING, NOW, 'requester')
    expect(booked).toMatchObject({ status: 'scheduled', isBooked: true })
    expect(awaitingClinicId(booked)).toBe(CLINIC.id)
    for (const who of ['participant', 'requester'] as const)
      expect(awaitingClinicId(cancelBookingByLink(booked, NOW, who))).toBeNull()
  })

  test('a booking at the company’s clinic cannot be cancelled, because nobody could choose another', () => {
    const scheduling = { ...REQUESTED.scheduling, mode: 'configured' as const }
    const booked = order([{ status: 'scheduled' }], { ...BOOKED, scheduling })
    expect([canRebook(booked, NOW), canCancelBooking(booked, NOW)]).toEqual([true, false])
    expect(() => cancelBookingByLink(booked, NOW)).toThrow(Refusal)
  })

  test('the clinic expects the participant until all services have started', () => {
    const at = (...services: Partial<OrderService>[]) => awaitingClinicId(order(services, { ...REQUESTED, ...BOOKED }))
    expect(at({ status: 'collected' }, { status: 'scheduled' })).toBe(CLINIC.id)
    expect(at({ status: 'collected' })).toBeNull()
    expect(at({ status: 'noShow' })).toBeNull()
    expect(at({ ...CRIMINAL, status: 'ordered' }, { status: 'negative' })).toBeNull()
  })
})

describe('completing an order', () => {
  test('completing schedules in-person services and starts background checks; other services stay as they are', () => {
    const before = order([{ status: 'linkSent' }, { ...CRIMINAL, status: 'linkSent' }, { status: 'cancelled' }])
    const after = completeByLink(before, { ...before.participant, phone: '1' }, BOOKING, NOW)
    expect(statuses(after)).toEqual(['scheduled', 'inProgress', 'cancelled'])
    expect(after).toMatchObject({ ...BOOKING, isBooked: true, status: 'pending', participant: { phone: '1' } })
  })

  test('completing requires a clinic for in-person services, and refuses one for others', () => {
    const visit = order([{ status: 'linkSent' }])
    expect(() => completeByLink(visit, visit.participant, null, NOW)).toThrow(Refusal)
    const check = order([{ ...CRIMINAL, status: 'linkSent' }])
    expect(() => completeByLink(check, check.participant, BOOKING, NOW)).toThrow(Refusal)
    expect(completeByLink(check, check.participant, null, NOW).status).toBe('pending')
  })

  test('completing starts a background check even after the specimen was collected', () => {
    const before = order([{ ...CRIMINAL, status: 'linkSent' }, { status: 'collected' }], BOOKED)
    expect(openBookingOf(before)).toBeNull()
    expect(statuses(completeByLink(before, before.participant, openBookingOf(before), NOW))).toEqual([
      'inProgress',
      'collected',
    ])
  })

  test('completing keeps a booking that someone else has made, also after its time has come', () => {
    const appointmentAt = new Date(NOW.getTime() - 60_000)
    const before = order([{ status: 'scheduled' }], { ...BOOKED, ...UNKNOWN, appointmentAt })
    const after = completeByLink(before, { ...before.participant, ...KNOWN }, openBookingOf(before), NOW)
    expect(after).toMatchObject({ ...BOOKED, appointmentAt, services: before.services, participant: KNOWN })
  })

  test('a completed, cancelled or expired order cannot be completed', () => {
    for (const over of [
      order([{ status: 'scheduled' }], BOOKED),
      order([{ status: 'cancelled' }]),
      order([{ status: 'linkSent' }], { expiresAt: NOW }),
    ])
      expect(() => completeByLink(over, over.participant, BOOKING, NOW)).toThrow(Refusal)
  })
})

describe('replacing a booking', () => {
  test('replacing a booking with the same one changes nothing', () => {
    const before = order([{ status: 'scheduled' }], BOOKED)
    expect(bookByLink(before, BOOKING, NOW)).toBe(before)
  })

  test('a booking can be replaced until a service was collected', () => {
    const appointmentAt = new Date('2027-03-03T15:00:00Z')
    const after = bookByLink(order([{ status: 'scheduled' }], BOOKED), { clinic: CLINIC, appointmentAt }, NOW)
    expect(after).toMatchObject({ appointmentAt, status: 'scheduled' })
    expect(after.services[0]!.history.map(({ status }) => status)).toEqual(['scheduled', 'scheduled'])
    const collected = order([{ status: 'collected' }], BOOKED)
    expect(() => bookByLink(collected, { clinic: CLINIC, appointmentAt }, NOW)).toThrow(Refusal)
    expect(() => cancelBookingByLink(collected, NOW)).toThrow(Refusal)
  })

  test('a clinic can be chosen again after the booking was cancelled', () => {
    const cancelled = cancelBookingByLink(order([{ status: 'scheduled' }], BOOKED), NOW)
    expect(stageOf(cancelled, NOW)).toBe('clinic')
    expect(bookByLink(cancelled, BOOKING, NOW)).toMatchObject({ ...BOOKING, isBooked: true })
  })
})
