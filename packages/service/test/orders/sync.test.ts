import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { listEvents, listOrders } from '@order-testing/contract'
import type { Caller } from '../../src/domain/access/caller.ts'
import { readCursor, toCursor } from '../../src/domain/cursors.ts'
import { composeView } from '../../src/domain/orders/view.ts'
import { closeAll, httpReceiver } from '../webhooks/receivers.ts'
import { untilWaiting } from '../support/locks.ts'
import { endWork, startWorker, until } from '../webhooks/working.ts'
import { refusalOf } from '../http/answers.ts'
import { LOOPBACK } from '../support/delivering.ts'
import { startService, token, type TestService } from '../support/service.ts'
import { cancelled, created, GLOBEX, SECRET, TENANT, world } from './given.ts'

const READER = 'acme-secret-only-reads'

let service: TestService
beforeAll(async () => {
  service = await startService({ policy: { production: false, callbackAllow: LOOPBACK } })
  await service.apply(world({ tokens: [token(READER, { scopes: ['order.read'] })] }))
})
afterEach(async () => {
  await endWork()
  await closeAll()
})
afterAll(() => service.stop())

const SYNC = '/api/v2/orders?sort=updatedAt'
const EVENTS = '/api/v2/events?'

interface Found {
  ids: string[]
  total: number
  cursor: string
}

/** Reads on from a cursor to the end. */
async function readOn(path: string, cursor = '', { limit = 20, secret = SECRET } = {}): Promise<Found> {
  const ids: string[] = []
  for (let from = cursor; ;) {
    const { status, body } = await service.call(secret, `${path}&cursor=${from}&limit=${limit}`)
    expect(status).toBe(200)
    expect(body).toMatchObject({ limit, page: 1 })
    ids.push(...body.data.map(({ id }: { id: string }) => id))
    if (body.nextCursor === from || body.data.length === 0) return { ids, total: body.total, cursor: body.nextCursor }
    from = body.nextCursor
  }
}

/** Commits a change after others that began later have committed. */
async function commitLate(id: string, meanwhile: () => Promise<void>): Promise<void> {
  await service.store.transaction(async (tx) => {
    const order = { ...(await tx.orders.find(TENANT, id))!, updatedAt: new Date() }
    await tx.orders.update([{ tenantId: TENANT, order, view: composeView(order), blockingKeys: [] }])
    await meanwhile()
  })
}

