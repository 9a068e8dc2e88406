import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalOf } from '../http/answers.ts'
import { httpReceiver } from './receivers.ts'
import { endWork } from './working.ts'
import { cancelled, created } from '../orders/given.ts'
import { deliverAll, LOOPBACK } from '../support/delivering.ts'
import { startService, type TestService } from '../support/service.ts'
import { operate, staffed } from '../support/operator.ts'
import { failedDelivery } from '../support/operator-walk.ts'

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
      log: [{ number: 1, status: 500, error: null, excerpt: 'Not today.' }],
    })
  })

  test('a delivery shows what is sent, without secrets, and the attempts still to come', async () => {
    const receiver = await httpReceiver((_, response) => response.writeHead(500).end())
    const headers = { 'X-Key': 'key-of-the-receiver', 'content-type': 'application/vnd.secret' }
    const auth = { type: 'bearer', token: 'bearer-secret', secretKey: 'signing-secret' }
    const order = await created(service, { callback: { url: `${receiver.url}?key=query-secret`, headers, auth } })
    await cancelled(service, order.id)
    await deliverAll(service, [0, 300])
    const { data } = await list(`order=${order.id}`)
    const answer = await operate(service, 'GET', `/deliveries/${data[0].id}`)
    const [sent] = receiver.requests
    const { request, log, schedule } = answer.body
    expect(request).toEqual({ method: 'POST', target: receiver.url, body: sent!.body.toString(), changedAt: null })
    expect(log[0].headers).toEqual({
      'content-type': '[removed]',
      'X-Event-Id': data[0].eventId,
      'X-Delivery-Id': data[0].id,
      'X-Delivery-Attempt': '1',
      'X-Key': '[removed]',
      Authorization: '[removed]',
      'X-Signature': '[removed]',
      'webhook-id': data[0].eventId,
      'webhook-timestamp': sent!.headers['webhook-timestamp'],
      'webhook-signature': '[removed]',
    })
    expect(answer.text).not.toMatch(/secret|key-of/)
    expect(schedule.slice(0, 3)).toEqual([
      { number: 1, state: 'done', at: log[0].at, waitSeconds: 0 },
      { number: 2, state: 'next', at: data[0].nextAttemptAt, waitSeconds: 5 },
      { number: 3, state: 'later', at: expect.any(String), waitSeconds: 30 },
    ])
    expect(schedule).toHaveLength(14)
  })

  test('the participant in a v1 body is not shown', async () => {
    const order = await created(
      service,
      { callback: { url: 'https://v1.example.com/hook' } },
      { path: '/api/v1/orders' },
    )
    await cancelled(service, order.id)
    const { data } = await list(`order=${order.id}`)
    const { request } = (await operate(service, 'GET', `/deliveries/${data[0].id}`)).body
    expect(JSON.parse(request.body)).toMatchObject({ id: order.id, status: 'cancelled', participant: '[removed]' })
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
