import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Order } from '@order-testing/contract'
import { refusalOf } from '../http/answers.ts'
import { startService, type TestService } from '../support/service.ts'
import {
  body,
  cancelled,
  clinic,
  contentOf,
  created,
  DISCREET,
  GLOBEX,
  only,
  PERSON,
  SECRET,
  stored,
  world,
} from './given.ts'

const START = new Date('2026-03-02T10:00:00.000Z')
const LATER = new Date('2026-03-02T11:30:00.250Z')
const AT = LATER.toISOString()
const clock = { now: START }

let service: TestService
beforeAll(async () => {
  service = await startService({ now: () => clock.now })
  await service.apply(world({ clinics: [clinic('naperville', '60540')] }))
})
afterAll(() => service.stop())
beforeEach(() => {
  clock.now = START
})

const read = async (id: string) => (await service.call(SECRET, `/api/v2/orders/${id}`)).body

async function outgoing(orderId: string) {
  return only(
    await service.pool<{ events: number; deliveries: { callbackId: string; version: string }[] }[]>`
    select (select count(*)::int from events where order_id = ${orderId}) as events,
      array(select jsonb_build_object('callbackId', callback_id, 'version', version) from deliveries
            where order_id = ${orderId} order by version) as deliveries`,
  )
}

describe('PUT /orders/{id}/cancellation', () => {
  test('a cancellation answers with the cancelled order', async () => {
    const order = await created(service, { participant: PERSON })
    clock.now = LATER
    const answer = await cancelled(service, order.id)
    expect(answer.status).toBe(200)
    const [first] = order.services
    expect(answer.body).toEqual({
      ...order,
      status: 'cancelled',
      statusUpdatedAt: AT,
      updatedAt: AT,
      services: [
        {
          ...first,
          status: 'cancelled',
          statusUpdatedAt: AT,
          statusHistory: [
            ...first.statusHistory,
            { groupType: 'closed', object: 'orderServiceStatusHistory', occurredAt: AT, status: 'cancelled' },
          ],
        },
      ],
    })
    expect(answer.body.isFinal).toBe(false)
    expect(Order.parse(answer.body)).toEqual(answer.body)
    expect(await read(order.id)).toEqual(answer.body)
  })

  test('a cancellation by a node whose clock is behind does not move times back', async () => {
    const order = await created(service)
    clock.now = new Date(START.getTime() - 5_000)
    const { body: answer } = await cancelled(service, order.id)
    expect([answer.updatedAt, answer.statusUpdatedAt]).toEqual([order.createdAt, order.createdAt])
    expect(answer.services[0].statusUpdatedAt).toBe(order.createdAt)
  })

  test('a second cancellation answers the same and changes nothing', async () => {
    const { id } = await created(service)
    clock.now = LATER
    const first = await cancelled(service, id, { reason: 'Hired elsewhere.' })
    clock.now = new Date('2027-01-01T00:00:00Z')
    const second = await cancelled(service, id, { reason: 'Another reason.' })
    expect([second.status, second.text]).toEqual([200, first.text])
    expect(await contentOf(service, id)).toMatchObject({ cancelReason: 'Hired elsewhere.' })
    expect((await outgoing(id)).events).toBe(1)
  })

  test('a cancellation shows the participant only with order.participant.read', async () => {
    const { id } = await created(service, { participant: PERSON })
    expect((await cancelled(service, id, undefined, DISCREET)).body).not.toHaveProperty('participant')
    expect((await cancelled(service, id)).body.participant.identifiers).toHaveLength(1)
  })

  test('a cancellation cancels the booking and still shows the clinic', async () => {
    const order = await created(service, { participant: PERSON, settings: { schedulingOption: 'schedule' } })
    expect(await contentOf(service, order.id)).toMatchObject({ isBooked: true })
    expect((await cancelled(service, order.id)).body.clinic).toEqual(order.clinic)
    expect(await contentOf(service, order.id)).toMatchObject({ isBooked: false })
  })

  test('services that have a result, were missed or were cancelled keep their status', async () => {
    const order = await stored(service, {
      services: [{ status: 'negative' }, { status: 'collected' }, { status: 'noShow' }, { status: 'cancelled' }],
    })
    const { body: after } = await cancelled(service, order.id)
    expect(after).toMatchObject({ status: 'cancelled', isFinal: false })
    expect(
      after.services.map((each: { status: string; statusHistory: object[] }) => [
        each.status,
        each.statusHistory.length,
      ]),
    ).toEqual([
      ['negative', 1],
      ['cancelled', 2],
      ['noShow', 1],
      ['cancelled', 1],
    ])
  })
})

