import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { listOrderCallbacks, SCOPES } from '@order-testing/contract'
import { problemsOf } from '../http/answers.ts'
import { body, cancelled, created, GLOBEX, PERSON, post, SECRET } from '../orders/given.ts'
import { LOOPBACK } from '../support/delivering.ts'
import { staffed } from '../support/operator.ts'
import { startService, token, type TestService } from '../support/service.ts'
import { closeAll, httpReceiver } from './receivers.ts'
import { audited } from './registering.ts'
import { endWork, startWorker, until } from './working.ts'

const READER = 'acme-secret-only-reads'

let service: TestService
beforeAll(async () => {
  service = await startService({ policy: { production: false, callbackAllow: LOOPBACK } })
  const scopes = SCOPES.filter((scope) => scope !== 'order.create')
  await service.apply(staffed({ tokens: [token(READER, { scopes })] }))
})
afterEach(async () => {
  await endWork()
  await closeAll()
})
afterAll(() => service.stop())

const HOOK = 'https://hooks.example.com/orders'

const list = async (id: string, secret = SECRET) => service.call(secret, `/api/v2/orders/${id}/callbacks`)
const put = (id: string, callback: object, secret = SECRET) =>
  service.call(secret, { method: 'PUT', path: `/api/v2/orders/${id}/callback`, body: callback })
const end = (id: string, callbackId: string, secret = SECRET) =>
  service.call(secret, { method: 'DELETE', path: `/api/v2/orders/${id}/callbacks/${callbackId}` })