describe('ruling 49: sync by cursor', () => {
  test('orders come in the order of their changes, each once until it changes again', async () => {
    const start = await readOn(SYNC)
    const [a, b, c] = [await created(service), await created(service), await created(service)]
    await cancelled(service, b.id)
    const next = await readOn(SYNC, start.cursor, { limit: 2 })
    expect(next.ids).toEqual([a.id, c.id, b.id])
    expect((await readOn(SYNC, next.cursor)).ids).toEqual([])
    await cancelled(service, a.id)
    expect((await readOn(SYNC, next.cursor)).ids).toEqual([a.id])
  })

  test('the answer is a collection with the total of all and a next cursor, also at the end', async () => {
    await created(service)
    const { body } = await service.call(SECRET, `${SYNC}&cursor=&limit=1`)
    expect(listOrders.reply.parse(body)).toEqual(body)
    const all = await service.call(SECRET, '/api/v2/orders')
    expect(body.total).toBe(all.body.total)
    const { cursor, total } = await readOn(SYNC)
    expect(total).toBe(all.body.total)
    const end = await service.call(SECRET, `${SYNC}&cursor=${cursor}`)
    expect(end.body).toMatchObject({ data: [], total, nextCursor: cursor })
    expect(all.body).not.toHaveProperty('nextCursor')
  })

  test('a change that commits late is not skipped', async () => {
    const [slow, fast] = [await created(service), await created(service)]
    const { cursor } = await readOn(SYNC)
    let next = cursor
    await commitLate(slow.id, async () => {
      await cancelled(service, fast.id)
      const found = await readOn(SYNC, cursor)
      expect(found.ids).toEqual([fast.id])
      next = found.cursor
    })
    expect((await readOn(SYNC, next)).ids).toEqual([slow.id])
  })

  test('nothing is missed or repeated while orders are created and changed', async () => {
    const { cursor } = await readOn(SYNC)
    const placed: string[] = []
    const place = async () => {
      for (let i = 0; i < 15; i++) {
        const { id } = await created(service)
        placed.push(id)
        if (i % 3 === 0) await cancelled(service, id)
      }
    }
    const writers = Promise.all([place(), place(), place()])
    const seen: string[] = []
    let [from, isDone] = [cursor, false]
    void writers.then(() => (isDone = true))
    for (let isLast = false; !isLast;) {
      isLast = isDone
      const found = await readOn(SYNC, from, { limit: 3 })
      seen.push(...found.ids)
      from = found.cursor
    }
    await writers
    expect(new Set(seen)).toEqual(new Set(placed))
    // Each order is seen once per change at most.
    expect(seen.length).toBeLessThanOrEqual(placed.length + 15)
  })

  test('an order is not listed with a change that has no position yet', async () => {
    const order = await created(service)
    const { cursor } = await readOn(SYNC)
    await cancelled(service, order.id)
    const caller = { tenantId: TENANT, companyIds: ['acme'], scopes: new Set() } as unknown as Caller
    const pageAfter = (position: string) => service.store.orderList.after(caller, { limit: 20 }, position)
    const before = (BigInt(readCursor('orders', cursor)) - 1n).toString()
    expect(await pageAfter(before)).toMatchObject({ rows: [], position: before })
    expect((await readOn(SYNC, toCursor('orders', before))).ids).toEqual([order.id])
  })

  test('no reader sees the same state of an order twice while eight writers change orders', async () => {
    const { cursor } = await readOn(SYNC)
    const latest = new Map<string, string>()
    const write = async () => {
      for (let i = 0; i < 12; i++) {
        const { id } = await created(service)
        latest.set(id, (await cancelled(service, id)).body.updatedAt)
      }
    }
    const writers = Promise.all(Array.from({ length: 8 }, write))
    let [from, isDone] = [cursor, false]
    void writers.then(() => (isDone = true))
    const seen: string[] = []
    const last = new Map<string, string>()
    for (let isLast = false; !isLast;) {
      const wasDone = isDone
      const { body } = await service.call(SECRET, `${SYNC}&cursor=${from}&limit=5`)
      for (const { id, updatedAt, status } of body.data) {
        seen.push(`${id} ${updatedAt} ${status}`)
        last.set(id, updatedAt)
      }
      isLast = wasDone && body.nextCursor === from
      from = body.nextCursor
    }
    await writers
    expect(seen.filter((each, i) => seen.indexOf(each) < i)).toEqual([])
    expect(last).toEqual(latest)
  })

  test('filters apply, also when few of many changes meet them', async () => {
    const { cursor } = await readOn(SYNC)
    const orders = []
    for (let i = 0; i < 8; i++) orders.push(await created(service, i === 5 ? { externalId: 'rare' } : {}))
    await cancelled(service, orders[2].id)
    const rare = await readOn(`${SYNC}&externalId=rare`, cursor, { limit: 2 })
    expect(rare).toMatchObject({ ids: [orders[5].id], total: 1 })
    expect((await readOn(`${SYNC}&status=cancelled`, cursor)).ids).toEqual([orders[2].id])
    expect((await readOn(`${SYNC}&companyId=globex`, cursor)).ids).toEqual([])
    expect((await readOn(`${SYNC}&createdFrom=${orders[6].createdAt}`, cursor)).ids).toEqual([
      orders[6].id,
      orders[7].id,
    ])
  })

  test('other companies stay invisible', async () => {
    const { cursor } = await readOn(SYNC, '', { secret: GLOBEX })
    await created(service)
    expect((await readOn(SYNC, cursor, { secret: GLOBEX })).ids).toEqual([])
  })

  test('the cursor "latest" begins with the next change', async () => {
    await created(service)
    const { body } = await service.call(SECRET, `${SYNC}&cursor=latest`)
    expect(body).toMatchObject({ data: [], nextCursor: (await readOn(SYNC)).cursor })
    const { id } = await created(service)
    expect((await readOn(SYNC, body.nextCursor)).ids).toEqual([id])
    const events = await service.call(SECRET, `${EVENTS}cursor=latest`)
    expect(events.body).toMatchObject({ data: [], nextCursor: (await readOn(EVENTS)).cursor })
  })

  test('a cursor that was never issued is refused', async () => {
    await created(service)
    const { cursor } = await readOn(SYNC)
    const [{ last }] = (await service.pool`select last_value::text as last from change_positions`) as [{ last: string }]
    const beyond = toCursor('orders', (BigInt(last) + 1n).toString())
    for (const path of [`${SYNC}&cursor=o.ffffffff`, `${SYNC}&cursor=${beyond}`, `${EVENTS}cursor=e.ffffffffffff`])
      expect(refusalOf(await service.call(SECRET, path))).toBe('400 invalidFormat /cursor')
    expect((await service.call(SECRET, `${SYNC}&cursor=${cursor}`)).status).toBe(200)
  })

  test('a cursor stays valid when the orders before it are removed', async () => {
    const { id } = await created(service)
    const { cursor } = await readOn(SYNC)
    await service.store.transaction(async (tx) => {
      await tx.orders.lockNamed([{ tenantId: TENANT, id }])
      await tx.orderRemoval.remove(TENANT, [id])
    })
    expect(await readOn(SYNC, cursor)).toMatchObject({ ids: [], cursor })
  })

  test.each([
    ['page=1&cursor=&sort=updatedAt', 'unrecognizedKeys /page'],
    ['cursor=', 'required /sort'],
    ['sort=updatedAt', 'required /cursor'],
    ['sort=updatedAt&cursor=nonsense', 'invalidFormat /cursor'],
    ['sort=updatedAt&cursor=e.1', 'invalidFormat /cursor'],
    ['sort=createdAt&cursor=', 'invalidValue /sort'],
  ])('%s is refused', async (query, problem) => {
    const answer = await service.call(SECRET, `/api/v2/orders?${query}`)
    expect(refusalOf(answer)).toBe(`400 ${problem}`)
  })
})

