import type { BrowserContext, CDPSession, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { PasskeyAssertion } from '@order-testing/contract/operator'
import { OPERATOR_SCOPES } from '@order-testing/contract'
import { hasBrowser, openBrowser } from '../participants/browser.ts'
import { catalogFile, startService, token, type TestService } from '../support/service.ts'
import { addedUser, asPage, CONSOLE, cookieIn } from './given.ts'
import type { User } from '../../src/domain/users/users.ts'

const OPERATOR = 'north-secret-operator'

/** What the console does, as small as possible. */
const SCRIPT = `
  const API = '${CONSOLE}'
  const send = async (method, path, body) => {
    const headers = { 'X-Console': '1', ...(body && { 'Content-Type': 'application/json' }) }
    const response = await fetch(API + path, { method, headers, body: body && JSON.stringify(body) })
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  }
  const create = async (path) => {
    const { status, body } = await send('POST', path + '/options')
    if (status !== 200) return { status, body }
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(body)
    try {
      return { credential: (await navigator.credentials.create({ publicKey })).toJSON() }
    } catch (error) {
      return { error: error.name }
    }
  }
  const register = async (path) => {
    const created = await create(path)
    return created.credential ? send('POST', path, created.credential) : created
  }
  const assert = async () => {
    const { body } = await send('POST', '/session/passkey/options')
    const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(body)
    return (await navigator.credentials.get({ publicKey })).toJSON()
  }
  const signIn = async () => send('POST', '/session/passkey', await assert())
`

interface Answer {
  status: number
  body: { object: string; user: { id: string }; id: string; data: { id: string; isSynced: boolean }[] }
  error?: string
}

/** A browser with an authenticator of its own. */
class Device {
  readonly page: Page
  readonly cdp: CDPSession
  readonly authenticatorId: string
  readonly #context: BrowserContext

  constructor(context: BrowserContext, page: Page, cdp: CDPSession, authenticatorId: string) {
    this.#context = context
    this.page = page
    this.cdp = cdp
    this.authenticatorId = authenticatorId
  }

  run<T = Answer>(code: string): Promise<T> {
    return this.page.evaluate(code)
  }

  async credentials() {
    const { credentials } = await this.cdp.send('WebAuthn.getCredentials', { authenticatorId: this.authenticatorId })
    return credentials
  }

  close(): Promise<void> {
    return this.#context.close()
  }
}

describe.skipIf(!hasBrowser)('passkeys in a browser', () => {
  const opened = openBrowser()
  const devices: Device[] = []
  let service: TestService
  /** Passkeys need a name. */
  let origin: string
  let user: User
  let addresses = 0

  beforeAll(async () => {
    service = await startService()
    const operator = token(OPERATOR, { id: 'operator', scopes: OPERATOR_SCOPES, companies: [] })
    await service.apply(catalogFile('north', { tokens: [operator] }))
    origin = service.origin.replace('127.0.0.1', 'localhost')
  })
  afterAll(() => service.stop())
  beforeEach(async () => {
    user = await addedUser(service, { role: 'support' })
  })
  afterEach(async () => {
    await Promise.all(devices.splice(0).map((device) => device.close()))
  })

  async function newDevice({ isUserVerified = true } = {}): Promise<Device> {
    // An address of its own, since attempts are limited by address.
    const headers = { 'x-forwarded-for': `203.0.113.${(addresses += 1)}` }
    const context = await opened.browser.newContext({ extraHTTPHeaders: headers })
    const page = await context.newPage()
    const html = `<!doctype html><title>Console</title><script>${SCRIPT}</script>`
    await page.route(`${origin}/console`, (route) => route.fulfill({ contentType: 'text/html', body: html }))
    const cdp = await context.newCDPSession(page)
    await cdp.send('WebAuthn.enable')
    const { authenticatorId } = await cdp.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified,
        automaticPresenceSimulation: true,
      },
    })
    await page.goto(`${origin}/console`)
    const device = new Device(context, page, cdp, authenticatorId)
    devices.push(device)
    return device
  }

  const invite = async (person = user) => {
    const path = `/api/operator/v1/users/${person.id}/invitation`
    const { status, body } = await service.call(OPERATOR, { method: 'POST', path })
    expect(status).toBe(201)
    return `/invitations/${String(body.invitation.url).split('/').at(-1)}`
  }

  const accept = (device: Device, path: string) => device.run(`register('${path}/passkey')`)

  async function registered(person = user): Promise<Device> {
    const device = await newDevice()
    expect(await accept(device, await invite(person))).toMatchObject({ status: 200 })
    return device
  }

  test('an invited person registers a passkey, is signed in, and later signs in with it', async () => {
    const device = await registered()
    const session = await device.run("send('GET', '/session')")
    expect(session).toMatchObject({ status: 200, body: { user: { id: user.id, name: user.name }, role: 'support' } })
    expect(await device.page.context().cookies()).toMatchObject([
      { name: 'ots_session', httpOnly: true, sameSite: 'Strict', secure: false, path: '/', domain: 'localhost' },
    ])
    expect(await device.run('document.cookie')).toBe('')
    expect(await device.run("send('DELETE', '/session')")).toMatchObject({ status: 204 })
    expect(await device.run("send('GET', '/session')")).toMatchObject({ status: 401 })
    expect(await device.run('signIn()')).toMatchObject({ status: 200, body: { user: { id: user.id } } })
    expect(await device.run("send('GET', '/session')")).toMatchObject({ status: 200 })
  })

  test('the counter of the authenticator grows with each sign-in, and a copy that lags behind is refused', async () => {
    const device = await registered()
    const counter = () =>
      service.pool.values<number>`select counter::int from passkeys where user_id = ${user.id}`.then(
        ([value]) => value!,
      )
    const first = await counter()
    const [copied] = await device.credentials()
    for (let i = 0; i < 2; i++) expect(await device.run('signIn()')).toMatchObject({ status: 200 })
    expect(await counter()).toBeGreaterThan(first + 1)

    const thief = await newDevice()
    await thief.cdp.send('WebAuthn.addCredential', { authenticatorId: thief.authenticatorId, credential: copied! })
    expect(await thief.run('signIn()')).toMatchObject({ status: 401 })
    expect(await device.run('signIn()')).toMatchObject({ status: 200 })
  })

  test('an answer counts once, also if it is sent twice at the same time', async () => {
    const device = await registered()
    const assertion = await device.run<PasskeyAssertion>('assert()')
    const send = () => asPage({ origin }, null, ['POST', `${CONSOLE}/session/passkey`, assertion])
    const answers = await Promise.all([send(), send(), send()])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 401, 401])
    const again = await send()
    expect([again.status, cookieIn(again)]).toEqual([401, undefined])
  })

  test('an answer to an expired challenge, or with a changed part, is refused', async () => {
    const device = await registered()
    const send = (assertion: PasskeyAssertion) =>
      asPage({ origin }, null, ['POST', `${CONSOLE}/session/passkey`, assertion]).then(({ status }) => status)
    const late = await device.run<PasskeyAssertion>('assert()')
    await service.pool`update sign_in_challenges set expires_at = now() - interval '1 second'`
    expect(await send(late)).toBe(401)

    for (const change of [
      (response: PasskeyAssertion['response']) => ({
        ...response,
        signature: response.signature.replace(/^.{8}/, 'AAAAAAAA'),
      }),
      (response: PasskeyAssertion['response']) => ({
        ...response,
        authenticatorData: `A${response.authenticatorData.slice(1)}`,
      }),
      ({ clientDataJSON, ...response }: PasskeyAssertion['response']) => {
        const data = JSON.parse(Buffer.from(clientDataJSON, 'base64url').toString()) as object
        const foreign = JSON.stringify({ ...data, origin: 'https://evil.example' })
        return { ...response, clientDataJSON: Buffer.from(foreign).toString('base64url') }
      },
    ]) {
      const assertion = await device.run<PasskeyAssertion>('assert()')
      expect(await send({ ...assertion, response: change(assertion.response) })).toBe(401)
      // The challenge is used up.
      expect(await send(assertion)).toBe(401)
    }
  })

  test('an invitation registers one passkey, also if two devices use it at the same time', async () => {
    const path = await invite()
    const [one, other] = [await newDevice(), await newDevice()]
    const answers = await Promise.all([accept(one, path), accept(other, path)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 404])
    expect(await accept(await newDevice(), path)).toMatchObject({ status: 404 })
    expect(await service.store.passkeys.listOf({ tenantId: 'north', userId: user.id })).toHaveLength(1)
  })

  test('the answer to one invitation does not register a passkey for somebody else', async () => {
    const stranger = await addedUser(service)
    const [mine, theirs] = [await invite(), await invite(stranger)]
    const device = await newDevice()
    const answer = await device.run(
      `create('${mine}/passkey').then(({ credential }) => send('POST', '${theirs}/passkey', credential))`,
    )
    expect(answer).toMatchObject({ status: 401 })
    expect(await service.store.passkeys.listOf({ tenantId: 'north', userId: stranger.id })).toEqual([])
  })

  test('a second device is added with a new invitation, and both sign in', async () => {
    const laptop = await registered()
    const phone = await registered()
    for (const device of [laptop, phone])
      expect(await device.run('signIn()')).toMatchObject({ status: 200, body: { user: { id: user.id } } })
    const { body } = await laptop.run("send('GET', '/passkeys')")
    expect(body.data).toHaveLength(2)
  })

  test('people add a passkey while signed in, and remove all but the last', async () => {
    const device = await registered()
    // The authenticator has one of this person already.
    expect(await device.run("register('/passkeys')")).toMatchObject({ error: 'InvalidStateError' })
    const other = await newDevice()
    await other.page.context().addCookies(await device.page.context().cookies())
    const added = await other.run("register('/passkeys')")
    expect(added).toMatchObject({ status: 200, body: { object: 'passkey' } })
    expect(await other.run('signIn()')).toMatchObject({ status: 200, body: { user: { id: user.id } } })

    // That sign-in ended the session which both used.
    expect(await device.run('signIn()')).toMatchObject({ status: 200 })
    const { body } = await device.run("send('GET', '/passkeys')")
    const remove = (id: string) => device.run(`send('DELETE', '/passkeys/${id}')`)
    const [first, second] = body.data
    expect(await remove(second!.id)).toMatchObject({ status: 204 })
    expect(await remove(second!.id)).toMatchObject({ status: 404 })
    expect(await remove(first!.id)).toMatchObject({ status: 422 })
    expect(await other.run('signIn()')).toMatchObject({ status: 401 })
    expect(await device.run('signIn()')).toMatchObject({ status: 200 })
  })

  test('adding a passkey takes a sign-in of the last five minutes', async () => {
    const device = await registered()
    const other = await newDevice()
    const share = async () => other.page.context().addCookies(await device.page.context().cookies())
    await share()
    const stale = () =>
      service.pool`update user_sessions set created_at = now() - interval '6 minutes' where user_id = ${user.id}`
    // One answer was asked for in time, but comes too late.
    const late = await other.run(
      "create('/passkeys').then(({ credential }) => { globalThis.late = credential; return { status: 0 } })",
    )
    expect(late).toMatchObject({ status: 0 })
    await stale()
    expect(await other.run("send('POST', '/passkeys', globalThis.late)")).toMatchObject({ status: 422 })
    expect(await other.run("send('POST', '/passkeys/options')")).toMatchObject({
      status: 422,
      body: { errors: [{ code: 'invalidState', source: { pointer: '/session' } }] },
    })
    expect(await service.store.passkeys.listOf({ tenantId: 'north', userId: user.id })).toHaveLength(1)
    expect(await device.run('signIn()')).toMatchObject({ status: 200 })
    await share()
    expect(await other.run("register('/passkeys')")).toMatchObject({ status: 200, body: { object: 'passkey' } })
  })

  test('a passkey of a deactivated person does not sign in, and works again later', async () => {
    const device = await registered()
    const change = (isActive: boolean) =>
      service.call(OPERATOR, { method: 'PATCH', path: `/api/operator/v1/users/${user.id}`, body: { isActive } })
    expect((await change(false)).status).toBe(200)
    expect(await device.run('signIn()')).toMatchObject({ status: 401 })
    expect((await change(true)).status).toBe(200)
    expect(await device.run('signIn()')).toMatchObject({ status: 200 })
  })

  test('a device that does not verify its owner is refused', async () => {
    const device = await newDevice({ isUserVerified: false })
    expect(await accept(device, await invite())).toMatchObject({ error: 'NotAllowedError' })
  })

  test('audit entries name the person who registered a passkey and signed in', async () => {
    await registered()
    const { body } = await service.call(OPERATOR, `/api/operator/v1/audit?userId=${user.id}`)
    const seen = body.data.map(({ action, user: person }: { action: string; user: object }) => ({ action, person }))
    expect(seen).toEqual([
      { action: 'session.start', person: { id: user.id, name: user.name } },
      { action: 'passkey.add', person: { id: user.id, name: user.name } },
    ])
  })
})
