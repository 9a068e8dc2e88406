import { describe, expect, test } from 'vitest'
import {
  cancel,
  changeService,
  changeTime,
  describeSpecimen,
  dueAt,
  elapse,
  restate,
} from '../../../src/domain/orders/life.ts'
import type { Order } from '../../../src/domain/orders/order.ts'
import { moveService } from '../../../src/domain/orders/service-life.ts'
import { Refusal } from '../../../src/domain/refusal.ts'
import { orderOf, type GivenOrder } from '../../support/orders.ts'

const AT = new Date('2026-03-02T10:00:00.000Z')
const later = (hours: number) => new Date(AT.getTime() + hours * 3_600_000)
const CLINIC = { id: 'naperville', name: 'Naperville', phone: null, address: null }

const order = (given: GivenOrder = {}) => orderOf({ createdAt: AT, ...given })
const statuses = ({ services }: Order) => services.map(({ status }) => status)

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

describe('expiry and missed bookings', () => {
  test('a booking counts as missed a day after its time if any service is still scheduled', () => {
    const services = [{ status: 'scheduled' as const }, { status: 'testing' as const }]
    expect(dueAt(order({ appointmentAt: later(1), services }))).toEqual(later(25))
    expect(dueAt(order({ appointmentAt: later(1), services: [{ status: 'testing' }] }))).toBeNull()
    expect(dueAt(order({ appointmentAt: later(1), expiresAt: later(2), services }))).toEqual(later(2))
    expect(dueAt(order({ appointmentAt: later(1), expiresAt: later(90), services }))).toEqual(later(25))
  })

  test('an order expires as a whole only if no service is in progress or finished', () => {
    const expire = (...of: ('linkSent' | 'cancelled' | 'testing' | 'negative' | 'noShow')[]) => {
      const expired = elapse(order({ expiresAt: later(1), services: of.map((status) => ({ status })) }), later(1))
      return [expired.ended, expired.status, ...statuses(expired)]
    }
    expect(expire('linkSent')).toEqual(['expired', 'expired', 'expired'])
    expect(expire('linkSent', 'cancelled')).toEqual(['expired', 'expired', 'expired', 'cancelled'])
    expect(expire('linkSent', 'testing')).toEqual([null, 'pending', 'expired', 'testing'])
    expect(expire('linkSent', 'negative')).toEqual([null, 'incomplete', 'expired', 'negative'])
    expect(expire('linkSent', 'noShow')).toEqual([null, 'noShow', 'expired', 'noShow'])
  })

  test('a missed booking does not change services in progress', () => {
    const services = [{ status: 'scheduled' as const }, { status: 'testing' as const }, { status: 'linkSent' as const }]
    const missed = elapse(order({ appointmentAt: later(1), isBooked: true, services }), later(25))
    expect(missed).toMatchObject({ isBooked: false, appointmentAt: null, updatedAt: later(25) })
    expect(statuses(missed)).toEqual(['noShow', 'testing', 'linkSent'])
  })

  test('a planned arrival cannot be missed: the order stays booked until it expires', () => {
    const services = [{ status: 'scheduled' as const }]
    const planned = order({ appointmentAt: later(1), isArrival: true, isBooked: true, services, expiresAt: later(50) })
    expect(elapse(planned, later(30))).toBe(planned)
    expect(statuses(elapse(planned, later(51)))).toEqual(['expired'])
  })
})

describe('a change of an order', () => {
  test('changing a service leaves the others as they are, and updates the status of the order', () => {
    const open = order({ services: [{}, {}] })
    const changed = changeService(
      open,
      open.services[1]!.id,
      (each) => moveService(each, 'checkedIn', later(1)),
      later(1),
    )
    expect([changed.status, ...statuses(changed)]).toEqual(['pending', 'linkSent', 'checkedIn'])
    expect(changed.services[0]).toBe(open.services[0])
    expect(changed).toMatchObject({ updatedAt: later(1), statusUpdatedAt: later(1) })
    expect(changed.history).toEqual([
      { status: 'ordered', at: AT },
      { status: 'pending', at: later(1) },
    ])
  })

  test('a change without a new status updates only updatedAt', () => {
    const same = restate(order(), later(3))
    expect(same).toMatchObject({ updatedAt: later(3), statusUpdatedAt: AT, history: [{ status: 'ordered', at: AT }] })
  })

  test('the times of an order never go back, even if clocks do', () => {
    expect(changeTime(order(), later(-1))).toEqual(AT)
    expect(changeTime(order(), later(1))).toEqual(later(1))
  })

  test('specimen details that are not given keep their values', () => {
    const [service] = order({ services: [{ specimenId: 'S', courierServiceName: 'C', trackingNumber: 'T' }] }).services
    const known = { specimenId: 'S', courierServiceName: 'C', trackingNumber: 'T' }
    expect(describeSpecimen(service!, {})).toMatchObject(known)
    expect(describeSpecimen(service!, { specimenId: 'S2' })).toMatchObject({ ...known, specimenId: 'S2' })
    expect(describeSpecimen(service!, { courier: 'C2' })).toMatchObject({ ...known, courierServiceName: 'C2' })
    expect(describeSpecimen(service!, { trackingNumber: 'T2' })).toMatchObject({ ...known, trackingNumber: 'T2' })
  })
})

describe('cancelling an order', () => {
  test('a cancelled order keeps final services, loses its booking and keeps the reason', () => {
    const services = [{ status: 'negative' as const }, { status: 'scheduled' as const }, { status: 'testing' as const }]
    const booked = order({ services, clinic: CLINIC, isBooked: true, appointmentAt: later(5) })
    const cancelled = cancel(booked, 'Placed twice.', later(1))
    expect(statuses(cancelled)).toEqual(['negative', 'cancelled', 'cancelled'])
    expect(cancelled).toMatchObject({
      status: 'cancelled',
      ended: 'cancelled',
      cancelReason: 'Placed twice.',
      isBooked: false,
      appointmentAt: null,
      updatedAt: later(1),
    })
    expect(cancel(cancelled, 'Again.', later(2))).toBe(cancelled)
  })

  test.each([
    'negative',
    'positive',
    'adulterated',
    'substituted',
    'testCancelled',
    'testNotPerformed',
    'unobtainable',
    'pass',
    'fail',
    'fitForDuty',
    'notFitForDuty',
    'complete',
    'released',
    'expired',
    'noShow',
  ] as const)('an order that is %s cannot be cancelled', (status) => {
    expect(refusalOf(() => cancel(order({ services: [{ status }] }), null, later(1)))).toBe('invalidState ')
  })

  test.each([
    'incomplete',
    'integrationError',
    'lostInTransit',
    'nonNegative',
    'ordered',
    'pending',
    'scheduled',
  ] as const)('an order that is %s can be cancelled', (status) => {
    const services = {
      incomplete: [{ status: 'negative' as const }, { status: 'ordered' as const }],
      integrationError: [{ status: 'integrationError' as const }],
      lostInTransit: [{ status: 'lostInTransit' as const }],
      nonNegative: [{ status: 'nonNegative' as const }],
      ordered: [{ status: 'ordered' as const }],
      pending: [{ status: 'testing' as const }],
      scheduled: [{ status: 'scheduled' as const }],
    }[status]
    const open = order({ services })
    expect([open.status, cancel(open, null, later(1)).status]).toEqual([status, 'cancelled'])
  })
})
