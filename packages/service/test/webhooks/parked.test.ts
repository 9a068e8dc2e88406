import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { OrderEvent } from '@order-testing/contract'
import type { Delivery, Receiver } from '@order-testing/contract/operator'
import { httpReceiver } from './receivers.ts'
import { endWork, startWorker, until } from './working.ts'
import { cancelled, created, only, SECRET, TENANT } from '../orders/given.ts'
import { deliverAll, LOOPBACK } from '../support/delivering.ts'
import { ots } from '../support/processes.ts'
import { startService, type TestService } from '../support/service.ts'
import { operate, OPERATOR, staffed } from '../support/operator.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ policy: { production: false, callbackAllow: LOOPBACK } })
  await service.apply(staffed())
})
afterEach(async () => {
  await endWork()
  await service.pool`truncate deliveries, delivery_attempts, receivers`
})
afterAll(() => service.stop())

/** A receiver that can be made to fail, and its origin. */
async function receiving(status = 200) {
  const answer = { status }
  const receiver = await httpReceiver((_, response) => response.writeHead(answer.status).end())
  return { ...receiver, answer, origin: new URL(receiver.url).origin }
}

/** An order with a change that is sent to the receiver. */
async function reported(url: string): Promise<string> {
  const { id } = await created(service, { callback: { url } })
  await cancelled(service, id)
  return id
}

const ofIntegrator = async (orderId: string) => {
  const { body } = await service.call(SECRET, `/api/v2/orders/${orderId}/events`)
  return only(only(body.data as OrderEvent[]).deliveries)
}
const ofOperator = async (orderId: string) =>
  only((await operate(service, 'GET', `/deliveries?order=${orderId}`)).body.data as Delivery[])
const receivers = async (query = '') =>
  (await operate(service, 'GET', `/receivers${query}`)).body as { data: Receiver[]; total: number }

/** What integrator and operator see of an order's only delivery, in lists and by itself. */
async function seen(orderId: string) {
  const listed = await ofOperator(orderId)
  const shown = (await operate(service, 'GET', `/deliveries/${listed.id}`)).body as Delivery
  return [await ofIntegrator(orderId), listed, shown].map(({ state, heldReason, heldUntil }) => ({
    state,
    heldReason,
    heldUntil,
  }))
}

const everywhere = (expected: object) => [expected, expected, expected]

const run = async (...words: string[]) => {
  const { stdout } = await ots(['deliveries', ...words], { OTS_URL: service.origin, OTS_TOKEN: OPERATOR })
  return stdout
}

/** Lets the breaker of a receiver open, with a delivery that is held behind it. */
async function opened() {
  const receiver = await receiving(500)
  const { registry } = startWorker(service.store, { schedule: [0, 600] })
  for (let i = 0; i < 5; i++) await reported(receiver.url)
  await until(async () => (await receivers()).data.some(({ state }) => state === 'open'), 'an open breaker')
  const orderId = await reported(receiver.url)
  await until(async () => (await ofIntegrator(orderId)).state === 'held', 'a held delivery')
  return { receiver, orderId, registry }
}

describe('ruling 51: a held delivery shows why and until when', () => {
  test('a delivery to a paused receiver is held without an end time', async () => {
    const { url, origin } = await receiving()
    await operate(service, 'POST', '/receivers/pause', { origin })
    startWorker(service.store)
    const orderId = await reported(url)
    await until(async () => (await ofIntegrator(orderId)).state === 'held')
    expect(await seen(orderId)).toEqual(everywhere({ state: 'held', heldReason: 'paused', heldUntil: null }))
    const { id } = await ofOperator(orderId)
    expect(await run('show', id)).toMatch(/^State +held: its receiver is paused$/m)
    expect(await run('list', '--state', 'held')).toContain('held (paused)')
  })

  test('a delivery behind an open breaker is held until the next probe', async () => {
    const { orderId } = await opened()
    const { openUntil } = only((await receivers()).data)
    expect(Date.parse(openUntil!)).toBeGreaterThan(Date.now())
    expect(await seen(orderId)).toEqual(everywhere({ state: 'held', heldReason: 'breakerOpen', heldUntil: openUntil }))
    const { id } = await ofOperator(orderId)
    expect(await run('show', id)).toContain(`held until ${openUntil}: the circuit breaker of its receiver is open\n`)
  })

  test('a delivery whose receiver is being probed is held without an end time', async () => {
    const { receiver, orderId } = await opened()
    await endWork()
    await service.pool`update receivers set open_until = now()`
    await service.store.receivers.takeProbe({ tenantId: TENANT, origin: receiver.origin })
    expect(await seen(orderId)).toEqual(everywhere({ state: 'held', heldReason: 'breakerOpen', heldUntil: null }))
  })

  test('a delivery behind others of a healthy receiver is held as queued', async () => {
    const { url } = await receiving()
    const orderId = await reported(url)
    await deliverAll(service)
    await operate(service, 'POST', `/deliveries/${(await ofOperator(orderId)).id}/replay`, { includeDelivered: true })
    expect(await seen(orderId)).toEqual(everywhere({ state: 'held', heldReason: 'queued', heldUntil: null }))
  })

  test('a delivery that is not held shows neither reason nor end time', async () => {
    const receiver = await receiving(500)
    const orderId = await reported(receiver.url)
    const none = { heldReason: null, heldUntil: null }
    expect(await seen(orderId)).toEqual(everywhere({ state: 'waiting', ...none }))
    await deliverAll(service, [0])
    expect(await seen(orderId)).toEqual(everywhere({ state: 'failed', ...none }))
  })
})

