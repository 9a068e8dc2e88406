import { RetentionPolicy } from '@order-testing/contract'
import { describe, expect, test } from 'vitest'
import {
  beginOf,
  checkPolicy,
  classOf,
  endOf,
  judgeOrder,
  legalMinimumOf,
  parsePeriod,
  pruneBefore,
  requiredUntil,
} from '../../../src/domain/retention/periods.ts'
import { isSamePerson } from '../../../src/domain/orders/same-person.ts'
import type { OrderService, Participant } from '../../../src/domain/orders/order.ts'
import { orderOf } from '../../support/order-of.ts'

type Given = Parameters<typeof orderOf>[0]

const closed = (status: OrderService['status'], members: Partial<OrderService> = {}, order: Given = {}) =>
  orderOf({ ...order, services: [{ status, ...members }] })
const dot = (status: OrderService['status'], order: Given = {}, members: Partial<OrderService> = {}) =>
  closed(status, { isDot: true, ...members }, order)

describe('49 CFR 40.333: how long records of regulated tests are kept at least', () => {
  test.each([
    ['negative', 1, '49 CFR 40.333(a)(4)'],
    ['negativeDilute', 1, '49 CFR 40.333(a)(4)'],
    ['testCancelled', 1, '49 CFR 40.333(a)(4)'],
    ['cancelled', 1, '49 CFR 40.333(a)(4)'],
    ['positive', 5, '49 CFR 40.333(a)(1)(ii)'],
    ['adulterated', 5, '49 CFR 40.333(a)(1)(iii)'],
    ['substituted', 5, '49 CFR 40.333(a)(1)(iii)'],
    ['testNotPerformed', 5, '49 CFR 40.333(a)(1)(iii)'],
  ] as const)('a test that is %s: %s years', (status, years, section) => {
    expect(legalMinimumOf(dot(status))).toEqual({ years, section })
  })

  test.each([
    ['positive', '49 CFR 40.333(a)(1)(i)'],
    ['negative', '49 CFR 40.333(a)(1)(i)'],
    ['testNotPerformed', '49 CFR 40.333(a)(1)(iii)'],
    ['testCancelled', '49 CFR 40.333(a)(4)'],
  ] as const)('an alcohol test that is %s, of unknown concentration: as %s says', (status, section) => {
    expect(legalMinimumOf(dot(status, {}, { category: 'alcohol' }))?.section).toBe(section)
  })

  test('every follow-up test: five years, whatever its result', () => {
    expect(legalMinimumOf(dot('negative', { testReason: 'followUp' }))).toEqual({
      years: 5,
      section: '49 CFR 40.333(a)(1)(v)',
    })
  })

  test('a missed test may be a refusal, except before employment', () => {
    expect(legalMinimumOf(dot('noShow', { testReason: 'random' }))?.years).toBe(5)
    expect(legalMinimumOf(dot('noShow', { testReason: 'preEmployment' }))?.years).toBe(1)
  })

  test('the worst of several regulated services counts, and those that are not regulated do not', () => {
    const services = [
      { status: 'negative', isDot: true },
      { status: 'positive', isDot: true },
    ] as const
    expect(legalMinimumOf(orderOf({ services: [...services] }))?.years).toBe(5)
    expect(legalMinimumOf(orderOf({ services: [services[0], { status: 'positive' }] }))?.years).toBe(1)
    expect(legalMinimumOf(closed('positive'))).toBeNull()
  })
})

