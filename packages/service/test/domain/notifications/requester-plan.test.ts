import { describe, expect, test } from 'vitest'
import {
  isStillRelevant,
  planNotifications,
  recipientOf,
  type NotificationKind,
} from '../../../src/domain/notifications/plan.ts'
import type { Order } from '../../../src/domain/orders/order.ts'
import { orderOf } from '../../support/orders.ts'

const NOW = new Date('2027-03-01T12:00:00Z')
const EXPIRES = new Date('2027-03-10T12:00:00Z')
const CLINIC = { id: 'naperville', name: 'Naperville', address: null, phone: null }
const REQUESTED = { scheduling: { option: 'order', mode: 'requesterSelects' }, createdAt: NOW }
const BOOKED = { clinic: CLINIC, isBooked: true }

type Given = Parameters<typeof orderOf>[0]
const requested = (members: Given = {}): Order =>
  orderOf({ ...REQUESTED, services: [{ status: 'ordered' }], ...members })
const booked = requested({ ...BOOKED, services: [{ status: 'scheduled' }] })
const withdrawn = requested({ services: [{ status: 'scheduled' }] })

const planned = (before: Order | null, after: Order) =>
  planNotifications(before, after, NOW).map(({ kind }) => `${recipientOf(kind)} ${kind}`)

describe('the requester who chooses the clinic', () => {
  test('the requester is asked to choose a clinic by e-mail, whatever the channel of the participant', () => {
    const order = requested({ delivery: { type: 'mobile', phone: '+16305550142' } })
    expect(planNotifications(null, order, NOW)).toEqual([
      { kind: 'clinicRequest', channel: 'email', dueAt: NOW, refersTo: null },
    ])
  })

  test('the requester is reminded three days and one day before the order expires', () => {
    const messages = planNotifications(null, requested({ expiresAt: EXPIRES }), NOW).slice(1)
    expect(messages.map(({ kind, dueAt }) => [kind, (EXPIRES.getTime() - dueAt.getTime()) / 3_600_000])).toEqual([
      ['clinicReminder', 72],
      ['clinicReminder', 24],
    ])
  })

  test('the requester is not reminded at a time that has passed', () => {
    const reminders = (hours: number) =>
      planned(null, requested({ expiresAt: new Date(NOW.getTime() + hours * 3_600_000) })).slice(1)
    expect(reminders(73)).toEqual(['requester clinicReminder', 'requester clinicReminder'])
    expect(reminders(72)).toEqual(['requester clinicReminder'])
    expect(reminders(24)).toEqual([])
  })

  test('the requester is not asked if they do not choose the clinic', () => {
    for (const scheduling of [
      { option: 'order', mode: null },
      { option: 'schedule', mode: 'configured' },
    ])
      expect(planned(null, requested({ scheduling }))).toEqual([])
    expect(planned(null, orderOf({}))).toEqual(['participant link'])
  })

  test('the requester gets a confirmation of a booking, and is asked again when it is withdrawn', () => {
    expect(planned(requested(), booked)).toEqual(['participant booking', 'requester clinicChosen'])
    expect(planned(booked, withdrawn)).toEqual(['participant bookingWithdrawn', 'requester clinicRequestAgain'])
  })

  test('from the first booking on, the participant is reminded instead of the requester', () => {
    const open = requested({ expiresAt: EXPIRES })
    const booking = requested({ ...BOOKED, expiresAt: EXPIRES, services: [{ status: 'scheduled' }] })
    expect(planned(open, booking)).toEqual([
      'participant booking',
      'participant reminder',
      'participant reminder',
      'requester clinicChosen',
    ])
    const moved = { ...booking, appointmentAt: new Date('2027-03-05T15:00:00Z') }
    expect(planned(booking, moved)).toEqual([
      'participant bookingChanged',
      'participant bookingReminder',
      'requester clinicChosen',
    ])
  })

  test('the requester is notified of a cancelled order if a clinic was still to be chosen, or a time was booked', () => {
    const gone = { ended: 'cancelled' as const, services: [{ status: 'cancelled' as const }] }
    expect(planned(requested(), requested(gone))).toEqual(['requester clinicNotNeeded'])
    const timed = { ...booked, appointmentAt: new Date('2027-03-05T15:00:00Z') }
    expect(planned(timed, requested({ ...gone, clinic: CLINIC }))).toEqual([
      'participant cancellation',
      'requester clinicNotNeeded',
    ])
    expect(planned({ ...booked, appointmentAt: null }, requested({ ...gone, clinic: CLINIC }))).toEqual([
      'participant cancellation',
    ])
  })

  test('the requester is not asked again after other changes, nor if the test was missed or started', () => {
    expect(planned(requested(), requested({ billingCode: '1' }))).toEqual([])
    expect(planned(booked, requested({ services: [{ status: 'noShow' }] }))).toEqual([])
    expect(planned(booked, requested({ services: [{ status: 'collected' }] }))).toEqual([])
    expect(planned(requested(), requested({ services: [{ status: 'expired' }], ended: 'expired' }))).toEqual([])
  })
})

describe('a due notification to the requester', () => {
  const isRelevant = (kind: NotificationKind, order: Order, refersTo: Date | null = null) =>
    isStillRelevant({ kind, refersTo }, order, NOW)

  test.each<NotificationKind>(['clinicRequest', 'clinicRequestAgain'])(
    'a %s is dropped once a clinic is chosen',
    (kind) => {
      expect(isRelevant(kind, requested())).toBe(true)
      expect(isRelevant(kind, booked)).toBe(false)
      expect(isRelevant(kind, requested({ expiresAt: NOW }))).toBe(false)
      expect(isRelevant(kind, requested({ ended: 'cancelled', services: [{ status: 'cancelled' }] }))).toBe(false)
    },
  )

  test('a reminder to the requester is dropped once a clinic is chosen or the expiry has changed', () => {
    const open = requested({ expiresAt: EXPIRES })
    expect(isRelevant('clinicReminder', open, EXPIRES)).toBe(true)
    expect(isRelevant('clinicReminder', open, NOW)).toBe(false)
    expect(isRelevant('clinicReminder', { ...booked, expiresAt: EXPIRES }, EXPIRES)).toBe(false)
  })
})
