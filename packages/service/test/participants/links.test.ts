import { randomBytes } from 'node:crypto'
import { request } from 'node:http'
import { pino } from 'pino'
import { describe, expect, test } from 'vitest'
import { hashSecret } from '../../src/domain/access/tokens.ts'
import { NotificationDispatcher } from '../../src/notify/dispatcher.ts'
import { smtpTransport } from '../../src/notify/transports.ts'
import { mailServer, plainText } from '../notifications/mail-server.ts'
import { operate } from '../support/operator.ts'
import { cancelled, created } from '../orders/given.ts'
import { catalogFile, startService } from '../support/service.ts'
import {
  completed,
  DETAILS,
  invited,
  linkTo,
  open,
  participantService,
  participantWorld,
  readOrder,
  submit,
  wordsOf,
} from './given.ts'

const service = participantService()

interface Answer {
  status: number
  headers: Record<string, string | string[] | undefined>
  text: string
}

/** Sends a path as written: `fetch` would normalise it. */
const ask = (path: string, { method = 'GET', headers = {}, at = service } = {}) =>
  new Promise<Answer>((resolve, reject) => {
    const { hostname, port } = new URL(at.origin)
    const sent = request({ hostname, port, path, method, headers }, (answer) => {
      let text = ''
      answer.on('data', (chunk: Buffer) => (text += chunk.toString()))
      answer.on('end', () => resolve({ status: answer.statusCode!, headers: answer.headers, text }))
    })
    sent.on('error', reject).end()
  })

const flipped = (letter: string) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase())
const otherCase = (secret: string) => Array.from(secret, (letter) => flipped(letter)).join('')

/** Near misses of a valid link. */
const NEARLY: [string, (secret: string) => string][] = [
  ['another random secret', () => randomBytes(24).toString('base64url')],
  ['one without its last letter', (secret) => secret.slice(0, -1)],
  ['one without its first letter', (secret) => secret.slice(1)],
  ['one with a letter changed', (secret) => (secret.startsWith('A') ? 'B' : 'A') + secret.slice(1)],
  ['one in the other case', otherCase],
  ['one with a letter more', (secret) => `${secret}A`],
  ['one with the padding of base64', (secret) => `${secret}=`],
  ['one with a full stop of a sentence', (secret) => `${secret}.`],
  ['one with a slash behind it', (secret) => `${secret}/`],
  ['one with more of a path', (secret) => `${secret}/orders`],
  ['one with a path that leads back', (secret) => `x/../${secret}`],
  ['one that was encoded twice', (secret) => `%25${secret.charCodeAt(0).toString(16)}${secret.slice(1)}`],
  ['one with a space', (secret) => `${secret}%20`],
  ['one with a NUL', (secret) => `${secret}%00`],
  ['one with line breaks', (secret) => `${secret}%0D%0ASet-Cookie:%20a=b`],
  ['one with an invalid escape', (secret) => `${secret}%zz`],
  ['one that ends within an escape', (secret) => `${secret}%`],
  ['one that is not UTF-8', (secret) => `${secret}%ff`],
  ['one with SQL', () => "'%20or%20''='"],
  ['its hash', (secret) => hashSecret(secret).toString('base64url')],
  ['one that is far too long', (secret) => secret.repeat(200)],
  ['nothing', () => ''],
]

const stable = ({ status, headers, text }: Answer) => {
  const { date: _date, 'x-request-id': _id, ...rest } = headers
  return { status, headers: rest, text }
}

