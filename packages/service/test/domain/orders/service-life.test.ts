import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { OrderService } from '../../../src/domain/orders/order.ts'
import {
  correctService,
  moveService,
  needsReview,
  nextStatuses,
  resultsOf,
  publicStateOf,
  unscheduleService,
  findPath as way,
  type ServiceKind,
} from '../../../src/domain/orders/service-life.ts'
import { SERVICE_STATUSES, type ServiceStatus } from '../../../src/domain/orders/statuses.ts'

const AT = new Date('2026-03-02T10:00:00.000Z')

const kind = (category: string, type: string, members: Partial<ServiceKind> = {}): ServiceKind => ({
  category,
  type,
  isDot: false,
  requiresMro: false,
  ...members,
})

const KINDS: Record<string, ServiceKind> = {
  'DOT urine': kind('drug', 'urine', { isDot: true, requiresMro: true }),
  'DOT urine that no file says is reviewed': kind('drug', 'urine', { isDot: true }),
  urine: kind('drug', 'urine'),
  'reviewed urine': kind('drug', 'urine', { requiresMro: true }),
  'instant urine': kind('drug', 'instantUrine'),
  'reviewed instant urine': kind('drug', 'instantUrine', { requiresMro: true }),
  hair: kind('drug', 'hair'),
  'DOT breath': kind('alcohol', 'breath', { isDot: true }),
  saliva: kind('alcohol', 'saliva'),
  audiogram: kind('occupationalHealth', 'audiogram'),
  'DOT physical': kind('occupationalHealth', 'dotPhysical', { isDot: true }),
  'criminal record': kind('background', 'criminal'),
}

const service = (of: ServiceKind, status: ServiceStatus, before: ServiceStatus[] = []): OrderService => ({
  ...of,
  id: 'osv_1',
  serviceId: 'x',
  name: 'Test',
  lab: null,
  status,
  statusUpdatedAt: AT,
  specimenId: null,
  courierServiceName: null,
  trackingNumber: null,
  history: [...before, status].map((each) => ({ status: each, at: AT })),
  screens: [],
})

/** The table of the rulings: status, group, allowed next statuses. */
const TABLE = `
ordered | ordered | linkSent, scheduled, checkedIn, inProgress
linkSent | ordered | scheduled, checkedIn, inProgress
scheduled | scheduling | scheduled, checkedIn, noShow
checkedIn | collection | collected, inProgress, testNotPerformed, unobtainable; breath and instant tests: a result
collected | collection | inTransit, receivedAtLab, lostInTransit, testCancelled
inTransit | transit | receivedAtLab, lostInTransit
lostInTransit | exception | receivedAtLab, scheduled, testCancelled
receivedAtLab | lab | testing, testCancelled
testing | lab | mroReview; without a medical review: a result
nonNegative | exception | inTransit, testing, mroReview, negative, positive, fail
mroReview | mro | negative, negativeDilute, positive, adulterated, substituted, testCancelled
inProgress | processing | ; health and background: a result
`
const RESULTS: Record<string, string> = {
  'DOT drug': 'negative, negativeDilute, positive, adulterated, substituted, testCancelled, testNotPerformed',
  drug: 'negative, negativeDilute, positive, adulterated, substituted, testCancelled, testNotPerformed, nonNegative, unobtainable, pass, fail, complete',
  alcohol: 'negative, positive, testCancelled, testNotPerformed, unobtainable',
  occupationalHealth: 'fitForDuty, notFitForDuty, pass, fail, complete, released, testNotPerformed, unobtainable',
  background: 'pass, fail, complete, released, unobtainable',
}
const FINAL =
  'negative, negativeDilute, positive, adulterated, substituted, testCancelled, testNotPerformed, unobtainable, pass, fail, fitForDuty, notFitForDuty, complete, released'
const CLOSED = 'cancelled, expired, noShow'
const words = (text: string) => text.split(',').flatMap((word) => (word.trim() === '' ? [] : [word.trim()]))

