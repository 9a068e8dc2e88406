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
import { orderOf } from '../../support/order-of.ts'

const NOW = new Date('2027-03-01T12:00:00Z')
const CREATED = new Date('2027-02-28T12:00:00Z')
const CLINIC = { id: 'naperville', name: 'Naperville', address: null, phone: null }
const BOOKING = { clinic: CLINIC, appointmentAt: null }
const BOOKED = { clinic: CLINIC, isBooked: true }
const CRIMINAL = { serviceId: 'criminal', name: 'Criminal', category: 'background', type: 'criminal' }
const SCHEDULE = { scheduling: { option: 'schedule', mode: 'configured' } }

/** Of whom all is known that the option `order` would have needed. */
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

describe('what a participant finds', () => {
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
  ])('is %s', (stage, found) => {
    expect(stageOf(found, NOW)).toBe(stage)
  })

  test('can be booked anew until something was collected', () => {
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
  ])('the requester finds %s, and the participant %s', (requester, participant, found) => {
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

  test('nobody cancels what nobody could choose again: where the company has set the clinic', () => {
    const scheduling = { ...REQUESTED.scheduling, mode: 'configured' as const }
    const booked = order([{ status: 'scheduled' }], { ...BOOKED, scheduling })
    expect([canRebook(booked, NOW), canCancelBooking(booked, NOW)]).toEqual([true, false])
    expect(() => cancelBookingByLink(booked, NOW)).toThrow(Refusal)
  })

  test('the clinic awaits the participant until the last visit has begun', () => {
    const at = (...services: Partial<OrderService>[]) => awaitingClinicId(order(services, { ...REQUESTED, ...BOOKED }))
    expect(at({ status: 'collected' }, { status: 'scheduled' })).toBe(CLINIC.id)
    expect(at({ status: 'collected' })).toBeNull()
    expect(at({ status: 'noShow' })).toBeNull()
    expect(at({ ...CRIMINAL, status: 'ordered' }, { status: 'negative' })).toBeNull()
  })
})

describe('completing', () => {
  test('schedules visits and starts what needs none; other services stay as they are', () => {
    const before = order([{ status: 'linkSent' }, { ...CRIMINAL, status: 'linkSent' }, { status: 'cancelled' }])
    const after = completeByLink(before, { ...before.participant, phone: '1' }, BOOKING, NOW)
    expect(statuses(after)).toEqual(['scheduled', 'inProgress', 'cancelled'])
    expect(after).toMatchObject({ ...BOOKING, isBooked: true, status: 'pending', participant: { phone: '1' } })
  })

  test('needs a clinic where there is a visit, and takes none where there is not', () => {
    const visit = order([{ status: 'linkSent' }])
    expect(() => completeByLink(visit, visit.participant, null, NOW)).toThrow(Refusal)
    const check = order([{ ...CRIMINAL, status: 'linkSent' }])
    expect(() => completeByLink(check, check.participant, BOOKING, NOW)).toThrow(Refusal)
    expect(completeByLink(check, check.participant, null, NOW).status).toBe('pending')
  })

  test('starts a background check also when the specimen was collected before', () => {
    const before = order([{ ...CRIMINAL, status: 'linkSent' }, { status: 'collected' }], BOOKED)
    expect(openBookingOf(before)).toBeNull()
    expect(statuses(completeByLink(before, before.participant, openBookingOf(before), NOW))).toEqual([
      'inProgress',
      'collected',
    ])
  })

  test('is refused for what was completed, cancelled or is past its time', () => {
    for (const over of [
      order([{ status: 'scheduled' }], BOOKED),
      order([{ status: 'cancelled' }]),
      order([{ status: 'linkSent' }], { expiresAt: NOW }),
    ])
      expect(() => completeByLink(over, over.participant, BOOKING, NOW)).toThrow(Refusal)
  })
})

describe('booking anew', () => {
  test('to the same changes nothing', () => {
    const before = order([{ status: 'scheduled' }], BOOKED)
    expect(bookByLink(before, BOOKING, NOW)).toBe(before)
  })

  test('moves only what was not collected, and is refused when something was', () => {
    const appointmentAt = new Date('2027-03-03T15:00:00Z')
    const after = bookByLink(order([{ status: 'scheduled' }], BOOKED), { clinic: CLINIC, appointmentAt }, NOW)
    expect(after).toMatchObject({ appointmentAt, status: 'scheduled' })
    expect(after.services[0]!.history.map(({ status }) => status)).toEqual(['scheduled', 'scheduled'])
    const collected = order([{ status: 'collected' }], BOOKED)
    expect(() => bookByLink(collected, { clinic: CLINIC, appointmentAt }, NOW)).toThrow(Refusal)
    expect(() => cancelBookingByLink(collected, NOW)).toThrow(Refusal)
  })

  test('is open again after the booking was cancelled', () => {
    const cancelled = cancelBookingByLink(order([{ status: 'scheduled' }], BOOKED), NOW)
    expect(stageOf(cancelled, NOW)).toBe('clinic')
    expect(bookByLink(cancelled, BOOKING, NOW)).toMatchObject({ ...BOOKING, isBooked: true })
  })
})