describe('ruling 46: callbacks of an order', () => {
  test('they are listed without their secrets', async () => {
    const auth = { type: 'bearer', token: 'token-of-receiver', secretKey: 'key-of-receiver' }
    const callback = { url: `${HOOK}?key=secret-query`, headers: { 'X-Team': 'team-value' }, auth }
    const { id, createdAt } = await created(service, { callback })
    const answer = await list(id)
    expect(listOrderCallbacks.reply.parse(answer.body)).toEqual(answer.body)
    const [{ id: callbackId }] = answer.body.data
    expect(answer.body).toMatchObject({
      total: 1,
      data: [
        {
          object: 'callback',
          url: `/api/v2/orders/${id}/callbacks/${callbackId}`,
          target: HOOK,
          version: 'v2',
          headers: ['X-Team'],
          authType: 'bearer',
          isSigned: true,
          isActive: true,
          createdAt,
        },
      ],
    })
    expect(answer.text).not.toMatch(/secret-query|team-value|token-of-receiver|key-of-receiver/)
    expect((await list(id, GLOBEX)).status).toBe(404)
  })

  test('another URL is added with 201, and the same URL is replaced and moved to v2 with 200', async () => {
    const { id } = await created(service, { callback: { url: HOOK } }, { path: '/api/v1/orders' })
    const added = await put(id, { url: `${HOOK}/2` })
    expect([added.status, added.body.version, added.body.target]).toEqual([201, 'v2', `${HOOK}/2`])
    const auth = { type: 'apiKey', apiKey: 'k' }
    const moved = await put(id, { url: HOOK.replace('https://hooks', 'HTTPS://Hooks'), auth })
    expect([moved.status, moved.body.version, moved.body.authType]).toEqual([200, 'v2', 'apiKey'])
    expect((await list(id)).body).toMatchObject({ total: 2, data: [{ version: 'v2' }, { version: 'v2' }] })
    expect(await audited(service, 'callback.replace', moved.body.id)).toHaveLength(1)
  })

  test('an added callback receives the next event', async () => {
    const receiver = await httpReceiver()
    const { id } = await created(service)
    await put(id, { url: receiver.url })
    startWorker(service.store)
    await cancelled(service, id)
    await until(() => receiver.requests.length === 1)
    expect(JSON.parse(receiver.requests[0]!.body.toString())).toMatchObject({ object: 'event', data: { id } })
  })

  test('problems have pointers into the callback itself', async () => {
    const { id } = await created(service)
    const answer = await put(id, { url: 'https://user@hooks.example.com', headers: { Host: 'a', 'Webhook-Id': 'b' } })
    expect(problemsOf(answer)).toEqual([
      'invalidValue /url',
      'invalidKey /headers/Host',
      'invalidKey /headers/Webhook-Id',
    ])
  })

  test('problems of its rules are reported beside malformed members', async () => {
    const { id } = await created(service)
    const auth = { type: 'basic', username: 'a:b' }
    const answer = await put(id, { url: 'ftp://x', headers: { Host: 'a', 'X-Bad': 5 }, auth, extra: 1 })
    expect(problemsOf(answer)).toEqual([
      'invalidType /headers/X-Bad',
      'required /auth/password',
      'unrecognizedKeys /extra',
      'invalidFormat /url',
      'invalidKey /headers/Host',
      'invalidFormat /auth/username',
    ])
    expect(problemsOf(await put(id, { url: 5 }))).toEqual(['invalidType /url'])
  })

  test('a callback may have a password without a user name', async () => {
    const { id } = await created(service)
    const auth = { type: 'basic', username: '', password: 'only-a-password' }
    expect((await put(id, { url: HOOK, auth })).status).toBe(201)
    expect(problemsOf(await put(id, { url: HOOK, auth: { type: 'bearer', token: '' } }))).toEqual([
      'tooSmall /auth/token',
    ])
  })

  test('an order has at most ten active callbacks', async () => {
    const { id } = await created(service)
    for (let i = 0; i < 10; i++) expect((await put(id, { url: `${HOOK}/${i}` })).status).toBe(201)
    const refused = await put(id, { url: `${HOOK}/10` })
    expect([refused.status, refused.body.errors[0].code]).toEqual([422, 'invalidState'])
    expect((await put(id, { url: `${HOOK}/9` })).status).toBe(200)
    const { data } = (await list(id)).body
    expect((await end(id, data[0].id)).status).toBe(204)
    expect((await put(id, { url: `${HOOK}/10` })).status).toBe(201)
    expect((await put(id, { url: `${HOOK}/0` })).status).toBe(422)
  })

  test('an ended callback receives nothing more, and ending it twice changes nothing', async () => {
    const receiver = await httpReceiver()
    const { id } = await created(service, { callback: { url: receiver.url } })
    const [{ id: callbackId }] = (await list(id)).body.data
    const answer = await end(id, callbackId)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await end(id, callbackId)).status).toBe(204)
    expect((await list(id)).body.data[0]).toMatchObject({ isActive: false })
    expect(await audited(service, 'callback.end', callbackId)).toHaveLength(1)
    await cancelled(service, id)
    expect((await service.call(SECRET, `/api/v2/orders/${id}/events`)).body.data[0].deliveries).toEqual([])
  })

  test('orders and callbacks that the token cannot see are not found', async () => {
    const [first, second] = [await created(service, { callback: { url: HOOK } }), await created(service)]
    const [{ id }] = (await list(first.id)).body.data
    expect((await put(first.id, { url: HOOK }, GLOBEX)).status).toBe(404)
    expect((await end(first.id, id, GLOBEX)).status).toBe(404)
    expect((await end(second.id, id)).status).toBe(404)
    expect((await end(first.id, 'cbk_unknown')).status).toBe(404)
  })

  test('changing callbacks requires order.create, reading them order.read', async () => {
    const { id } = await created(service)
    expect((await list(id, READER)).status).toBe(200)
    expect([(await put(id, { url: HOOK }, READER)).status, (await end(id, 'x', READER)).status]).toEqual([401, 401])
  })

  test('a create that returns an existing order adds no eleventh callback', async () => {
    const members = { participant: PERSON, orderMatching: { enabled: true, matchScore: 100 } }
    const { id } = await created(service, members)
    for (let i = 0; i < 10; i++) await put(id, { url: `${HOOK}/${i}` })
    const answer = await post(service, body({ ...members, callback: { url: `${HOOK}/10` } }))
    expect(answer.status).toBe(422)
  })
})
