import { Webhook } from 'standardwebhooks'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { LOOPBACK } from '../../service/test/support/delivering.ts'
import { body, SECRET, world } from '../../service/test/orders/given.ts'
import { startService, token, type TestService } from '../../service/test/support/service.ts'
import { httpReceiver } from '../../service/test/webhooks/receivers.ts'
import { endWork, startWorker, until } from '../../service/test/webhooks/working.ts'
import {
  ConflictError,
  NotFoundError,
  OrderTesting,
  OrderTestingError,
  RateLimitError,
  verifyWebhook,
  type CreateOrder,
} from '../src/index.ts'
import { failure } from './servers.ts'

const SLOWED = 'acme-secret-of-two-requests-a-minute'
const signed = 'signing-secret'

let service: TestService
let client: OrderTesting
beforeAll(async () => {
  service = await startService({ policy: { production: false, callbackAllow: LOOPBACK } })
  await service.apply(world({ tokens: [token(SLOWED, { rateLimit: 2 })] }))
  client = new OrderTesting({ baseUrl: service.origin, token: SECRET })
})
afterEach(endWork)
afterAll(() => service.stop())

const request = (members: Partial<CreateOrder> = {}) => body(members) as CreateOrder

const callbackTo = (url: string) => ({
  url,
  auth: { type: 'bearer' as const, token: 'receiver', secretKey: signed },
})

/** The ids of all changes up to now, and the cursor after them. */
async function drain(cursor = ''): Promise<{ ids: string[]; cursor: string }> {
  const ids: string[] = []
  let next = cursor
  for await (const page of client.orders.list({ sort: 'updatedAt', cursor }).pages()) {
    ids.push(...page.data.map(({ id }) => id))
    next = page.nextCursor!
  }
  return { ids, cursor: next }
}

describe('orders', () => {
  test('are created, read, validated and cancelled', async () => {
    const order = await client.orders.create(request({ externalId: 'candidate-17' }))
    expect(order).toMatchObject({ object: 'order', status: 'ordered', externalId: 'candidate-17' })
    expect((await client.orders.get(order.id)).code).toBe(order.code)
    expect((await client.orders.cancel(order.id, { reason: 'Hired elsewhere.' })).status).toBe('cancelled')
    expect((await client.orders.cancel(order.id)).status).toBe('cancelled')
    expect((await client.orders.createV1(request())).object).toBe('order')
    expect((await client.orders.validate(request())).object).toBe('orderValidation')
  })

  test('are placed once, though the first answer was lost and the call repeated', async () => {
    const externalId = 'lost-answer'
    let losses = 0
    const unlucky = new OrderTesting({
      baseUrl: service.origin,
      token: SECRET,
      fetch: async (url, init) => {
        const response = await fetch(url, init)
        await response.text()
        losses += 1
        if (losses < 3) throw new TypeError('fetch failed')
        return fetch(url, init)
      },
    })
    const order = await unlucky.orders.create(request({ externalId }))
    expect(losses).toBe(3)
    expect((await client.orders.list({ externalId })).data.map(({ id }) => id)).toEqual([order.id])
  })

  test('are refused with all problems and their pointers', async () => {
    const wrong = { ...request(), testReason: 'curiosity', participant: { firstName: '', lastName: 'Lopez' } }
    const error = await failure<OrderTestingError>(client.orders.create(wrong as never))
    expect(error.status).toBe(400)
    expect(error.requestId).toBeTruthy()
    expect(error.problems.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
      'tooSmall /participant/firstName',
      'invalidValue /testReason',
    ])
  })

  test('that do not exist, and keys used twice, have errors of their own', async () => {
    expect(await failure(client.orders.get('ord_none'))).toBeInstanceOf(NotFoundError)
    await client.orders.create(request(), { idempotencyKey: 'twice' })
    const again = client.orders.create(request({ externalId: 'other' }), { idempotencyKey: 'twice' })
    expect(await failure(again)).toBeInstanceOf(ConflictError)
  })

  test('are iterated over all pages, newest first, with filters', async () => {
    const externalId = 'many'
    const ids: string[] = []
    for (let i = 0; i < 23; i += 1) ids.unshift((await client.orders.create(request({ externalId }))).id)
    const found: string[] = []
    for await (const { id } of client.orders.list({ externalId, createdFrom: new Date(0) })) found.push(id)
    expect(found).toEqual(ids)
    expect((await client.orders.list({ externalId, limit: 5 })).total).toBe(23)
  })

  test('are followed as they change, also those that change while the client waits', async () => {
    const { cursor } = await drain()
    const [first, second] = [await client.orders.create(request()), await client.orders.create(request())]
    const controller = new AbortController()
    const found: string[] = []
    const options = { cursor, pollMs: 5, signal: controller.signal }
    let kept = cursor
    for await (const change of client.orders.changes(options)) {
      found.push(`${change.order.id} ${change.order.status}`)
      kept = change.cursor
      if (found.length === 2) void client.orders.cancel(first.id)
      if (found.length === 3) controller.abort()
    }
    expect(found).toEqual([`${first.id} ordered`, `${second.id} ordered`, `${first.id} cancelled`])
    expect((await drain(kept)).ids).toEqual([])
  })
})

