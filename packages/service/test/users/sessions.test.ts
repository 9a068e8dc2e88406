import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { pino } from 'pino'
import { catalogFile, startService, token, type TestService } from '../support/service.ts'
import { OPERATOR_SCOPES } from '@order-testing/contract'
import { makeSessionSecret } from '../../src/domain/users/secrets.ts'
import { addedUser, asPage, CONSOLE, cookieIn, signedIn } from './given.ts'

const ORDERS = '/api/operator/v1/orders'
const TOKEN = 'north-secret-operator'

const LOCKED = { status: 401, body: { errors: [{ code: 'unauthenticated', meta: { reason: 'sessionLocked' } }] } }

let service: TestService

beforeAll(async () => {
  service = await startService()
  const operator = token(TOKEN, { id: 'operator', scopes: OPERATOR_SCOPES, companies: [] })
  await service.apply(catalogFile('north', { tokens: [operator] }), catalogFile('south'))
})

afterAll(() => service.stop())

const session = (secret: string) => asPage(service, secret, ['GET', `${CONSOLE}/session`])

describe('a session', () => {
  test('a person calls the operator API with the cookie of a session, within the role', async () => {
    const { secret } = await signedIn(service, await addedUser(service, { role: 'auditor' }))
    expect(await asPage(service, secret, ['GET', ORDERS])).toMatchObject({ status: 200 })
    const body = { email: 'x@example.com', name: 'X', role: 'auditor' }
    const refused = await asPage(service, secret, ['POST', '/api/operator/v1/users', body])
    expect(refused).toMatchObject({ status: 403, body: { errors: [{ code: 'insufficientScope' }] } })
    expect(refused.text).toContain('Your role lacks the scope operator.users.write')
  })

  test('the session tells who is signed in, for which tenant, and what they may do', async () => {
    const user = await addedUser(service, { role: 'support' })
    const { secret, session: started } = await signedIn(service, user)
    const { status, body } = await session(secret)
    expect(status).toBe(200)
    expect(body).toEqual(started)
    expect(body).toMatchObject({
      object: 'session',
      user: { id: user.id, name: user.name, email: user.email },
      tenant: { id: 'north', name: 'Tenant north' },
      mode: 'sandbox',
      role: 'support',
      idleSeconds: 1800,
    })
    expect(body.scopes).toContain('operator.links.write')
  })

  test('the cookie of one tenant sees nothing of another', async () => {
    const { secret } = await signedIn(service, await addedUser(service, { tenantId: 'south' }))
    const stranger = await addedUser(service)
    expect(await asPage(service, secret, ['GET', `/api/operator/v1/users/${stranger.id}`])).toMatchObject({
      status: 404,
    })
    expect((await session(secret)).body.tenant.id).toBe('south')
  })

  test('a cookie is not accepted by the API of integrators', async () => {
    const { secret } = await signedIn(service, await addedUser(service))
    for (const path of ['/api/v2/companies', '/api/v2/orders', '/api/v2/token', '/api/sandbox/v1/requests'])
      expect(await asPage(service, secret, ['GET', path])).toMatchObject({ status: 401 })
  })

  test('a token wins over the cookie', async () => {
    const { secret } = await signedIn(service, await addedUser(service))
    const wrong = await asPage(service, secret, ['GET', ORDERS], { authorization: 'Bearer otsk_wrong' })
    expect(wrong.status).toBe(401)
    const right = await asPage(service, 'otss_made-up', ['GET', ORDERS], { authorization: `Bearer ${TOKEN}` })
    expect(right.status).toBe(200)
  })

  test.each([
    ['no X-Console header', { 'x-console': undefined }],
    ['an Origin of another site', { origin: 'https://evil.example' }],
    ['the Origin of a sandboxed frame', { origin: 'null' }],
    ['an Origin with another port', { origin: 'http://127.0.0.1:1' }],
    ['Sec-Fetch-Site: cross-site', { 'sec-fetch-site': 'cross-site', origin: undefined }],
    ['Sec-Fetch-Site: same-site, from a neighbouring host', { 'sec-fetch-site': 'same-site', origin: undefined }],
    ['Sec-Fetch-Site: none', { 'sec-fetch-site': 'none', origin: undefined }],
  ])('a request with the cookie is refused with %s', async (_name, headers) => {
    const { secret } = await signedIn(service, await addedUser(service))
    for (const path of [ORDERS, `${CONSOLE}/session`])
      expect(await asPage(service, secret, ['GET', path], headers)).toMatchObject({ status: 403 })
    expect(await asPage(service, secret, ['DELETE', `${CONSOLE}/sessions`], headers)).toMatchObject({ status: 403 })
    expect(await session(secret)).toMatchObject({ status: 200 })
  })

  test('a request with the cookie needs neither Origin nor Sec-Fetch-Site, which old browsers do not send', async () => {
    const { secret } = await signedIn(service, await addedUser(service))
    const headers = { origin: undefined, 'sec-fetch-site': undefined }
    expect(await asPage(service, secret, ['GET', ORDERS], headers)).toMatchObject({ status: 200 })
  })

  test('a made-up, damaged or absent cookie is refused', async () => {
    const genuine = makeSessionSecret((limit) => Math.floor(limit / 2))
    for (const secret of [genuine, `${genuine.slice(0, -1)}~`, 'otss_', '', 'x'.repeat(5_000)])
      expect(await session(secret)).toMatchObject({ status: 401, body: { errors: [{ code: 'unauthenticated' }] } })
    expect(await asPage(service, null, ['GET', `${CONSOLE}/session`])).toMatchObject({ status: 401 })
  })
})

