import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { book, cancelBooking } from '../../../src/domain/bookings/bookings.ts'
import { cancel, changeService, dueAt, elapse } from '../../../src/domain/orders/life.ts'
import type { Order, OrderService } from '../../../src/domain/orders/order.ts'
import {
  correctService,
  isDotDrug,
  moveService,
  nextStatuses,
  resultsOf,
  publicStateOf,
} from '../../../src/domain/orders/service-life.ts'
import { hasResult, isClosed, orderStatus, type ServiceStatus } from '../../../src/domain/orders/statuses.ts'
import { presentOrder } from '../../../src/domain/orders/view.ts'
import { orderOf } from '../../support/orders.ts'

const AT = new Date('2026-03-02T10:00:00.000Z')
const HOUR = 3_600_000
const later = (hours: number) => new Date(AT.getTime() + hours * HOUR)
const CLINIC = { id: 'naperville', name: 'Naperville', phone: null, address: null }

const order = (given: Parameters<typeof orderOf>[0] = {}) => orderOf({ createdAt: AT, ...given })
const statuses = ({ services }: Order) => services.map(({ status }) => status)

const bookAt = (booked: Order, clinic: typeof CLINIC, appointmentAt: Date | null, now: Date) =>
  book(booked, { clinic, appointmentAt }, now)

describe('the status of an order', () => {
  test.each<[ServiceStatus[], string]>([
    // (2) Services cancelled on their own are left out.
    [['cancelled', 'cancelled'], 'cancelled'],
    [['cancelled', 'negative'], 'negative'],
    [['cancelled', 'scheduled'], 'scheduled'],
    // (3) All final: the worst wins.
    [['negative', 'positive'], 'positive'],
    [['positive', 'adulterated'], 'positive'],
    [['adulterated', 'substituted'], 'adulterated'],
    [['substituted', 'fail'], 'substituted'],
    [['fail', 'notFitForDuty'], 'fail'],
    [['notFitForDuty', 'testNotPerformed'], 'notFitForDuty'],
    [['testNotPerformed', 'unobtainable'], 'testNotPerformed'],
    [['unobtainable', 'testCancelled'], 'unobtainable'],
    [['testCancelled', 'negative'], 'testCancelled'],
    [['negative', 'complete'], 'negative'],
    [['fitForDuty', 'released', 'complete'], 'fitForDuty'],
    [['negative', 'negativeDilute'], 'negative'],
    [['negativeDilute'], 'negative'],
    [['negative', 'pass'], 'pass'],
    [['negative', 'fitForDuty'], 'pass'],
    [['complete', 'released'], 'complete'],
    [['complete'], 'complete'],
    [['released'], 'released'],
    // (4) All missed, all expired.
    [['noShow', 'noShow'], 'noShow'],
    [['expired', 'expired'], 'expired'],
    [['cancelled', 'noShow'], 'noShow'],
    // Ruling 59: some missed, some expired.
    [['noShow', 'expired'], 'noShow'],
    [['expired', 'expired', 'noShow'], 'noShow'],
    [['cancelled', 'noShow', 'expired'], 'noShow'],
    [['cancelled', 'expired'], 'expired'],
    // (5) Exceptions, the most severe first.
    [['integrationError', 'lostInTransit'], 'integrationError'],
    [['lostInTransit', 'nonNegative'], 'lostInTransit'],
    [['nonNegative', 'negative'], 'nonNegative'],
    [['nonNegative', 'ordered'], 'nonNegative'],
    // (6) One is final, and another one was not attended.
    [['negative', 'ordered'], 'incomplete'],
    [['negative', 'scheduled'], 'incomplete'],
    [['negative', 'noShow'], 'incomplete'],
    [['negative', 'expired'], 'incomplete'],
    [['negative', 'linkSent', 'testing'], 'incomplete'],
    // (7) In progress.
    [['negative', 'testing'], 'pending'],
    [['checkedIn', 'ordered'], 'pending'],
    [['inProgress'], 'pending'],
    [['mroReview', 'scheduled'], 'pending'],
    [['scheduled', 'ordered'], 'scheduled'],
    [['linkSent'], 'ordered'],
    [['ordered', 'linkSent'], 'ordered'],
  ])('an order with services %j is %s', (services, status) => {
    expect(orderStatus(services, null)).toBe(status)
    expect(orderStatus(services.toReversed(), null)).toBe(status)
  })

  test('a cancelled or expired order is that, whatever the statuses of its services (1)', () => {
    expect(orderStatus(['negative', 'cancelled'], 'cancelled')).toBe('cancelled')
    expect(orderStatus(['noShow', 'expired'], 'expired')).toBe('expired')
  })
})

