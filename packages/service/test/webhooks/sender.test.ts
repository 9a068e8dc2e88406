import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { Worker as Thread } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { afterEach, describe, expect, test } from 'vitest'
import {
  bytesReceiver,
  closeAll,
  dripping,
  flooding,
  httpReceiver,
  openSender,
  rawReceiver,
  request,
  type Receiver,
} from './receivers.ts'
import { TIMEOUT_MS } from '../../src/webhooks/sender.ts'

afterEach(closeAll)

const answered = (status: number, retryAfter: string | null = null) => ({ kind: 'answered', status, retryAfter })
const failed = (error: string) => ({ kind: 'failed', error })
const OK = 'HTTP/1.1 200 OK\r\n'
const KIB = 1024
/** Far below the sender's usual limit, and more than a busy machine needs. */
const UNHURRIED_MS = TIMEOUT_MS / 2

describe('an attempt', () => {
  test('an attempt posts the exact bytes with the given headers', async () => {
    const receiver = await httpReceiver()
    const body = randomBytes(100_000)
    await openSender().send(request(`${receiver.url}?a=1&b=%20#part`, { 'X-Team': 'safety', 'X-Latin': 'é' }, body))
    const [got] = receiver.requests
    expect(got).toMatchObject({ method: 'POST', path: '/hook?a=1&b=%20' })
    expect(got!.headers).toMatchObject({ host: `127.0.0.1:${receiver.port}`, 'x-team': 'safety', 'x-latin': 'é' })
    expect(got!.headers['content-length']).toBe('100000')
    expect(got!.body.equals(body)).toBe(true)
  })

  test.each([200, 201, 202, 204, 301, 302, 307, 400, 404, 410, 500, 503])(
    'an attempt reports status %i and follows no redirect',
    async (status) => {
      const receiver = await httpReceiver((_, response) => response.writeHead(status, { Location: '/other' }).end())
      const attempt = await openSender().send(request(receiver.url))
      expect(attempt).toMatchObject({ outcome: answered(status), excerpt: '', detail: null })
      expect(attempt.ms).toBeGreaterThanOrEqual(0)
      // A redirect is not followed.
      expect(receiver.requests).toHaveLength(1)
    },
  )

  test('a response that arrived while this process stalled counts as in time', async () => {
    // In a thread of its own, so that it answers while this one is blocked.
    const thread = new Thread(
      `const { parentPort } = require('node:worker_threads')
      const server = require('node:http').createServer((_, response) => response.end('in time'))
      server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port))`,
      { eval: true },
    )
    const [port] = (await once(thread, 'message')) as [number]
    const sender = openSender({ timeoutMs: 300 })
    await sender.send(request(`http://127.0.0.1:${port}/`))
    const attempt = sender.send(request(`http://127.0.0.1:${port}/`))
    // Sent, but not answered yet.
    await new Promise((resolve) => void setImmediate(resolve))
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1_000)
    expect(await attempt).toMatchObject({ outcome: answered(200), excerpt: 'in time' })
    await thread.terminate()
  })

  test('an attempt reports Retry-After', async () => {
    const receiver = await httpReceiver((_, response) => response.writeHead(503, { 'Retry-After': '120' }).end())
    expect((await openSender().send(request(receiver.url))).outcome).toEqual(answered(503, '120'))
  })

  test('an attempt keeps the beginning of the response as harmless text', async () => {
    const receiver = await httpReceiver((_, response) => response.end('héllo\r\n\u001b[31m\0\u202eevil\u009b\tend'))
    expect((await openSender().send(request(receiver.url))).excerpt).toBe('héllo  �[31m��evil� end')
  })

  test('an attempt keeps at most 1,024 characters of the response', async () => {
    const receiver = await httpReceiver((_, response) => response.end('🙂'.repeat(2000)))
    const { excerpt } = await openSender().send(request(receiver.url))
    expect(excerpt).toBe('🙂'.repeat(512))
  })

  test('an attempt removes credentials that the response echoes', async () => {
    const receiver = await httpReceiver((got, response) =>
      response.end('.'.repeat(1000) + String(got.headers['x-key'])),
    )
    const { excerpt } = await openSender().send(request(receiver.url, { 'X-Key': 'hunter2'.repeat(9) }))
    expect(excerpt).toBe(`${'.'.repeat(1000)}[removed]`)
  })

  test('an attempt removes the participant’s identifiers that the response echoes', async () => {
    const identifiers = [
      { type: 'ssn', value: '536-22-8841' },
      { type: 'driverLicense', value: 'L400-1234-5678' },
    ]
    const body = Buffer.from(JSON.stringify({ object: 'order', participant: { firstName: 'Maria', identifiers } }))
    const receiver = await httpReceiver((_, response) =>
      response.writeHead(500).end(`536228841 L40012345678 ${body.toString()}`),
    )
    const { excerpt } = await openSender().send(request(receiver.url, {}, body))
    expect(excerpt).toContain('"firstName":"Maria"')
    expect(excerpt.match(/\[removed\]/g)).toHaveLength(4)
    expect(excerpt).not.toMatch(/8841|5678/)
  })

  test('an attempt to an invalid URL is unsendable', async () => {
    const sender = openSender()
    for (const url of ['', 'hook', 'ftp://127.0.0.1/', 'http://', 'http://a b/', 'http://127.0.0.1:99999/']) {
      expect((await sender.send(request(url))).outcome).toEqual(failed('unsendable'))
    }
  })

  test('an attempt with an invalid header is unsendable, and the detail does not repeat it', async () => {
    const receiver = await httpReceiver()
    const attempt = await openSender().send(request(receiver.url, { Authorization: 'secret\r\nX-Evil: 1' }))
    expect(attempt.outcome).toEqual(failed('unsendable'))
    expect(attempt.detail).not.toContain('secret')
    expect(receiver.requests).toEqual([])
  })

  test('an attempt never rejects, whatever its input', async () => {
    const sender = openSender({ allow: [], resolve: () => Promise.resolve(['127.0.0.1']), timeoutMs: 1_000 })
    const urls = fc.oneof(fc.webUrl({ validSchemes: ['http', 'https', 'ftp'] }), fc.string())
    await fc.assert(
      fc.asyncProperty(urls, fc.dictionary(fc.string(), fc.string()), async (url, headers) => {
        expect((await sender.send(request(url, headers))).outcome.kind).toBe('failed')
      }),
    )
  })
})

