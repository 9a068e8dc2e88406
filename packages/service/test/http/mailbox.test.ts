import { randomBytes } from 'node:crypto'
import { get } from 'node:http'
import type { AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { text } from 'node:stream/consumers'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { NotificationDispatcher } from '../../src/notify/dispatcher.ts'
import { mailboxTransport } from '../../src/notify/mailbox.ts'
import { OPERATOR, staffed } from '../support/operator.ts'
import { created, SECRET } from '../orders/given.ts'
import { catalogFile, startService, token, type TestService } from '../support/service.ts'

const SOUTH = 'operator-secret-of-the-south'
const PUBLIC = 'sandbox.example.com'

let service: TestService
let port: number
beforeAll(async () => {
  service = await startService({ hosts: [PUBLIC] })
  const theirs = token(SOUTH, { id: 'south-operator', scopes: ['operator.messages.read'], companies: [] })
  await service.apply(staffed(), catalogFile('south', { tokens: [theirs] }))
  port = Number(new URL(service.origin).port)
  await created(service)
  const transport = mailboxTransport(service.store, 'email', randomBytes)
  const options = { channel: 'email', transport, publicUrl: 'https://o.example', random: randomBytes } as const
  const dispatcher = new NotificationDispatcher({ store: service.store, ...options })
  while (await dispatcher.round());
})
afterAll(() => service.stop())

/** Asks for the mailbox with headers that no client of ours would let a test choose. */
function ask(
  headers: Record<string, string>,
  { address = '127.0.0.1', to = port, path = '/sandbox/mailbox.json' } = {},
) {
  return new Promise<{ status: number; challenge: string | undefined; body: string }>((resolve, reject) => {
    get({ host: address, port: to, path, headers }, (response) => {
      const challenge = response.headers['www-authenticate']
      text(response).then((body) => resolve({ status: response.statusCode!, challenge, body }), reject)
    }).on('error', reject)
  })
}

const basic = (password: string) => `Basic ${Buffer.from(`me:${password}`).toString('base64')}`
const total = ({ body }: { body: string }) => (JSON.parse(body) as { total?: number }).total

describe('the Host header of a request for the mailbox', () => {
  test.each(['localhost', 'localhost:3000', 'LOCALHOST.', '127.0.0.1:1', '[::1]', '[::1]:3000'])(
    'the mailbox is served to the host %s',
    async (host) => {
      expect(await ask({ host })).toMatchObject({ status: 200 })
    },
  )

  test.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example:3000',
    '10.0.0.7',
    'evil.example:127.0.0.1',
  ])('the mailbox is refused to the host %s, so that no other site can read it', async (host) => {
    for (const path of ['/sandbox/mailbox', '/sandbox/mailbox.json']) {
      const answer = await ask({ host, authorization: `Bearer ${OPERATOR}` }, { path })
      expect(answer.status).toBe(403)
      expect(answer.body).toContain('OTS_PUBLIC_URL')
      expect(answer.body).not.toContain('maria@example.com')
    }
  })
})

test('the page of the mailbox shows addresses and texts as text, whatever is in them', async () => {
  const mark = (where: string) => `"><script>${where}</script>&amp;'`
  const fields = {
    language: mark('language'),
    to: mark('to'),
    cc: [mark('cc')],
    subject: mark('subject'),
    text: mark('text'),
  }
  const content = { channel: 'email' as const, ...fields }
  await service.store.mailbox.put({ id: 'mbx_marked', notificationId: 'msg_marked', at: new Date(), content })
  const { body } = await ask({ host: 'localhost' }, { path: '/sandbox/mailbox' })
  for (const where of ['language', 'to', 'cc', 'subject', 'text']) {
    expect(body).not.toContain(`<script>${where}`)
    expect(body).toContain(`&quot;&gt;&lt;script&gt;${where}&lt;/script&gt;&amp;amp;&#39;`)
  }
  await service.pool`delete from mailbox where id = 'mbx_marked'`
})

describe('a remote request for the mailbox', () => {
  const host = `${PUBLIC}:8443`

  test('a remote request requires an operator token, and the answer says how to send it', async () => {
    for (const authorization of [undefined, 'Bearer made-up-secret-of-nobody', basic('made-up-secret-of-nobody')]) {
      const answer = await ask({ host, ...(authorization && { authorization }) })
      expect(answer).toMatchObject({ status: 401, challenge: expect.stringMatching(/^Bearer, Basic realm=/) })
      expect(answer.body).toContain('sign in with any user name and the token as password')
      expect(answer.body).toContain('"unauthenticated"')
    }
  })

  test('an operator reads the mailbox with the token as Bearer or as Basic password', async () => {
    for (const authorization of [`Bearer ${OPERATOR}`, basic(OPERATOR)])
      expect(total(await ask({ host, authorization }))).toBe(1)
    const page = await ask({ host, authorization: basic(OPERATOR) }, { path: '/sandbox/mailbox' })
    expect(page.body).toContain('maria@example.com')
  })

  test('an operator sees only the mail of the own tenant', async () => {
    expect(total(await ask({ host, authorization: `Bearer ${SOUTH}` }))).toBe(0)
  })

  test('an integrator token is refused', async () => {
    const answer = await ask({ host, authorization: `Bearer ${SECRET}` })
    expect(answer).toMatchObject({ status: 401 })
    expect(answer.body).toContain('"insufficientScope"')
  })

  test.each(['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'])(
    'a request with the proxy header %s counts as remote, even if the header names loopback',
    async (name) => {
      expect(await ask({ host: 'localhost', [name]: '127.0.0.1' })).toMatchObject({ status: 401 })
    },
  )

  test('every request to a public service requires a token, because a proxy may not identify itself', async () => {
    const options = { store: service.store, logger: pino({ level: 'silent' }), rateLimit: 0 }
    const app = await createServer({ ...options, hosts: [PUBLIC], isPublic: true })
    await app.listen({ port: 0, host: '127.0.0.1' })
    const { port: to } = app.server.address() as AddressInfo
    try {
      for (const path of ['/sandbox/mailbox', '/sandbox/mailbox.json'])
        expect(await ask({ host: `127.0.0.1:${to}` }, { to, path })).toMatchObject({ status: 401 })
      const authorization = `Bearer ${OPERATOR}`
      expect(total(await ask({ host: `127.0.0.1:${to}`, authorization }, { to }))).toBe(1)
    } finally {
      await app.close()
    }
  })

  const own = Object.values(networkInterfaces())
    .flat()
    .find((each) => each && !each.internal && each.family === 'IPv4')?.address

  test.skipIf(own === undefined)(
    'a request from another address counts as remote, whatever its headers say',
    async () => {
      const app = await createServer({ store: service.store, logger: pino({ level: 'silent' }), rateLimit: 0 })
      await app.listen({ port: 0, host: '0.0.0.0' })
      const { port: to } = app.server.address() as AddressInfo
      try {
        expect(await ask({ host: 'localhost' }, { to })).toMatchObject({ status: 200 })
        expect(await ask({ host: 'localhost' }, { to, address: own! })).toMatchObject({ status: 401 })
      } finally {
        await app.close()
      }
    },
  )
})
