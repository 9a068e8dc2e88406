import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { body as orderBody, post } from '../orders/given.ts'
import { refusalOf } from '../http/answers.ts'
import { startService, type TestService } from '../support/service.ts'
import { operate, staffed } from '../support/operator.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(staffed())
})
afterAll(() => service.stop())

const issue = async (body: object) => (await operate(service, 'POST', '/tokens', { name: 'Given', ...body })).body
const edit = (id: string, body: object, secret?: string) => operate(service, 'PATCH', `/tokens/${id}`, body, secret)
const status = async (secret: string, path: string) => (await service.call(secret, path)).status

describe('an edit of a token', () => {
  test('an edit takes effect at once, keeps the secret and what it does not name, and is recorded', async () => {
    const { id, secret } = await issue({ scopes: ['company.list'], companies: ['acme'], rateLimit: 7 })
    expect(await status(secret, '/api/v2/services')).toBe(401)
    const edited = await edit(id, { scopes: ['company.list', 'service.list'], reason: 'Asked for.' })
    expect(edited).toMatchObject({
      status: 200,
      body: { id, name: 'Given', scopes: ['company.list', 'service.list'], companies: ['acme'], rateLimit: 7 },
    })
    expect(edited.text).not.toContain(secret)
    expect(await status(secret, '/api/v2/services')).toBe(200)
    const [entry] = (await operate(service, 'GET', `/audit?subjectId=${id}&action=token.edit`)).body.data
    expect(entry).toMatchObject({
      reason: 'Asked for.',
      before: { scopes: ['company.list'] },
      after: { scopes: ['company.list', 'service.list'] },
    })
  })

  test('null removes the expiry, the rate limit and the senders', async () => {
    const { id } = await issue({
      scopes: ['intake.lab'],
      expiresAt: '2099-01-01T00:00:00Z',
      rateLimit: 7,
      senders: [{ id: 'lab-1', role: 'lab' }],
    })
    const { body } = await edit(id, { expiresAt: null, rateLimit: null, senders: null })
    expect(body).toMatchObject({ expiresAt: null, rateLimit: null, senders: null })
  })

  test('without order.participant.read, callbacks no longer show the participant, even if the scope comes back', async () => {
    const scopes = ['order.create', 'order.read', 'order.participant.read']
    const { id, secret } = await issue({ scopes })
    const callback = { url: 'https://hooks.example.com/edit' }
    expect((await post(service, orderBody({ callback }), { secret })).status).toBe(201)
    await edit(id, { scopes: ['order.create', 'order.read'] })
    await edit(id, { scopes })
    const rows = await service.pool.values`select shows_participant from callbacks where registered_by = ${id}`
    expect(rows).toEqual([false])
  })

  test('an edit follows the rules of a new token, and cannot turn an integrator token into an operator token', async () => {
    const { id } = await issue({ scopes: ['company.list'] })
    expect(refusalOf(await edit(id, { scopes: ['operator.*'], companies: [] }))).toBe('400 invalidValue /scopes')
    expect(refusalOf(await edit(id, { companies: ['nowhere'] }))).toBe('400 invalidValue /companies/0')
    expect(refusalOf(await edit(id, { secret: 'new' }))).toBe('400 unrecognizedKeys /secret')
    expect(refusalOf(await edit('missing', {}))).toBe('404 notFound')
  })

  test('tokens that are revoked or come from a catalog file are not edited', async () => {
    const { id } = await issue({ scopes: ['company.list'] })
    await operate(service, 'DELETE', `/tokens/${id}`)
    expect(refusalOf(await edit(id, { name: 'Again' }))).toBe('422 invalidState')
    expect(refusalOf(await edit('operator', { name: 'Again' }))).toBe('422 invalidState')
  })

  test('a token cannot take the right to edit tokens from itself', async () => {
    const { id, secret } = await issue({ scopes: ['operator.*'] })
    expect(refusalOf(await edit(id, { scopes: ['operator.orders.read'] }, secret))).toBe('422 invalidState')
    expect((await edit(id, { name: 'Renamed' }, secret)).status).toBe(200)
  })
})