describe('a slow receiver', () => {
  test.each<[how: string, start: () => Promise<Receiver>]>([
    ['hangs before its response', () => rawReceiver((socket) => socket.resume())],
    ['hangs within its headers', () => bytesReceiver(`${OK}Content-Length: 2\r\n`)],
    ['hangs within its body', () => bytesReceiver(`${OK}Content-Length: 9\r\n\r\nbegun`)],
    ['drips its headers', () => dripping(`${OK}X-Slow: ${'a'.repeat(1000)}`)],
    ['drips its body', () => dripping('a'.repeat(1000), `${OK}Content-Length: 1000\r\n\r\n`)],
    ['drips its chunks', () => dripping('1\r\na\r\n'.repeat(1000), `${OK}Transfer-Encoding: chunked\r\n\r\n`)],
  ])('a receiver that %s fails with timeout at the deadline', async (_, start) => {
    const receiver = await start()
    const attempt = await openSender({ timeoutMs: 300 }).send(request(receiver.url))
    expect(attempt.outcome).toEqual(failed('timeout'))
    expect(attempt.ms).toBeGreaterThanOrEqual(295)
    expect(attempt.ms).toBeLessThan(UNHURRIED_MS)
    await expect.poll(() => receiver.open()).toBe(0)
  })

  test('a receiver that stops within its body has not answered, and the part received is kept', async () => {
    const receiver = await bytesReceiver(`${OK}Content-Length: 9\r\n\r\nbegun`)
    const attempt = await openSender({ timeoutMs: 100 }).send(request(receiver.url))
    expect(attempt).toMatchObject({ outcome: failed('timeout'), excerpt: 'begun' })
  })

  test('a receiver that never reads the request fails with timeout', async () => {
    const receiver = await rawReceiver((socket) => socket.pause())
    const attempt = await openSender({ timeoutMs: 300 }).send(request(receiver.url, {}, Buffer.alloc(20_000_000)))
    expect(attempt.outcome).toEqual(failed('timeout'))
    expect(attempt.ms).toBeLessThan(UNHURRIED_MS)
  })

  test('a receiver that never completes the TLS handshake fails with timeout', async () => {
    const receiver = await rawReceiver((socket) => socket.resume())
    const sender = openSender({ timeoutMs: 300 })
    const attempt = await sender.send(request(receiver.url.replace('http:', 'https:')))
    expect(attempt.outcome).toEqual(failed('timeout'))
    await expect.poll(() => receiver.open()).toBe(0)
  })

  test('a receiver whose name lookup hangs fails with timeout', async () => {
    const sender = openSender({ timeoutMs: 200, resolve: () => new Promise(() => {}) })
    const attempt = await sender.send(request('http://receiver.example/'))
    expect(attempt.outcome).toEqual(failed('timeout'))
    expect(attempt.ms).toBeLessThan(UNHURRIED_MS)
  })

  test('a receiver whose name resolves after the deadline is not contacted', async () => {
    const receiver = await httpReceiver()
    let find = (_: string[]) => {}
    const sender = openSender({ timeoutMs: 100, resolve: () => new Promise((resolve) => (find = resolve)) })
    expect((await sender.send(request(`http://receiver.example:${receiver.port}/`))).outcome).toEqual(failed('timeout'))
    find(['127.0.0.1'])
    await openSender().send(request(receiver.url))
    expect(receiver.arrivals).toHaveLength(1)
  })
})

