import { describe, expect, test } from 'vitest'
import { isWanted, planMessages, recipientOf, type MessageKind } from '../../../src/domain/notifications/plan.ts'
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

/** What is planned, and how many hours from now: `link 0`. */
const planned = (before: Order | null, after: Order) =>
  planMessages(before, after, NOW).map(({ kind, dueAt }) => `${kind} ${(dueAt.getTime() - NOW.getTime()) / 3_600_000}`)

describe('the participant', () => {
  test('the participant is sent a link for a new order with the option link, by the way the order says', () => {
    expect(planMessages(null, order(), NOW)).toEqual([{ kind: 'link', channel: 'email', dueAt: NOW, refersTo: null }])
    const texted = order({ delivery: { type: 'mobile', phone: '+16305550142' } })
    expect(planMessages(null, texted, NOW)).toMatchObject([{ kind: 'link', channel: 'mobile' }])
    expect(planned(order(), order({ billingCode: '1' }))).toEqual([])
    expect(planned(null, order(ORDERED))).toEqual([])
  })

  test('the participant is told of a booking, of its change and of its withdrawal', () => {
    const appointmentAt = hours(48)
    const told = planMessages(order(), booked({ appointmentAt }), NOW)
    expect(told).toEqual([
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
    // What was missed or begun was not withdrawn.
    for (const status of ['noShow', 'checkedIn', 'negative'] as const)
      expect(planned(booked(), order({ services: [{ status }] }))).toEqual([])
    expect(planned(booked(), order({ ended: 'expired', services: [{ status: 'linkSent' }] }))).toEqual([])
  })

  test('the participant is reminded 72 and 24 hours before the order expires, as far as these are ahead', () => {
    expect(planned(null, order({ expiresAt: hours(100) }))).toEqual(['link 0', 'reminder 28', 'reminder 76'])
    expect(planned(null, order({ expiresAt: hours(72) }))).toEqual(['link 0', 'reminder 48'])
    expect(planned(null, order({ expiresAt: hours(24) }))).toEqual(['link 0'])
    const expiring = order({ expiresAt: hours(100) })
    expect(planned(expiring, { ...expiring, billingCode: '1' })).toEqual([])
    expect(planned(expiring, order({ expiresAt: hours(50) }))).toEqual(['reminder 26'])
    // With the option order there is nothing to be done before a clinic is booked.
    expect(planned(null, order({ ...ORDERED, expiresAt: hours(100) }))).toEqual([])
    expect(
      planned(order({ ...ORDERED, expiresAt: hours(100) }), booked({ ...ORDERED, expiresAt: hours(100) })),
    ).toEqual(['booking 0', 'reminder 28', 'reminder 76'])
  })

  test('the participant is reminded of an appointment a day before, where that is ahead', () => {
    expect(planned(order(), booked({ appointmentAt: hours(25) }))).toEqual(['booking 0', 'bookingReminder 1'])
    expect(planned(order(), booked({ appointmentAt: hours(24) }))).toEqual(['booking 0'])
    // The first that is heard of an order may be its appointment.
    const first = booked({ ...ORDERED, appointmentAt: hours(48) })
    expect(planned(order(ORDERED), first)).toEqual(['booking 0', 'bookingReminder 24'])
    const at = booked({ appointmentAt: hours(48) })
    expect(planned(at, { ...at, clinic: AURORA })).toEqual(['bookingChanged 0'])
  })

  test('the participant is told once that an order was cancelled, if they had heard of it', () => {
    const gone = { ended: 'cancelled' as const, services: [{ status: 'cancelled' as const }] }
    expect(planned(order(), order(gone))).toEqual(['cancellation 0'])
    expect(planned(order(gone), order(gone))).toEqual([])
    expect(planned(order(ORDERED), order({ ...ORDERED, ...gone }))).toEqual([])
    expect(planned(booked(ORDERED), order({ ...ORDERED, ...gone }))).toEqual(['cancellation 0'])
    expect(planned(order(), order({ ended: 'expired', services: [{ status: 'expired' }] }))).toEqual([])
    expect(planned(order(), order({ ...gone, expiresAt: hours(100) }))).toEqual(['cancellation 0'])
  })

  test('every message goes to the participant or to the requester', () => {
    const participant = 'link booking bookingChanged bookingWithdrawn reminder bookingReminder cancellation'
    const requester = 'clinicRequest clinicRequestAgain clinicReminder clinicNotNeeded'
    for (const kind of participant.split(' ')) expect(recipientOf(kind as MessageKind)).toBe('participant')
    for (const kind of requester.split(' ')) expect(recipientOf(kind as MessageKind)).toBe('requester')
  })
})

describe('a message to the participant that is about to be sent', () => {
  const wanted = (kind: MessageKind, about: Order, refersTo: Date | null = null) =>
    isWanted({ kind, refersTo }, about, NOW)
  const CANCELLED = { ended: 'cancelled' as const, services: [{ status: 'cancelled' as const }] }
  const EXPIRED = { ended: 'expired' as const, services: [{ status: 'expired' as const }] }

  test('a link is dropped once the order is over, begun or expired', () => {
    expect(wanted('link', order())).toBe(true)
    expect(wanted('link', order({ services: [{ status: 'testing' }, { status: 'linkSent' }] }))).toBe(true)
    expect(wanted('link', order({ expiresAt: hours(1) }))).toBe(true)
    expect(wanted('link', order({ expiresAt: NOW }))).toBe(false)
    expect(wanted('link', order(CANCELLED))).toBe(false)
    expect(wanted('link', order({ ended: 'cancelled' }))).toBe(false)
    expect(wanted('link', order({ services: [{ status: 'checkedIn' }] }))).toBe(false)
  })

  test('news of a booking is dropped once it is another booking or none', () => {
    const at = hours(5)
    for (const kind of ['booking', 'bookingChanged'] as const) {
      expect(wanted(kind, booked({ appointmentAt: at }), at)).toBe(true)
      expect(wanted(kind, booked(), null)).toBe(true)
      expect(wanted(kind, booked({ appointmentAt: hours(6) }), at)).toBe(false)
      expect(wanted(kind, order({ appointmentAt: at }), at)).toBe(false)
      expect(wanted(kind, booked({ appointmentAt: at, services: [{ status: 'testing' }] }), at)).toBe(false)
    }
    expect(wanted('bookingWithdrawn', order())).toBe(true)
    expect(wanted('bookingWithdrawn', booked())).toBe(false)
    expect(wanted('bookingWithdrawn', order(CANCELLED))).toBe(false)
  })

  test('a reminder of an appointment is dropped at its time, and once it is at another', () => {
    expect(wanted('bookingReminder', booked({ appointmentAt: hours(1) }), hours(1))).toBe(true)
    expect(wanted('bookingReminder', booked({ appointmentAt: NOW }), NOW)).toBe(false)
    expect(wanted('bookingReminder', booked({ appointmentAt: hours(-1) }), hours(-1))).toBe(false)
    expect(wanted('bookingReminder', booked({ appointmentAt: hours(2) }), hours(1))).toBe(false)
    const begun = booked({ appointmentAt: hours(1), services: [{ status: 'checkedIn' }] })
    expect(wanted('bookingReminder', begun, hours(1))).toBe(false)
  })

  test('a reminder of an order is dropped once it has expired, or expires at another time', () => {
    expect(wanted('reminder', order({ expiresAt: hours(1) }), hours(1))).toBe(true)
    expect(wanted('reminder', order({ expiresAt: hours(2) }), hours(1))).toBe(false)
    expect(wanted('reminder', order({ expiresAt: NOW }), NOW)).toBe(false)
    expect(wanted('reminder', order({ ...EXPIRED, expiresAt: hours(1) }), hours(1))).toBe(false)
  })

  test('news of a cancellation is true only of a cancelled order', () => {
    for (const kind of ['cancellation', 'clinicNotNeeded'] as const) {
      expect(wanted(kind, order(CANCELLED))).toBe(true)
      expect(wanted(kind, order())).toBe(false)
      expect(wanted(kind, order(EXPIRED))).toBe(false)
    }
  })
})
