import { afterAll, beforeAll, expect, test } from 'vitest'
import { readToken, SCOPES } from '@order-testing/contract'
import { GLOBEX, SECRET, world } from '../orders/given.ts'
import { OPERATOR, staffed } from '../support/operator.ts'
import { startService, token, type TestService } from '../support/service.ts'

const EXPIRING = 'acme-secret-that-expires'

let service: TestService
beforeAll(async () => {
  service = await startService({ rateLimit: 600 })
  const expiresAt = '2099-01-01T00:00:00.000Z'
  await service.apply(
    staffed({
      tokens: [token(EXPIRING, { scopes: ['company.read'], companies: ['acme', 'globex'], expiresAt, rateLimit: 7 })],
    }),
  )
})
afterAll(() => service.stop())

const read = async (secret: string) => {
  const answer = await service.call(secret, '/api/v2/token')
  expect(answer.status).toBe(200)
  expect(readToken.reply.parse(answer.body)).toEqual(answer.body)
  return answer.body
}

test('ruling 43: a token reads what it is and what it may do', async () => {
  expect(await read(SECRET)).toEqual({
    object: 'token',
    id: expect.any(String),
    url: '/api/v2/token',
    name: expect.any(String),
    mode: 'sandbox',
    scopes: [...SCOPES],
    companies: [{ id: 'acme', name: 'Acme', object: 'company', url: '/api/v2/companies/acme' }],
    rateLimit: 600,
    expiresAt: null,
  })
})

test('ruling 43: any valid token may, with its own limit, expiry and companies', async () => {
  expect(await read(EXPIRING)).toMatchObject({
    scopes: ['company.read'],
    companies: [{ id: 'acme' }, { id: 'globex' }],
    rateLimit: 7,
    expiresAt: '2099-01-01T00:00:00.000Z',
  })
  expect(await read(GLOBEX)).toMatchObject({ companies: [{ id: 'globex' }] })
  expect((await read(OPERATOR)).scopes).toContain('operator.orders.read')
  expect((await service.call('unknown', '/api/v2/token')).status).toBe(401)
  expect((await service.call(SECRET, '/api/v2/token?x=1')).status).toBe(400)
})

test('ruling 43: production and a service without a limit say so', async () => {
  const other = await startService({ policy: { production: true, callbackAllow: [] } })
  try {
    await other.apply(world())
    const { body } = await other.call(SECRET, '/api/v2/token')
    expect(body).toMatchObject({ mode: 'production', rateLimit: null })
  } finally {
    await other.stop()
  }
})