describe('a policy', () => {
  const problems = (regulatedOrders: object) =>
    checkPolicy(RetentionPolicy.parse({ keep: { regulatedOrders } })).map(({ code, pointer }) => `${code} ${pointer}`)

  test.each([
    [{ negative: '364 days' }, ['tooSmall /keep/regulatedOrders/negative']],
    [{ negative: '365 days' }, ['tooSmall /keep/regulatedOrders/negative']],
    [{ negative: '366 days', cancelled: '12 months' }, []],
    [{ cancelled: '11 months' }, ['tooSmall /keep/regulatedOrders/cancelled']],
    [{ positive: '4 years' }, ['tooSmall /keep/regulatedOrders/positive']],
    [{ positive: '5 years', refusal: '60 months' }, []],
    [{ refusal: '59 months' }, ['tooSmall /keep/regulatedOrders/refusal']],
  ])('for regulated orders of %j has the problems %j', (periods, expected) => {
    expect(problems(periods)).toEqual(expected)
  })

  test('that is too short is refused with the section that says so', () => {
    const [problem] = checkPolicy({ keep: { regulatedOrders: { positive: '4 years' } } })
    expect(problem).toMatchObject({
      detail:
        'Records of positive results of regulated tests must be kept for at least five years (49 CFR 40.333(a)(1)(ii)).',
      meta: { regulation: '49 CFR 40.333(a)(1)(ii)' },
    })
  })

  test('may be as short as it likes for other orders', () => {
    expect(checkPolicy({ keep: { orders: { positive: '1 day' } } })).toEqual([])
  })

  test.each([
    { orders: { negative: '5' } },
    { orders: { negative: 'P5Y' } },
    { audit: '90 days' },
    { parcels: '1 day' },
  ])('%j cannot be read', (keep) => {
    expect(RetentionPolicy.safeParse({ keep }).success).toBe(false)
  })
})

describe('the time of an order', () => {
  const AT = new Date('2024-02-29T12:00:00.000Z')
  const judged = (order: Parameters<typeof judgeOrder>[0], keep: object, now: string, isHeld = false) =>
    judgeOrder(order, RetentionPolicy.parse({ keep }), isHeld, new Date(now))

  test('is over when its period has passed since its status was reached', () => {
    const order = closed('negative', {}, { createdAt: AT })
    const keep = { orders: { negative: '1 year' } }
    expect(judged(order, keep, '2025-02-28T12:00:00Z')).toBe('kept')
    expect(judged(order, keep, '2025-03-01T12:00:00Z')).toBe('due')
    expect(judged(order, keep, '2025-03-01T12:00:00Z', true)).toBe('held')
  })

  test('begins anew when the result of a regulated service is corrected, even if the order keeps its status', () => {
    const corrected = { statusUpdatedAt: new Date('2025-01-15T00:00:00Z') }
    const services = [
      { status: 'positive', isDot: true },
      { status: 'negative', isDot: true, ...corrected },
    ] as const
    const order = orderOf({ createdAt: AT, services: [...services] })
    const keep = { regulatedOrders: { positive: '5 years' } }
    expect(requiredUntil(order)).toEqual(new Date('2030-01-15T00:00:00Z'))
    expect(judged(order, keep, '2029-06-01T00:00:00Z')).toBe('kept')
    expect(judged(order, keep, '2030-01-16T00:00:00Z')).toBe('due')
  })

  test('is never over without a period for its kind, or while it is open', () => {
    const far = '2999-01-01T00:00:00Z'
    expect(judged(closed('negative', {}, { createdAt: AT }), { orders: { positive: '1 day' } }, far)).toBe('kept')
    expect(judged(closed('linkSent', {}, { createdAt: AT }), { orders: { negative: '1 day' } }, far)).toBe('kept')
    expect(judged(dot('negative', { createdAt: AT }), { orders: { negative: '1 day' } }, far)).toBe('kept')
  })

  test('is not over before the law allows, whatever the period of its class', () => {
    const keep = { regulatedOrders: { negative: '1 year', cancelled: '1 year' } }
    const followUp = dot('negative', { createdAt: AT, testReason: 'followUp' })
    expect(judged(followUp, keep, '2028-01-01T00:00:00Z')).toBe('required')
    expect(judged(followUp, keep, '2029-03-02T00:00:00Z')).toBe('due')
    expect(judged(dot('noShow', { createdAt: AT }), keep, '2026-01-01T00:00:00Z')).toBe('required')
  })

  test('every final and closed status has a class, and no other', () => {
    expect(classOf({ status: 'expired' })).toBe('cancelled')
    expect(classOf({ status: 'notFitForDuty' })).toBe('positive')
    expect(classOf({ status: 'pending' })).toBeUndefined()
  })
})

