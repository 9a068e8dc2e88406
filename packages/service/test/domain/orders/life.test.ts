import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { assignClinic, changeService, clearClinic, dueAt, elapse } from '../../../src/domain/orders/life.ts'
import { cancel, type Order, type OrderService } from '../../../src/domain/orders/order.ts'
import {
  correctService,
  isDotDrug,
  moveService,
  nextStatuses,
  resultsOf,
  shownOf,
} from '../../../src/domain/orders/service-life.ts'
import { hasResult, isClosed, isOver, orderStatus, type ServiceStatus } from '../../../src/domain/orders/statuses.ts'
import { presentOrder } from '../../../src/operations/orders/view.ts'
import { orderOf } from '../../support/order-of.ts'

const AT = new Date('2026-03-02T10:00:00.000Z')
const HOUR = 3_600_000
const later = (hours: number) => new Date(AT.getTime() + hours * HOUR)
const CLINIC = { id: 'naperville', name: 'Naperville', phone: null, address: null }

const order = (given: Parameters<typeof orderOf>[0] = {}) => orderOf({ createdAt: AT, ...given })
const statuses = ({ services }: Order) => services.map(({ status }) => status)

describe('the status of an order, first rule that fits', () => {
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
    // (5) Troubles, the gravest first.
    [['integrationError', 'lostInTransit'], 'integrationError'],
    [['lostInTransit', 'nonNegative'], 'lostInTransit'],
    [['nonNegative', 'negative'], 'nonNegative'],
    [['nonNegative', 'ordered'], 'nonNegative'],
    // (6) One is final, and for another nobody has come.
    [['negative', 'ordered'], 'incomplete'],
    [['negative', 'scheduled'], 'incomplete'],
    [['negative', 'noShow'], 'incomplete'],
    [['negative', 'expired'], 'incomplete'],
    [['negative', 'linkSent', 'testing'], 'incomplete'],
    // (7) Under way.
    [['negative', 'testing'], 'pending'],
    [['checkedIn', 'ordered'], 'pending'],
    [['inProgress'], 'pending'],
    [['mroReview', 'scheduled'], 'pending'],
    [['scheduled', 'ordered'], 'scheduled'],
    [['linkSent'], 'ordered'],
    [['ordered', 'linkSent'], 'ordered'],
  ])('%j is %s', (services, status) => {
    expect(orderStatus(services, null)).toBe(status)
    expect(orderStatus(services.toReversed(), null)).toBe(status)
  })

  test('an order that was cancelled or has expired is that, whatever its services are at (1)', () => {
    expect(orderStatus(['negative', 'cancelled'], 'cancelled')).toBe('cancelled')
    expect(orderStatus(['noShow', 'expired'], 'expired')).toBe('expired')
  })
})