const ROWS = TABLE.trim()
  .split('\n')
  .map((line) => {
    const [status, group, next] = line.split('|').map((cell) => cell.trim()) as [ServiceStatus, string, string]
    const [always, condition] = next.split(';')
    return { status, group, always: words(always!), condition: condition?.trim() }
  })

/** Every status in the rulings. */
const ALL = [
  ...ROWS.map(({ status }) => status),
  'integrationError',
  ...words(FINAL),
  ...words(CLOSED),
] as ServiceStatus[]

/** The results of a service, by its category. */
const resultsIn = (of: ServiceKind) => words(RESULTS[of.category === 'drug' && of.isDot ? 'DOT drug' : of.category]!)

/** What the rulings allow, independently of the code under test. */
function allowed(of: ServiceKind, { status, always, condition }: (typeof ROWS)[number]): Set<string> {
  const category = of.category === 'drug' && of.isDot ? 'DOT drug' : of.category
  const results = resultsIn(of)
  const isReviewed = of.requiresMro || category === 'DOT drug'
  const reports =
    (condition?.startsWith('breath') && /^(breath|instant)/.test(of.type)) ||
    (condition?.startsWith('without') && !isReviewed) ||
    condition?.startsWith('health')
  const isResult = (word: string) => words(FINAL).includes(word) || word === 'nonNegative'
  const steps = [...always, ...(reports ? results : [])]
    .filter((word) => !isResult(word) || results.includes(word))
    .filter((word) => word !== 'inProgress' || ['occupationalHealth', 'background'].includes(of.category))
    // These can have none of the results of a review.
    .filter((word) => word !== 'mroReview' || ['drug', 'alcohol'].includes(of.category))
    // Ruling 59: the laboratory sends only tests that need a review to the reviewer.
    .filter((word) => word !== 'mroReview' || status !== 'testing' || isReviewed)
  const isEarly = ['ordered', 'linkSent', 'scheduled'].includes(status)
  return new Set([...steps, 'cancelled', 'integrationError', ...(isEarly ? ['expired'] : [])])
}

describe.each(Object.entries(KINDS))('%s', (_, of) => {
  test.each(ROWS)('a service that is $status may become only what the table says', (row) => {
    const at = service(of, row.status)
    for (const next of ALL) {
      const expected = { from: row.status, next, legal: allowed(of, row).has(next) }
      let legal = true
      try {
        expect(moveService(at, next, AT).status).toBe(next)
      } catch {
        legal = false
      }
      expect({ from: row.status, next, legal }).toEqual(expected)
    }
  })

  test.each(words(FINAL) as ServiceStatus[])('a service that is %s takes a correction and nothing else', (status) => {
    expect(nextStatuses(service(of, status))).toEqual([])
    const isLegal = (other: ServiceStatus) =>
      resultsIn(of).includes(other) && other !== 'nonNegative' && other !== status
    for (const other of ALL.filter((each) => isLegal(each))) {
      expect(correctService(service(of, status), other, AT).status).toBe(other)
    }
    for (const other of ALL.filter((each) => !isLegal(each))) {
      expect(() => correctService(service(of, status), other, AT)).toThrow(/cannot be corrected/)
    }
  })

  test.each(['cancelled', 'expired', 'noShow'] as const)('a service that is %s cannot change', (status) => {
    expect(nextStatuses(service(of, status))).toEqual([])
    for (const other of ALL) expect(() => correctService(service(of, status), other, AT)).toThrow(/no result/)
  })
})

describe('integrationError', () => {
  test.each(['ordered', 'collected', 'mroReview'] as const)(
    'an integration error leads back to %s, the status before it',
    (before) => {
      const failed = moveService(service(KINDS['urine']!, before), 'integrationError', AT)
      expect(nextStatuses(failed)).toEqual([before, 'cancelled'])
      expect(moveService(failed, before, AT).history.map(({ status }) => status)).toEqual([
        before,
        'integrationError',
        before,
      ])
    },
  )
})