describe('time', () => {
  test('services before check-in expire', () => {
    const open = order({ expiresAt: later(5), services: [{}, { status: 'scheduled' }] })
    expect(dueAt(open)).toEqual(later(5))
    expect(elapse(open, later(4))).toBe(open)
    const expired = elapse(open, later(5))
    expect([expired.status, statuses(expired), dueAt(expired)]).toEqual(['expired', ['expired', 'expired'], null])
  })

  test('services after check-in do not expire', () => {
    const open = order({ expiresAt: later(5), services: [{ status: 'checkedIn' }, {}] })
    const expired = elapse(open, later(6))
    expect([expired.status, statuses(expired)]).toEqual(['pending', ['checkedIn', 'expired']])
    expect(dueAt(order({ expiresAt: later(5), services: [{ status: 'checkedIn' }] }))).toBeNull()
  })

  test('a booking is missed a day after its time', () => {
    const booked = bookAt(order(), CLINIC, later(10), AT)
    expect(dueAt(booked)).toEqual(later(34))
    expect(elapse(booked, later(33))).toBe(booked)
    const missed = elapse(booked, later(34))
    expect([missed.status, statuses(missed), missed.isBooked, dueAt(missed)]).toEqual([
      'noShow',
      ['noShow'],
      false,
      null,
    ])
  })

  test('the earlier of expiry and a missed booking applies first', () => {
    const booked = bookAt(order({ expiresAt: later(20), services: [{}, {}] }), CLINIC, later(10), AT)
    expect(elapse(booked, later(100)).status).toBe('expired')
    const early = bookAt(order({ expiresAt: later(40), services: [{}] }), CLINIC, later(10), AT)
    expect(elapse(early, later(100)).status).toBe('noShow')
  })

  test('ruling 59: an order with one missed service and the others expired is a no-show', () => {
    const booked = order({
      expiresAt: later(40),
      appointmentAt: later(10),
      services: [{ status: 'scheduled' }, { status: 'linkSent' }],
    })
    const over = elapse(booked, later(100))
    expect([over.status, statuses(over), over.ended]).toEqual(['noShow', ['noShow', 'expired'], null])
  })

  test('ruling 60: a booking without a time never becomes a no-show; it ends by expiry', () => {
    const booked = bookAt(order({ expiresAt: later(40) }), CLINIC, null, AT)
    expect(dueAt(booked)).toEqual(later(40))
    expect(elapse(booked, later(39))).toBe(booked)
    expect(elapse(booked, later(41))).toMatchObject({ status: 'expired', isBooked: false })
    const unlimited = bookAt(order(), CLINIC, null, AT)
    expect([dueAt(unlimited), elapse(unlimited, later(10_000))]).toEqual([null, unlimited])
  })
})

describe('bookings', () => {
  test('a clinic is booked with or without a time', () => {
    for (const appointmentAt of [later(5), null]) {
      const booked = bookAt(order(), CLINIC, appointmentAt, AT)
      expect(booked).toMatchObject({ status: 'scheduled', isBooked: true, clinic: CLINIC, appointmentAt })
      expect(bookAt(booked, CLINIC, appointmentAt, AT)).toBe(booked)
    }
  })

  test('a clinic cannot be booked for a time in the past or after the order expires', () => {
    expect(() => bookAt(order(), CLINIC, later(-1), AT)).toThrow(/in the past/)
    expect(bookAt(order(), CLINIC, AT, AT)).toMatchObject({ appointmentAt: AT })
    const expiring = order({ expiresAt: later(5) })
    const justBefore = new Date(later(5).getTime() - 1)
    expect(() => bookAt(expiring, CLINIC, later(6), AT)).toThrow(/expires before/)
    expect(() => bookAt(expiring, CLINIC, later(5), AT)).toThrow(/expires before/)
    expect(bookAt(expiring, CLINIC, justBefore, AT)).toMatchObject({ appointmentAt: justBefore })
  })

  test('a booking can be replaced and cancelled while something is left to collect', () => {
    const booked = bookAt(order(), CLINIC, later(5), AT)
    const moved = bookAt(booked, { ...CLINIC, id: 'aurora' }, later(6), later(1))
    expect(moved).toMatchObject({ clinic: { id: 'aurora' }, appointmentAt: later(6) })
    expect(cancelBooking(moved, later(2))).toMatchObject({ clinic: null, isBooked: false, appointmentAt: null })
    const collected = order({ services: [{ status: 'testing' }], clinic: CLINIC })
    expect(() => bookAt(collected, CLINIC, null, AT)).toThrow(/nothing left to collect/)
    expect(() => cancelBooking(collected, AT)).toThrow(/nothing left to collect/)
  })

  test('ruling 60: a cancelled booking leaves services and order with the statuses they had before', () => {
    const open = order({ services: [{ status: 'linkSent' }, { status: 'testing' }, { status: 'lostInTransit' }] })
    const booked = bookAt(open, CLINIC, later(5), AT)
    expect(statuses(booked)).toEqual(['scheduled', 'testing', 'scheduled'])
    const cleared = cancelBooking(booked, later(1))
    expect([cleared.status, statuses(cleared)]).toEqual(['lostInTransit', ['linkSent', 'testing', 'lostInTransit']])
    expect(cleared.services[0]!.history.map(({ status }) => status)).toEqual(['linkSent', 'scheduled', 'linkSent'])
    expect(cleared).toMatchObject({ clinic: null, isBooked: false, appointmentAt: null })
    expect(cancelBooking(bookAt(order(), CLINIC, null, AT), later(1)).status).toBe('ordered')
  })

  test('ruling 60: a cancelled order keeps its clinic as a record and is not booked', () => {
    const cancelled = cancel(bookAt(order(), CLINIC, later(5), AT), null, later(1))
    expect(cancelled).toMatchObject({ status: 'cancelled', clinic: CLINIC, isBooked: false, appointmentAt: null })
  })

  test('a clinic is booked again for a lost specimen', () => {
    const lost = order({ services: [{ status: 'lostInTransit' }] })
    expect(bookAt(lost, CLINIC, later(5), AT)).toMatchObject({ status: 'scheduled' })
  })
})

