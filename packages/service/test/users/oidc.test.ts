import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { SESSION_COOKIE } from '@order-testing/contract/operator'
import type { User } from '../../src/domain/users/users.ts'
import { catalogFile, startService, type TestService } from '../support/service.ts'
import { addedUser, asPage, CONSOLE } from './given.ts'
import { CLIENT, startProvider, Visitor } from './provider.ts'

const OIDC = `${CONSOLE}/session/oidc`

let provider: Awaited<ReturnType<typeof startProvider>>
let service: TestService
/** As people open it. */
let origin: string

beforeAll(async () => {
  provider = await startProvider()
  service = await startService({ oidc: { issuer: provider.issuer, ...CLIENT, name: 'Company login' } })
  await service.apply(catalogFile('north'), catalogFile('south'))
  origin = service.origin.replace('127.0.0.1', 'localhost')
})
afterAll(async () => {
  await service.stop()
  await provider.stop()
})

const isConsole = ({ pathname }: URL) => pathname === '/console'
const isCallback = ({ pathname }: URL) => pathname === `${OIDC}/callback`

/** Signs in to the end; returns where the console opens and the cookie of the session. */
async function signIn(visitor = new Visitor()) {
  const { next } = await visitor.visit(origin + OIDC, (url) => !isConsole(url))
  return {
    error: next?.searchParams.get('signInError') ?? null,
    secret: visitor.cookie('localhost', SESSION_COOKIE),
  }
}

/** Stops before the callback, which a test then changes. */
async function untilCallback(visitor: Visitor, change: (url: URL) => void = () => {}): Promise<URL> {
  const { next: asked } = await visitor.visit(origin + OIDC, () => false)
  change(asked!)
  const { next } = await visitor.visit(asked!.href, (url) => !isCallback(url))
  expect(next!.searchParams.has('code')).toBe(true)
  return next!
}

const refused = async (visitor: Visitor, callback: URL) => {
  const { status, next } = await visitor.visit(callback.href, () => false)
  expect(visitor.cookie('localhost', SESSION_COOKIE)).toBeUndefined()
  return { status, error: next?.searchParams.get('signInError') }
}

const sessionOf = (secret: string) => asPage({ origin }, secret, ['GET', `${CONSOLE}/session`])

let subjects = 0
const newSubject = () => `subject-${(subjects += 1)}`

test('a provider that cannot be reached leads back to the console, and is asked again later', async () => {
  expect(await signIn()).toEqual({ error: 'unavailable', secret: undefined })
  provider.open(`${origin}${OIDC}/callback`)
  provider.signInAs(newSubject(), { email: 'early@example.com', email_verified: true })
  expect(await signIn()).toMatchObject({ error: 'notInvited' })
})