describe('the body of a cancellation', () => {
  test.each([undefined, {}, { reason: 'x' }, { reason: 'é'.repeat(255) }])(
    'the body of a cancellation may be %j',
    async (sent) => {
      const { id } = await created(service)
      expect((await cancelled(service, id, sent)).status).toBe(200)
    },
  )

  test('the body of a cancellation may be empty', async () => {
    const { id } = await created(service)
    const request = { method: 'PUT', path: `/api/v2/orders/${id}/cancellation` }
    const headers = { 'content-type': 'application/json' }
    expect((await service.call(SECRET, { ...request, body: '', headers })).status).toBe(200)
  })

  test.each([
    [{ reason: '' }, 'tooSmall /reason'],
    [{ reason: 'x'.repeat(256) }, 'tooBig /reason'],
    [{ reason: 1 }, 'invalidType /reason'],
    [{ reason: 'nul \u0000' }, 'invalidFormat /reason'],
    [{ why: 'x' }, 'unrecognizedKeys /why'],
    [[], 'invalidType'],
  ])('the body of a cancellation cannot be %j', async (sent, expected) => {
    const { id } = await created(service)
    expect(refusalOf(await cancelled(service, id, sent))).toBe(`400 ${expected}`)
    expect(await read(id)).toMatchObject({ status: 'ordered' })
  })
})

describe('an order that cannot be cancelled', () => {
  test.each([
    'negative',
    'negativeDilute',
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
  ] as const)('an order that is %s answers 422 invalidState', async (status) => {
    const order = await stored(service, { services: [{ status }] })
    const before = await read(order.id)
    expect(refusalOf(await cancelled(service, order.id))).toBe('422 invalidState')
    expect(await read(order.id)).toEqual(before)
    expect((await outgoing(order.id)).events).toBe(0)
  })

  test('an order that expired as a whole answers 422', async () => {
    const order = await stored(service, { ended: 'expired', services: [{ status: 'expired' }, { status: 'negative' }] })
    expect(refusalOf(await cancelled(service, order.id))).toBe('422 invalidState')
  })

  test.each([
    'linkSent',
    'scheduled',
    'checkedIn',
    'inTransit',
    'lostInTransit',
    'nonNegative',
    'mroReview',
    'inProgress',
    'integrationError',
  ] as const)('an order whose service is %s can be cancelled', async (status) => {
    const order = await stored(service, { services: [{ status }] })
    expect((await cancelled(service, order.id)).body).toMatchObject({ status: 'cancelled' })
  })

  test('a missing order and one of another company answer 404 with the same bytes', async () => {
    const { id } = await created(service, { location: { id: 'globex-hq' } }, { secret: GLOBEX })
    const answers = await Promise.all([id, 'missing', '%00'].map((each) => cancelled(service, each)))
    expect(refusalOf(answers.at(0)!)).toBe('404 notFound')
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect((await service.call(GLOBEX, `/api/v2/orders/${id}`)).body).toMatchObject({ status: 'ordered' })
  })
})

describe('events of a cancellation', () => {
  const hook = (path: string) => ({ callback: { url: `https://hooks.example.com/${path}` } })

  test('twenty concurrent cancellations make one change, one event and one delivery per callback', async () => {
    const match = { orderMatching: { enabled: true }, participant: { ...PERSON, lastName: 'Atonce' } }
    const { id } = await created(service, { ...match, ...hook('a') })
    for (const [path, url] of [
      ['b', '/api/v2/orders'],
      ['c', '/api/v1/orders'],
    ] as const) {
      const again = await service.call(SECRET, {
        method: 'POST',
        path: url,
        body: { ...body(match), ...hook(path) },
      })
      expect(again.status).toBe(200)
    }
    clock.now = LATER
    const answers = await Promise.all(Array.from({ length: 20 }, () => cancelled(service, id)))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1)
    expect((await contentOf(service, id))['history']).toHaveLength(2)
    const { events, deliveries } = await outgoing(id)
    expect(events).toBe(1)
    expect(deliveries.map(({ version }) => version)).toEqual(['v1', 'v2', 'v2'])
    expect(new Set(deliveries.map(({ callbackId }) => callbackId)).size).toBe(3)
  })

  test('creating an order makes no event', async () => {
    const { id } = await created(service, hook('quiet'))
    expect(await outgoing(id)).toEqual({ events: 0, deliveries: [] })
  })

  test('cancelling an order without a callback makes an event and no delivery', async () => {
    const { id } = await created(service)
    await cancelled(service, id)
    expect(await outgoing(id)).toEqual({ events: 1, deliveries: [] })
  })
})
