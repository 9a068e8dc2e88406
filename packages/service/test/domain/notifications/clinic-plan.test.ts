import { describe, expect, test } from 'vitest'
import { isStillRelevant, needsFacts, planNotifications, recipientOf } from '../../../src/domain/notifications/plan.ts'
import type { Order } from '../../../src/domain/orders/order.ts'
import { orderOf, type GivenOrder } from '../../support/orders.ts'

const NOW = new Date('2027-03-01T12:00:00Z')
const hours = (count: number) => new Date(NOW.getTime() + count * 3_600_000)
const NAPERVILLE = { id: 'naperville', name: 'Naperville', address: null, phone: null }
const AURORA = { ...NAPERVILLE, id: 'aurora' }

const order = (members: GivenOrder = {}): Order => orderOf({ createdAt: NOW, ...members })
const booked = (members: GivenOrder = {}) =>
  order({
    clinic: NAPERVILLE,
    isBooked: true,
    appointmentAt: hours(30),
    services: [{ status: 'scheduled' }],
    ...members,
  })

/** The notifications to clinics, such as `timeBooked naperville 30`. */
const told = (before: Order | null, after: Order, informed: string[] = ['naperville', 'aurora']) =>
  planNotifications(before, after, NOW, { zone: null, informsClinic: (id) => informed.includes(id) })
    .filter(({ kind }) => recipientOf(kind) === 'clinic')
    .map(({ kind, clinicId, refersTo }) => `${kind} ${clinicId} ${(refersTo!.getTime() - NOW.getTime()) / 3_600_000}`)

describe('the clinic', () => {
  test('a clinic gets a notification when a time is booked, moved or cancelled', () => {
    expect(told(order(), booked())).toEqual(['timeBooked naperville 30'])
    expect(told(booked(), booked({ appointmentAt: hours(40) }))).toEqual(['timeChanged naperville 40'])
    expect(told(booked(), order())).toEqual(['timeCancelled naperville 30'])
    expect(told(booked(), booked({ appointmentAt: null }))).toEqual(['timeCancelled naperville 30'])
    expect(told(booked(), booked())).toEqual([])
  })

  test('if the booking moves to another clinic, both get a notification', () => {
    expect(told(booked(), booked({ clinic: AURORA }))).toEqual(['timeCancelled naperville 30', 'timeBooked aurora 30'])
  })

  test('a clinic gets a notification that the order was cancelled', () => {
    const cancelled = booked({ isBooked: false, ended: 'cancelled', services: [{ status: 'cancelled' }] })
    expect(told(booked(), cancelled)).toEqual(['timeCancelled naperville 30'])
  })

  test('a clinic is not told of bookings without a time, of participants who come, or of times that have passed', () => {
    expect(told(order(), booked({ appointmentAt: null }))).toEqual([])
    expect(told(booked(), booked({ services: [{ status: 'checkedIn' }] }))).toEqual([])
    expect(told(booked(), order({ services: [{ status: 'checkedIn' }] }))).toEqual([])
    expect(told(booked({ appointmentAt: hours(-1) }), order())).toEqual([])
  })

  test('only clinics that get e-mail get a notification', () => {
    expect(told(order(), booked(), [])).toEqual([])
    expect(told(booked(), booked({ clinic: AURORA }), ['aurora'])).toEqual(['timeBooked aurora 30'])
  })

  test('the catalog is asked only for reminders and booked times', () => {
    expect(needsFacts(order(), booked(), NOW)).toBe(true)
    expect(needsFacts(order(), booked({ appointmentAt: null }), NOW)).toBe(false)
    expect(needsFacts(booked(), booked({ services: [{ status: 'checkedIn' }] }), NOW)).toBe(false)
    expect(needsFacts(null, order({ expiresAt: hours(100) }), NOW)).toBe(true)
    expect(needsFacts(null, order(), NOW)).toBe(false)
  })

  test('a notification to a clinic is dropped once it is no longer true', () => {
    const about = { refersTo: hours(30), clinicId: 'naperville' }
    const isTrue = (kind: 'timeBooked' | 'timeChanged' | 'timeCancelled', now: Order, at = NOW) =>
      isStillRelevant({ kind, ...about }, now, at)
    for (const kind of ['timeBooked', 'timeChanged'] as const) {
      expect(isTrue(kind, booked())).toBe(true)
      expect(isTrue(kind, booked({ clinic: AURORA }))).toBe(false)
      expect(isTrue(kind, booked({ appointmentAt: hours(31) }))).toBe(false)
      expect(isTrue(kind, order())).toBe(false)
      expect(isTrue(kind, booked(), hours(31))).toBe(false)
    }
    expect(isTrue('timeCancelled', booked())).toBe(false)
    expect(isTrue('timeCancelled', booked({ clinic: AURORA }))).toBe(true)
    expect(isTrue('timeCancelled', order())).toBe(true)
  })
})
