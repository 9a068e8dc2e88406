import { describe, expect, test } from 'vitest'
import {
  isStillRelevant,
  planNotifications,
  recipientOf,
  type NotificationKind,
} from '../../../src/domain/notifications/plan.ts'
import type { Order } from '../../../src/domain/orders/order.ts'
import { orderOf, type GivenOrder } from '../../support/orders.ts'

const NOW = new Date('2027-03-01T12:00:00Z')
const hours = (count: number) => new Date(NOW.getTime() + count * 3_600_000)
const CLINIC = { id: 'naperville', name: 'Naperville', address: null, phone: null }
const AURORA = { ...CLINIC, id: 'aurora' }

const order = (members: GivenOrder = {}): Order => orderOf({ createdAt: NOW, ...members })
const booked = (members: GivenOrder = {}) =>
  order({ clinic: CLINIC, isBooked: true, services: [{ status: 'scheduled' }], ...members })
const ORDERED = { scheduling: { option: 'order', mode: null } }

/** What is planned and in how many hours, such as `link 0`. */
const planned = (before: Order | null, after: Order) =>
  planNotifications(before, after, NOW).map(
    ({ kind, dueAt }) => `${kind} ${(dueAt.getTime() - NOW.getTime()) / 3_600_000}`,
  )

describe('the participant', () => {
  test('the participant gets a link for a new order with the option link, over the channel of the order', () => {
    expect(planNotifications(null, order(), NOW)).toEqual([
      { kind: 'link', channel: 'email', dueAt: NOW, refersTo: null },
    ])
    const texted = order({ delivery: { type: 'mobile', phone: '+16305550142' } })
    expect(planNotifications(null, texted, NOW)).toMatchObject([{ kind: 'link', channel: 'mobile' }])
    expect(planned(order(), order({ billingCode: '1' }))).toEqual([])
    expect(planned(null, order(ORDERED))).toEqual([])
  })

  test('the participant is notified of a booking, of its change and of its withdrawal', () => {
    const appointmentAt = hours(48)
    const plan = planNotifications(order(), booked({ appointmentAt }), NOW)
    expect(plan).toEqual([
      { kind: 'booking', channel: 'email', dueAt: NOW, refersTo: appointmentAt },
      { kind: 'bookingReminder', channel: 'email', dueAt: hours(24), refersTo: appointmentAt },
    ])
    expect(planned(booked(), booked())).toEqual([])
    expect(planned(booked(), booked({ clinic: AURORA }))).toEqual(['bookingChanged 0'])
    expect(planned(booked(), booked({ appointmentAt: hours(20) }))).toEqual(['bookingChanged 0'])
    expect(planned(booked(), order())).toEqual(['bookingWithdrawn 0'])
    const partly = order({ services: [{ status: 'testing' }, { status: 'linkSent' }] })
    expect(planned(booked(), partly)).toEqual(['bookingWithdrawn 0'])
    expect(planned(null, booked({ scheduling: { option: 'schedule', mode: 'configured' } }))).toEqual(['booking 0'])
    // A missed or started booking was not withdrawn.
    for (const status of ['noShow', 'checkedIn', 'negative'] as const)
      expect(planned(booked(), order({ services: [{ status }] }))).toEqual([])
    expect(planned(booked(), order({ ended: 'expired', services: [{ status: 'linkSent' }] }))).toEqual([])
  })

  test('the participant is reminded 72 and 24 hours before the order expires, if that is still ahead', () => {
    expect(planned(null, order({ expiresAt: hours(100) }))).toEqual(['link 0', 'reminder 28', 'reminder 76'])
    expect(planned(null, order({ expiresAt: hours(72) }))).toEqual(['link 0', 'reminder 48'])
    expect(planned(null, order({ expiresAt: hours(24) }))).toEqual(['link 0'])
    const expiring = order({ expiresAt: hours(100) })
    expect(planned(expiring, { ...expiring, billingCode: '1' })).toEqual([])
    expect(planned(expiring, order({ expiresAt: hours(50) }))).toEqual(['reminder 26'])
    // With the option order there is nothing to do before a clinic is booked.
    expect(planned(null, order({ ...ORDERED, expiresAt: hours(100) }))).toEqual([])
    expect(
      planned(order({ ...ORDERED, expiresAt: hours(100) }), booked({ ...ORDERED, expiresAt: hours(100) })),
    ).toEqual(['booking 0', 'reminder 28', 'reminder 76'])
  })

  test('the participant is reminded of an appointment a day before, if that is still ahead', () => {
    expect(planned(order(), booked({ appointmentAt: hours(25) }))).toEqual(['booking 0', 'bookingReminder 1'])
    expect(planned(order(), booked({ appointmentAt: hours(24) }))).toEqual(['booking 0'])
    // The participant may first hear of an order by its appointment.
    const first = booked({ ...ORDERED, appointmentAt: hours(48) })
    expect(planned(order(ORDERED), first)).toEqual(['booking 0', 'bookingReminder 24'])
    const at = booked({ appointmentAt: hours(48) })
    expect(planned(at, { ...at, clinic: AURORA })).toEqual(['bookingChanged 0'])
  })

  test('the participant is notified once of a cancelled order, if they knew of it', () => {
    const gone = { ended: 'cancelled' as const, services: [{ status: 'cancelled' as const }] }
    expect(planned(order(), order(gone))).toEqual(['cancellation 0'])
    expect(planned(order(gone), order(gone))).toEqual([])
    expect(planned(order(ORDERED), order({ ...ORDERED, ...gone }))).toEqual([])
    expect(planned(booked(ORDERED), order({ ...ORDERED, ...gone }))).toEqual(['cancellation 0'])
    expect(planned(order(), order({ ended: 'expired', services: [{ status: 'expired' }] }))).toEqual([])
    expect(planned(order(), order({ ...gone, expiresAt: hours(100) }))).toEqual(['cancellation 0'])
  })

  test('every kind of notification goes to the participant or to the requester', () => {
    const participant = 'link booking bookingChanged bookingWithdrawn reminder bookingReminder cancellation'
    const requester = 'clinicRequest clinicRequestAgain clinicReminder clinicNotNeeded'
    for (const kind of participant.split(' ')) expect(recipientOf(kind as NotificationKind)).toBe('participant')
    for (const kind of requester.split(' ')) expect(recipientOf(kind as NotificationKind)).toBe('requester')
  })
})

