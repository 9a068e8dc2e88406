import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { listOrderEvents, type OrderEvent } from '@order-testing/contract'
import { makeId } from '../../src/domain/ids.ts'
import type { Participant } from '../../src/domain/orders/order.ts'
import { PooledRandom } from '../../src/operations/pooled-random.ts'
import { changeOrders } from '../../src/operations/orders/change.ts'
import { closeAll, httpReceiver } from '../webhooks/receivers.ts'
import { endWork, startWorker } from '../webhooks/working.ts'
import { refusalOf } from '../http/answers.ts'
import { deliverAll, LOOPBACK } from '../support/delivering.ts'
import { startService, token, type TestService } from '../support/service.ts'
import { body, cancelled, created, GLOBEX, only, PERSON, post, SECRET, TENANT, world } from './given.ts'

const READER = 'acme-secret-only-reads'
/** An address without a receiver. */
const HOOK = 'http://127.0.0.1:9/a'

let service: TestService
beforeAll(async () => {
  service = await startService({ policy: { production: false, callbackAllow: LOOPBACK } })
  await service.apply(
    world({
      tokens: [
        token(READER, { scopes: ['order.read'] }),
        token('acme-secret-cannot-read', { scopes: ['order.list', 'order.create', 'order.cancel'] }),
      ],
    }),
  )
})
afterEach(endWork)
afterAll(() => service.stop())

const ask = (id: string, query = '', secret = SECRET) => service.call(secret, `/api/v2/orders/${id}/events${query}`)

/** The events of an order, checked against the contract. */
async function eventsOf(id: string): Promise<OrderEvent[]> {
  const answer = await ask(id)
  expect(answer.status).toBe(200)
  expect(listOrderEvents.reply.parse(answer.body)).toEqual(answer.body)
  return answer.body.data
}

/** A cancelled order, which has an event. */
async function changedOrder(members: object = {}) {
  const order = await created(service, members)
  const { body: after } = await cancelled(service, order.id)
  return { ...order, updatedAt: after.updatedAt }
}

const callback = (url: string) => ({ callback: { url } })

describe('GET /orders/{id}/events', () => {
  test('an event is listed as callbacks receive it, with its deliveries', async () => {
    const order = await changedOrder(callback(HOOK))
    const event = only(await eventsOf(order.id))
    expect(event).toEqual({
      object: 'event',
      id: expect.stringMatching(/^evt_/),
      type: 'order.updated',
      createdAt: order.updatedAt,
      data: { object: 'order', id: order.id, code: order.code, url: order.url },
      deliveries: [
        {
          id: expect.stringMatching(/^dlv_/),
          object: 'delivery',
          version: 'v2',
          callbackOrigin: new URL(HOOK).origin,
          state: 'waiting',
          attempts: 0,
          lastAttemptAt: null,
          lastStatus: null,
          lastError: null,
          nextAttemptAt: expect.stringMatching(/Z$/),
          heldReason: null,
          heldUntil: null,
          endedAt: null,
        },
      ],
    })
  })

  test('the list is empty for an order that has not changed', async () => {
    const { id } = await created(service, callback(HOOK))
    expect((await ask(id)).body).toEqual({ data: [], limit: 20, page: 1, total: 0 })
  })

  test('ruling 27: a change of only the participant’s identifiers makes an event', async () => {
    const { id } = await created(service, { participant: PERSON })
    const change = (identifiers: Participant['identifiers']) =>
      service.store.transaction(async (tx) => {
        const before = (await tx.orders.find(TENANT, id))!
        const after = { ...before, participant: { ...before.participant, identifiers }, updatedAt: new Date() }
        await changeOrders([{ tenantId: TENANT, before, after }], tx, new PooledRandom())
      })
    const ssn = { type: 'ssn', value: '536-22-8841', issuingCountry: null, issuingState: null }
    await change([ssn])
    expect(await eventsOf(id)).toEqual([])
    await change([{ ...ssn, value: '536-22-8842' }])
    expect(await eventsOf(id)).toHaveLength(1)
    const { body: read } = await service.call(SECRET, `/api/v2/orders/${id}`)
    expect(read.participant.identifiers).toMatchObject([{ value: '536-22-8842' }])
    await change([])
    expect(await eventsOf(id)).toHaveLength(2)
  })

  test('the event of an order without callbacks is listed without deliveries', async () => {
    const order = await changedOrder()
    expect(only(await eventsOf(order.id))).toMatchObject({ createdAt: order.updatedAt, deliveries: [] })
  })

  test('each delivery shows the version that its callback was registered with', async () => {
    const match = { orderMatching: { enabled: true }, participant: { ...PERSON, lastName: 'Versions' } }
    const { id } = await created(service, { ...match, ...callback(`${HOOK}/v2`) })
    const again = await post(service, body({ ...match, ...callback(`${HOOK}/v1`) }), { path: '/api/v1/orders' })
    expect(again).toMatchObject({ status: 200, body: { id } })
    await cancelled(service, id)
    const { deliveries } = only(await eventsOf(id))
    expect(deliveries.map(({ version, callbackOrigin }) => `${version} ${callbackOrigin}`).toSorted()).toEqual([
      `v1 ${new URL(HOOK).origin}`,
      `v2 ${new URL(HOOK).origin}`,
    ])
  })

  test('a delivery shows only the origin of its callback', async () => {
    const { id } = await changedOrder({
      callback: {
        url: `${HOOK}?key=hidden-query#hidden-fragment`,
        headers: { 'X-Key': 'hidden-header' },
        auth: { type: 'basic', username: 'hidden-user', password: 'hidden-password', secretKey: 'hidden-secret' },
      },
    })
    const { text } = await ask(id)
    expect(text).toContain(`"callbackOrigin":"${new URL(HOOK).origin}"`)
    expect(text).not.toContain(HOOK)
    expect(text).not.toContain('hidden')
  })

  test('events are paged, newest first', async () => {
    const { id } = await created(service)
    const days = ['2026-01-01', '2026-01-02', '2026-01-03', '2026-01-04', '2026-01-05'].map((day) => new Date(day))
    for (const at of [days[2]!, days[0]!, days[4]!, days[1]!, days[3]!])
      await service.store.outbox.putEvents([{ tenantId: TENANT, id: makeId('evt', at, randomBytes), orderId: id, at }])
    const pages = await Promise.all([1, 2, 3, 4].map((page) => ask(id, `?limit=2&page=${page}`)))
    expect(pages.map(({ body: { total, limit, page } }) => [total, limit, page])).toEqual(
      [1, 2, 3, 4].map((page) => [5, 2, page]),
    )
    const times = pages.map(({ body: { data } }) => data.map(({ createdAt }: OrderEvent) => new Date(createdAt)))
    expect(times).toEqual([[days[4], days[3]], [days[2], days[1]], [days[0]], []])
  })

  test('the list accepts no query parameters but those of pages', async () => {
    const { id } = await created(service)
    expect(refusalOf(await ask(id, '?limit=0'))).toBe('400 tooSmall /limit')
    expect(refusalOf(await ask(id, '?state=failed'))).toBe('400 unrecognizedKeys /state')
  })

  test('the list requires only order.read', async () => {
    const { id } = await changedOrder()
    expect(await ask(id, '', READER)).toMatchObject({ status: 200, body: { total: 1 } })
    expect(refusalOf(await ask(id, '', 'acme-secret-cannot-read'))).toBe('401 insufficientScope')
  })

  test('a missing order and one of another company answer 404 with the same bytes', async () => {
    const { id } = await created(service, { location: { id: 'globex-hq' } }, { secret: GLOBEX })
    await cancelled(service, id, undefined, GLOBEX)
    expect(await ask(id, '', GLOBEX)).toMatchObject({ status: 200, body: { total: 1 } })
    const answers = await Promise.all([id, 'missing', '%00'].map((each) => ask(each)))
    expect(answers.map((answer) => refusalOf(answer))).toEqual(Array(3).fill('404 notFound'))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })
})

