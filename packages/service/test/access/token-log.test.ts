import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { FullToken, TokenRequestEntry } from '@order-testing/contract/operator'
import { body, created, post } from '../orders/given.ts'
import { operate, staffed } from '../support/operator.ts'
import { startService, type TestService } from '../support/service.ts'
import { refusalOf } from '../http/answers.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
})
afterAll(() => service.stop())

const issue = async (scopes: string[]) =>
  (await operate(service, 'POST', '/tokens', { name: 'Logged', scopes })).body as { id: string; secret: string }

/** The requests once so many are on record: they are written after their answers. */
async function requestsOf(id: string, count: number, query = ''): Promise<TokenRequestEntry[]> {
  const read = async () => (await operate(service, 'GET', `/tokens/${id}/requests?limit=20${query}`)).body
  await expect.poll(async () => (await read()).total, { timeout: 20_000 }).toBe(count)
  return (await read()).data
}

const useOf = async (id: string) => ((await operate(service, 'GET', `/tokens/${id}`)).body as FullToken).use

describe('the log of a token', () => {
  test('requests are listed by route without values, refused ones with code, pointer and detail', async () => {
    const { id, secret } = await issue(['order.read', 'order.create'])
    const order = await created(service, {}, { secret })
    await service.call(secret, { method: 'GET', path: `/api/v2/orders/${order.id}?verbose=1` })
    await service.call(secret, { method: 'GET', path: '/api/v2/clinics' })
    const refused = await post(service, body({ package: undefined, participant: { firstName: 'Secretname' } }), {
      secret,
    })
    const entries = await requestsOf(id, 4)
    const [missing, clinics, read, create] = entries
    expect(create).toMatchObject({ method: 'POST', route: '/api/v2/orders', status: 201, problems: [] })
    expect(read).toMatchObject({ route: '/api/v2/orders/{id}', status: 400 })
    expect(clinics).toMatchObject({ status: 401, problems: [{ code: 'insufficientScope', pointer: null }] })
    expect(missing).toMatchObject({ status: 400, requestId: refused.headers.get('x-request-id') })
    expect(missing!.problems).toContainEqual(expect.objectContaining({ code: 'required', pointer: '/package' }))
    expect(JSON.stringify(entries)).not.toContain('Secretname')
    expect(JSON.stringify(entries)).not.toContain(order.id)
    expect((await requestsOf(id, 3, '&refused=true')).map(({ status }) => status)).toEqual([400, 401, 400])
  })

  test('use counts for each scope that a request needed, and for the participant that it showed', async () => {
    const { id, secret } = await issue(['order.read', 'order.participant.read', 'clinic.list'])
    const order = await created(service)
    for (let i = 0; i < 3; i++) await service.call(secret, { method: 'GET', path: `/api/v2/orders/${order.id}` })
    await service.call(secret, { method: 'GET', path: '/api/v2/packages' })
    await requestsOf(id, 4)
    const today = new Date().toISOString().slice(0, 10)
    const { since, scopes } = await useOf(id)
    expect(since <= today).toBe(true)
    expect(scopes).toEqual([
      { scope: 'order.read', requests: 3, lastOn: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) },
      { scope: 'order.participant.read', requests: 3, lastOn: expect.any(String) },
      { scope: 'clinic.list', requests: 0, lastOn: null },
    ])
  })

  test('many requests that succeed do not displace those that were refused, and the log stays short', async () => {
    const { id, secret } = await issue(['order.read'])
    await service.call(secret, { method: 'GET', path: '/api/v2/clinics' })
    await requestsOf(id, 1)
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 60; i++) await service.call(secret, { method: 'GET', path: '/api/v2/token' })
      await service.store.transaction((tx) =>
        tx.tokenUses.record(
          Array.from({ length: 60 }, (_, i) => ({
            tenantId: 'north',
            tokenId: id,
            id: `req_${round}${String(i).padStart(3, '0')}`,
            at: new Date(),
            content: { requestId: 'r', method: 'GET', route: '/', status: 200, ms: 1, problems: [] },
          })),
        ),
      )
    }
    const counts = await service.pool<{ isRefused: boolean; count: number }[]>`
      select is_refused, count(*)::int as count from token_requests where token_id = ${id} group by 1 order by 1`
    expect(counts[0]).toMatchObject({ isRefused: false })
    expect(counts[0]!.count).toBeLessThanOrEqual(100)
    expect(counts[1]).toEqual({ isRefused: true, count: 1 })
  })

  test('a request is answered while its log cannot be written, and the texts are sealed', async () => {
    const { id, secret } = await issue(['order.read'])
    await service.pool`alter table token_uses rename to token_uses_away`
    try {
      expect((await service.call(secret, { method: 'GET', path: '/api/v2/token' })).status).toBe(200)
    } finally {
      await service.pool`alter table token_uses_away rename to token_uses`
    }
    await service.call(secret, { method: 'GET', path: '/api/v2/orders/nowhere' })
    await expect
      .poll(async () => (await service.pool`select 1 from token_requests where token_id = ${id}`).length, {
        timeout: 20_000,
      })
      .toBeGreaterThan(0)
    const rows = await service.pool<{ content: Buffer }[]>`select content from token_requests where token_id = ${id}`
    for (const { content } of rows) expect(content.toString('latin1')).not.toContain('orders')
  })

  test('the log of an unknown token is not found', async () => {
    expect(refusalOf(await operate(service, 'GET', '/tokens/nobody/requests'))).toBe('404 notFound')
  })

  test('old requests and counts are deleted', async () => {
    await service.pool`
      insert into token_uses (tenant_id, token_id, scope, day, requests) values ('north', 'old', 'order.read', current_date - 40, 7)`
    await service.pool`
      insert into token_requests (tenant_id, token_id, id, at, is_refused, content)
      values ('north', 'old', 'req_1', now() - interval '8 days', true, '')`
    await service.store.tokenUses.forgetOld()
    expect(await service.pool`select 1 from token_uses where token_id = 'old'`).toHaveLength(0)
    expect(await service.pool`select 1 from token_requests where token_id = 'old'`).toHaveLength(0)
  })
})