describe('ruling 47: events of all orders', () => {
  const eventsOf = async (id: string) =>
    (await service.call(SECRET, `/api/v2/orders/${id}/events`)).body.data.map((event: { id: string }) => event.id)

  test('events are listed oldest first, whether the order has a callback or not', async () => {
    const { cursor } = await readOn(EVENTS)
    const [a, b] = [await created(service, { externalId: 'x-1' }), await created(service)]
    await cancelled(service, b.id)
    await cancelled(service, a.id)
    const { body } = await service.call(SECRET, `${EVENTS}cursor=${cursor}`)
    expect(listEvents.reply.parse(body)).toEqual(body)
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([
      ...(await eventsOf(b.id)),
      ...(await eventsOf(a.id)),
    ])
    expect(body.data[1].data).toEqual({ object: 'order', id: a.id, code: a.code, externalId: 'x-1', url: a.url })
    expect(body.data[0]).not.toHaveProperty('deliveries')
  })

  test('reading on finds each event once, and the total counts all', async () => {
    const before = await readOn(EVENTS)
    for (let i = 0; i < 7; i++) await cancelled(service, (await created(service)).id)
    const next = await readOn(EVENTS, before.cursor, { limit: 3 })
    expect([new Set(next.ids).size, next.total]).toEqual([7, before.total + 7])
    expect((await readOn(EVENTS, next.cursor)).ids).toEqual([])
    const all = await readOn(EVENTS)
    expect([all.ids.length, new Set(all.ids).size]).toEqual([all.total, all.total])
  })

  test('events need order.list, show only visible orders, and take no page', async () => {
    expect((await service.call(READER, '/api/v2/events')).status).toBe(401)
    expect((await readOn(EVENTS, '', { secret: GLOBEX })).total).toBe(0)
    expect(refusalOf(await service.call(SECRET, '/api/v2/events?page=1'))).toBe('400 unrecognizedKeys /page')
    expect(refusalOf(await service.call(SECRET, '/api/v2/events?cursor=o.1'))).toBe('400 invalidFormat /cursor')
  })
})