describe('the list of receivers', () => {
  test('a receiver after few failures is listed as closed, with its waiting deliveries', async () => {
    const { url, origin } = await receiving(500)
    const orders = [await reported(url), await reported(url)]
    await deliverAll(service, [0, 600])
    const [first] = (await operate(service, 'GET', `/deliveries?order=${orders[0]}`)).body.data as Delivery[]
    const [receiver] = (await receivers()).data
    expect(receiver).toMatchObject({ origin, state: 'closed', failures: 2, openUntil: null, held: 0, waiting: 2 })
    expect(Math.abs(Date.parse(receiver!.oldestAt!) - Date.parse(first!.createdAt))).toBeLessThan(60_000)
  })

  test('a receiver is listed as open with the time of its probe, then as half-open while the probe is due or in flight', async () => {
    const { receiver } = await opened()
    const open = only((await receivers()).data)
    expect(open).toMatchObject({ state: 'open', held: 1, waiting: 5, openUntil: expect.stringMatching(/Z$/) })
    expect(open.failures).toBeGreaterThanOrEqual(5)
    expect(await run('receivers')).toMatch(
      / open until \S+Z +\d failures +0 delivered, 0 failed, p95 \d+ ms +1 held +5 waiting +oldest \d+ (s|min)$/m,
    )
    await endWork()
    await service.pool`update receivers set open_until = now()`
    expect(only((await receivers()).data)).toMatchObject({ state: 'halfOpen', openUntil: null })
    expect(await run('receivers')).toContain('half-open (probing)')
    await service.store.receivers.takeProbe({ tenantId: TENANT, origin: receiver.origin })
    expect(only((await receivers()).data)).toMatchObject({ state: 'halfOpen', openUntil: null })
    // A request of before the break that fails meanwhile does not end the probe.
    const health = await service.store.transaction((tx) =>
      tx.receivers.lock({ tenantId: TENANT, origin: receiver.origin }),
    )
    await service.store.receivers.setBreaker({ tenantId: TENANT, origin: receiver.origin }, health)
    expect(only((await receivers()).data)).toMatchObject({ state: 'halfOpen' })
  })

  test('a healthy receiver is listed only on request for receivers with held deliveries', async () => {
    const { url, origin } = await receiving()
    const orderId = await reported(url)
    await deliverAll(service)
    await operate(service, 'POST', `/deliveries/${(await ofOperator(orderId)).id}/replay`, { includeDelivered: true })
    expect(await receivers()).toMatchObject({ data: [], total: 0 })
    expect(await receivers('?held=true')).toMatchObject({
      data: [{ origin, state: 'closed', failures: 0, held: 1, oldestAt: expect.stringMatching(/Z$/) }],
      total: 1,
    })
    expect(await run('receivers', '--held')).toMatch(/ closed +0 failures +1 delivered, 0 failed, p95 \d+ ms +1 held/)
    expect((await operate(service, 'GET', '/receivers?held=maybe')).status).toBe(400)
  })
})

describe('metrics of deliveries', () => {
  const figures = async (registry: { metrics(): Promise<string> }) => {
    const lines = (await registry.metrics()).split('\n').filter((line) => line !== '' && !line.startsWith('#'))
    return Object.fromEntries(
      lines.map((line): [string, number] => [line.slice(0, line.lastIndexOf(' ')), Number(line.split(' ').at(-1))]),
    )
  }

  test('metrics report breaker states, the oldest delivery by state, and queue times', async () => {
    const { receiver, registry } = await opened()
    const other = await receiving()
    await operate(service, 'POST', '/receivers/pause', { origin: other.origin })
    // What had failed before the breaker opened is tried once more, and held then.
    const due = 'ots_delivery_oldest_seconds{state="waiting",reason="due"}'
    await until(async () => (await figures(registry))[due] === 0, 'no delivery that is due')
    const metrics = await figures(registry)
    expect(metrics).toMatchObject({
      'ots_receivers{state="open"}': 1,
      'ots_receivers{state="halfOpen"}': 0,
      'ots_receivers{state="failing"}': 0,
      'ots_receivers{state="paused"}': 1,
      [due]: 0,
      'ots_delivery_oldest_seconds{state="held",reason="queued"}': 0,
      'ots_delivery_oldest_seconds{state="held",reason="paused"}': 0,
      ots_delivery_queue_age_seconds: 0,
      'ots_delivery_attempts_total{outcome="lapsed"}': 0,
    })
    expect(metrics['ots_delivery_oldest_seconds{state="held",reason="breakerOpen"}']).toBeGreaterThan(0)
    expect(metrics['ots_delivery_queue_seconds_count']).toBeGreaterThanOrEqual(5)

    receiver.answer.status = 200
    await service.pool`update receivers set open_until = now() where open_until is not null`
    const blocked = async () => {
      const { 'ots_receivers{state="open"}': open, 'ots_receivers{state="halfOpen"}': halfOpen } =
        await figures(registry)
      return open! + halfOpen!
    }
    await until(async () => (await blocked()) === 0, 'a closed breaker')
  })
})