describe('ruling 59: transitions of some services only', () => {
  const next = (name: string, status: ServiceStatus) => nextStatuses(service(KINDS[name]!, status))

  test('a checked-in service becomes unobtainable only if its category has that result', () => {
    expect(next('urine', 'checkedIn')).toContain('unobtainable')
    expect(next('DOT breath', 'checkedIn')).toContain('unobtainable')
    expect(next('DOT urine', 'checkedIn')).not.toContain('unobtainable')
  })

  test('a test at the laboratory goes to the medical reviewer only if it needs a review', () => {
    expect(next('reviewed urine', 'testing')).toContain('mroReview')
    expect(next('DOT urine that no file says is reviewed', 'testing')).toContain('mroReview')
    for (const name of ['urine', 'hair', 'saliva', 'instant urine']) {
      expect(next(name, 'testing')).not.toContain('mroReview')
    }
  })

  test('a non-negative reading goes to the medical reviewer whether or not the service needs a review', () => {
    expect(next('instant urine', 'nonNegative')).toContain('mroReview')
  })
})

describe('ruling 60: a service whose booking was cancelled', () => {
  const unscheduled = (...before: ServiceStatus[]) => {
    const back = unscheduleService(service(KINDS['urine']!, 'scheduled', before), AT)
    return [back.status, back.history.map(({ status }) => status).join(' ')]
  }

  test.each<[ServiceStatus[], ServiceStatus]>([
    [['ordered'], 'ordered'],
    [['linkSent'], 'linkSent'],
    [['linkSent', 'collected', 'lostInTransit'], 'lostInTransit'],
    [['ordered', 'scheduled', 'scheduled'], 'ordered'],
    [['linkSent', 'scheduled', 'integrationError'], 'linkSent'],
    [[], 'ordered'],
  ])('a service that was %j before is %s again, with an entry in its history', (before, status) => {
    expect(unscheduled(...before)).toEqual([status, [...before, 'scheduled', status].join(' ')])
  })

  test('a service that is no longer scheduled stays as it is', () => {
    const collected = service(KINDS['urine']!, 'collected', ['scheduled'])
    expect(unscheduleService(collected, AT)).toBe(collected)
  })
})

test('the table has the group of every status, and no other status', () => {
  expect(SERVICE_STATUSES).toEqual(
    Object.fromEntries([
      ...ROWS.map(({ status, group }) => [status, group]),
      ['integrationError', 'exception'],
      ...words(FINAL).map((status) => [status, 'final']),
      ...words(CLOSED).map((status) => [status, 'closed']),
    ]),
  )
})

test.each(Object.entries(KINDS))('the results of %s are those of its category, and no others', (_, of) => {
  expect(resultsOf(of).toSorted()).toEqual(resultsIn(of).toSorted())
})

test('a custom category of a catalog has the results of health services', () => {
  expect(resultsOf(kind('genetic', 'paternity')).toSorted()).toEqual(words(RESULTS['occupationalHealth']!).toSorted())
})

