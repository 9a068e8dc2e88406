import { describe, expect, test } from 'vitest'
import { book, cancelBooking, servicesToBook } from '../../../src/domain/bookings/bookings.ts'
import type { Order, OrderClinic } from '../../../src/domain/orders/order.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { orderOf, type GivenOrder } from '../../support/orders.ts'

const AT = new Date('2026-03-02T10:00:00.000Z')
const later = (hours: number) => new Date(AT.getTime() + hours * 3_600_000)
const CLINIC = { id: 'naperville', name: 'Naperville', phone: null, address: null }

const order = (given: GivenOrder = {}) => orderOf({ createdAt: AT, ...given })
const statuses = ({ services }: Order) => services.map(({ status }) => status)

const bookAt = (booked: Order, clinic: OrderClinic, appointmentAt: Date | null, now: Date) =>
  book(booked, { clinic, appointmentAt }, now)

/** Codes and pointers of a refusal. */
function refusalOf(work: () => unknown): string {
  try {
    work()
  } catch (error) {
    if (error instanceof Refusal) return error.problems.map(({ code, pointer = '' }) => `${code} ${pointer}`).join(', ')
    throw error
  }
  return 'not refused'
}

describe('booking a clinic', () => {
  test('an invalid booking is refused with the pointer of the member or the state of the order', () => {
    expect(refusalOf(() => bookAt(order(), CLINIC, later(-1), AT))).toBe('invalidValue /appointmentAt')
    const expiring = order({ expiresAt: later(4) })
    expect(refusalOf(() => bookAt(expiring, CLINIC, later(5), AT))).toBe('invalidValue /appointmentAt')
    expect(bookAt(expiring, CLINIC, null, AT)).toMatchObject({ status: 'scheduled', appointmentAt: null })
    for (const status of ['cancelled', 'expired', 'noShow', 'negative', 'testing'] as const) {
      const over = order({ services: [{ status }], clinic: CLINIC })
      expect([status, refusalOf(() => bookAt(over, CLINIC, null, AT))]).toEqual([status, 'invalidState '])
      expect([status, refusalOf(() => cancelBooking(over, AT))]).toEqual([status, 'invalidState '])
    }
    const cancelled = order({ ended: 'cancelled', services: [{ status: 'linkSent' }], clinic: CLINIC })
    expect(refusalOf(() => bookAt(cancelled, CLINIC, null, AT))).toBe('invalidState ')
    expect(refusalOf(() => cancelBooking(cancelled, AT))).toBe('invalidState ')
  })

  test('booking the same clinic and time again changes nothing; another clinic, time or lost specimen does', () => {
    const booked = bookAt(order({ services: [{}, {}] }), CLINIC, later(5), AT)
    expect(bookAt(booked, CLINIC, later(5), later(1))).toBe(booked)
    expect(bookAt(booked, CLINIC, later(6), later(1))).toMatchObject({ appointmentAt: later(6) })
    expect(bookAt(booked, CLINIC, null, later(1))).toMatchObject({ appointmentAt: null })
    expect(bookAt(booked, { ...CLINIC, id: 'aurora' }, later(5), later(1))).toMatchObject({
      clinic: { id: 'aurora' },
    })
    const unbooked = { ...booked, isBooked: false }
    expect(bookAt(unbooked, CLINIC, later(5), later(1))).toMatchObject({ isBooked: true })
    const lost = order({ ...booked, services: [{ status: 'scheduled' }, { status: 'lostInTransit' }] })
    expect(statuses(bookAt(lost, CLINIC, later(5), later(1)))).toEqual(['scheduled', 'scheduled'])
  })

  test('background checks and collected services are not booked', () => {
    const open = order({
      services: [
        { status: 'linkSent' },
        { category: 'background', type: 'criminal', status: 'ordered' },
        { status: 'testing' },
        { status: 'lostInTransit' },
        { category: 'background', type: 'criminal', status: 'lostInTransit' },
      ],
    })
    expect(servicesToBook(open)).toEqual([open.services[0], open.services[3]])
    expect(statuses(bookAt(open, CLINIC, null, AT))).toEqual([
      'scheduled',
      'ordered',
      'testing',
      'scheduled',
      'lostInTransit',
    ])
  })

  test('cancelling a booking that does not exist changes nothing', () => {
    for (const status of ['linkSent', 'testing', 'cancelled'] as const) {
      const open = order({ services: [{ status }] })
      expect(cancelBooking(open, later(1))).toBe(open)
    }
  })
})
