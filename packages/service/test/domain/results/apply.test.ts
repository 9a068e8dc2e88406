import type { SenderKind } from '@order-testing/contract'
import type { ResultMessage } from '@order-testing/contract/operator'
import { describe, expect, test } from 'vitest'
import type { Order, OrderService } from '../../../src/domain/orders/order.ts'
import { applyReport, checkReport, reportedStatus } from '../../../src/domain/results/apply.ts'
import { isReviewerDecision } from '../../../src/domain/orders/service-life.ts'
import type { ServiceStatus } from '../../../src/domain/orders/statuses.ts'
import { orderOf } from '../../support/orders.ts'

const AT = new Date('2026-03-02T10:00:00.000Z')
const later = (hours: number) => new Date(AT.getTime() + hours * 3_600_000)

type Given = Partial<OrderService> & { before?: ServiceStatus[] }

const INSTANT: Given = { category: 'drug', type: 'instantUrine', requiresMro: true }
const REVIEWED: Given = { category: 'drug', type: 'urine', requiresMro: true }
const URINE: Given = { category: 'drug', type: 'urine' }
const DOT: Given = { category: 'drug', type: 'urine', isDot: true, requiresMro: true }

const orderWith = ({ before = [], ...service }: Given): Order => {
  const { status = 'checkedIn' } = service
  const history = [...before, status].map((each) => ({ status: each, at: AT }))
  return orderOf({ createdAt: AT, services: [{ status, history, ...service }] })
}

const messageOf = (members: Partial<ResultMessage> & { kind?: SenderKind } = {}): ResultMessage => {
  const { kind = 'collector', ...rest } = members
  return {
    messageId: 'm-1',
    sender: { kind, id: `${kind}-1` },
    match: { orderCode: 'K7M4-2QXD' },
    event: 'result',
    occurredAt: later(1).toISOString(),
    ...rest,
  }
}

/** The status of the first service, or why an operator has to decide. */
function outcomeOf(given: Given | Order, message: ResultMessage, from: 'speaker' | 'operator' = 'speaker') {
  const order = 'services' in given ? given : orderWith(given)
  const { kind, id } = message.sender
  const speaker = from === 'operator' ? from : { kind, id, isListed: false, labs: null }
  const after = applyReport({ order, service: order.services[0]!, isPerson: true }, message, later(2), speaker)
  return typeof after === 'string' ? after : after.services[0]!.status
}

describe('a reviewed test that is read on site', () => {
  test.each(['positive', 'adulterated', 'substituted', 'fail'] as const)(
    'a collector’s %s is queued for the medical reviewer',
    (result) => {
      expect(outcomeOf(INSTANT, messageOf({ result }))).toBe('reviewNeeded')
    },
  )

  test.each(['negative', 'nonNegative', 'pass'] as const)('a collector’s %s is applied', (result) => {
    expect(outcomeOf(INSTANT, messageOf({ result }))).toBe(result)
  })

  test.each(['positive', 'adulterated', 'substituted', 'negative'] as const)(
    'a reviewer’s %s is applied after a non-negative reading',
    (result) => {
      const read = { ...INSTANT, status: 'nonNegative' as const, before: ['checkedIn' as const] }
      expect(outcomeOf(read, messageOf({ kind: 'mro', result }))).toBe(result)
    },
  )

  test('a collector may report every result of a test without a review', () => {
    for (const result of ['positive', 'adulterated', 'substituted', 'fail', 'negative'] as const)
      expect(outcomeOf({ ...INSTANT, requiresMro: false }, messageOf({ result }))).toBe(result)
  })

  test('ruling 61: an operator records the reviewer’s decision if only the reviewer may report the result', () => {
    const service = orderWith(INSTANT).services[0]!
    const decided = (['positive', 'adulterated', 'substituted', 'fail'] as const).map((status) =>
      isReviewerDecision(service, status),
    )
    expect(decided).toEqual([true, true, true, true])
    for (const status of ['negative', 'nonNegative', 'testNotPerformed', 'collected', 'cancelled'] as const)
      expect([status, isReviewerDecision(service, status)]).toEqual([status, false])
    const unreviewed = orderWith({ ...INSTANT, requiresMro: false }).services[0]!
    expect(isReviewerDecision(unreviewed, 'positive')).toBe(false)
    const atReviewer = orderWith({ ...URINE, status: 'mroReview', before: ['nonNegative'] }).services[0]!
    expect(isReviewerDecision(atReviewer, 'negative')).toBe(true)
    expect(isReviewerDecision(orderWith(DOT).services[0]!, 'negative')).toBe(true)
    const read = orderWith({ ...INSTANT, status: 'nonNegative' }).services[0]!
    expect(isReviewerDecision(read, 'negative')).toBe(true)
    const corrected = orderWith({ ...INSTANT, status: 'negative' }).services[0]!
    expect(isReviewerDecision(corrected, 'pass')).toBe(true)
  })
})