describe('a service that needs a medical review', () => {
  const seen = (of: ServiceKind, ...history: ServiceStatus[]) =>
    publicStateOf({ ...service(of, history.at(-1)!, history.slice(0, -1)), screens: [{ type: 'initial', at: AT }] })

  test('a reviewed service shows no preliminary result and no screens until it is final', () => {
    const reviewed = KINDS['reviewed instant urine']!
    expect(seen(reviewed, 'checkedIn', 'nonNegative')).toMatchObject({ status: 'checkedIn', screens: [] })
    expect(seen(reviewed, 'checkedIn', 'nonNegative', 'mroReview').history.map(({ status }) => status)).toEqual([
      'checkedIn',
      'mroReview',
    ])
    expect(seen(reviewed, 'checkedIn', 'nonNegative', 'mroReview', 'negative')).toMatchObject({
      status: 'negative',
      screens: [{ type: 'initial' }],
    })
  })

  test('a reviewed service shows, after an integration error, the status that was visible before it', () => {
    const { status, history } = seen(
      KINDS['reviewed instant urine']!,
      'checkedIn',
      'nonNegative',
      'integrationError',
      'nonNegative',
    )
    expect([status, history.map((entry) => entry.status)]).toEqual([
      'checkedIn',
      ['checkedIn', 'integrationError', 'checkedIn'],
    ])
  })

  test('a reviewed service that is cancelled keeps its findings hidden', () => {
    const { status, history, screens } = seen(KINDS['reviewed instant urine']!, 'checkedIn', 'nonNegative', 'cancelled')
    expect({ status, screens, history: history.map((entry) => entry.status) }).toEqual({
      status: 'cancelled',
      screens: [],
      history: ['checkedIn', 'cancelled'],
    })
  })

  test('every DOT drug test needs a review, whatever the catalog says', () => {
    expect(needsReview(KINDS['DOT urine that no file says is reviewed']!)).toBe(true)
    expect(needsReview(KINDS['DOT breath']!)).toBe(false)
  })

  test('a service without a review shows everything', () => {
    expect(seen(KINDS['instant urine']!, 'checkedIn', 'nonNegative')).toMatchObject({
      status: 'nonNegative',
      screens: [{ type: 'initial' }],
    })
  })
})

describe('a report', () => {
  const findPath = (at: OrderService, status: ServiceStatus, isReviewed = true) => way(at, status, { isReviewed })

  test('a report implies the statuses that must have come before', () => {
    expect(findPath(service(KINDS['urine']!, 'linkSent'), 'negative')).toEqual([
      'checkedIn',
      'collected',
      'receivedAtLab',
      'testing',
      'negative',
    ])
    expect(findPath(service(KINDS['DOT urine']!, 'collected'), 'positive')).toEqual([
      'receivedAtLab',
      'testing',
      'mroReview',
      'positive',
    ])
    expect(findPath(service(KINDS['DOT breath']!, 'scheduled'), 'negative')).toEqual(['checkedIn', 'negative'])
    expect(findPath(service(KINDS['criminal record']!, 'linkSent'), 'pass')).toEqual(['inProgress', 'pass'])
    expect(findPath(service(KINDS['urine']!, 'lostInTransit'), 'testing')).toEqual(['receivedAtLab', 'testing'])
  })

  test('only a report of the reviewer implies a medical review', () => {
    expect(findPath(service(KINDS['reviewed urine']!, 'testing'), 'negative')).toEqual(['mroReview', 'negative'])
    expect(findPath(service(KINDS['reviewed urine']!, 'testing'), 'negative', false)).toBeUndefined()
    expect(findPath(service(KINDS['urine']!, 'testing'), 'negative', false)).toEqual(['negative'])
  })

  test('no report leads from a closed service, or back to an earlier status', () => {
    expect(findPath(service(KINDS['urine']!, 'cancelled'), 'testing')).toBeUndefined()
    expect(findPath(service(KINDS['urine']!, 'testing'), 'collected')).toBeUndefined()
    expect(findPath(service(KINDS['urine']!, 'linkSent'), 'fitForDuty')).toBeUndefined()
  })

  test('every path consists of allowed transitions', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.values(KINDS)),
        fc.constantFrom(...ALL),
        fc.constantFrom(...ALL),
        (of, from, to) => {
          const steps = findPath(service(of, from), to)
          let at = service(of, from)
          for (const step of steps ?? []) at = moveService(at, step, AT)
          expect(steps === undefined || at.status === to).toBe(true)
        },
      ),
    )
  })
})

test('the history of a service never goes back in time', () => {
  const earlier = new Date(AT.getTime() - 1000)
  const moved = moveService(service(KINDS['urine']!, 'ordered'), 'checkedIn', earlier)
  expect(moved.statusUpdatedAt).toEqual(AT)
  expect(moved.history.at(-1)).toEqual({ status: 'checkedIn', at: AT })
})