describe('any allowed history of an order', () => {
  const KINDS: Partial<OrderService>[] = [
    { category: 'drug', type: 'urine', isDot: true, requiresMro: true },
    { category: 'drug', type: 'urine' },
    { category: 'drug', type: 'instantUrine', requiresMro: true },
    { category: 'alcohol', type: 'breath', isDot: true },
    { category: 'occupationalHealth', type: 'audiogram' },
    { category: 'background', type: 'criminal' },
  ]
  const steps = fc.array(fc.record({ place: fc.nat(), choice: fc.nat(), hours: fc.integer({ min: 0, max: 30 }) }), {
    maxLength: 40,
  })
  const kinds = fc.array(fc.constantFrom(...KINDS), { minLength: 1, maxLength: 3 })

  /** Random allowed transitions and corrections, sometimes a cancellation, a booking or elapsed time. */
  function step(before: Order, { place, choice }: { place: number; choice: number }, now: Date): Order {
    const service = before.services[place % before.services.length]!
    const next = nextStatuses(service).filter((status) => status !== 'cancelled' || choice % 7 === 0)
    if (choice % 31 === 0 && !isClosed(before.status)) return cancel(before, null, now)
    if (choice % 11 === 0) return elapse(before, now)
    if (next.length > 0) {
      return changeService(before, service.id, (each) => moveService(each, next[choice % next.length]!, now), now)
    }
    const results = resultsOf(service).filter((status) => hasResult(status) && status !== service.status)
    if (!hasResult(service.status) || before.ended) return before
    return changeService(
      before,
      service.id,
      (each) => correctService(each, results[choice % results.length]!, now),
      now,
    )
  }

  test('an order’s status follows from public statuses, hides unreviewed findings, and its times never go back', () => {
    fc.assert(
      fc.property(kinds, steps, (services, moves) => {
        let at = order({ services, expiresAt: later(100) })
        let now = AT
        for (const move of moves) {
          now = new Date(now.getTime() + move.hours * HOUR)
          at = step(at, move, now)
          expect(at.status).toBe(
            orderStatus(
              at.services.map((service) => publicStateOf(service).status),
              at.ended,
            ),
          )
          expectDiscretion(at)
          for (const { history } of [at, ...at.services]) {
            const times = history.map((entry) => entry.at.getTime())
            expect(times).toEqual(times.toSorted((a, b) => a - b))
          }
        }
      }),
    )
  })

  function expectDiscretion(at: Order): void {
    for (const [i, shown] of presentOrder(at).services.entries()) {
      const { status, requiresMro } = at.services[i]!
      const text = JSON.stringify(shown)
      const isReviewed = requiresMro || isDotDrug(at.services[i]!)
      const isHidden = isReviewed && !hasResult(status)
      const tells = text.includes('nonNegative') || shown.screenHistory.length > 0 || shown.isFinal
      expect({ isHidden, tells: isHidden && tells }).toEqual({ isHidden, tells: false })
      expect(isDotDrug(at.services[i]!) && text.includes('nonNegative')).toBe(false)
    }
  }

  test('a transition that is not allowed is refused and changes nothing', () => {
    fc.assert(
      fc.property(kinds, steps, fc.nat(), (services, moves, choice) => {
        let at = order({ services })
        for (const move of moves) at = step(at, move, later(1))
        const service = at.services[choice % at.services.length]!
        const copy = structuredClone(at)
        const illegal = (['ordered', 'collected', 'nonNegative', 'pass', 'positive', 'noShow'] as const).filter(
          (status) => !nextStatuses(service).includes(status),
        )
        for (const status of illegal) {
          expect(() => changeService(at, service.id, (each) => moveService(each, status, later(2)), later(2))).toThrow(
            /cannot become/,
          )
        }
        expect(at).toEqual(copy)
        expect(nextStatuses(service).length === 0).toBe(isClosed(service.status))
      }),
    )
  })
})