describe('a result report', () => {
  const tested = { ...URINE, status: 'testing' as const, before: ['collected' as const] }

  test('a DOT drug result from anyone but a reviewer is refused, even if an operator assigns it', () => {
    const given = { ...DOT, status: 'testing' as const, before: ['collected' as const] }
    for (const kind of ['lab', 'collector', 'clinic'] as const)
      expect(() => outcomeOf(given, messageOf({ kind, result: 'negative' }))).toThrow(
        expect.objectContaining({
          problems: [expect.objectContaining({ code: 'invalidValue', pointer: '/sender/kind' })],
        }),
      )
    expect(() => outcomeOf(given, messageOf({ kind: 'lab', result: 'negative' }), 'operator')).toThrow(/40\.97/)
    expect(outcomeOf(given, messageOf({ kind: 'mro', result: 'negative' }))).toBe('negative')
    expect(outcomeOf(given, messageOf({ kind: 'lab', event: 'mroReview' }))).toBe('mroReview')
  })

  test('a report about another person is queued', () => {
    const order = orderWith(tested)
    const target = { order, service: order.services[0]!, isPerson: false }
    const message = messageOf({ kind: 'lab', result: 'negative' })
    expect(applyReport(target, message, later(2), 'operator')).toBe('personDiffers')
  })

  test('a report about another specimen is queued, unless it is a split specimen', () => {
    const known = { ...tested, specimenId: 'S-1' }
    const about = (id: string, members: Partial<ResultMessage> = {}) =>
      messageOf({ kind: 'lab', result: 'negative', specimen: { id }, ...members })
    expect(outcomeOf(known, about('S-2'))).toBe('matchesDisagree')
    expect(outcomeOf(known, about('S-1'))).toBe('negative')
    const { result: _, ...split } = about('S-2', { event: 'screened', screen: 'split' })
    expect(outcomeOf(known, split as ResultMessage)).toBe('testing')
  })

  test('a report about a closed order is queued', () => {
    const message = messageOf({ kind: 'lab', result: 'negative' })
    for (const status of ['cancelled', 'expired', 'noShow'] as const)
      expect(outcomeOf({ ...URINE, status }, message)).toBe('orderClosed')
    const ended = { ...orderWith(tested), ended: 'cancelled' as const }
    expect(outcomeOf(ended, message)).toBe('orderClosed')
  })

  test('a different result is applied only as a correction by the reviewer, or by an operator', () => {
    const negative = { ...URINE, status: 'negative' as const, before: ['collected' as const, 'testing' as const] }
    const other = messageOf({ kind: 'lab', result: 'positive' })
    expect(outcomeOf(negative, messageOf({ kind: 'lab', result: 'negative' }))).toBe('negative')
    expect(outcomeOf(negative, other)).toBe('correctionNeeded')
    expect(outcomeOf(negative, { ...other, corrected: true })).toBe('correctionNeeded')
    expect(outcomeOf(negative, messageOf({ kind: 'mro', result: 'positive' }))).toBe('correctionNeeded')
    expect(outcomeOf(negative, messageOf({ kind: 'mro', result: 'positive', corrected: true }))).toBe('positive')
    expect(outcomeOf(negative, other, 'operator')).toBe('positive')
    expect(outcomeOf({ ...negative, requiresMro: true }, other, 'operator')).toBe('reviewNeeded')
  })

  test('any laboratory result of a reviewed test is queued for the reviewer', () => {
    const atLab = { ...REVIEWED, status: 'testing' as const, before: ['collected' as const] }
    for (const result of ['negative', 'positive', 'substituted'] as const) {
      expect(outcomeOf(atLab, messageOf({ kind: 'lab', result }))).toBe('reviewNeeded')
      expect(outcomeOf(atLab, messageOf({ kind: 'mro', result }))).toBe(result)
    }
    expect(outcomeOf(atLab, messageOf({ kind: 'lab', event: 'receivedAtLab' }))).toBe('notNext')
  })

  test('a result is queued if its sender may not report it or nothing was collected; an operator may vouch for it', () => {
    const message = messageOf({ kind: 'lab', result: 'negative' })
    expect(outcomeOf({ ...URINE, status: 'checkedIn' }, message)).toBe('notCollected')
    expect(outcomeOf({ ...URINE, status: 'checkedIn' }, message, 'operator')).toBe('negative')
    expect(outcomeOf(tested, messageOf({ kind: 'collector', result: 'negative' }))).toBe('senderDiffers')
  })

  test('a new milestone after the result is queued as notNext', () => {
    const negative = { ...URINE, status: 'negative' as const, before: ['collected' as const] }
    expect(outcomeOf(negative, messageOf({ kind: 'lab', event: 'testing' }))).toBe('notNext')
  })

  test('a screen of a service with a result is recorded and changes no status', () => {
    const order = orderWith({ ...URINE, status: 'negative', before: ['collected'] })
    const target = { order, service: order.services[0]!, isPerson: true }
    const message = messageOf({ kind: 'lab', event: 'screened', screen: 'confirmation' })
    const after = applyReport(target, message, later(2), 'operator') as Order
    expect(after.services[0]).toMatchObject({ status: 'negative', screens: [{ type: 'confirmation' }] })
  })

  test('statuses from before a new booking or an error may occur again', () => {
    const collected = messageOf({ event: 'collected' })
    const again = { ...URINE, status: 'scheduled' as const, before: ['checkedIn' as const, 'collected' as const] }
    expect(outcomeOf(again, collected)).toBe('collected')
    const failed = { ...again, status: 'integrationError' as const }
    expect(outcomeOf(failed, collected)).toBe('collected')
  })

  test('a milestone that has been passed changes nothing', () => {
    const history = ['checkedIn', 'collected', 'receivedAtLab'] as const
    const order = orderWith({ ...URINE, status: 'testing', before: [...history] })
    expect(outcomeOf(order, messageOf({ kind: 'lab', event: 'receivedAtLab' }))).toBe('testing')
    // After it is scheduled again, the status may occur again.
    const again = orderWith({ ...URINE, status: 'scheduled', before: [...history, 'lostInTransit'] })
    expect(outcomeOf(again, messageOf({ event: 'checkedIn' }))).toBe('checkedIn')
    const failed = orderWith({ ...URINE, status: 'receivedAtLab', before: [...history, 'integrationError'] })
    expect(outcomeOf(failed, messageOf({ kind: 'lab', event: 'testing' }))).toBe('testing')
  })

  test('an exception is recorded each time, but not twice in a row', () => {
    const lost = orderWith({ ...URINE, status: 'lostInTransit', before: ['collected', 'inTransit'] })
    expect(outcomeOf(lost, messageOf({ kind: 'courier', event: 'lostInTransit' }))).toBe('lostInTransit')
    const found = orderWith({ ...URINE, status: 'inTransit', before: ['collected', 'lostInTransit', 'collected'] })
    expect(outcomeOf(found, messageOf({ kind: 'courier', event: 'lostInTransit' }))).toBe('lostInTransit')
  })

  test.each([
    ['initial', 'testing'],
    ['validity', 'testing'],
    ['confirmation', 'testing'],
    ['mroReview', 'mroReview'],
    ['mroInterview', 'mroReview'],
    ['split', 'collected'],
  ] as const)('a %s screen implies that the service is %s', (screen, status) => {
    const order = orderWith({ ...REVIEWED, status: 'collected', before: ['checkedIn'] })
    const message = messageOf({ kind: 'mro', event: 'screened', screen })
    const target = { order, service: order.services[0]!, isPerson: true }
    const after = applyReport(target, message, later(2), 'operator') as Order
    expect(after.services[0]).toMatchObject({ status, screens: [{ type: screen, at: later(1) }] })
  })

  test('a screen of a service without a specimen is queued', () => {
    const health = { category: 'occupationalHealth', type: 'audiogram', status: 'inProgress' as const }
    const message = messageOf({ kind: 'clinic', event: 'screened', screen: 'initial' })
    expect(outcomeOf(health, message, 'operator')).toBe('notNext')
  })

  test('implied statuses have the times of the report, and none is later than now', () => {
    const order = orderWith({ ...URINE, status: 'checkedIn' })
    const specimen = { id: 'S-1', collectedAt: later(0.25).toISOString(), receivedAt: later(0.5).toISOString() }
    const message = messageOf({ kind: 'lab', result: 'negative', specimen, occurredAt: later(9).toISOString() })
    const target = { order, service: order.services[0]!, isPerson: true }
    const after = applyReport(target, message, later(2), 'operator') as Order
    expect(after.services[0]!.history.slice(1)).toEqual([
      { status: 'collected', at: later(0.25) },
      { status: 'receivedAtLab', at: later(0.5) },
      { status: 'testing', at: later(2) },
      { status: 'negative', at: later(2) },
    ])
    expect(after.services[0]).toMatchObject({ specimenId: 'S-1' })
  })

  test('a dilute negative is negativeDilute, and no other result is dilute', () => {
    expect(reportedStatus(messageOf({ result: 'negative', dilute: true }))).toBe('negativeDilute')
    expect(reportedStatus(messageOf({ result: 'negative' }))).toBe('negative')
    expect(reportedStatus(messageOf({ result: 'positive', dilute: true }))).toBe('positive')
    expect(reportedStatus(messageOf({ event: 'testing' }))).toBe('testing')
  })

  test('courier and specimen keep their values if the report does not give them', () => {
    const known = { ...URINE, status: 'collected' as const, specimenId: 'S-1', courierServiceName: 'FedEx' }
    const order = orderWith(known)
    const message = messageOf({ kind: 'courier', event: 'inTransit', trackingNumber: 'T-1' })
    const target = { order, service: order.services[0]!, isPerson: true }
    const after = applyReport(target, message, later(2), 'operator') as Order
    expect(after.services[0]).toMatchObject({ specimenId: 'S-1', courierServiceName: 'FedEx', trackingNumber: 'T-1' })
  })
})