describe('a due notification to the participant', () => {
  const isRelevant = (kind: NotificationKind, about: Order, refersTo: Date | null = null) =>
    isStillRelevant({ kind, refersTo }, about, NOW)
  const CANCELLED = { ended: 'cancelled' as const, services: [{ status: 'cancelled' as const }] }
  const EXPIRED = { ended: 'expired' as const, services: [{ status: 'expired' as const }] }

  test('a link is dropped once the order has ended, started or expired', () => {
    expect(isRelevant('link', order())).toBe(true)
    expect(isRelevant('link', order({ services: [{ status: 'testing' }, { status: 'linkSent' }] }))).toBe(true)
    expect(isRelevant('link', order({ expiresAt: hours(1) }))).toBe(true)
    expect(isRelevant('link', order({ expiresAt: NOW }))).toBe(false)
    expect(isRelevant('link', order(CANCELLED))).toBe(false)
    expect(isRelevant('link', order({ ended: 'cancelled' }))).toBe(false)
    expect(isRelevant('link', order({ services: [{ status: 'checkedIn' }] }))).toBe(false)
  })

  test('the notification of a booking is dropped once the booking has changed or ended', () => {
    const at = hours(5)
    for (const kind of ['booking', 'bookingChanged'] as const) {
      expect(isRelevant(kind, booked({ appointmentAt: at }), at)).toBe(true)
      expect(isRelevant(kind, booked(), null)).toBe(true)
      expect(isRelevant(kind, booked({ appointmentAt: hours(6) }), at)).toBe(false)
      expect(isRelevant(kind, order({ appointmentAt: at }), at)).toBe(false)
      expect(isRelevant(kind, booked({ appointmentAt: at, services: [{ status: 'testing' }] }), at)).toBe(false)
    }
    expect(isRelevant('bookingWithdrawn', order())).toBe(true)
    expect(isRelevant('bookingWithdrawn', booked())).toBe(false)
    expect(isRelevant('bookingWithdrawn', order(CANCELLED))).toBe(false)
  })

  test('a reminder of an appointment is dropped once the appointment has passed or moved', () => {
    expect(isRelevant('bookingReminder', booked({ appointmentAt: hours(1) }), hours(1))).toBe(true)
    expect(isRelevant('bookingReminder', booked({ appointmentAt: NOW }), NOW)).toBe(false)
    expect(isRelevant('bookingReminder', booked({ appointmentAt: hours(-1) }), hours(-1))).toBe(false)
    expect(isRelevant('bookingReminder', booked({ appointmentAt: hours(2) }), hours(1))).toBe(false)
    const begun = booked({ appointmentAt: hours(1), services: [{ status: 'checkedIn' }] })
    expect(isRelevant('bookingReminder', begun, hours(1))).toBe(false)
  })

  test('a reminder of an order is dropped once the order has expired, or its expiry has changed', () => {
    expect(isRelevant('reminder', order({ expiresAt: hours(1) }), hours(1))).toBe(true)
    expect(isRelevant('reminder', order({ expiresAt: hours(2) }), hours(1))).toBe(false)
    expect(isRelevant('reminder', order({ expiresAt: NOW }), NOW)).toBe(false)
    expect(isRelevant('reminder', order({ ...EXPIRED, expiresAt: hours(1) }), hours(1))).toBe(false)
  })

  test('the notification of a cancellation is sent only for a cancelled order', () => {
    for (const kind of ['cancellation', 'clinicNotNeeded'] as const) {
      expect(isRelevant(kind, order(CANCELLED))).toBe(true)
      expect(isRelevant(kind, order())).toBe(false)
      expect(isRelevant(kind, order(EXPIRED))).toBe(false)
    }
  })
})
