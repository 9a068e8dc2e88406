import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { body, created, SECRET, world } from '../orders/given.ts'
import { startService, type TestService } from '../support/service.ts'
import { refusalOf } from './answers.ts'
import { exchange, exchangeOne, open } from './raw.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(world())
})
afterAll(() => service.stop())

const sent = (line: string, { headers = [] as string[], content = '' } = {}) =>
  [
    `${line} HTTP/1.1`,
    'Host: x',
    `Authorization: Bearer ${SECRET}`,
    ...(content === '' ? [] : ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(content)}`]),
    ...headers,
    '',
    content,
  ].join('\r\n')

const LAST = { headers: ['Connection: close'] }

describe('requests that are sent together on one connection', () => {
  test('a read sees the change that was sent before it', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await created(service)
      const path = `/api/v2/orders/${id}`
      const answers = await exchange(
        service.origin,
        sent(`GET ${path}`) + sent(`PUT ${path}/cancellation`) + sent(`GET ${path}`, LAST),
      )
      const seen = answers.map(({ status, text }) => [status, (JSON.parse(text || '{}') as { status?: string }).status])
      expect(seen.map(([status]) => status)).toEqual([200, expect.any(Number), 200])
      expect([seen[0]![1], seen[2]![1]]).toEqual(['ordered', 'cancelled'])
    }
  })

  test('two creates with the same key give one order', async () => {
    const create = (headers: string[]) =>
      sent('POST /api/v2/orders', {
        headers: ['Idempotency-Key: sent-together', ...headers],
        content: JSON.stringify(body()),
      })
    const answers = await exchange(service.origin, create([]) + create(LAST.headers))
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect(answers.map(({ headers }) => headers.get('idempotent-replayed'))).toEqual([null, 'true'])
    expect(answers[1]!.text).toBe(answers[0]!.text)
  })

  test('nonsense after requests is refused after they were answered', async () => {
    const answers = await exchange(
      service.origin,
      `${sent('POST /api/v2/orders', { content: JSON.stringify(body()) })}${sent('GET /api/v2/orders')}nonsense\r\n\r\n`,
    )
    expect(answers.map(({ status }) => status)).toEqual([201, 200, 400])
    expect(refusalOf(answers[2]!)).toBe('400 badRequest')
  })
})

describe('requests behind a connection that ends', () => {
  const create = (key: string, headers: string[] = []) =>
    sent('POST /api/v2/orders', { headers, content: JSON.stringify(body({ externalId: key })) })
  const isCreated = async (key: string) =>
    (await service.call(SECRET, `/api/v2/orders?externalId=${key}`)).body.total as number

  test('a request after an answer that closes the connection is not executed', async () => {
    const malformed = sent('POST /api/v2/orders', { content: '{' })
    const answers = await exchange(service.origin, malformed + create('after-malformed'))
    expect(answers.map(({ status }) => status)).toEqual([400])
    expect(await isCreated('after-malformed')).toBe(0)
    const further = await exchange(service.origin, malformed + create('second') + create('third'))
    expect(further.map(({ status }) => status)).toEqual([400])
    expect([await isCreated('second'), await isCreated('third')]).toEqual([0, 0])
    const closing = await exchange(service.origin, create('closing', ['Connection: close']) + create('after-closing'))
    expect(closing.map(({ status }) => status)).toEqual([201])
    expect([await isCreated('closing'), await isCreated('after-closing')]).toEqual([1, 0])
  })

  test('a request whose body breaks off is refused after those before it, and not executed', async () => {
    const cut = create('cut').slice(0, -20)
    const answers = await exchange(service.origin, `${sent('GET /api/v2/orders')}${cut}`)
    expect(answers.map(({ status }) => status)).toEqual([200, 400])
    expect(await isCreated('cut')).toBe(0)
  })

  test.each(['GET /api/v2/companies', 'GET /api/v2/orders', 'GET /api/v2/%zz', 'GET /healthz'])(
    'of too many requests at once, the first are answered and the connection is closed: %s',
    async (line) => {
      for (let round = 0; round < 2; round++) {
        const answers = await exchange(service.origin, sent(line).repeat(60))
        expect(answers).toHaveLength(34)
        expect(refusalOf(answers.at(-1)!)).toBe('429 tooManyRequests')
      }
    },
  )

  test('CONNECT is refused after the requests before it', async () => {
    const answers = await exchange(
      service.origin,
      `${sent('GET /api/v2/orders')}CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n`,
    )
    expect(answers.map(({ status }) => status)).toEqual([200, 405])
  })

  test('a CONNECT that is reset does not end the process', async () => {
    for (let round = 0; round < 60; round++) {
      const socket = await open(service.origin)
      socket.on('error', () => {})
      socket.write('CONNECT x:1 HTTP/1.1\r\nHost: x\r\n\r\n')
      if (round % 2 === 0) await new Promise((resolve) => void setImmediate(resolve))
      socket.resetAndDestroy()
    }
    expect((await service.call(SECRET, '/api/v2/companies')).status).toBe(200)
  })

  test('a request that asks for another protocol is answered, and the connection is closed', async () => {
    const upgrade = sent('GET /api/v2/orders', { headers: ['Connection: Upgrade', 'Upgrade: h2c'] })
    const answers = await exchange(service.origin, upgrade + create('after-upgrade'))
    expect(answers.map(({ status, headers }) => [status, headers.get('connection')])).toEqual([[200, 'close']])
    expect(await isCreated('after-upgrade')).toBe(0)
  })

  test('a request that was answered before its body broke off is not answered again', async () => {
    const head =
      'POST /api/v2/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer wrong\r\nTransfer-Encoding: chunked\r\n'
    const answers = await exchange(service.origin, `${head}Content-Type: application/json\r\n\r\n5\r\nhello\r\n`, {
      ending: 'ZZZ\r\n',
    })
    expect(answers.map(({ status }) => status)).toEqual([401])
  })

  test('a client that goes on sending a body that is too large can read why it is refused', async () => {
    const socket = await open(service.origin)
    let received = ''
    socket.on('error', () => {})
    socket.on('data', (bytes) => (received += String(bytes))).pause()
    socket.write(
      sent('POST /api/v2/orders', { headers: ['Content-Type: application/json', 'Content-Length: 9000000'] }),
    )
    for (let packet = 0; packet < 5; packet++) {
      socket.write(' '.repeat(100_000))
      await sleep(100)
    }
    socket.resume()
    await expect.poll(() => received).toMatch(/^HTTP\/1.1 413 [^]*tooBig/)
    socket.destroy()
  })

  test('nonsense in many packets is refused once', async () => {
    const socket = await open(service.origin)
    let received = ''
    socket.on('data', (bytes) => (received += String(bytes)))
    socket.write(`${sent('GET /api/v2/orders')}nonsense`)
    for (let packet = 0; packet < 40; packet++) {
      socket.write('x')
      await new Promise((resolve) => void setImmediate(resolve))
    }
    await expect.poll(() => received.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400'])
    socket.destroy()
  })
})

describe('a request with two Host headers is refused', () => {
  test.each(['GET /api/v2/orders', 'GET /api/v2/companies', 'GET /healthz', 'POST /api/v2/orders'])(
    '%s',
    async (line) => {
      const once = await exchangeOne(service.origin, sent(line, LAST))
      expect(once.text).not.toContain('Host')
      for (const second of ['Host: y', 'hOST: x']) {
        const twice = await exchangeOne(service.origin, sent(line, { headers: [second, ...LAST.headers] }))
        expect(refusalOf(twice)).toBe('400 badRequest')
        expect(twice.text).toContain('Host')
      }
    },
  )
})
