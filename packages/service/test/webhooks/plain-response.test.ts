import * as fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import { MAX_BODY_BYTES } from '../../src/webhooks/exchange.ts'
import { ParsedResponse } from '../../src/webhooks/parsed-response.ts'
import { readPlainResponse, type Answer } from '../../src/webhooks/plain-response.ts'
import { composeRequest } from '../../src/webhooks/request-bytes.ts'
import { closeAll, openSender, rawReceiver, request } from './receivers.ts'

afterEach(closeAll)

const readPlain = (text: string) => readPlainResponse(Buffer.from(text, 'latin1'), MAX_BODY_BYTES)

/** What `node:http` makes of the same bytes, if it finds a whole response in them. */
function parse(text: string): Promise<(Answer & { isReusable: boolean; body: string }) | null> {
  return new Promise((resolve) => {
    const response = new ParsedResponse({
      maxBodyBytes: MAX_BODY_BYTES,
      answered: (answer, how) => resolve({ ...answer, ...how, body: response.body.toString('latin1') }),
      failed: () => resolve(null),
    })
    response.receive(Buffer.from(text, 'latin1'))
    // A response that is not complete yet.
    setTimeout(() => resolve(null), 50).unref()
  })
}

describe('a plain response', () => {
  test.each([
    ['with an empty body', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n', { status: 200 }],
    ['without a body', 'HTTP/1.1 204 No Content\r\nServer: a\r\n\r\n', { status: 204 }],
    ['without a reason', 'HTTP/1.1 202 \r\ncontent-length:0 \t\r\n\r\n', { status: 202 }],
    ['of a busy receiver', 'HTTP/1.1 503 Busy\r\nRetry-After: 7 \r\nContent-Length: 0\r\n\r\n', { retryAfter: '7' }],
    [
      'that keeps the connection',
      'HTTP/1.1 200 OK\r\nConnection: Keep-Alive\r\nKeep-Alive: timeout=5\r\nContent-Length: 2\r\n\r\nok',
      { keepAlive: 'timeout=5', body: Buffer.from('ok') },
    ],
  ])('a response %s is read without a parser', (_, text, expected) => {
    expect(readPlain(text)).toMatchObject(expected)
  })

  test.each([
    ['that is not complete', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\no'],
    ['whose head is not complete', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\n'],
    ['with more bytes after it', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok!'],
    ['without a length', 'HTTP/1.1 200 OK\r\n\r\n'],
    ['with two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 0\r\nContent-Length: 0\r\n\r\n'],
    ['with a signed length', 'HTTP/1.1 200 OK\r\nContent-Length: +0\r\n\r\n'],
    ['with a list of lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 0, 0\r\n\r\n'],
    ['in chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['with a length and chunks', 'HTTP/1.1 200 OK\r\nContent-Length: 5\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n'],
    ['that ends the connection', 'HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n'],
    ['that upgrades the connection', 'HTTP/1.1 200 OK\r\nUpgrade: a\r\nContent-Length: 0\r\n\r\n'],
    ['that is interim', 'HTTP/1.1 103 Early Hints\r\nContent-Length: 0\r\n\r\n'],
    ['with a status of four digits', 'HTTP/1.1 2000 OK\r\nContent-Length: 0\r\n\r\n'],
    ['of HTTP/1.0', 'HTTP/1.0 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['after an empty line', '\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n'],
    ['with bare line feeds', 'HTTP/1.1 200 OK\nContent-Length: 0\n\n'],
    ['with a bare line feed in a value', 'HTTP/1.1 200 OK\r\nA: b\nc: d\r\nContent-Length: 0\r\n\r\n'],
    ['with a folded header', 'HTTP/1.1 200 OK\r\nA: b\r\n c\r\nContent-Length: 0\r\n\r\n'],
    ['with a space before a colon', 'HTTP/1.1 200 OK\r\nContent-Length : 0\r\n\r\n'],
    ['with a line that is no header', 'HTTP/1.1 200 OK\r\nnothing\r\nContent-Length: 0\r\n\r\n'],
    ['with a control character', 'HTTP/1.1 200 OK\r\nA: \u0000\r\nContent-Length: 0\r\n\r\n'],
    ['of a body where none may be', 'HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nok'],
    ['that announces the length of what has not changed', 'HTTP/1.1 304 Not Modified\r\nContent-Length: 2\r\n\r\n'],
    ['over the limit of a body', `HTTP/1.1 200 OK\r\nContent-Length: 16385\r\n\r\n${'x'.repeat(16_385)}`],
    ['with a long head', `HTTP/1.1 200 OK\r\nA: ${'x'.repeat(2_048)}\r\nContent-Length: 0\r\n\r\n`],
    ['with many headers', `HTTP/1.1 200 OK\r\n${'a:b\r\n'.repeat(40)}Content-Length: 0\r\n\r\n`],
  ])('a response %s is left to the parser', (_, text) => {
    expect(readPlain(text)).toBeNull()
  })

  test('whatever is read without a parser, node:http reads alike', async () => {
    let plainOnes = 0
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.constantFrom(...PARTS), { maxLength: 6 }),
        fc.constantFrom(...ENDS),
        async (parts, end) => {
          const text = `${parts.join('')}${end}`
          for (const start of STARTS) {
            const whole = `${start}${text}`
            const plain = readPlain(whole)
            if (!plain) continue
            plainOnes += 1
            expect(await parse(whole)).toEqual({ ...plain, body: plain.body.toString('latin1'), isReusable: true })
          }
        },
      ),
      { numRuns: 2_000 },
    )
    expect(plainOnes).toBeGreaterThan(100)
  })

  test('a response in two parts is read like a whole one, wherever it is divided', async () => {
    const text = 'HTTP/1.1 503 Busy\r\nRetry-After: 9\r\nContent-Length: 4\r\n\r\nbody'
    let at = 1
    const receiver = await rawReceiver((socket) =>
      socket.on('data', () => {
        socket.write(text.slice(0, at))
        setTimeout(() => socket.write(text.slice(at)), 5)
      }),
    )
    const sender = openSender()
    for (; at < text.length; at += 1) {
      const { outcome, excerpt } = await sender.send(request(receiver.url))
      expect({ outcome, excerpt }).toEqual({
        outcome: { kind: 'answered', status: 503, retryAfter: '9' },
        excerpt: 'body',
      })
    }
    expect(receiver.arrivals).toHaveLength(1)
  })

  test('a plain response and one in chunks follow each other on a connection', async () => {
    let count = 0
    const receiver = await rawReceiver((socket) =>
      socket.on('data', () => {
        count += 1
        if (count % 2 === 0) socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n')
        else socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok')
      }),
    )
    const sender = openSender()
    for (let i = 0; i < 6; i += 1) expect((await sender.send(request(receiver.url))).excerpt).toBe('ok')
    expect(receiver.arrivals).toHaveLength(1)
  })
})

describe('the bytes of a request', () => {
  const compose = (headers: Record<string, string>, body = 'body') =>
    composeRequest(new URL('http://example.com:8080/a b?c=d e#f'), { headers, body: Buffer.from(body) })

  test('a request has its head, its headers in their order, and the exact bytes of its body', () => {
    expect(compose({ 'X-B': '2', 'X-A': 'é' }, 'bödy')!.toString('latin1')).toBe(
      `POST /a%20b?c=d%20e HTTP/1.1\r\nHost: example.com:8080\r\nConnection: keep-alive\r\nContent-Length: 5\r\nX-B: 2\r\nX-A: é\r\n\r\n${Buffer.from('bödy').toString('latin1')}`,
    )
  })

  test.each(['a\r\nb: c', 'a\nb', 'a\rb', 'a\u0000', '\u{1f600}', 'ł'])(
    'a header with the value %j is never sent',
    (value) => {
      expect(compose({ 'X-A': value })).toBeNull()
    },
  )

  test.each(['', 'a b', 'a:', 'a\r\n', 'é'])('a header with the name %j is never sent', (name) => {
    expect(compose({ [name]: 'a' })).toBeNull()
  })
})

/** Pieces of responses, near what is plain. */
const STARTS = ['', ...['200 OK', '404 Not\tFound', '204 ', '304 Not Modified'].flatMap(startsOf)]
const PARTS = [
  'HTTP/1.1 200 OK\r\n',
  'Content-Length: 0\r\n',
  'Content-Length: 2\r\n',
  'content-length:\t02 \r\n',
  'Content-Length: 2, 2\r\n',
  'Connection: keep-alive\r\n',
  'Connection: close\r\n',
  'Connection: keep-alive, upgrade\r\n',
  'Keep-Alive: timeout=5\r\n',
  'Keep-Alive: timeout=9\r\n',
  'Retry-After: 3\t\r\n',
  'Retry-After:\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: identity\r\n',
  'Trailer: a\r\n',
  'Upgrade: a\r\n',
  'A: b\r\n',
  'A :b\r\n',
  ' folded\r\n',
  'A: \u0001\r\n',
  'A: \u00e9\r\n',
  '\r\n',
  '\n',
]
const ENDS = ['\r\n', '\r\nok', '\r\nokk', '\r\no', '\n\n', '', '\r\n0\r\n\r\n']

function startsOf(status: string): string[] {
  const line = `HTTP/1.1 ${status}\r\n`
  return [line, `${line}Content-Length: 0\r\n`, `${line}Content-Length: 2\r\n`]
}