describe('sign-in with OpenID Connect', () => {
  let user: User
  let subject: string
  beforeEach(async () => {
    user = await addedUser(service, { role: 'coordinator' })
    subject = newSubject()
    provider.signInAs(subject, { email: user.email.toUpperCase(), email_verified: true })
  })

  test('the sign-in page offers the provider by its name', async () => {
    expect((await asPage({ origin }, null, ['GET', `${CONSOLE}/signIn`])).body).toMatchObject({
      oidc: { name: 'Company login' },
      hasPasskeys: true,
    })
  })

  test('an invited person is known by the verified address first, and by the subject afterwards', async () => {
    const { error, secret } = await signIn()
    expect(error).toBeNull()
    expect((await sessionOf(secret!)).body).toMatchObject({ user: { id: user.id }, role: 'coordinator' })
    expect(await service.store.users.find('north', user.id)).toMatchObject({
      oidc: { issuer: provider.issuer, subject },
    })
    provider.signInAs(subject, { email: 'married@example.com', email_verified: false })
    const again = await signIn()
    expect((await sessionOf(again.secret!)).body).toMatchObject({ user: { id: user.id, email: user.email } })
  })

  test('somebody else with the same address at the provider does not become the person', async () => {
    expect((await signIn()).error).toBeNull()
    provider.signInAs(newSubject(), { email: user.email, email_verified: true })
    expect(await signIn()).toEqual({ error: 'notInvited', secret: undefined })
  })

  test('an address that the provider has not verified signs nobody in', async () => {
    provider.signInAs(subject, { email: user.email, email_verified: false })
    expect(await signIn()).toEqual({ error: 'notInvited', secret: undefined })
  })

  test('an address that nobody here has signs nobody in and adds nobody', async () => {
    const count = () => service.pool`select from users`.then(({ length }) => length)
    const before = await count()
    provider.signInAs(newSubject(), { email: 'stranger@example.com', email_verified: true })
    expect(await signIn()).toEqual({ error: 'notInvited', secret: undefined })
    expect(await count()).toBe(before)
  })

  test('an address that two tenants have invited signs nobody in', async () => {
    await addedUser(service, { tenantId: 'south', email: user.email })
    expect(await signIn()).toEqual({ error: 'notInvited', secret: undefined })
  })

  test('a deactivated person does not get in, neither by address nor by subject', async () => {
    const deactivate = async () => {
      const current = await service.store.users.find('north', user.id)
      await service.store.users.change({ ...current!, isActive: false })
    }
    await deactivate()
    expect((await signIn()).error).toBe('notInvited')
    await service.store.users.change({ ...user, isActive: true })
    expect((await signIn()).error).toBeNull()
    await deactivate()
    expect((await signIn()).error).toBe('notInvited')
  })

  test('a callback with another state is refused', async () => {
    const visitor = new Visitor()
    const callback = await untilCallback(visitor)
    callback.searchParams.set('state', 'another')
    expect(await refused(visitor, callback)).toEqual({ status: 303, error: 'failed' })
  })

  test('a token with another nonce is refused', async () => {
    const visitor = new Visitor()
    const callback = await untilCallback(visitor, (url) => url.searchParams.set('nonce', 'another'))
    expect(await refused(visitor, callback)).toEqual({ status: 303, error: 'failed' })
  })

  test('a callback in a browser that did not begin the sign-in is refused', async () => {
    const callback = await untilCallback(new Visitor())
    expect(await refused(new Visitor(), callback)).toEqual({ status: 303, error: 'failed' })
  })

  test('a sign-in that another browser began is refused, even with a cookie of the own', async () => {
    const [victim, attacker] = [new Visitor(), new Visitor()]
    await victim.visit(origin + OIDC, () => false)
    expect(await refused(victim, await untilCallback(attacker))).toEqual({ status: 303, error: 'failed' })
  })

  test('a callback counts once, even if its cookie was kept', async () => {
    const visitor = new Visitor()
    const callback = await untilCallback(visitor)
    const cookie = `ots_oidc=${visitor.cookie('localhost', 'ots_oidc')}`
    const call = () => fetch(callback, { redirect: 'manual', headers: { cookie } })
    const answers = await Promise.all([call(), call()])
    const leads = answers.map(({ headers }) => headers.get('location') ?? '').toSorted()
    expect(leads).toEqual(['/console', '/console?signInError=failed'])
    expect((await call()).headers.get('location')).toBe('/console?signInError=failed')
  })

  test('a cookie that was not sealed here is refused', async () => {
    const visitor = new Visitor()
    const callback = await untilCallback(visitor)
    for (const value of ['', 'x', '!!!', Buffer.from('{"state":"x"}').toString('base64url')]) {
      const answer = await fetch(callback, { redirect: 'manual', headers: { cookie: `ots_oidc=${value}` } })
      expect(answer.headers.get('location')).toBe('/console?signInError=failed')
    }
  })

  test('an error of the provider leads back to the console', async () => {
    const visitor = new Visitor()
    await visitor.visit(origin + OIDC, () => false)
    const callback = new URL(`${origin}${OIDC}/callback?error=access_denied`)
    expect(await refused(visitor, callback)).toEqual({ status: 303, error: 'failed' })
  })
})

test('a service without a provider has no such route', async () => {
  const plain = await startService()
  try {
    expect((await asPage(plain, null, ['GET', OIDC])).status).toBe(404)
    expect((await asPage(plain, null, ['GET', `${CONSOLE}/signIn`])).body).toMatchObject({ oidc: null })
  } finally {
    await plain.stop()
  }
})