describe('the delivery of an event after an attempt', () => {
  const deliveryOf = async (id: string) => only(only(await eventsOf(id)).deliveries)

  /** An order with a callback whose receiver answers like this. */
  async function reportingTo(status: number) {
    const receiver = await httpReceiver((_, response) => response.writeHead(status).end('answered'))
    return { receiver, order: await changedOrder(callback(`${receiver.url}?key=hidden`)) }
  }

  test('a delivery that the receiver accepted is delivered, with the body of the listed event', async () => {
    const { receiver, order } = await reportingTo(204)
    await deliverAll(service, [0])
    const { deliveries, ...event } = only(await eventsOf(order.id))
    expect(only(deliveries)).toMatchObject({
      state: 'delivered',
      attempts: 1,
      callbackOrigin: new URL(receiver.url).origin,
      lastAttemptAt: expect.stringMatching(/Z$/),
      lastStatus: 204,
      lastError: null,
      nextAttemptAt: null,
      endedAt: expect.stringMatching(/Z$/),
    })
    expect(JSON.parse(only(receiver.requests).body.toString())).toEqual(event)
  })

  test('a delivery that will be attempted again is waiting, with the time of the next attempt', async () => {
    const { order } = await reportingTo(500)
    await deliverAll(service, [0, 600])
    const delivery = await deliveryOf(order.id)
    expect(delivery).toMatchObject({ state: 'waiting', attempts: 1, lastStatus: 500, endedAt: null })
    const wait = Date.parse(delivery.nextAttemptAt!) - Date.parse(delivery.lastAttemptAt!)
    expect(wait).toBeGreaterThan(590_000)
    expect(wait).toBeLessThan(670_000)
  })

  test('a delivery without further attempts has failed', async () => {
    const failing = await reportingTo(500)
    const gone = await reportingTo(410)
    await deliverAll(service, [0])
    const failed = { state: 'failed', attempts: 1, nextAttemptAt: null, endedAt: expect.stringMatching(/Z$/) }
    expect(await deliveryOf(failing.order.id)).toMatchObject({ ...failed, lastStatus: 500 })
    expect(await deliveryOf(gone.order.id)).toMatchObject({ ...failed, lastStatus: 410 })
  })

  test('a delivery without a response shows the error', async () => {
    const { order } = await reportingTo(200)
    await closeAll()
    await deliverAll(service, [0])
    expect(await deliveryOf(order.id)).toMatchObject({ state: 'failed', lastStatus: null, lastError: 'connect' })
  })

  test('a delivery is held while its receiver is paused', async () => {
    const receiver = await httpReceiver()
    const paused = { tenantId: TENANT, origin: new URL(receiver.url).origin }
    await service.store.receiverRecords.pause(paused)
    startWorker(service.store)
    const { id } = await changedOrder(callback(receiver.url))
    await expect.poll(() => deliveryOf(id)).toMatchObject({ state: 'held', attempts: 0, nextAttemptAt: null })
    expect(receiver.requests).toEqual([])
    await service.store.receiverRecords.resume(paused)
    await expect.poll(() => deliveryOf(id)).toMatchObject({ state: 'delivered', attempts: 1 })
  })
})
