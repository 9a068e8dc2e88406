import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { mailboxTransport } from '../../src/notify/mailbox.ts'
import { NotificationDispatcher } from '../../src/notify/dispatcher.ts'
import { created, GLOBEX, SECRET, stored, TENANT } from '../orders/given.ts'
import { LOOPBACK } from '../support/delivering.ts'
import { staffed } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'
import { httpReceiver } from '../webhooks/receivers.ts'
import { endWork, startWorker } from '../webhooks/working.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ policy: { production: false, callbackAllow: LOOPBACK } })
  await service.apply(staffed())
})
afterEach(endWork)
afterAll(() => service.stop())

const DAY = 86_400
const clock = (id: string, body: unknown, secret = SECRET) =>
  service.call(secret, { method: 'POST', path: `/api/sandbox/v1/orders/${id}/clock`, body })
const advance = async (id: string, days: number) => (await clock(id, { advanceSeconds: days * DAY })).body
const inDays = (days: number) => new Date(Date.now() + days * DAY * 1000)
const expiring = (days: number) =>
  created(service, { settings: { schedulingOption: 'link', expiresIn: days, expiresInUnit: 'days' } })
const eventsOf = async (id: string): Promise<number> =>
  (await service.call(SECRET, `/api/v2/orders/${id}/events`)).body.total

/** The delivery of an order that has one. */
async function deliveryOf(orderId: string) {
  const [row] = await service.pool<{ state: string; attempts: number }[]>`
    select state, attempts from deliveries where order_id = ${orderId}`
  return row
}

/** Sends what is due to the mailbox, and returns the kinds of notifications by state. */
async function send(orderId: string): Promise<Record<string, string[]>> {
  const transport = mailboxTransport(service.store, 'email', randomBytes)
  const options = { channel: 'email', transport, publicUrl: 'https://orders.example' } as const
  const dispatcher = new NotificationDispatcher({ store: service.store, ...options, random: randomBytes })
  while (await dispatcher.round());
  await dispatcher.settle()
  const rows = await service.pool<{ kind: string; state: string }[]>`
    select kind, state from notifications where tenant_id = ${TENANT} and order_id = ${orderId} order by id`
  return Object.fromEntries(
    ['sent', 'waiting', 'dropped'].map((state) => [
      state,
      rows
        .filter((row) => row.state === state)
        .map(({ kind }) => kind)
        .toSorted(),
    ]),
  )
}