describe('guessing and tampering', () => {
  test.each(NEARLY)('%s gets the same bytes and status 404 as any wrong link', async (_, change) => {
    const { secret } = await invited(service)
    const wrong = await ask('/o/guess')
    expect(wrong.status).toBe(404)
    expect(wrong.text).toContain('This link doesn’t work')
    expect(stable(await ask(`/o/${change(secret)}`))).toEqual(stable(wrong))
    expect(stable(await ask(`/o/${change(secret)}?step=change&lang=en`)).text).not.toContain(secret)
  })

  test('the answer to a wrong link is available in Spanish, however it is damaged', async () => {
    for (const path of ['/o/guess', '/o/%zz', '/o/a/b']) {
      expect((await ask(path)).text).toContain('href="?lang=es"')
      expect((await ask(`${path}?lang=es`)).text).toContain('Este enlace no funciona')
    }
  })

  test('a form sent to a wrong link gets the same answer', async () => {
    const { order, secret } = await invited(service)
    for (const wrong of [secret.slice(0, -1), otherCase(secret), `${secret}%00`]) {
      expect((await submit(service, wrong, { ...DETAILS, step: 'book', clinic: 'naperville' })).status).toBe(404)
      expect((await open(service, `${wrong}/appointment.ics`)).status).toBe(404)
    }
    expect((await readOrder(service, order.id)).status).toBe('ordered')
  })

  test('percent-encoded letters of a link are decoded', async () => {
    const { secret } = await invited(service)
    const encoded = Array.from(secret, (letter) => `%${letter.charCodeAt(0).toString(16)}`).join('')
    expect((await ask(`/o/${encoded}`)).status).toBe(200)
  })

  test('secrets are long and unique', async () => {
    const post = await mailServer()
    const transport = smtpTransport(post.url, 'orders.example')
    const options = { channel: 'email', transport, publicUrl: service.origin, random: randomBytes } as const
    const dispatcher = new NotificationDispatcher({ store: service.store, ...options })
    for (let i = 0; i < 3; i++) await created(service)
    while (await dispatcher.round());
    const secrets = post.mails.map(({ source }) => /\/o\/([\w-]+)/.exec(plainText(source))![1]!)
    expect(secrets.every((secret) => Buffer.from(secret, 'base64url').length >= 16)).toBe(true)
    expect(new Set(secrets).size).toBe(secrets.length)
    transport.close()
    await post.close()
  })
})

describe("other orders' secrets", () => {
  test('a secret opens only its own order, within a tenant and across tenants', async () => {
    const [one, other] = [await invited(service), await invited(service)]
    await service.apply(catalogFile('south', {}))
    const foreign = randomBytes(24).toString('base64url')
    // A link cannot open an order of another tenant.
    await service.store.links.add(
      hashSecret(foreign),
      { tenantId: 'south', orderId: one.order.id, recipient: 'participant', expiresAt: new Date(Date.now() + 60_000) },
      new Date(),
    )
    await completed(service, one.secret)
    expect((await open(service, one.secret)).text).toContain(one.order.code)
    expect((await open(service, other.secret)).text).not.toContain(one.order.code)
    expect(stable(await ask(`/o/${foreign}`))).toEqual(stable(await ask('/o/guess')))
    expect((await completed(service, foreign)).status).toBe(404)
  })
})

describe('reuse', () => {
  test('the link of a completed order changes nothing unasked, whatever is sent to it', async () => {
    const { order, secret } = await invited(service)
    await completed(service, secret)
    const before = await readOrder(service, order.id)
    for (const step of ['details', 'clinics', 'time', 'book']) {
      const page = await submit(service, secret, { ...DETAILS, line1: 'Elsewhere 1', step, clinic: 'aurora' })
      expect(page.status).toBe(303)
      const isAsked = step === 'book'
      expect(page.headers.get('location')).toBe(`/o/${secret}${isAsked ? '?step=book&clinic=aurora' : ''}`)
    }
    expect(wordsOf(await open(service, secret))).toContain('Your pass')
    expect((await open(service, secret)).text).not.toMatch(/1990|4567|Ogden/)
    expect(await readOrder(service, order.id)).toEqual(before)
  })

  test('the links of a cancelled order show nothing', async () => {
    const { order, secret } = await invited(service)
    const second = await linkTo(service, order.id)
    await completed(service, secret)
    await cancelled(service, order.id)
    for (const each of [secret, second]) {
      const page = await open(service, each)
      expect(page.status).toBe(410)
      expect(page.text).not.toContain(order.code)
      expect((await open(service, `${each}/appointment.ics`)).status).toBe(404)
      expect((await submit(service, each, { step: 'cancel' })).status).toBe(410)
    }
  })

  test('a notification that is sent again has a new link, and the old one stays valid', async () => {
    const post = await mailServer()
    const transport = smtpTransport(post.url, 'orders.example')
    const options = { channel: 'email', transport, publicUrl: service.origin, random: randomBytes } as const
    const dispatcher = new NotificationDispatcher({ store: service.store, ...options })
    const order = await created(service)
    while (await dispatcher.round());
    const { body } = await operate(service, 'GET', `/messages?orderId=${order.id}`)
    await operate(service, 'POST', `/messages/${body.data[0].id}/resend`)
    while (await dispatcher.round());
    const secrets = post.mails
      .map(({ source }) => plainText(source))
      .filter((text) => text.includes(order.code))
      .map((text) => /\/o\/([\w-]+)/.exec(text)![1]!)
    expect(new Set(secrets).size).toBe(2)
    for (const secret of secrets) expect((await open(service, secret)).status).toBe(200)
    await cancelled(service, order.id)
    for (const secret of secrets) expect((await open(service, secret)).status).toBe(410)
    transport.close()
    await post.close()
  })
})