describe('periods', () => {
  test('are counted by the calendar', () => {
    expect(endOf(new Date('2024-01-31T00:00:00Z'), parsePeriod('1 month'))).toEqual(new Date('2024-03-02T00:00:00Z'))
    expect(endOf(new Date('2024-01-31T00:00:00Z'), parsePeriod('90 days'))).toEqual(new Date('2024-04-30T00:00:00Z'))
    expect(beginOf(new Date('2024-03-31T08:00:00Z'), parsePeriod('1 month'))).toEqual(new Date('2024-02-29T08:00:00Z'))
    expect(beginOf(new Date('2024-03-31T08:00:00Z'), parsePeriod('5 years'))).toEqual(new Date('2019-03-31T08:00:00Z'))
  })

  test('of the audit log end with a month', () => {
    expect(pruneBefore(new Date('2026-03-17T08:00:00Z'), parsePeriod('2 years'))).toEqual(
      new Date('2024-03-01T00:00:00Z'),
    )
  })
})

describe('the same person', () => {
  const maria: Participant = {
    firstName: 'María',
    lastName: 'López',
    middleName: null,
    address: null,
    birthDate: '1990-03-07',
    email: null,
    phone: null,
    identifiers: [{ type: 'ssn', value: '536-22-8841', issuingCountry: null, issuingState: null }],
  }

  const areSame = (a: Participant, b: Participant, [ofA, ofB] = ['acme', 'acme']) =>
    isSamePerson(
      { participant: a, company: { id: ofA, name: 'A' } },
      { participant: b, company: { id: ofB, name: 'B' } },
    )

  test.each([
    ['the same name and birth date', { firstName: 'MARIA', lastName: 'lopez', identifiers: [] }, true],
    ['another name, the same birth date and number', { lastName: 'Reed' }, true],
    ['the same name and number, no birth date', { birthDate: null }, true],
    ['the same name alone', { birthDate: null, identifiers: [] }, false],
    ['the same number alone', { lastName: 'Reed', birthDate: null }, false],
    ['the same name and number, another birth date', { birthDate: '1991-03-07' }, false],
  ])('%s: %#', (_what, members, expected) => {
    expect(areSame(maria, { ...maria, ...members })).toBe(expected)
  })

  test.each([
    ['the social security number 000-00-0000', { type: 'ssn', value: '000-00-0000' }, false],
    ['a well-known false number', { type: 'ssn', value: '123-45-6789' }, false],
    ['the last four digits', { type: 'ssn', value: '8841' }, false],
    ['a masked number', { type: 'ssn', value: '***-**-8841' }, false],
    ['N/A', { type: 'passport', value: 'N/A' }, false],
    ['dashes', { type: 'driverLicense', value: '---' }, false],
    ['a licence', { type: 'driverLicense', value: 'L-100 2' }, true],
    ['a number of the same employer', { type: 'employeeId', value: '1002' }, true],
  ])('another name and the same birth date with %s on both sides: %#', (_what, given, expected) => {
    const identifiers = [{ issuingCountry: null, issuingState: null, ...given }]
    expect(areSame({ ...maria, identifiers }, { ...maria, lastName: 'Reed', identifiers })).toBe(expected)
  })

  test('numbers of employees of two companies say nothing about each other', () => {
    const identifiers = [{ type: 'employeeId', value: '1002', issuingCountry: null, issuingState: null }]
    const reed = { ...maria, lastName: 'Reed', identifiers }
    expect(areSame({ ...maria, identifiers }, reed, ['acme', 'globex'])).toBe(false)
  })
})