describe('checks of a report', () => {
  const told = (members: Partial<ResultMessage> & { kind?: SenderKind }) =>
    checkReport(messageOf(members), later(2)).map(({ code, pointer }) => `${code} ${pointer}`)

  /** What each kind of sender may report. */
  const REPORTS: Record<SenderKind, string> = {
    collector: 'checkedIn collected inTransit lostInTransit result',
    courier: 'inTransit lostInTransit',
    lab: 'receivedAtLab lostInTransit testing screened mroReview result',
    mro: 'mroReview screened result',
    bat: 'checkedIn screened result',
    clinic: 'checkedIn collected inTransit inProgress result',
    background: 'inProgress result',
  }
  const EVENTS =
    'checkedIn collected inTransit lostInTransit receivedAtLab testing screened mroReview inProgress result'

  test.each(Object.entries(REPORTS) as [SenderKind, string][])('a %s may report only %s', (kind, events) => {
    for (const event of EVENTS.split(' ') as ResultMessage['event'][]) {
      const members = event === 'result' ? { result: 'negative' as const } : {}
      const screen = event === 'screened' ? { screen: 'initial' as const } : {}
      const expected = events.split(' ').includes(event) ? [] : ['invalidValue /event']
      expect([event, told({ kind, event, ...members, ...screen })]).toEqual([event, expected])
    }
  })

  test('a report has to name a service', () => {
    expect(told({ result: 'negative', match: {} })).toEqual(['required /match'])
    for (const match of [{ serviceId: 'a' }, { orderCode: 'a' }, { specimenId: 'a' }])
      expect(told({ result: 'negative', match })).toEqual([])
  })

  test('members of one event are required with it and refused with others', () => {
    expect(told({})).toEqual(['required /result'])
    expect(told({ kind: 'lab', event: 'screened' })).toEqual(['required /screen'])
    expect(told({ kind: 'lab', event: 'testing', screen: 'initial' })).toEqual(['invalidValue /screen'])
    expect(told({ kind: 'lab', event: 'testing', result: 'negative' })).toEqual(['invalidValue /result'])
    expect(told({ kind: 'lab', event: 'testing', corrected: true })).toEqual(['invalidValue /corrected'])
    expect(told({ kind: 'lab', event: 'testing', corrected: false })).toEqual([])
    expect(told({ result: 'positive', dilute: true })).toEqual(['invalidValue /dilute'])
    expect(told({ result: 'positive', dilute: false })).toEqual([])
    expect(told({ result: 'negative', dilute: true, corrected: true })).toEqual([])
  })

  test('a report cannot be more than a day ahead of our clock', () => {
    expect(told({ result: 'negative', occurredAt: later(26).toISOString() })).toEqual([])
    expect(told({ result: 'negative', occurredAt: new Date(later(26).getTime() + 1).toISOString() })).toEqual([
      'tooBig /occurredAt',
    ])
  })

  test('documents are PDFs with up to 10 MB together', () => {
    const pdf = (bytes: number, before = '') => ({
      name: 'a.pdf',
      contentType: 'application/pdf' as const,
      content: Buffer.from(`${before}%PDF-1.7\n`.padEnd(bytes, 'x')).toString('base64'),
    })
    const most = 10 * 1024 * 1024
    expect(told({ result: 'negative', documents: [pdf(most / 2), pdf(most / 2)] })).toEqual([])
    expect(told({ result: 'negative', documents: [pdf(most / 2), pdf(most / 2 + 1)] })).toEqual(['tooBig /documents'])
    expect(told({ result: 'negative', documents: [pdf(20, 'some bytes before '), pdf(20)] })).toEqual([])
    expect(told({ result: 'negative', documents: [pdf(4_000, 'x'.repeat(2_000))] })).toEqual([
      'invalidFormat /documents/0/content',
    ])
    const text = { ...pdf(20), content: Buffer.from('plain text').toString('base64') }
    expect(told({ result: 'negative', documents: [pdf(20), text] })).toEqual(['invalidFormat /documents/1/content'])
  })
})