describe('expiry', () => {
  test('an expired link shows and does nothing, and other links stay open', async () => {
    const order = await created(service)
    const [late, open_] = [
      await linkTo(service, order.id, { expiresAt: new Date(Date.now() - 1) }),
      await linkTo(service, order.id),
    ]
    expect((await open(service, late)).status).toBe(410)
    expect((await completed(service, late)).status).toBe(410)
    expect((await open(service, `${late}/appointment.ics`)).status).toBe(404)
    expect((await readOrder(service, order.id)).status).toBe('ordered')
    expect((await open(service, open_)).status).toBe(200)
  })
})

describe('timing gives nothing away', () => {
  test('unknown, damaged and expired links run the same queries', async () => {
    const order = await created(service)
    const expired = await linkTo(service, order.id, { expiresAt: new Date(Date.now() - 1) })
    const work = async (secret: string) => {
      const asked: string[] = []
      service.hear(({ text }) => asked.push(text.replaceAll(/\s+/g, ' ')))
      await ask(`/o/${secret}`)
      service.hear(undefined)
      // The use of tokens by earlier requests is written from time to time, possibly now.
      return asked.filter((statement) => !/token_uses|token_requests|update tokens|^ ?(begin|commit)/.test(statement))
    }
    const unknown = await work(randomBytes(24).toString('base64url'))
    expect(unknown.filter((statement) => statement.includes('order_links'))).toHaveLength(1)
    for (const secret of ['x', expired, `${expired}%zz`, expired.slice(1), 'x'.repeat(5000)])
      expect(await work(secret)).toEqual(unknown)
  })
})

describe('methods', () => {
  test('HEAD has the headers of GET and no body', async () => {
    const { secret } = await invited(service)
    for (const [path, status] of [
      [`/o/${secret}`, 200],
      ['/o/guess', 404],
      ['/o/a/b', 404],
    ] as const)
      expect(await ask(path, { method: 'HEAD' })).toMatchObject({ status, text: '' })
  })

  test.each(['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'])(
    '%s is accepted by no link, valid or not',
    async (method) => {
      const { order, secret } = await invited(service)
      const answers = await Promise.all([secret, 'guess'].map((each) => ask(`/o/${each}`, { method })))
      expect(answers.map(({ status }) => status)).toEqual([405, 405])
      expect(answers[0]!.headers['allow']).toBe('GET, HEAD, POST')
      expect(answers[0]!.text).toBe(answers[1]!.text)
      expect(answers[0]!.text).not.toContain(order.code)
    },
  )
})

test('logs contain no links and no referrers', async () => {
  const lines: string[] = []
  const logger = pino({ level: 'trace' }, { write: (line) => void lines.push(line) })
  const talkative = await startService({ logger })
  await talkative.apply(participantWorld())
  const { secret } = await invited(talkative)
  const headers = { referer: `https://orders.example/o/${secret}` }
  for (const path of [secret, `${secret}%zz`, `${secret}/more`, `${secret}?lang=${secret}`, secret.repeat(600)])
    await ask(`/o/${path}`, { headers, at: talkative })
  for (const path of [`/o/${secret}`, `/o/${secret}%ff`, `/api/v2/o/${secret}`])
    await ask(path, { method: 'PUT', headers, at: talkative })
  await talkative.stop()
  expect(lines.join('')).toContain('/o/:secret')
  expect(lines.join('')).not.toContain(secret.slice(0, 12))
})
