import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Collection, SandboxRequest } from '@order-testing/contract'
import { body, created, DISCREET, PERSON, post, SECRET, TENANT } from '../orders/given.ts'
import { operate, staffed } from '../support/operator.ts'
import { startService, token, type TestService } from '../support/service.ts'
import { elsewhere, endWork } from '../webhooks/working.ts'

const BUSY = 'acme-secret-busy'
/** More than wait for one flush. */
const MANY = Array.from({ length: 45 }, (_, i) => `acme-secret-many-${i}`)

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed({ tokens: [BUSY, ...MANY].map((secret) => token(secret)) }))
})
afterAll(async () => {
  await endWork()
  await service.stop()
})

const list = async (secret = SECRET, query = '') => {
  const { status, body: page } = await service.call(secret, `/api/sandbox/v1/requests${query}`)
  expect(status).toBe(200)
  return page as Collection<SandboxRequest>
}
/** The newest request of the token; it is recorded once its answer was sent. */
const newest = (secret = SECRET) => list(secret).then(({ data }) => data[0])

describe('ruling 52: the last requests of a token', () => {
  test('a request is listed with its answer, and without secrets', async () => {
    const callback = {
      url: 'https://hooks.example.com/orders?key=hidden-query',
      headers: { 'X-Mine': 'hidden-header' },
      auth: { type: 'bearer', token: 'hidden-token', secretKey: 'hidden-key' },
    }
    const sent = body({ participant: PERSON, callback })
    const answer = await post(service, sent, { headers: { 'x-request-id': 'mine-1', cookie: 'hidden-cookie' } })
    await expect
      .poll(() => newest())
      .toMatchObject({
        object: 'request',
        requestId: 'mine-1',
        method: 'POST',
        path: '/api/v2/orders',
        status: 201,
      })
    const found = (await newest())!
    const text = JSON.stringify(found)
    for (const secret of [SECRET, 'hidden-', '536-22-8841']) expect(text).not.toContain(secret)
    expect(found.request.headers).toMatchObject({ 'content-type': 'application/json', cookie: '[removed]' })
    expect(found.request.headers).not.toHaveProperty('authorization')
    expect(JSON.parse(found.request.body!)).toMatchObject({ participant: { lastName: 'Lopez' } })
    expect(JSON.parse(found.answer.body!)).toMatchObject({ id: answer.body.id, status: 'ordered' })
  })

  test('the requests of many tokens in one moment are all listed', async () => {
    for (const secret of MANY) await service.call(secret, '/api/v2/companies')
    for (const secret of MANY) expect(await newest(secret)).toMatchObject({ path: '/api/v2/companies' })
  })

  test('the token is removed wherever it was sent', async () => {
    const encoded = SECRET.replace('-', '%2D')
    for (const [path, shown] of [
      [`/api/v2/orders?access_token=${SECRET}`, '/api/v2/orders?access_token=[removed]'],
      [`/api/v2/orders/${encoded}`, '/api/v2/orders/[removed]'],
      [`/api/v2/orders?${SECRET}=1`, '/api/v2/orders?[removed]=1'],
      ['/api/v2/orders?token=x-y&page=1', '/api/v2/orders?token=[removed]&page=1'],
    ] as const) {
      await service.call(SECRET, path)
      await expect.poll(() => newest()).toMatchObject({ path: shown })
    }
    await post(service, body({ externalId: SECRET }), { headers: { 'x-request-id': SECRET, 'user-agent': SECRET } })
    await expect.poll(() => newest()).toMatchObject({ method: 'POST', requestId: '[removed]' })
    const text = JSON.stringify((await list()).data)
    for (const secret of [SECRET, encoded, 'x-y']) expect(text).not.toContain(secret)
  })

  test('refused requests are listed with the problems', async () => {
    await post(service, body({ testReason: 'curiosity' }))
    await expect.poll(() => newest()).toMatchObject({ status: 400 })
    expect(JSON.parse((await newest())!.answer.body!)).toMatchObject({ errors: [{ code: 'invalidValue' }] })
    await service.call(SECRET, '/api/v2/orders?location=x')
    await expect.poll(() => newest()).toMatchObject({ status: 400, path: '/api/v2/orders?location=x' })
  })

  test('an answer to HEAD is listed without a body', async () => {
    const { id } = await created(service)
    for (const path of [`/api/v2/orders/${id}`, '/api/v2/companies']) {
      await service.call(SECRET, { method: 'HEAD', path })
      await expect.poll(() => newest()).toMatchObject({ method: 'HEAD', status: 200, path, answer: { body: null } })
    }
  })

  test('of a body above 64 KiB nothing is kept', async () => {
    await post(service, body({ externalId: 'x'.repeat(65 * 1024) }))
    await expect.poll(() => newest()).toMatchObject({ status: 400, request: { body: null, isTruncated: true } })
  })

  test('every token sees its own requests alone', async () => {
    await service.call(DISCREET, '/api/v2/services')
    await expect.poll(() => newest(DISCREET)).toMatchObject({ path: '/api/v2/services', status: 200 })
    await service.call(SECRET, '/api/v2/packages')
    await expect.poll(() => newest()).toMatchObject({ path: '/api/v2/packages' })
    expect((await list(DISCREET)).data.map(({ path }) => path)).not.toContain('/api/v2/packages')
    await operate(service, 'GET', '/orders')
    expect(await service.pool`select from sandbox_requests where token_id = 'operator'`).toHaveLength(0)
  })

  test('the last hundred are kept, newest first, in pages', async () => {
    for (let i = 1; i <= 130; i++) await service.call(BUSY, `/api/v2/orders?page=${i}`)
    await expect.poll(() => newest(BUSY)).toMatchObject({ path: '/api/v2/orders?page=130' })
    const second = await list(BUSY, '?limit=20&page=2')
    expect(second).toMatchObject({ limit: 20, page: 2, total: 100 })
    expect(second.data.map(({ path }) => path)).toContain('/api/v2/orders?page=100')
    expect((await list(BUSY, '?page=6')).data).toEqual([])
    expect(await service.pool`select from sandbox_requests where token_id = ${BUSY}`).toHaveLength(100)
  })

  test('requests that other nodes answered are listed too', async () => {
    const { store } = elsewhere(service.target)
    const content = {
      requestId: 'elsewhere',
      method: 'GET',
      path: '/api/v2/token',
      status: 200,
      ms: 1,
      request: { headers: {}, body: null, isTruncated: false },
      answer: { body: null, isTruncated: false },
    }
    const row = { tenantId: TENANT, tokenId: SECRET, id: 'req_zzzz', at: new Date(), orderIds: [], content }
    await store.transaction((tx) => tx.requests.record([row]))
    expect(await newest()).toMatchObject({ requestId: 'elsewhere' })
    await service.pool`delete from sandbox_requests where id = 'req_zzzz'`
  })

  test('what is stored is sealed, and deleted after a week', async () => {
    await created(service, { participant: { firstName: 'Xenophilius', lastName: 'Lovegood' } })
    await expect.poll(() => newest()).toMatchObject({ method: 'POST' })
    const rows = await service.pool<{ content: Buffer }[]>`select content from sandbox_requests`
    expect(rows.some(({ content }) => content.includes('Lovegood'))).toBe(false)
    await service.pool`update sandbox_requests set at = now() - interval '8 days'`
    expect(await service.store.requests.forgetOld()).toBe(false)
    expect(await list()).toMatchObject({ total: 0 })
  })

  test('requests about an order, its simulation and its trouble are removed with the order', async () => {
    const { id } = await created(service)
    const other = await created(service)
    const sandbox = (what: string, sent: object) =>
      service.call(SECRET, { method: 'POST', path: `/api/sandbox/v1/orders/${id}/${what}`, body: sent })
    await sandbox('simulation', { outcome: 'negative', delaySeconds: 60 })
    await sandbox('webhookTrouble', { kind: 'delay' })
    await post(service, body({ testReason: 'curiosity' }))
    await expect.poll(() => newest()).toMatchObject({ status: 400 })
    await service.store.transaction(async (tx) => {
      await tx.orders.lockNamed([{ tenantId: TENANT, id }])
      await tx.orderRemoval.remove(TENANT, [id])
    })
    const [left] = await service.pool<{ simulations: number; troubles: number }[]>`
      select (select count(*)::int from sandbox_simulations where order_id = ${id}) as simulations,
        (select count(*)::int from sandbox_troubles where order_id = ${id}) as troubles`
    expect(left).toEqual({ simulations: 0, troubles: 0 })
    const texts = (await list()).data.map((each) => JSON.stringify(each))
    expect(texts.filter((text) => text.includes(id) || text.includes('curiosity'))).toEqual([])
    expect(texts.some((text) => text.includes(other.id as string))).toBe(true)
  })
})

test('production records no requests', async () => {
  const production = await startService({ policy: { production: true, callbackAllow: [] } })
  try {
    await production.apply(staffed())
    await created(production)
    await production.app.close()
    expect(await production.pool`select from sandbox_requests`).toHaveLength(0)
  } finally {
    await production.stop()
  }
})