describe('the end of a session', () => {
  test('a stolen cookie is worthless after 12 hours, however much it was used', async () => {
    const user = await addedUser(service)
    const at = new Date(Date.now() - 12 * 3600_000 - 1_000)
    const { secret, hash } = await signedIn(service, user, { at })
    await service.pool`update user_sessions set last_seen_at = now() where secret_hash = ${hash}`
    expect(await session(secret)).toMatchObject({ status: 401 })
    expect(await asPage(service, secret, ['GET', ORDERS])).toMatchObject({ status: 401 })
  })

  test('a session that nobody used for half an hour is locked by the service, and a use keeps it open', async () => {
    const user = await addedUser(service)
    const idle = await signedIn(service, user, { at: new Date(Date.now() - 30 * 60_000) })
    expect(await asPage(service, idle.secret, ['GET', ORDERS])).toMatchObject(LOCKED)
    // Looking whether it is locked must not open it.
    expect((await session(idle.secret)).body.lockedAt).not.toBeNull()
    expect(await asPage(service, idle.secret, ['GET', ORDERS])).toMatchObject(LOCKED)

    const used = await signedIn(service, user, { at: new Date(Date.now() - 29 * 60_000) })
    expect(await session(used.secret)).toMatchObject({ status: 200, body: { lockedAt: null } })
    const { body } = await asPage(service, used.secret, ['GET', `${CONSOLE}/sessions`])
    expect(Date.now() - Date.parse(body.data[0].lastSeenAt)).toBeLessThan(60_000)
    expect(body.data.map(({ id, lockedAt }: { id: string; lockedAt: unknown }) => [id, lockedAt !== null])).toEqual([
      [used.session.id, false],
      [idle.session.id, true],
    ])
  })

  test('requests that a page makes by itself do not keep a session open', async () => {
    const { secret, hash } = await signedIn(service, await addedUser(service), {
      at: new Date(Date.now() - 20 * 60_000),
    })
    const seen = () => service.pool.values<Date>`select last_seen_at from user_sessions where secret_hash = ${hash}`
    const before = await seen()
    expect(await asPage(service, secret, ['GET', ORDERS], { 'x-background': '1' })).toMatchObject({ status: 200 })
    expect(await seen()).toEqual(before)
    expect(await asPage(service, secret, ['GET', ORDERS])).toMatchObject({ status: 200 })
    expect(await seen()).not.toEqual(before)
  })

  test('signing out ends this session, removes the cookie, and leaves the others', async () => {
    const user = await addedUser(service)
    const [one, other] = [await signedIn(service, user), await signedIn(service, user)]
    const answer = await asPage(service, one.secret, ['DELETE', `${CONSOLE}/session`])
    expect(answer.status).toBe(204)
    expect(answer.headers.getSetCookie()).toEqual(['ots_session=; Path=/; Max-Age=0; HttpOnly; SameSite=Strict'])
    expect([(await session(one.secret)).status, (await session(other.secret)).status]).toEqual([401, 200])
  })

  test('people see their sessions, end one of them, and sign out everywhere', async () => {
    const user = await addedUser(service)
    const laptop = await signedIn(service, user, { userAgent: 'Laptop' })
    const phone = await signedIn(service, user, { userAgent: 'Phone' })
    const tablet = await signedIn(service, user, { userAgent: 'Tablet' })
    const { body } = await asPage(service, laptop.secret, ['GET', `${CONSOLE}/sessions`])
    expect(body.data.map((each: object) => ({ ...each }))).toMatchObject([
      { id: tablet.session.id, userAgent: 'Tablet', address: '127.0.0.1', isCurrent: false },
      { id: phone.session.id, userAgent: 'Phone', isCurrent: false },
      { id: laptop.session.id, userAgent: 'Laptop', method: 'passkey', isCurrent: true },
    ])
    const end = (id: string) => asPage(service, laptop.secret, ['DELETE', `${CONSOLE}/sessions/${id}`])
    expect(await end(phone.session.id)).toMatchObject({ status: 204 })
    expect(await end(phone.session.id)).toMatchObject({ status: 404 })
    expect((await session(phone.secret)).status).toBe(401)
    expect((await session(tablet.secret)).status).toBe(200)
    expect(await asPage(service, laptop.secret, ['DELETE', `${CONSOLE}/sessions`])).toMatchObject({ status: 204 })
    for (const { secret } of [laptop, tablet]) expect((await session(secret)).status).toBe(401)
  })

  test('nobody can end a session of somebody else', async () => {
    const [mine, theirs] = [
      await signedIn(service, await addedUser(service)),
      await signedIn(service, await addedUser(service)),
    ]
    const path = `${CONSOLE}/sessions/${theirs.session.id}`
    expect(await asPage(service, mine.secret, ['DELETE', path])).toMatchObject({ status: 404 })
    expect((await session(theirs.secret)).status).toBe(200)
  })

  test('a deactivated person is out at once on this node and on others', async () => {
    const user = await addedUser(service)
    const { secret } = await signedIn(service, user)
    const other = await createServer({ store: service.store, logger: pino({ level: 'silent' }), rateLimit: 0 })
    try {
      const elsewhere = { origin: await other.listen({ port: 0, host: '127.0.0.1' }) }
      expect((await asPage(elsewhere, secret, ['GET', ORDERS])).status).toBe(200)
      const change = { method: 'PATCH', path: `/api/operator/v1/users/${user.id}`, body: { isActive: false } }
      expect(await service.call(TOKEN, change)).toMatchObject({ status: 200, body: { state: 'deactivated' } })
      expect((await asPage(service, secret, ['GET', ORDERS])).status).toBe(401)
      expect((await asPage(elsewhere, secret, ['GET', ORDERS])).status).toBe(401)
    } finally {
      await other.close()
    }
  })

  test('a changed role counts with the next request', async () => {
    const user = await addedUser(service)
    const { secret } = await signedIn(service, user)
    const users = '/api/operator/v1/users'
    expect((await asPage(service, secret, ['GET', users])).status).toBe(200)
    await service.call(TOKEN, { method: 'PATCH', path: `${users}/${user.id}`, body: { role: 'support' } })
    expect((await asPage(service, secret, ['GET', users])).status).toBe(403)
  })
})

