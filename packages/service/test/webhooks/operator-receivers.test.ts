import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalOf } from '../http/answers.ts'
import { cancelled, created, TENANT } from '../orders/given.ts'
import { deliverAll, LOOPBACK } from '../support/delivering.ts'
import { operate, staffed } from '../support/operator.ts'
import { failedDelivery, HOOK } from '../support/operator-walk.ts'
import { PATIENT } from '../support/processes.ts'
import { startService, type TestService } from '../support/service.ts'
import { httpReceiver } from './receivers.ts'
import { endWork, startWorker } from './working.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ policy: { production: false, callbackAllow: LOOPBACK } })
  await service.apply(staffed())
})
afterAll(async () => {
  await endWork()
  await service.stop()
})

const noted = async (action: string) => (await operate(service, 'GET', `/audit?action=${action}`)).body

describe('a receiver, for operators', () => {
  const OTHER = 'https://other.example.com'
  const troubled = async (query = '') =>
    (await operate(service, 'GET', `/receivers${query}`)).body.data.map(({ origin }: { origin: string }) => origin)

  test('failing receivers are listed page by page', async () => {
    await service.pool`
      insert into receivers (tenant_id, origin, failures)
      select 'north', 'https://' || i || '.failing.example.com', 3 from generate_series(1, 3) i`
    const { total } = (await operate(service, 'GET', '/receivers')).body
    const pages = await Promise.all(Array.from({ length: total }, (_, i) => troubled(`?limit=1&page=${i + 1}`)))
    expect(pages.flat()).toEqual(await troubled())
    expect(pages.flat()).toEqual(expect.arrayContaining(['https://1.failing.example.com']))
  })

  test('a receiver is paused and resumed, and listed while it is paused', async () => {
    await failedDelivery(service, `${HOOK}/orders`)
    const paused = await operate(service, 'POST', '/receivers/pause', { origin: `${HOOK}/orders` })
    expect(paused).toMatchObject({
      status: 200,
      body: { origin: HOOK, pausedAt: expect.any(String), isKnown: true },
    })
    expect((await operate(service, 'POST', '/receivers/pause', { origin: HOOK })).body).toEqual(paused.body)
    expect(await troubled()).toContain(HOOK)
    const resumed = await operate(service, 'POST', '/receivers/resume', { origin: HOOK })
    expect(resumed.body).toMatchObject({ origin: HOOK, pausedAt: null, openUntil: null, isKnown: true })
    expect(await troubled()).not.toContain(HOOK)
    expect(await noted('receiver.pause')).toMatchObject({ data: [{}, { subject: { type: 'receiver', id: HOOK } }] })
  })

  test('pausing a receiver that nothing was sent to reports it as unknown', async () => {
    expect((await operate(service, 'POST', '/receivers/pause', { origin: OTHER })).body.isKnown).toBe(false)
    await operate(service, 'POST', '/receivers/resume', { origin: OTHER })
  })

  test('a receiver shows its attempts of the last day, its last success and whether it still gets v1 events', async () => {
    let status = 200
    const receiver = await httpReceiver((_, response) => response.writeHead(status).end())
    const { origin } = new URL(receiver.url)
    const deliver = async (version: 'v1' | 'v2') => {
      const { id } = await created(service, { callback: { url: receiver.url } }, { path: `/api/${version}/orders` })
      await cancelled(service, id)
      await deliverAll(service)
    }
    const read = async (query: string) =>
      (await operate(service, 'GET', `/receivers?${query}&limit=20`)).body.data.find(
        (each: { origin: string }) => each.origin === origin,
      )
    await deliver('v2')
    expect(await read('held=true')).toBeUndefined()
    expect(await read('version=v1')).toBeUndefined()
    expect(await read(`origin=${receiver.url}`)).toMatchObject({ state: 'closed', failures: 0 })
    const healthy = await read('recent=true')
    expect(healthy).toMatchObject({ state: 'closed', usesV1: false, openedAt: null })
    expect(healthy.lastAttemptAt).toBe(healthy.lastDeliveredAt)
    expect([healthy.lastDay.delivered.length, healthy.lastDay.failed.length]).toEqual([48, 48])
    status = 500
    await deliver('v1')
    const failing = await read('version=v1')
    expect(failing).toMatchObject({ usesV1: true, lastDeliveredAt: healthy.lastDeliveredAt, failures: 1 })
    const total = (counts: number[]) => counts.reduce((sum, count) => sum + count, 0)
    expect([total(failing.lastDay.delivered), total(failing.lastDay.failed)]).toEqual([1, 1])
  })

  test('an open breaker keeps the time at which it opened through further breaks', async () => {
    const receiver = { tenantId: 'north', origin: 'https://down.example.com' }
    const until = new Date(Date.now() + 30_000)
    await service.store.receivers.setBreaker(receiver, { failures: 5, openUntil: until, breakSeconds: 30 })
    const read = async () =>
      (await operate(service, 'GET', '/receivers?limit=20')).body.data.find(
        ({ origin }: { origin: string }) => origin === receiver.origin,
      )
    const { openedAt } = await read()
    expect(Date.now() - Date.parse(openedAt)).toBeLessThan(60_000)
    const later = new Date(Date.now() + 60_000)
    await service.store.receivers.setBreaker(receiver, { failures: 6, openUntil: later, breakSeconds: 60 })
    expect(await read()).toMatchObject({ openedAt, openUntil: later.toISOString(), failures: 6 })
  })

  test('a receiver whose breaker is open is probed on request: one parked delivery is sent, and the breaker closes', async () => {
    const receiver = await httpReceiver((_, response) => response.end())
    const { origin } = new URL(receiver.url)
    const probe = async () => (await operate(service, 'POST', '/receivers/probe', { origin: receiver.url })).body
    expect(await probe()).toMatchObject({ origin, state: 'closed', p95Ms: null, isKnown: false })
    const breaker = { failures: 5, openUntil: new Date(Date.now() + 600_000), breakSeconds: 600 }
    await service.store.receivers.setBreaker({ tenantId: TENANT, origin }, breaker)
    await cancelled(service, (await created(service, { callback: { url: receiver.url } })).id)
    await deliverAll(service)
    const read = async () => (await operate(service, 'GET', `/receivers?origin=${origin}`)).body.data[0]
    expect(await read()).toMatchObject({ state: 'open', held: 1 })
    await operate(service, 'POST', '/receivers/pause', { origin })
    expect(await probe()).toMatchObject({ state: 'open', pausedAt: expect.any(String) })
    await service.pool`update receivers set paused_at = null where origin = ${origin}`
    expect(await probe()).toMatchObject({ state: 'halfOpen', openUntil: null, held: 1 })
    const worker = startWorker(service.store)
    await expect.poll(async () => (await read()).state, PATIENT).toBe('closed')
    await worker.stop()
    expect(receiver.requests).toHaveLength(1)
    expect(await read()).toMatchObject({ failures: 0, held: 0, p95Ms: expect.any(Number) })
    const { data } = await noted('receiver.probe')
    const states = { before: { state: 'open', pausedAt: null }, after: { state: 'halfOpen' } }
    expect(data[0]).toMatchObject({ subject: { type: 'receiver', id: origin }, ...states })
  })

  test('the p95 of a receiver is of its own attempts of the last 24 hours', async () => {
    const origin = 'https://slow.example.com'
    const attempts = [...Array.from({ length: 19 }, (_, i) => [i + 1, 1]), [500, 1], [9_000, 25]]
    await service.pool`
      insert into deliveries (tenant_id, id, event_id, callback_id, order_id, version, origin, state, created_at)
      select ${TENANT}, 'dlv_slow', 'evt_slow', 'cbk_slow', 'ord_slow', 'v2', ${origin}, 'delivered', now()`
    await service.pool`
      insert into delivery_attempts (tenant_id, delivery_id, at, ms)
      select ${TENANT}, 'dlv_slow', now() - hours * interval '1 hour', ms
      from unnest(${attempts.map(([ms]) => ms!)}::int[], ${attempts.map(([, hours]) => hours!)}::int[]) given (ms, hours)`
    const { data } = (await operate(service, 'GET', `/receivers?origin=${origin}`)).body
    expect(data).toMatchObject([{ origin, p95Ms: 19 }])
  })

  test('callbacks that are still v1 are listed for an origin, a token or an order', async () => {
    const url = 'https://mixed.example.com/hook'
    const { id: old } = await created(service, { callback: { url } }, { path: '/api/v1/orders' })
    await created(service, { callback: { url } })
    const listed = async (version: string) =>
      (await operate(service, 'GET', `/callbacks?origin=${url}&version=${version}`)).body
    expect(await listed('v1')).toMatchObject({ total: 1, data: [{ orderId: old, version: 'v1' }] })
    expect(await listed('v2')).toMatchObject({ total: 1 })
    expect(refusalOf(await operate(service, 'GET', '/callbacks?version=v1'))).toBe('400 required /origin')
  })
})
