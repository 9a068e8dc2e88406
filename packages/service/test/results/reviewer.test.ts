import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Order } from '@order-testing/contract'
import { refusalOf } from '../http/answers.ts'
import { created, SECRET } from '../orders/given.ts'
import { startService, type TestService } from '../support/service.ts'
import { applied, messageAbout, operate, staffed } from '../support/operator.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(
    staffed({
      services: [
        { id: 'reviewed', name: 'Reviewed', category: 'drug', type: 'urine', isDot: false, requiresMro: true },
        { id: 'instant', name: 'Instant', category: 'drug', type: 'instantUrine', isDot: false, requiresMro: true },
      ],
      packages: [
        { id: 'reviewed', name: 'Reviewed', services: ['reviewed'] },
        { id: 'instant', name: 'Instant', services: ['instant'] },
      ],
      offered: ['reviewed', 'instant'],
    }),
  )
})
afterAll(() => service.stop())

const FRA = { agency: { code: 'FRA' }, jobCategory: { name: 'Train Service' } }
const DECISION = { reviewer: 'Dr. Ruth Okafor', decidedAt: '2026-03-04' }

const pathOf = (order: Order, what: 'moves' | 'corrections') =>
  `/orders/${order.id}/services/${order.services[0]!.id}/${what}`
const move = (order: Order, body: object) => operate(service, 'POST', pathOf(order, 'moves'), body)
const correct = (order: Order, body: object) => operate(service, 'POST', pathOf(order, 'corrections'), body)
const read = async (id: string): Promise<Order> => (await service.call(SECRET, `/api/v2/orders/${id}`)).body
const lastEntry = async (id: string) => (await operate(service, 'GET', `/audit?subjectId=${id}&limit=1`)).body.data[0]

/** An order whose service is under medical review. */
async function underReview(members: object = { package: { id: 'dot' }, ...FRA }): Promise<Order> {
  const order = await created(service, members)
  await applied(service, messageAbout(order, { kind: 'collector', event: 'collected', specimen: { id: order.code } }))
  await applied(service, messageAbout(order, { event: 'mroReview' }))
  return order
}

describe('ruling 61: an operator who records a decision of the medical reviewer', () => {
  test('an operator has to name the reviewer and the date; without them nothing changes', async () => {
    const order = await underReview()
    const before = await read(order.id)
    expect(refusalOf(await move(order, { status: 'negative' }))).toBe('400 required /reviewer, required /decidedAt')
    expect(refusalOf(await move(order, { status: 'negative', reviewer: 'Dr. Ruth Okafor' }))).toBe(
      '400 required /decidedAt',
    )
    expect(refusalOf(await move(order, { status: 'negative', ...DECISION, reviewer: ' ' }))).toBe(
      '400 required /reviewer',
    )
    expect(await read(order.id)).toEqual(before)
    expect((await move(order, { status: 'negative', ...DECISION })).status).toBe(200)
    expect(await read(order.id)).toMatchObject({ status: 'negative' })
  })

  test('reviewer and date are recorded in the audit log', async () => {
    const order = await underReview()
    await move(order, { status: 'positive', ...DECISION, reason: 'Faxed report.' })
    expect(await lastEntry(order.id)).toMatchObject({
      action: 'service.move',
      reason: 'Faxed report.',
      after: { status: 'positive', review: DECISION },
    })
    const decidedAt = '2026-03-05T09:30:00-06:00'
    await correct(order, { status: 'testCancelled', ...DECISION, decidedAt, reason: 'Split did not reconfirm.' })
    expect(await lastEntry(order.id)).toMatchObject({
      action: 'service.correct',
      after: { status: 'testCancelled', review: { ...DECISION, decidedAt } },
    })
  })

  test('correcting a result requires both too, correcting a specimen does not', async () => {
    const order = await underReview()
    await applied(service, messageAbout(order, { kind: 'mro', event: 'result', result: 'positive' }))
    expect(refusalOf(await correct(order, { status: 'negative', reason: 'Mixed up.' }))).toBe(
      '400 required /reviewer, required /decidedAt',
    )
    expect((await correct(order, { specimenId: 'RIGHT-1', reason: 'Misread label.' })).status).toBe(200)
    expect((await correct(order, { status: 'negative', reason: 'Mixed up.', ...DECISION })).status).toBe(200)
  })

  test.each(['tomorrow', '2026-13-01', '2026-03-04T10:00:00', '0001-01-01'])(
    'an invalid date is refused: %s',
    async (decidedAt) => {
      const order = await underReview()
      expect(refusalOf(await move(order, { status: 'negative', ...DECISION, decidedAt }))).toBe(
        '400 invalidFormat /decidedAt',
      )
    },
  )

  test('a date in the future is refused', async () => {
    const order = await underReview()
    const decidedAt = new Date(Date.now() + 3 * 86_400_000).toISOString()
    expect(refusalOf(await move(order, { status: 'negative', ...DECISION, decidedAt }))).toBe('400 tooBig /decidedAt')
  })
})

describe('ruling 61: the reviewer is asked for', () => {
  test('a positive on-site reading of a reviewed test requires the reviewer, a negative one does not', async () => {
    const [positive, negative] = [
      await created(service, { package: { id: 'instant' } }),
      await created(service, { package: { id: 'instant' } }),
    ]
    for (const order of [positive, negative]) await move(order, { status: 'checkedIn' })
    expect(refusalOf(await move(positive, { status: 'positive' }))).toMatch(/^400 required \/reviewer/)
    expect((await move(negative, { status: 'negative' })).status).toBe(200)
    await move(positive, { status: 'nonNegative' })
    expect(refusalOf(await move(positive, { status: 'negative' }))).toMatch(/^400 required \/reviewer/)
    expect((await move(positive, { status: 'negative', ...DECISION })).status).toBe(200)
  })

  test('every result of a DOT drug test requires the reviewer, even one that ends at the collection site', async () => {
    const order = await created(service, { package: { id: 'dot' }, ...FRA })
    await move(order, { status: 'checkedIn' })
    expect(refusalOf(await move(order, { status: 'testNotPerformed' }))).toMatch(/^400 required \/reviewer/)
    expect((await move(order, { status: 'testNotPerformed', ...DECISION })).status).toBe(200)
  })

  test('a status that is no result, or a test without a review, requires no reviewer', async () => {
    const [reviewed, plain] = [await created(service, { package: { id: 'reviewed' } }), await created(service)]
    for (const order of [reviewed, plain]) {
      for (const status of ['checkedIn', 'collected', 'receivedAtLab', 'testing']) {
        expect((await move(order, { status })).status).toBe(200)
      }
    }
    expect((await move(reviewed, { status: 'mroReview' })).status).toBe(200)
    expect((await move(plain, { status: 'positive' })).status).toBe(200)
    expect((await correct(plain, { status: 'negative', reason: 'Mixed up.' })).status).toBe(200)
  })
})
