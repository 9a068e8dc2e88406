import { describe, expect, test } from 'vitest'
import { isWanted, planMessages, recipientOf, type MessageKind } from '../../../src/domain/notifications/plan.ts'
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
  planMessages(before, after, NOW).map(({ kind }) => `${recipientOf(kind)} ${kind}`)

describe('the requester who chooses the clinic', () => {
  test('is asked for it by e-mail, whatever way the participant is written to', () => {
    const order = requested({ delivery: { type: 'mobile', phone: '+16305550142' } })
    expect(planMessages(null, order, NOW)).toEqual([
      { kind: 'clinicRequest', channel: 'email', dueAt: NOW, refersTo: null },
    ])
  })

  test('is reminded three days and a day before the order expires', () => {
    const messages = planMessages(null, requested({ expiresAt: EXPIRES }), NOW).slice(1)
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

  test('is not asked where nobody or somebody else chooses', () => {
    for (const scheduling of [
      { option: 'order', mode: null },
      { option: 'schedule', mode: 'configured' },
    ])
      expect(planned(null, requested({ scheduling }))).toEqual([])
    expect(planned(null, orderOf({}))).toEqual(['participant link'])
  })

  test('hears nothing of a booking, of which the participant does; and is asked again when it is withdrawn', () => {
    expect(planned(requested(), booked)).toEqual(['participant booking'])
    expect(planned(booked, withdrawn)).toEqual(['participant bookingWithdrawn', 'requester clinicRequestAgain'])
  })

  test('leaves it to others to remind the participant, from the first booking on', () => {
    const open = requested({ expiresAt: EXPIRES })
    const told = requested({ ...BOOKED, expiresAt: EXPIRES, services: [{ status: 'scheduled' }] })
    expect(planned(open, told)).toEqual(['participant booking', 'participant reminder', 'participant reminder'])
    const moved = { ...told, appointmentAt: new Date('2027-03-05T15:00:00Z') }
    expect(planned(told, moved)).toEqual(['participant bookingChanged', 'participant bookingReminder'])
  })

  test('hears of a cancelled order only while a clinic was to be chosen', () => {
    const gone = { ended: 'cancelled' as const, services: [{ status: 'cancelled' as const }] }
    expect(planned(requested(), requested(gone))).toEqual(['requester clinicNotNeeded'])
    expect(planned(booked, requested({ ...gone, clinic: CLINIC }))).toEqual(['participant cancellation'])
  })

  test('is not asked again by what else happens meanwhile, nor when the test was missed or begun', () => {
    expect(planned(requested(), requested({ billingCode: '1' }))).toEqual([])
    expect(planned(booked, requested({ services: [{ status: 'noShow' }] }))).toEqual([])
    expect(planned(booked, requested({ services: [{ status: 'collected' }] }))).toEqual([])
    expect(planned(requested(), requested({ services: [{ status: 'expired' }], ended: 'expired' }))).toEqual([])
  })
})

describe('a message to the requester that is about to be sent', () => {
  const wanted = (kind: MessageKind, order: Order, refersTo: Date | null = null) =>
    isWanted({ kind, refersTo }, order, NOW)

  test.each<MessageKind>(['clinicRequest', 'clinicRequestAgain'])('%s is dropped once a clinic was chosen', (kind) => {
    expect(wanted(kind, requested())).toBe(true)
    expect(wanted(kind, booked)).toBe(false)
    expect(wanted(kind, requested({ expiresAt: NOW }))).toBe(false)
    expect(wanted(kind, requested({ ended: 'cancelled', services: [{ status: 'cancelled' }] }))).toBe(false)
  })

  test('a reminder is dropped once a clinic was chosen, or the order expires at another time', () => {
    const open = requested({ expiresAt: EXPIRES })
    expect(wanted('clinicReminder', open, EXPIRES)).toBe(true)
    expect(wanted('clinicReminder', open, NOW)).toBe(false)
    expect(wanted('clinicReminder', { ...booked, expiresAt: EXPIRES }, EXPIRES)).toBe(false)
  })
})
