import { createHmac, randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { makeId } from '../../src/domain/ids.ts'
import { body, cancelled, created, DISCREET, PERSON, post, SECRET, TENANT, world } from '../orders/given.ts'
import { startService, type TestService } from '../support/service.ts'
import { httpReceiver, type Received } from './receivers.ts'
import { endWork, queue, startWorker, states, until } from './working.ts'

const V1 = '/api/v1/orders'
const LOOPBACK = ['127.0.0.0/8']

let service: TestService
beforeAll(async () => {
  service = await startService({ policy: { production: false, callbackAllow: LOOPBACK } })
  await service.apply(world())
})
afterAll(() => service.stop())
afterEach(endWork)

const hmac = (secret: string, text: string | Buffer) => createHmac('sha256', secret).update(text).digest('hex')

/** As a receiver of v2 would check it, by the interface alone. */
function expectSignedV2({ headers, body: sent }: Received, secret: string): number {
  const [, t = '', hex] = /^t=(\d+),sha256=([0-9a-f]{64})$/.exec(String(headers['x-signature'])) ?? []
  expect(hex).toBe(hmac(secret, Buffer.concat([Buffer.from(`${t}.`), sent])))
  return Number(t)
}

function expectSignedV1({ headers, body: sent }: Received, secret: string): void {
  expect(headers['x-signature']).toBe(`sha256=${hmac(secret, sent)}`)
}

// oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of every shape
const read = ({ body: sent }: Received): any => JSON.parse(sent.toString())

const bearer = (secretKey: string) => ({ type: 'bearer', token: 'receiver-token', secretKey })

let people = 0
/** A create that finds what an earlier one for the same person has made. */
function creator() {
  people += 1
  const participant = {
    ...PERSON,
    lastName: 'Þorláksdóttir 李',
    birthDate: `1990-03-${String(people).padStart(2, '0')}`,
  }
  return async (callback: object, path = '/api/v2/orders') => {
    const orderMatching = { enabled: true, matchScore: 100 }
    const answer = await post(service, body({ participant, callback, orderMatching }), { path })
    expect(answer.status).toBeLessThan(300)
    return answer.body
  }
}

describe('the delivery of a cancellation (Event body, Signature)', () => {
  test('a v2 delivery is an event with id, code and path, signed over its time and bytes', async () => {
    const receiver = await httpReceiver()
    startWorker(service.store)
    const callback = { url: `${receiver.url}?a=1`, headers: { 'X-Tenant': 'acme' }, auth: bearer('signing-secret') }
    const order = await created(service, { callback })
    await cancelled(service, order.id)
    await until(() => receiver.requests.length > 0)
    const [request] = receiver.requests
    expect(request).toMatchObject({ method: 'POST', path: '/hook?a=1' })
    expect(request!.headers).toMatchObject({
      'content-type': 'application/json',
      'x-tenant': 'acme',
      authorization: 'Bearer receiver-token',
    })
    expect(request!.headers['user-agent']).toMatch(/^order-testing-service\/\d/)
    const event = read(request!)
    expect(event).toEqual({
      object: 'event',
      id: expect.stringMatching(/^evt_/),
      type: 'order.updated',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      data: { object: 'order', id: order.id, code: order.code, url: `/api/v2/orders/${order.id}` },
    })
    expect(Math.abs(expectSignedV2(request!, 'signing-secret') - Date.now() / 1000)).toBeLessThan(5)
    expect((await service.call(SECRET, event.data.url)).body.status).toBe('cancelled')
  })

  test('a v1 delivery is the order itself, signed over its bytes alone', async () => {
    const receiver = await httpReceiver()
    startWorker(service.store)
    const order = await creator()({ url: receiver.url, auth: bearer('signing-secret') }, V1)
    const answer = await cancelled(service, order.id)
    await until(() => receiver.requests.length > 0)
    expect(read(receiver.requests[0]!)).toEqual(answer.body)
    expect(answer.body).toMatchObject({ object: 'order', status: 'cancelled', participant: { firstName: 'Maria' } })
    expectSignedV1(receiver.requests[0]!, 'signing-secret')
  })

  test('a v1 delivery omits the participant if the registering token may not read it', async () => {
    const receiver = await httpReceiver()
    startWorker(service.store)
    const order = await created(service, { callback: { url: receiver.url } }, { path: V1, secret: DISCREET })
    await cancelled(service, order.id)
    await until(() => receiver.requests.length > 0)
    const [request] = receiver.requests
    expect(read(request!)).toMatchObject({ object: 'order', id: order.id, status: 'cancelled' })
    expect(request!.body.toString()).not.toContain('Lopez')
    expect(request!.headers).not.toHaveProperty('x-signature')
  })
})

/** An event of an order that is still open, as a result or a booking will make one. */
const changed = (orderId: string, text: string) =>
  service.store.transaction(async (tx) => {
    const at = new Date()
    const deliveries = (await tx.outbox.registered([{ tenantId: TENANT, orderId }])).map(({ id, version, origin }) => ({
      id: makeId('dlv', at, randomBytes),
      callbackId: id,
      version,
      origin,
      body: text,
    }))
    const event = { tenantId: TENANT, id: makeId('evt', at, randomBytes), orderId, at, deliveries }
    await tx.outbox.putEvents([event])
    await tx.outbox.putDeliveries([event])
  })

describe('a retry (Registration and versions)', () => {
  const failing = async (times: number) => {
    const receiver = await httpReceiver((_, response) => {
      response.writeHead(receiver.requests.length <= times ? 500 : 200).end()
    })
    return receiver
  }

  test('a retry has the same bytes, a new time, and the secret that a matched create has set meanwhile', async () => {
    const receiver = await failing(2)
    startWorker(service.store, { schedule: [0, 1.1, 0.1] })
    const create = creator()
    const order = await create({ url: receiver.url, auth: bearer('the old secret') })
    await changed(order.id, '{"object":"event","id":"evt_1"}')
    await until(() => receiver.requests.length === 1)
    expect((await create({ url: receiver.url, auth: bearer('the new secret') })).id).toBe(order.id)
    await until(() => receiver.requests.length === 3)
    const [first, second, third] = receiver.requests as [Received, Received, Received]
    expect([second, third].map((request) => request.body.equals(first.body))).toEqual([true, true])
    const firstAt = expectSignedV2(first, 'the old secret')
    expect(expectSignedV2(second, 'the new secret')).toBeGreaterThan(firstAt)
    expectSignedV2(third, 'the new secret')
  })

  test('a retry stays v1 after its registration has moved to v2, and the next event is v2', async () => {
    const receiver = await failing(1)
    startWorker(service.store, { schedule: [0, 0.5] })
    const create = creator()
    const order = await create({ url: receiver.url, auth: bearer('of v1') }, V1)
    await changed(order.id, '{"object":"order"}')
    await until(() => receiver.requests.length === 1)
    await create({ url: receiver.url, auth: bearer('of v2') })
    await until(() => receiver.requests.length === 2)
    expect(receiver.requests[1]!.body.toString()).toBe('{"object":"order"}')
    expectSignedV1(receiver.requests[0]!, 'of v1')
    expectSignedV1(receiver.requests[1]!, 'of v2')
    await cancelled(service, order.id)
    await until(() => receiver.requests.length === 3)
    expect(read(receiver.requests[2]!).object).toBe('event')
    expectSignedV2(receiver.requests[2]!, 'of v2')
  })
})

describe('the hour of v1 (ruling 30)', () => {
  const aged = async (url: string, version: 'v1' | 'v2', minutes: number) => {
    const { orderId } = await queue(service.store, { url, version })
    await service.pool`
      update deliveries set queued_at = now() - ${minutes} * interval '1 minute' where order_id = ${orderId}`
    return orderId
  }

  test('the hour ends v1 retries and not v2 retries', async () => {
    const receiver = await httpReceiver((_, response) => response.writeHead(500).end())
    const [v1, v2] = [await aged(receiver.url, 'v1', 60), await aged(receiver.url, 'v2', 60)]
    startWorker(service.store, { schedule: [0, 60] })
    await until(() => receiver.requests.length === 2)
    await until(async () => (await states(service.pool, v1))['failed'] === 1)
    expect(await states(service.pool, v2)).toEqual({ waiting: 1 })
  })

  test('a v1 delivery parked past the hour is not sent', async () => {
    const receiver = await httpReceiver()
    const { origin } = new URL(receiver.url)
    await service.store.receiverRecords.pause({ tenantId: TENANT, origin })
    const [v1, v2] = [await aged(receiver.url, 'v1', 62), await aged(receiver.url, 'v2', 62)]
    startWorker(service.store)
    await until(async () => (await states(service.pool, v1))['held'] === 1)
    await service.store.receiverRecords.resume({ tenantId: TENANT, origin })
    await until(async () => (await states(service.pool, v2))['delivered'] === 1)
    expect(await states(service.pool, v1)).toEqual({ failed: 1 })
    expect(receiver.requests).toHaveLength(1)
  })
})