describe('ruling 47: sending an event again', () => {
  const resend = (id: string, eventId: string, secret = SECRET) =>
    service.call(secret, { method: 'POST', path: `/api/v2/orders/${id}/events/${eventId}/resend` })
  const eventOf = async (id: string) => (await service.call(SECRET, `/api/v2/orders/${id}/events`)).body.data[0]

  test('the same bytes are sent again as the next attempt, at most once a minute', async () => {
    const receiver = await httpReceiver()
    const { id } = await created(service, { callback: { url: receiver.url } })
    startWorker(service.store)
    await cancelled(service, id)
    await until(async () => (await eventOf(id)).deliveries[0].state === 'delivered')
    const event = await eventOf(id)
    const answer = await resend(id, event.id)
    expect([answer.status, answer.body.id, answer.body.deliveries.length]).toEqual([202, event.id, 1])
    await until(() => receiver.requests.length === 2)
    const listed = await readOn(`${EVENTS}resends=true`)
    const once = await readOn(EVENTS)
    expect([listed.ids.at(-1), listed.ids.length, listed.total]).toEqual([event.id, once.ids.length + 1, once.total])
    expect(receiver.requests[1]!.body).toEqual(receiver.requests[0]!.body)
    expect(receiver.requests.map(({ headers }) => headers['x-delivery-attempt'])).toEqual(['1', '2'])
    await until(async () => (await eventOf(id)).deliveries[0].attempts === 2)
    const again = await resend(id, event.id)
    expect(refusalOf(again)).toBe('429 tooManyRequests')
    expect(Number(again.headers.get('retry-after'))).toBeGreaterThan(50)
    await service.pool`update events set resent_at = now() - interval '61 seconds' where id = ${event.id}`
    expect((await resend(id, event.id)).status).toBe(202)
  })

  test('a delivery that waits for its next attempt is sent at once', async () => {
    let status = 500
    const receiver = await httpReceiver((_, response) => response.writeHead(status).end())
    const { id } = await created(service, { callback: { url: receiver.url } })
    startWorker(service.store, { schedule: [0, 3_600] })
    await cancelled(service, id)
    await until(async () => (await eventOf(id)).deliveries[0].attempts === 1)
    status = 200
    expect((await resend(id, (await eventOf(id)).id)).status).toBe(202)
    await until(async () => (await eventOf(id)).deliveries[0].state === 'delivered')
    expect(receiver.requests.map(({ headers }) => headers['x-delivery-attempt'])).toEqual(['1', '2'])
  })

  test('an event is not found once its order, which is being removed, is gone', async () => {
    const { id } = await created(service, { callback: { url: 'http://127.0.0.1:9/closed' } })
    await cancelled(service, id)
    const event = await eventOf(id)
    const sent: { answer?: ReturnType<typeof resend> } = {}
    await service.store.transaction(async (tx) => {
      await tx.orders.lockNamed([{ tenantId: TENANT, id }])
      sent.answer = resend(id, event.id)
      await untilWaiting(service.pool)
      await tx.orderRemoval.remove(TENANT, [id])
    })
    expect((await sent.answer!).status).toBe(404)
  })

  test('without an active callback of its version, an event cannot be sent again', async () => {
    const url = 'http://127.0.0.1:9/closed'
    const { id } = await created(service, { callback: { url } }, { path: '/api/v1/orders' })
    await cancelled(service, id)
    const event = await eventOf(id)
    await service.call(SECRET, { method: 'PUT', path: `/api/v2/orders/${id}/callback`, body: { url } })
    expect(refusalOf(await resend(id, event.id))).toBe('422 invalidState')
    const none = await created(service)
    await cancelled(service, none.id)
    expect(refusalOf(await resend(none.id, (await eventOf(none.id)).id))).toBe('422 invalidState')
  })

  test('unknown events, events of other orders and of other companies are not found', async () => {
    const [a, b] = [await created(service), await created(service)]
    await cancelled(service, a.id)
    const event = await eventOf(a.id)
    const answers = [
      await resend(a.id, 'evt_unknown'),
      await resend(b.id, event.id),
      await resend(a.id, event.id, GLOBEX),
    ]
    expect(answers.map(({ status }) => status)).toEqual([404, 404, 404])
  })
})