describe('the catalog', () => {
  test('is listed, read and searched', async () => {
    expect((await client.companies.list()).data.map(({ id }) => id)).toEqual(['acme'])
    expect((await client.locations.get('hq')).company.id).toBe('acme')
    expect((await client.packages.list({ name: 'basic' })).data[0]).toMatchObject({ id: 'basic' })
    expect((await client.services.get('urine')).attributes.type).toBe('urine')
    expect((await client.clinics.list({ isActive: true })).total).toBe(0)
    expect((await client.clinics.search({ near: { postalCode: '60540' } })).data).toEqual([])
    const [agency] = (await client.agencies.list({ code: 'faa' })).data
    const [category] = agency!.jobCategories
    expect((await client.agencies.jobCategory(agency!.id, category!.id)).agency.code).toBe('FAA')
  })

  test('tells what the token is', async () => {
    expect(await client.token()).toMatchObject({ object: 'token', companies: [{ id: 'acme' }] })
  })

  test('is read no faster than the rate limit allows', async () => {
    const slow = new OrderTesting({ baseUrl: service.origin, token: SLOWED, maxRetries: 0 })
    await slow.token()
    await slow.token()
    const error = await failure<RateLimitError>(slow.token())
    expect(error).toBeInstanceOf(RateLimitError)
    expect(error.retryAfter).toBeGreaterThan(0)
  })
})

describe('events', () => {
  test.each(['v2', 'v1'] as const)(
    'of %s are delivered so that verifyWebhook and Standard Webhooks accept them',
    async (version) => {
      startWorker(service.store)
      const receiver = await httpReceiver()
      const sent = request({ callback: callbackTo(receiver.url) })
      const order = await (version === 'v2' ? client.orders.create(sent) : client.orders.createV1(sent))
      await client.orders.cancel(order.id)
      await until(() => receiver.requests.length > 0, 'the delivery')
      const { headers, body: bytes } = receiver.requests[0]!
      const delivery = await verifyWebhook({ body: bytes, headers, secret: signed, requireTimestamp: true })
      expect(delivery.version).toBe(version)
      expect(delivery.eventId).toBe(headers['x-event-id'])
      const library = new Webhook(Buffer.from(signed).toString('base64'))
      expect(library.verify(bytes, headers as Record<string, string>)).toMatchObject({
        object: version === 'v2' ? 'event' : 'order',
      })
    },
  )

  test('are listed, followed and sent again', async () => {
    startWorker(service.store)
    const receiver = await httpReceiver()
    const order = await client.orders.create(request({ callback: callbackTo(receiver.url) }))
    await client.orders.cancel(order.id)
    await until(() => receiver.requests.length > 0, 'the delivery')
    const [event] = (await client.orders.events(order.id)).data
    const ids: string[] = []
    for await (const { id } of client.events.list({ limit: 2 })) ids.push(id)
    expect(ids.at(-1)).toBe(event!.id)
    for await (const change of client.events.changes()) if (change.event.id === event!.id) break
    await until(async () => (await client.orders.events(order.id)).data[0]!.deliveries[0]!.state === 'delivered')
    expect((await client.orders.resendEvent(order.id, event!.id)).id).toBe(event!.id)
    await until(() => receiver.requests.length > 1, 'the second delivery')
    expect(await failure(client.orders.resendEvent(order.id, event!.id))).toBeInstanceOf(RateLimitError)
  })

  test('go where the callbacks of an order say', async () => {
    const order = await client.orders.create(request())
    const { callbacks } = client.orders
    const added = await callbacks.put(order.id, callbackTo('http://127.0.0.1:9/hook'))
    expect(added).toMatchObject({ object: 'callback', version: 'v2', isSigned: true, isActive: true })
    expect((await callbacks.get(order.id, added.id)).target).toBe('http://127.0.0.1:9/hook')
    await callbacks.end(order.id, added.id)
    await callbacks.end(order.id, added.id)
    expect((await callbacks.list(order.id)).data).toMatchObject([{ id: added.id, isActive: false }])
  })
})
