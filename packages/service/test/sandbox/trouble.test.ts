import { createHmac } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { cancelled, created, GLOBEX, SECRET } from '../orders/given.ts'
import { LOOPBACK } from '../support/delivering.ts'
import { applied, messageAbout, staffed } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'
import { httpReceiver, type Received } from '../webhooks/receivers.ts'
import { endWork, startWorker, until } from '../webhooks/working.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ policy: { production: false, callbackAllow: LOOPBACK } })
  await service.apply(staffed())
})
afterEach(endWork)
afterAll(() => service.stop())

const KEY = 'signing-secret'
const arm = (id: string, body: unknown, secret = SECRET) =>
  service.call(secret, { method: 'POST', path: `/api/sandbox/v1/orders/${id}/webhookTrouble`, body })

/** An order with a callback, and trouble armed for its next event. */
async function troubled(kind: string, answer?: Parameters<typeof httpReceiver>[0]) {
  const receiver = await httpReceiver(answer)
  const callback = { url: receiver.url, auth: { type: 'apiKey', apiKey: 'k1', secretKey: KEY } }
  const order = await created(service, { callback })
  expect(await arm(order.id, { kind })).toMatchObject({
    status: 202,
    body: { object: 'webhookTrouble', orderId: order.id, kind },
  })
  return { order, requests: receiver.requests }
}

const checkIn = (order: { code: string }) =>
  applied(service, messageAbout(order, { kind: 'collector', event: 'checkedIn' }))
const collect = (order: { code: string }) =>
  applied(service, messageAbout(order, { kind: 'collector', event: 'collected' }))
const work = () => startWorker(service.store, { schedule: [0, 1, 1] })

interface Delivery {
  id: string
  state: string
  attempts: number
  due: number
  version: string
}
const deliveriesOf = ({ id }: { id: string }) => service.pool<Delivery[]>`
  select id, state, attempts, version, extract(epoch from due_at - now())::float8 as due from deliveries
  where order_id = ${id} order by created_at, id`
const allDelivered = async (order: { id: string }) =>
  (await deliveriesOf(order)).every(({ state }) => state === 'delivered')

function isGenuine({ headers, body }: Received): boolean {
  const [, t, hex] = /^(?:t=(\d+),)?sha256=(\w+)$/.exec(headers['x-signature'] as string) ?? []
  const mac = createHmac('sha256', KEY).update(t === undefined ? '' : `${t}.`)
  return mac.update(body).digest('hex') === hex
}
const attemptsOf = (requests: Received[]) => requests.map(({ headers }) => headers['x-delivery-attempt'])
const isSame = (requests: Received[], header: string) =>
  new Set(requests.map(({ headers }) => headers[header])).size === 1

describe('ruling 52: trouble on the way of the next event', () => {
  test('duplicate sends the same delivery twice', async () => {
    const { order, requests } = await troubled('duplicate')
    work()
    await checkIn(order)
    await until(() => allDelivered(order))
    expect(attemptsOf(requests)).toEqual(['1', '2'])
    expect(isSame(requests, 'x-delivery-id') && isSame(requests, 'x-event-id')).toBe(true)
    expect(requests[1]!.body).toEqual(requests[0]!.body)
    expect(requests.every(isGenuine)).toBe(true)
    await collect(order)
    await until(() => allDelivered(order))
    expect(requests).toHaveLength(3)
  })

  test.each([[200], [401]])(
    'wrongSignature sends a wrong signature first and then the right one, if the receiver answers %i',
    async (status) => {
      const { order, requests } = await troubled('wrongSignature', (_, response) =>
        response.writeHead(requests.length < 2 ? status : 200).end(),
      )
      work()
      await checkIn(order)
      await until(() => allDelivered(order))
      expect(requests.map(isGenuine)).toEqual([false, true])
      expect(requests[1]!.body).toEqual(requests[0]!.body)
    },
  )

  test('delay sends the event a minute later', async () => {
    const { order } = await troubled('delay')
    await checkIn(order)
    const [delivery] = await deliveriesOf(order)
    expect(delivery).toMatchObject({ state: 'waiting', attempts: 0 })
    expect(delivery!.due).toBeGreaterThan(50)
    expect(delivery!.due).toBeLessThanOrEqual(60)
    await collect(order)
    expect((await deliveriesOf(order))[1]!.due).toBeLessThanOrEqual(0)
  })

  test('reorder sends the event after the next one', async () => {
    const { order, requests } = await troubled('reorder')
    work()
    await checkIn(order)
    const [first] = await deliveriesOf(order)
    expect(first!.due).toBeGreaterThan(20)
    expect(first!.due).toBeLessThanOrEqual(30)
    await collect(order)
    await until(() => allDelivered(order))
    const events = (await service.call(SECRET, `/api/v2/orders/${order.id}/events`)).body.data as { id: string }[]
    expect(requests.map(({ headers }) => headers['x-event-id'])).toEqual(events.map(({ id }) => id))
    await cancelled(service, order.id)
    await until(() => allDelivered(order))
    expect(requests).toHaveLength(3)
    expect(await service.pool`select from sandbox_troubles where order_id = ${order.id}`).toHaveLength(0)
  })

  test('lateV1 sends a v1 delivery to a v2 callback', async () => {
    const { order, requests } = await troubled('lateV1')
    work()
    await checkIn(order)
    await collect(order)
    await until(() => allDelivered(order))
    const [late, next] = requests.map(({ body }) => JSON.parse(body.toString()) as { object: string; id: string })
    expect(late).toMatchObject({ object: 'order', id: order.id })
    expect(next).toMatchObject({ object: 'event' })
    expect(requests.map(({ headers }) => (headers['x-signature'] as string).startsWith('t='))).toEqual([false, true])
    expect(requests.every(isGenuine)).toBe(true)
  })

  test('trouble waits for the next event of its order, and what is armed later replaces it', async () => {
    const { order } = await troubled('delay')
    await arm(order.id, { kind: 'lateV1' })
    await checkIn(await created(service))
    await checkIn(order)
    expect(await deliveriesOf(order)).toMatchObject([{ version: 'v1', state: 'waiting' }])
    expect((await deliveriesOf(order))[0]!.due).toBeLessThanOrEqual(0)
  })

  test('trouble survives a restart, because it is stored', async () => {
    const { order } = await troubled('duplicate')
    await checkIn(order)
    expect(await service.pool`select trouble from deliveries where order_id = ${order.id}`).toEqual([
      { trouble: 'duplicate' },
    ])
  })

  test('an unknown kind is refused, and an order of another company is not found', async () => {
    const { id } = await created(service)
    const { status, body } = await arm(id, { kind: 'silence' })
    expect([status, body.errors[0].code, body.errors[0].source.pointer]).toEqual([400, 'invalidValue', '/kind'])
    expect(await arm(id, {})).toMatchObject({ status: 400 })
    expect(await arm(id, { kind: 'delay' }, GLOBEX)).toMatchObject({ status: 404 })
  })
})