describe('time', () => {
  test('expires what nobody has come for', () => {
    const open = order({ expiresAt: later(5), services: [{}, { status: 'scheduled' }] })
    expect(dueAt(open)).toEqual(later(5))
    expect(elapse(open, later(4))).toBe(open)
    const expired = elapse(open, later(5))
    expect([expired.status, statuses(expired), dueAt(expired)]).toEqual(['expired', ['expired', 'expired'], null])
  })

  test('does not expire what has been checked in', () => {
    const open = order({ expiresAt: later(5), services: [{ status: 'checkedIn' }, {}] })
    const expired = elapse(open, later(6))
    expect([expired.status, statuses(expired)]).toEqual(['pending', ['checkedIn', 'expired']])
    expect(dueAt(order({ expiresAt: later(5), services: [{ status: 'checkedIn' }] }))).toBeNull()
  })

  test('makes a booking missed that passed uncollected by a day', () => {
    const booked = assignClinic(order(), CLINIC, later(10), AT)
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

  test('lets happen first what came first', () => {
    const booked = assignClinic(order({ expiresAt: later(20), services: [{}, {}] }), CLINIC, later(10), AT)
    expect(elapse(booked, later(100)).status).toBe('expired')
    const early = assignClinic(order({ expiresAt: later(40), services: [{}] }), CLINIC, later(10), AT)
    expect(elapse(early, later(100)).status).toBe('noShow')
  })

  test('ruling 59: an order of which one service was missed and the rest expired is a no-show', () => {
    const booked = order({
      expiresAt: later(40),
      appointmentAt: later(10),
      services: [{ status: 'scheduled' }, { status: 'linkSent' }],
    })
    const over = elapse(booked, later(100))
    expect([over.status, statuses(over), over.ended]).toEqual(['noShow', ['noShow', 'expired'], null])
  })

  test('ruling 60: a booking without a time never becomes a no-show, it ends by expiry', () => {
    const booked = assignClinic(order({ expiresAt: later(40) }), CLINIC, null, AT)
    expect(dueAt(booked)).toEqual(later(40))
    expect(elapse(booked, later(39))).toBe(booked)
    expect(elapse(booked, later(41))).toMatchObject({ status: 'expired', isBooked: false })
    const unlimited = assignClinic(order(), CLINIC, null, AT)
    expect([dueAt(unlimited), elapse(unlimited, later(10_000))]).toEqual([null, unlimited])
  })
})

describe('a clinic', () => {
  test('expects the participant, at a time or at any', () => {
    for (const appointmentAt of [later(5), null]) {
      const booked = assignClinic(order(), CLINIC, appointmentAt, AT)
      expect(booked).toMatchObject({ status: 'scheduled', isBooked: true, clinic: CLINIC, appointmentAt })
      expect(assignClinic(booked, CLINIC, appointmentAt, AT)).toBe(booked)
    }
  })

  test('a clinic is booked for no time that has passed, nor for one at which the order has expired', () => {
    expect(() => assignClinic(order(), CLINIC, later(-1), AT)).toThrow(/in the past/)
    expect(assignClinic(order(), CLINIC, AT, AT)).toMatchObject({ appointmentAt: AT })
    const expiring = order({ expiresAt: later(5) })
    const justBefore = new Date(later(5).getTime() - 1)
    expect(() => assignClinic(expiring, CLINIC, later(6), AT)).toThrow(/The order expires at/)
    expect(() => assignClinic(expiring, CLINIC, later(5), AT)).toThrow(/The order expires at/)
    expect(assignClinic(expiring, CLINIC, justBefore, AT)).toMatchObject({ appointmentAt: justBefore })
  })

  test('may be changed and taken back while something is left to collect', () => {
    const booked = assignClinic(order(), CLINIC, later(5), AT)
    const moved = assignClinic(booked, { ...CLINIC, id: 'aurora' }, later(6), later(1))
    expect(moved).toMatchObject({ clinic: { id: 'aurora' }, appointmentAt: later(6) })
    expect(clearClinic(moved, later(2))).toMatchObject({ clinic: null, isBooked: false, appointmentAt: null })
    const collected = order({ services: [{ status: 'testing' }], clinic: CLINIC })
    expect(() => assignClinic(collected, CLINIC, null, AT)).toThrow(/nothing left to collect/)
    expect(() => clearClinic(collected, AT)).toThrow(/nothing left to collect/)
  })

  test('ruling 60: that is taken back leaves the services and the order as they were before the booking', () => {
    const open = order({ services: [{ status: 'linkSent' }, { status: 'testing' }, { status: 'lostInTransit' }] })
    const booked = assignClinic(open, CLINIC, later(5), AT)
    expect(statuses(booked)).toEqual(['scheduled', 'testing', 'scheduled'])
    const cleared = clearClinic(booked, later(1))
    expect([cleared.status, statuses(cleared)]).toEqual(['lostInTransit', ['linkSent', 'testing', 'lostInTransit']])
    expect(cleared.services[0]!.history.map(({ status }) => status)).toEqual(['linkSent', 'scheduled', 'linkSent'])
    expect(cleared).toMatchObject({ clinic: null, isBooked: false, appointmentAt: null })
    expect(clearClinic(assignClinic(order(), CLINIC, null, AT), later(1)).status).toBe('ordered')
  })

  test('ruling 60: stays on a cancelled order as a record, which is not booked', () => {
    const cancelled = cancel(assignClinic(order(), CLINIC, later(5), AT), null, later(1))
    expect(cancelled).toMatchObject({ status: 'cancelled', clinic: CLINIC, isBooked: false, appointmentAt: null })
  })

  test('is booked anew for a specimen that was lost', () => {
    const lost = order({ services: [{ status: 'lostInTransit' }] })
    expect(assignClinic(lost, CLINIC, later(5), AT)).toMatchObject({ status: 'scheduled' })
  })
})

describe('whatever legal history an order has', () => {
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

  /** Random legal moves and corrections, now and then a cancel, a booking or time that passes. */
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

  test('its status follows from what is shown, nothing unreviewed is shown, and its times never go back', () => {
    fc.assert(
      fc.property(kinds, steps, (services, moves) => {
        let at = order({ services, expiresAt: later(100) })
        let now = AT
        for (const move of moves) {
          now = new Date(now.getTime() + move.hours * HOUR)
          at = step(at, move, now)
          expect(at.status).toBe(
            orderStatus(
              at.services.map((service) => shownOf(service).status),
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

  test('an illegal move is refused and changes nothing', () => {
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
        expect(nextStatuses(service).length === 0).toBe(isOver(service.status))
      }),
    )
  })
})