describe('a locked session', () => {
  const lock = (secret: string) => asPage(service, secret, ['POST', `${CONSOLE}/session/lock`])

  test('a locked session is refused by the operator API and by everything else of the console, in every tab', async () => {
    const { secret, session: started } = await signedIn(service, await addedUser(service))
    const locked = await lock(secret)
    expect(locked).toMatchObject({ status: 200, body: { id: started.id, lockedAt: expect.any(String) } })
    for (const path of [
      ORDERS,
      '/api/operator/v1/tasks',
      `${CONSOLE}/sessions`,
      `${CONSOLE}/passkeys`,
      `${CONSOLE}/live`,
    ])
      expect(await asPage(service, secret, ['GET', path])).toMatchObject(LOCKED)
    for (const path of [`${CONSOLE}/sessions`, `${CONSOLE}/passkeys/x`])
      expect(await asPage(service, secret, ['DELETE', path])).toMatchObject(LOCKED)
    const refused = await asPage(service, secret, ['GET', ORDERS])
    expect(refused.body.errors[0].meta.lockedAt).toBe(locked.body.lockedAt)
  })

  test('a locked session still tells whose it is, can be locked again without effect, and ended', async () => {
    const user = await addedUser(service)
    const { secret } = await signedIn(service, user)
    const { lockedAt } = (await lock(secret)).body
    expect((await lock(secret)).body.lockedAt).toBe(lockedAt)
    expect(await session(secret)).toMatchObject({ status: 200, body: { lockedAt, user: { name: user.name } } })
    expect(await asPage(service, secret, ['DELETE', `${CONSOLE}/session`])).toMatchObject({ status: 204 })
    expect(await session(secret)).toMatchObject({ status: 401 })
    const { body } = await service.call(TOKEN, `/api/operator/v1/audit?userId=${user.id}`)
    expect(body.data.map(({ action }: { action: string }) => action)).toEqual([
      'session.end',
      'session.lock',
      'session.start',
    ])
  })

  test('a sign-in unlocks: it begins a session in place of the locked one', async () => {
    const demo = (secret: string | null) => asPage(service, secret, ['POST', `${CONSOLE}/session/demo`])
    const secret = cookieIn(await demo(null))!
    await lock(secret)
    const unlocked = await demo(secret)
    expect(unlocked).toMatchObject({ status: 200, body: { lockedAt: null } })
    const renewed = cookieIn(unlocked)!
    expect(await asPage(service, renewed, ['GET', ORDERS])).toMatchObject({ status: 200 })
    expect(await session(secret)).toMatchObject({ status: 401, body: { errors: [{ code: 'unauthenticated' }] } })
    const { body } = await asPage(service, renewed, ['GET', `${CONSOLE}/sessions`])
    expect(body.data).toMatchObject([{ isCurrent: true, lockedAt: null }])
  })
})

describe('sign-in', () => {
  test('the secret of a session is neither in an answer nor in the database', async () => {
    const answer = await asPage(service, null, ['POST', `${CONSOLE}/session/demo`])
    const secret = cookieIn(answer)!
    expect(secret).toMatch(/^otss_\w{38}$/)
    expect(answer.text).not.toContain(secret)
    const rows = await service.pool<{ row: string }[]>`select user_sessions::text as row from user_sessions`
    expect(rows.filter(({ row }) => row.includes(secret))).toEqual([])
  })

  test('many attempts from one address are refused for a while, without effect on people who are signed in', async () => {
    const { secret } = await signedIn(service, await addedUser(service))
    const named = { origin: service.origin.replace('127.0.0.1', 'localhost') }
    const attempt = () => asPage(named, null, ['POST', `${CONSOLE}/session/passkey`, {}])
    const statuses = new Set<number>()
    for (let i = 0; i < 65; i++) statuses.add((await attempt()).status)
    expect([...statuses]).toEqual([400, 429])
    const refused = await attempt()
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await asPage(service, null, ['GET', `${CONSOLE}/invitations/otsi_guess`])).toMatchObject({ status: 429 })
    expect((await session(secret)).status).toBe(200)
  })
})
