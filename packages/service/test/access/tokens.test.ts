import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SCOPES, STAFF_SCOPES } from '@order-testing/contract'
import { refusalOf } from '../http/answers.ts'
import { catalogFile, startService, type TestService } from '../support/service.ts'
import { operate, OPERATOR, staffed } from '../support/operator.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed(), catalogFile('south'))
})
afterAll(() => service.stop())

const issue = (body: object) => operate(service, 'POST', '/tokens', body)
const status = async (secret: string, path = '/api/v2/companies') => (await service.call(secret, path)).status

describe('tokens of the operator API', () => {
  test('a new token works at once for its companies and scopes, and its secret is shown once', async () => {
    const answer = await issue({ id: 'hr', name: 'HR', scopes: ['company.list'], companies: ['acme'], rateLimit: 7 })
    expect(answer).toMatchObject({
      status: 201,
      body: { id: 'hr', object: 'token', state: 'active', origin: 'issued', scopes: ['company.list'], rateLimit: 7 },
    })
    const { secret } = answer.body
    const companies = await service.call(secret, '/api/v2/companies')
    expect(companies).toMatchObject({ status: 200, body: { total: 1, data: [{ id: 'acme' }] } })
    expect(companies.headers.get('ratelimit-limit')).toBe('7')
    expect(await status(secret, '/api/v2/services')).toBe(401)
    const read = await operate(service, 'GET', '/tokens/hr')
    expect(read).toMatchObject({ status: 200, body: { id: 'hr', companies: ['acme'] } })
    for (const { text } of [read, await operate(service, 'GET', '/tokens?limit=20')]) expect(text).not.toContain(secret)
  })

  test('without companies in the request, an integrator token is linked to all active companies and an operator token to none', async () => {
    expect((await issue({ name: 'All', scopes: ['all'] })).body).toMatchObject({
      scopes: [...SCOPES],
      companies: ['acme', 'globex'],
      id: expect.stringMatching(/^tok_[0-9a-f]{12}$/),
    })
    const staff = await issue({ name: 'Colleague', scopes: ['operator.*', 'intake.*'] })
    expect(staff.body).toMatchObject({ scopes: [...STAFF_SCOPES], companies: [] })
    expect(await status(staff.body.secret, '/api/operator/v1/orders')).toBe(200)
  })

  test('a revoked token stops working at once, and revoking it again changes nothing', async () => {
    const { id, secret } = (await issue({ name: 'Short', scopes: ['company.list'] })).body
    expect(await status(secret)).toBe(200)
    const revoked = await operate(service, 'DELETE', `/tokens/${id}`)
    expect(revoked).toMatchObject({ status: 200, body: { id, state: 'revoked', revokedAt: expect.any(String) } })
    expect(await status(secret)).toBe(401)
    expect((await operate(service, 'DELETE', `/tokens/${id}`)).body).toEqual(revoked.body)
    const { total } = (await operate(service, 'GET', `/audit?action=token.revoke&subjectId=${id}`)).body
    expect(total).toBe(1)
  })

  test('an expired token has the state expired', async () => {
    const { id } = (await issue({ name: 'Past', scopes: [], expiresAt: '2020-01-01T00:00:00Z' })).body
    expect((await operate(service, 'GET', `/tokens/${id}`)).body.state).toBe('expired')
  })

  test('the audit log records who issued a token and its grants, but not its secret', async () => {
    const { id, secret } = (await issue({ name: 'Noted', scopes: ['order.read'], companies: ['acme'] })).body
    const { body, text } = await operate(service, 'GET', `/audit?subjectId=${id}`)
    expect(body.data).toMatchObject([
      {
        action: 'token.create',
        tokenId: 'operator',
        subject: { type: 'token', id },
        after: { name: 'Noted', scopes: ['order.read'], companies: ['acme'] },
      },
    ])
    expect(text).not.toContain(secret)
  })
})

test.each([
  [{ scopes: ['order.read', 'operator.orders.read'] }, '400 invalidValue /scopes'],
  [{ scopes: ['all', 'intake.lab'] }, '400 invalidValue /scopes'],
  [{ scopes: ['order.reed'] }, '400 invalidValue /scopes/0'],
  [{ scopes: ['intake.lab'], companies: ['acme'] }, '400 invalidValue /companies'],
  [{ scopes: ['order.read'], companies: ['acme', 'nobody'] }, '400 invalidValue /companies/1'],
  [{ scopes: ['order.read'], rateLimit: 3_000_000_000 }, '400 invalidValue /rateLimit'],
  [{ scopes: ['order.read'], expiresAt: '9999-12-31T23:59:59-11:00' }, '400 invalidValue /expiresAt'],
  [{ scopes: ['order.read'], id: '..' }, '400 invalidFormat /id'],
  [{ scopes: ['order.read'], id: 'operator' }, '409 conflict /id'],
  [{ scopes: ['order.read'], tenant: 'south' }, '400 unrecognizedKeys /tenant'],
  [{}, '400 required /scopes'],
])('a token with %o is refused: %s', async (members, refusal) => {
  expect(refusalOf(await issue({ name: 'Wrong', ...members }))).toBe(refusal)
})

test('tokens of the own tenant are listed by id, page by page', async () => {
  const { total } = (await operate(service, 'GET', '/tokens')).body
  const pages = await Promise.all(
    Array.from({ length: Math.ceil(total / 3) }, (_, i) => operate(service, 'GET', `/tokens?limit=3&page=${i + 1}`)),
  )
  const ids: string[] = pages.flatMap(({ body }) => body.data.map(({ id }: { id: string }) => id))
  expect(ids).toHaveLength(total)
  expect(ids).toEqual(ids.toSorted((a, b) => (a < b ? -1 : 1)))
  expect(ids).toContain('operator')
  expect(ids).not.toContain('south-secret-full-scope')
})

test('an operator can revoke the own token, which stops working', async () => {
  const { id, secret } = (await issue({ name: 'Leaving', scopes: ['operator.tokens.write'] })).body
  expect((await operate(service, 'DELETE', `/tokens/${id}`, undefined, secret)).status).toBe(200)
  expect(await status(secret, '/api/operator/v1/tokens')).toBe(401)
  expect(await status(OPERATOR, '/api/operator/v1/tokens')).toBe(200)
})