describe('a receiver with an oversized response', () => {
  test('a response is judged by its status after 16 KiB of body, and the connection is closed', async () => {
    let sent = 0
    const receiver = await flooding(`${OK}Content-Length: ${2 ** 30}\r\n\r\n`, 'a'.repeat(64 * KIB), {
      sent: (n) => (sent = n),
    })
    const attempt = await openSender().send(request(receiver.url))
    expect(attempt).toMatchObject({ outcome: answered(200), excerpt: 'a'.repeat(1024) })
    await expect.poll(() => receiver.open()).toBe(0)
    // No more than fits in the system's buffers.
    expect(sent).toBeLessThan(16_000 * KIB)
  })

  test('a connection is kept after a body of 16 KiB and closed after one byte more', async () => {
    const receiver = await httpReceiver((got, response) => response.end('a'.repeat(Number(got.url!.slice(1)))))
    const sender = openSender()
    const send = (size: number) => sender.send(request(`http://127.0.0.1:${receiver.port}/${size}`))
    await send(16 * KIB)
    await send(16 * KIB + 1)
    expect(receiver.arrivals).toHaveLength(1)
    await send(16 * KIB)
    expect(receiver.arrivals).toHaveLength(2)
  })

  test('an endless chunked response is aborted', async () => {
    const receiver = await flooding(`${OK}Transfer-Encoding: chunked\r\n\r\n`, `400\r\n${'a'.repeat(KIB)}\r\n`)
    expect((await openSender().send(request(receiver.url))).outcome).toEqual(answered(200))
    await expect.poll(() => receiver.open()).toBe(0)
  })

  test('a compressed response is not decompressed', async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000))
    const receiver = await httpReceiver((_, response) =>
      response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(bomb),
    )
    const attempt = await openSender().send(request(receiver.url))
    expect(attempt.outcome).toEqual(answered(200))
    expect(attempt.excerpt.length).toBeLessThanOrEqual(1024)
    expect(attempt.excerpt).toMatch(/^\ufffd/)
  })

  test.each([
    ['one endless header', `${OK}X-A: `, 'a'.repeat(KIB)],
    ['endless headers', OK, 'X-A: a\r\n'],
    ['endless trailers', `${OK}Transfer-Encoding: chunked\r\n\r\n0\r\n`, 'X-A: a\r\n'],
    ['an endless status line', 'HTTP/1.1 200 ', 'a'.repeat(KIB)],
    ['endless empty lines', '', '\r\n'],
    ['an endless chunk extension', `${OK}Transfer-Encoding: chunked\r\n\r\n1;a=`, 'a'.repeat(KIB)],
    ['endless interim responses', '', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'],
    ['endless “100 Continue”', '', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('a response of %s fails with badAnswer', async (_, start, more) => {
    const receiver = await flooding(start, more)
    const attempt = await openSender().send(request(receiver.url))
    expect(attempt.outcome).toEqual(failed('badAnswer'))
    expect(attempt.ms).toBeLessThan(UNHURRIED_MS)
    await expect.poll(() => receiver.open()).toBe(0)
  })

  test.each(['103 Early Hints', '100 Continue', '100 Continue\r\nDate: today', '102 Processing'])(
    'a few interim responses before the final one are skipped: %s',
    async (interim) => {
      const answer = `${`HTTP/1.1 ${interim}\r\n\r\n`.repeat(3)}${OK}Content-Length: 4\r\n\r\nfine`
      const receiver = await rawReceiver((socket) => socket.on('data', () => socket.write(answer)))
      const sender = openSender()
      for (let i = 0; i < 2; i++) {
        expect(await sender.send(request(receiver.url))).toMatchObject({ outcome: answered(200), excerpt: 'fine' })
      }
      expect(receiver.arrivals).toHaveLength(1)
      const slow = await dripping(`${answer}${' '.repeat(1000)}`, '', { everyMs: 1 })
      expect(await openSender().send(request(slow.url))).toMatchObject({ outcome: answered(200), excerpt: 'fine' })
    },
  )

  test('a body that consists of line breaks is read to its end', async () => {
    const receiver = await httpReceiver((_, response) => response.end('\n'.repeat(16 * KIB)))
    expect((await openSender().send(request(receiver.url))).outcome).toEqual(answered(200))
  })
})

describe('a receiver with a malformed or incomplete response', () => {
  test.each([
    ['random bytes', Buffer.from([0, 1, 2, 255, 254, 10, 13])],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['no status', 'HTTP/1.1 OK\r\n\r\n'],
    ['a broken chunk', `${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
    ['an unsolicited upgrade', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'],
  ])('a malformed response fails with badAnswer: %s', async (_, bytes) => {
    const receiver = await bytesReceiver(bytes)
    const attempt = await openSender().send(request(receiver.url))
    expect(attempt.outcome).toEqual(failed('badAnswer'))
    await expect.poll(() => receiver.open()).toBe(0)
  })

  test('any bytes from a receiver lead to an outcome', async () => {
    let bytes = Buffer.alloc(0)
    const receiver = await rawReceiver((socket) => socket.once('data', () => socket.end(bytes)))
    const sender = openSender()
    const pieces = fc.constantFrom(
      OK,
      'Content-Length: 3\r\n',
      'Transfer-Encoding: chunked\r\n',
      '\r\n',
      '3\r\nabc\r\n',
      '0\r\n\r\n',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(pieces, fc.string()), { maxLength: 8 }), async (parts) => {
        bytes = Buffer.from(parts.join(''))
        const { outcome } = await sender.send(request(receiver.url))
        expect(['answered 200', 'failed reset', 'failed badAnswer']).toContain(
          outcome.kind === 'answered' ? `answered ${outcome.status}` : `failed ${outcome.error}`,
        )
      }),
    )
  })

  test.each([
    ['before its response', ''],
    ['within its headers', `${OK}Content-`],
    ['within its body', `${OK}Content-Length: 9\r\n\r\nbegun`],
    ['within its last body', `${OK}Connection: close\r\nContent-Length: 9\r\n\r\nbegun`],
    ['within its chunks', `${OK}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab`],
  ])('a receiver that closes the connection %s fails with reset', async (_, bytes) => {
    const receiver = await rawReceiver((socket) => socket.once('data', () => socket.end(bytes)))
    expect((await openSender().send(request(receiver.url))).outcome).toEqual(failed('reset'))
    expect(receiver.arrivals).toHaveLength(1)
  })

  test('a receiver that resets the connection fails with reset', async () => {
    const receiver = await rawReceiver((socket) => socket.once('data', () => socket.resetAndDestroy()))
    expect((await openSender().send(request(receiver.url))).outcome).toEqual(failed('reset'))
  })

  test('a complete response counts although the receiver closes at once', async () => {
    const receiver = await rawReceiver((socket) =>
      socket.once('data', () => socket.end(`${OK}Connection: close\r\n\r\nfine`)),
    )
    expect(await openSender().send(request(receiver.url))).toMatchObject({ outcome: answered(200), excerpt: 'fine' })
  })
})
