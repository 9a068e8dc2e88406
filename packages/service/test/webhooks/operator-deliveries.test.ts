import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalOf } from '../http/answers.ts'
import { httpReceiver } from './receivers.ts'
import { endWork } from './working.ts'
import { deliverAll, LOOPBACK } from '../support/delivering.ts'
import { startService, type TestService } from '../support/service.ts'
import { operate, staffed } from '../support/operator.ts'
import { failedDelivery, HOOK } from '../support/operator-walk.ts'

let service: TestService
beforeAll(async () => {
  service = await startService({ policy: { production: false, callbackAllow: LOOPBACK } })
  await service.apply(staffed())
})
afterAll(async () => {
  await endWork()
  await service.stop()
})

const list = async (query: string) => (await operate(service, 'GET', `/deliveries?${query}`)).body
const ids = async (query: string) => (await list(query)).data.map(({ id }: { id: string }) => id)
const noted = async (action: string) => (await operate(service, 'GET', `/audit?action=${action}`)).body

describe('deliveries, for operators', () => {
  test('deliveries are found by order id or code, origin, state and time, with the total', async () => {
    const first = await failedDelivery(service, 'https://one.example.com/hook?key=hidden')
    const second = await failedDelivery(service, 'https://two.example.com/hook')
    expect(await ids(`order=${first.order.id}`)).toEqual([first.id])
    expect(await ids(`order=${first.order.code.toLowerCase()}`)).toEqual([first.id])
    expect(await ids('origin=https://TWO.example.com/any/path')).toEqual([second.id])
    expect(await ids('state=failed&origin=https://one.example.com')).toEqual([first.id])
    expect(await ids('state=delivered&origin=https://one.example.com')).toEqual([])
    expect(await ids('createdFrom=2999-01-01T00:00:00Z')).toEqual([])
    expect(await list('limit=1&page=2')).toMatchObject({
      data: [{ id: first.id, object: 'delivery', state: 'failed', callbackUrl: 'https://one.example.com/hook' }],
      limit: 1,
      page: 2,
      total: 2,
      isMore: false,
    })
  })

  test.each([
    ['origin=hooks.example.com', '400 invalidFormat /origin'],
    ['origin=ftp://hooks.example.com', '400 invalidValue /origin'],
    ['state=lost', '400 invalidValue /state'],
    ['tenant=south', '400 unrecognizedKeys /tenant'],
  ])('deliveries cannot be listed by %s', async (query, refusal) => {
    expect(refusalOf(await operate(service, 'GET', `/deliveries?${query}`))).toBe(refusal)
  })

  test('a delivery shows every attempt and its response', async () => {
    const receiver = await httpReceiver((_, response) => response.writeHead(500).end('Not today.'))
    const { id } = await failedDelivery(service, receiver.url)
    await operate(service, 'POST', `/deliveries/${id}/replay`)
    await deliverAll(service)
    expect((await operate(service, 'GET', `/deliveries/${id}`)).body).toMatchObject({
      id,
      state: 'failed',
      lastStatus: 500,
      log: [{ status: 500, error: null, excerpt: 'Not today.' }],
    })
  })
})

describe('replaying', () => {
  test('replaying sends a finished delivery again, and refuses one in progress', async () => {
    const { id } = await failedDelivery(service)
    const answer = await operate(service, 'POST', `/deliveries/${id}/replay`)
    expect(answer).toMatchObject({ status: 200, body: { id, state: 'held', attempts: 0, endedAt: null } })
    expect(refusalOf(await operate(service, 'POST', `/deliveries/${id}/replay`))).toBe('422 invalidState')
    expect(await noted('delivery.replay')).toMatchObject({
      data: [{ subject: { type: 'delivery', id }, before: { state: 'failed' }, after: { state: 'held' } }, {}],
    })
  })

  test('replaying an origin sends all its deliveries again and counts those it skips', async () => {
    const url = 'https://many.example.com/hook'
    for (let i = 0; i < 3; i++) await failedDelivery(service, url)
    const { id } = await failedDelivery(service, url)
    await operate(service, 'POST', `/deliveries/${id}/replay`)
    const answer = await operate(service, 'POST', '/deliveries/replays', { origin: url, state: 'failed' })
    expect(answer.body).toEqual({ object: 'deliveryReplay', replayed: 3, waiting: 0, ended: 0, forgotten: 0 })
    const all = { origin: url, includeDelivered: true }
    expect((await operate(service, 'POST', '/deliveries/replays', all)).body).toMatchObject({ replayed: 0, waiting: 4 })
    expect((await noted('deliveries.replay')).data[1]).toMatchObject({ after: { origin: url, replayed: 3 } })
  })

  test('what was delivered is sent again only with includeDelivered', async () => {
    const url = 'https://twice.example.com/hook'
    const { id } = await failedDelivery(service, url)
    await service.pool`update deliveries set state = 'delivered' where id = ${id}`
    const replay = (path: string, body: object) => operate(service, 'POST', `/deliveries/${path}`, body)
    expect(refusalOf(await operate(service, 'POST', `/deliveries/${id}/replay`))).toBe('400 required /includeDelivered')
    expect(refusalOf(await replay('replays', { origin: url, state: 'delivered' }))).toBe(
      '400 required /includeDelivered',
    )
    expect((await replay('replays', { origin: url })).body).toMatchObject({ replayed: 0 })
    expect((await replay(`${id}/replay`, { includeDelivered: true })).body).toMatchObject({ id, state: 'held' })
    await service.pool`update deliveries set state = 'delivered' where id = ${id}`
    expect((await replay('replays', { origin: url, includeDelivered: true })).body).toMatchObject({ replayed: 1 })
  })

  test('replaying requires a filter', async () => {
    for (const body of [{}, { state: 'failed' }])
      expect(refusalOf(await operate(service, 'POST', '/deliveries/replays', body))).toBe('400 required')
  })
})

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
})
