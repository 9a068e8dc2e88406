import { request } from 'node:http'
import { pino } from 'pino'
import { afterEach, describe, expect, test } from 'vitest'
import { CONSOLE, asPage, cookieIn } from './given.ts'
import { catalogFile, startService, type TestService } from '../support/service.ts'
import { createServer, type ServerOptions } from '../../src/http/server.ts'

let service: TestService
afterEach(() => service.stop())

async function started(options: Partial<ServerOptions> = {}, tenant = 'demo'): Promise<void> {
  service = await startService(options)
  await service.apply(catalogFile(tenant))
}

/** Sends any headers, also a `Host` that fetch would not. */
const send = (method: string, path: string, headers: Record<string, string>) =>
  new Promise<{ status: number; cookies: string[]; text: string }>((resolve, reject) => {
    const { hostname, port } = new URL(service.origin)
    const sent = request({ hostname, port, method, path, headers }, (response) => {
      const parts: Buffer[] = []
      response.on('data', (part: Buffer) => parts.push(part))
      response.on('end', () =>
        resolve({
          status: response.statusCode!,
          cookies: response.headers['set-cookie'] ?? [],
          text: Buffer.concat(parts).toString(),
        }),
      )
    })
    sent.on('error', reject)
    sent.end()
  })

const demo = (headers: Record<string, string>) => send('POST', `${CONSOLE}/session/demo`, headers)
const hasDemo = async (headers: Record<string, string>) =>
  (JSON.parse((await send('GET', `${CONSOLE}/signIn`, headers)).text) as { hasDemo: boolean }).hasDemo

const port = () => new URL(service.origin).port

describe('the demo operator of a sandbox', () => {
  test('one click signs in an administrator, whose actions the audit log names', async () => {
    await started()
    const answer = await asPage(service, null, ['POST', `${CONSOLE}/session/demo`])
    expect(answer).toMatchObject({
      status: 200,
      body: { object: 'session', user: { name: 'Demo operator' }, tenant: { id: 'demo' }, role: 'administrator' },
    })
    expect(answer.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^ots_session=otss_\w+; Path=\/; Max-Age=43200; HttpOnly; SameSite=Strict$/),
    ])
    const secret = cookieIn(answer)!
    const { body } = await asPage(service, secret, ['GET', '/api/operator/v1/audit'])
    expect(body.data[0]).toMatchObject({
      action: 'session.start',
      user: { id: answer.body.user.id, name: 'Demo operator' },
      actor: { type: 'user' },
    })
  })

  test('two clicks at once are two sessions of one person', async () => {
    await started()
    const click = () => asPage(service, null, ['POST', `${CONSOLE}/session/demo`])
    const [one, other] = await Promise.all([click(), click()])
    expect([one.status, other.status]).toEqual([200, 200])
    expect(one.body.user.id).toBe(other.body.user.id)
    expect(one.body.id).not.toBe(other.body.id)
  })

  test.each([
    [
      'a site that points its name here',
      (name: string) => ({ host: `evil.example:${name}`, origin: `http://evil.example:${name}` }),
    ],
    ['a name that begins like localhost', (name: string) => ({ host: `localhost.evil.example:${name}` })],
    ['a host with a user', (name: string) => ({ host: `localhost@evil.example:${name}` })],
    [
      'a request that a proxy forwarded',
      (name: string) => ({ host: `localhost:${name}`, 'x-forwarded-for': '203.0.113.9' }),
    ],
    ['another address of this machine', (name: string) => ({ host: `0.0.0.0:${name}` })],
  ])('the demo operator is not offered to %s', async (_name, headersFor) => {
    await started()
    const headers = { 'x-console': '1', ...headersFor(port()) }
    expect(await demo(headers)).toMatchObject({ status: 404, cookies: [] })
    expect(await hasDemo(headers)).toBe(false)
  })

  test('another site cannot make a browser sign in', async () => {
    await started()
    const host = `localhost:${port()}`
    expect(await demo({ host })).toMatchObject({ status: 403, cookies: [] })
    expect(await demo({ host, 'x-console': '1', origin: 'https://evil.example' })).toMatchObject({ status: 403 })
    expect(await demo({ host, 'x-console': '1', 'sec-fetch-site': 'cross-site' })).toMatchObject({ status: 403 })
    expect(await demo({ host, 'x-console': '1', origin: `http://${host}` })).toMatchObject({ status: 200 })
  })

  test('a sandbox that others reach offers it only with the demo catalog, whose operator token is public', async () => {
    await started({ isPublic: true })
    const headers = { host: `localhost:${port()}`, 'x-console': '1' }
    expect([await hasDemo(headers), (await demo(headers)).status]).toEqual([false, 404])
    await service.stop()
    await started({ isPublic: true, demo: { operator: 'demo-operator-secret' } })
    headers.host = `localhost:${port()}`
    expect([await hasDemo(headers), (await demo(headers)).status]).toEqual([true, 200])
    await service.stop()
    await started({ isPublic: true, demo: { operator: 'demo-operator-secret' } }, 'customer')
    headers.host = `localhost:${port()}`
    expect([await hasDemo(headers), (await demo(headers)).status]).toEqual([false, 404])
  })

  test('production has no such route, and does not know sessions of the demo operator', async () => {
    await started()
    const secret = cookieIn(await asPage(service, null, ['POST', `${CONSOLE}/session/demo`]))!
    const policy = { production: true, callbackAllow: [] }
    const app = await createServer({ store: service.store, logger: pino({ level: 'silent' }), rateLimit: 0, policy })
    try {
      const production = { origin: await app.listen({ port: 0, host: '127.0.0.1' }) }
      const answer = await asPage(production, null, ['POST', `${CONSOLE}/session/demo`])
      expect(answer).toMatchObject({ status: 404, text: expect.stringContaining('Unknown path') as string })
      expect((await asPage(production, secret, ['GET', `${CONSOLE}/session`])).status).toBe(401)
      expect((await asPage(production, secret, ['GET', '/api/operator/v1/orders'])).status).toBe(401)
      expect((await asPage(production, null, ['GET', `${CONSOLE}/signIn`])).body).toEqual({
        object: 'signInOptions',
        tenantName: 'Tenant demo',
        mode: 'production',
        hasPasskeys: false,
        oidc: null,
        hasDemo: false,
      })
    } finally {
      await app.close()
    }
  })
})