describe('ruling 52: the clock of an order', () => {
  test('five days later, an order that expires in three days has expired, with the real time', async () => {
    const { id, createdAt } = await expiring(3)
    const from = new Date().toISOString()
    const { status, body } = await clock(id, { advanceSeconds: 5 * DAY })
    expect([status, body.status]).toEqual([200, 'expired'])
    for (const at of [body.statusUpdatedAt, body.updatedAt, body.expiresAt]) expect(at >= from).toBe(true)
    expect(body.createdAt).toBe(createdAt)
    expect(await eventsOf(id)).toBe(1)
  })

  test('two steps count together, and the expiry that is left is visible', async () => {
    const { id, expiresAt } = await expiring(3)
    const once = await advance(id, 2)
    expect(once.status).toBe('ordered')
    expect(Date.parse(expiresAt as string) - Date.parse(once.expiresAt as string)).toBe(2 * DAY * 1000)
    expect(await advance(id, 2)).toMatchObject({ status: 'expired' })
    expect(await eventsOf(id)).toBe(2)
  })

  test('a time can be given instead of a number of seconds', async () => {
    const { id } = await expiring(3)
    expect((await clock(id, { to: inDays(2.9).toISOString() })).body).toMatchObject({ status: 'ordered' })
    const again = await expiring(3)
    expect((await clock(again.id, { to: inDays(3.1).toISOString() })).body).toMatchObject({ status: 'expired' })
  })

  test('a booking is missed a day after its time', async () => {
    const appointmentAt = inDays(2)
    const order = await stored(service, { isBooked: true, appointmentAt, services: [{ status: 'scheduled' }] })
    expect(await advance(order.id, 2.5)).toMatchObject({ status: 'scheduled' })
    expect(await advance(order.id, 1)).toMatchObject({ status: 'noShow' })
  })

  test('an order that expires before its booking is missed has expired', async () => {
    const order = await stored(service, {
      isBooked: true,
      appointmentAt: inDays(2.5),
      expiresAt: inDays(3),
      services: [{ status: 'scheduled' }],
    })
    expect(await advance(order.id, 5)).toMatchObject({ status: 'expired' })
  })

  test('reminders are sent when their time has come, and nothing else is planned', async () => {
    const { id } = await expiring(5)
    expect(await send(id)).toEqual({ sent: ['link'], waiting: ['reminder', 'reminder'], dropped: [] })
    await advance(id, 2.5)
    expect(await send(id)).toEqual({ sent: ['link', 'reminder'], waiting: ['reminder'], dropped: [] })
    await advance(id, 1)
    expect(await send(id)).toEqual({ sent: ['link', 'reminder'], waiting: ['reminder'], dropped: [] })
    await advance(id, 1)
    expect(await send(id)).toEqual({ sent: ['link', 'reminder', 'reminder'], waiting: [], dropped: [] })
  })

  test('a failed delivery is tried again at once, with a signature of the real time', async () => {
    let isDown = true
    const receiver = await httpReceiver((_, response) => response.writeHead(isDown ? 500 : 200).end())
    const { id } = await created(service, {
      callback: { url: receiver.url, auth: { type: 'apiKey', apiKey: 'k1', secretKey: 's1' } },
    })
    startWorker(service.store, { schedule: [0, 3_600] })
    await service.call(SECRET, { method: 'PUT', path: `/api/v2/orders/${id}/cancellation` })
    const state = () => deliveryOf(id)
    await expect.poll(state, { timeout: 20_000 }).toMatchObject({ state: 'waiting', attempts: 1 })
    isDown = false
    expect(await advance(id, 1)).toMatchObject({ status: 'cancelled' })
    await expect.poll(state, { timeout: 20_000 }).toMatchObject({ state: 'delivered', attempts: 2 })
    const [first, second] = receiver.requests.map(({ headers, body }) => ({ body: body.toString(), headers }))
    expect(second!.body).toBe(first!.body)
    const [, signedAt] = /^t=(\d+),/.exec(second!.headers['x-signature'] as string) ?? []
    expect(Math.abs(Date.now() / 1000 - Number(signedAt))).toBeLessThan(300)
  })

  test('a delivery is tried at once also when its receiver has failed so often that it gets a break', async () => {
    let isDown = true
    const receiver = await httpReceiver((_, response) => response.writeHead(isDown ? 500 : 200).end())
    const { id } = await created(service, { callback: { url: receiver.url } })
    startWorker(service.store, { schedule: [0, ...Array<number>(10).fill(3_600)] })
    await service.call(SECRET, { method: 'PUT', path: `/api/v2/orders/${id}/cancellation` })
    const timeout = 20_000
    for (let attempts = 1; attempts <= 7; attempts++) {
      await expect.poll(() => deliveryOf(id), { timeout }).toMatchObject({ state: 'waiting', attempts })
      isDown = attempts < 7
      await advance(id, 1)
    }
    await expect.poll(() => deliveryOf(id), { timeout }).toMatchObject({ state: 'delivered', attempts: 8 })
  })

  test('the next step of a delayed simulation becomes due', async () => {
    const { id } = await created(service)
    const path = `/api/sandbox/v1/orders/${id}/simulation`
    await service.call(SECRET, { method: 'POST', path, body: { outcome: 'negative', delaySeconds: 3600 } })
    await advance(id, 1)
    expect(await service.pool`select from sandbox_simulations where order_id = ${id} and due_at <= now()`).toHaveLength(
      1,
    )
  })

  test('other orders keep their times', async () => {
    const [moved, other] = [await expiring(3), await expiring(3)]
    await advance(moved.id, 5)
    expect((await service.call(SECRET, other.url)).body).toEqual(other)
  })

  test('an order that waits for nothing stays as it is', async () => {
    const order = await stored(service, { expiresAt: inDays(3), services: [{ status: 'collected' }] })
    expect(await advance(order.id, 5)).toMatchObject({ status: 'pending', expiresAt: order.expiresAt!.toISOString() })
    expect(await eventsOf(order.id)).toBe(0)
  })

  test.each([
    [{}, 'required /advanceSeconds'],
    [{ advanceSeconds: 5, to: '2099-01-01T00:00:00Z' }, 'invalidValue /to'],
    [{ advanceSeconds: 0 }, 'tooSmall /advanceSeconds'],
    [{ advanceSeconds: 31_536_001 }, 'tooBig /advanceSeconds'],
    [{ advanceSeconds: 1.5 }, 'invalidType /advanceSeconds'],
    [{ to: 'tomorrow' }, 'invalidFormat /to'],
    [{ to: '2020-01-01T00:00:00Z' }, 'tooSmall /to'],
    [{ to: '2199-01-01T00:00:00Z' }, 'tooBig /to'],
  ])('the body %j is refused as %s', async (sent, expected) => {
    const { id } = await created(service)
    const { status, body } = await clock(id, sent)
    expect(`${status} ${body.errors[0].code} ${body.errors[0].source.pointer}`).toBe(`400 ${expected}`)
  })

  test('an order of another company is not found', async () => {
    const { id } = await created(service)
    expect(await clock(id, { advanceSeconds: 5 }, GLOBEX)).toMatchObject({ status: 404 })
  })
})
