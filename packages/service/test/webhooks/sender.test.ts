import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker as Thread } from 'node:worker_threads'
import { gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { afterEach, describe, expect, test, vi } from 'vitest'
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

afterEach(closeAll)

const answered = (status: number, retryAfter: string | null = null) => ({ kind: 'answered', status, retryAfter })
const failed = (error: string) => ({ kind: 'failed', error })
const OK = 'HTTP/1.1 200 OK\r\n'
const KIB = 1024

describe('an attempt', () => {
  test('posts the exact bytes with the headers it was given', async () => {
    const receiver = await httpReceiver()
    const body = randomBytes(100_000)
    await openSender().send(request(`${receiver.url}?a=1&b=%20#part`, { 'X-Team': 'safety', 'X-Latin': 'é' }, body))
    const [got] = receiver.requests
    expect(got).toMatchObject({ method: 'POST', path: '/hook?a=1&b=%20' })
    expect(got!.headers).toMatchObject({ host: `127.0.0.1:${receiver.port}`, 'x-team': 'safety', 'x-latin': 'é' })
    expect(got!.headers['content-length']).toBe('100000')
    expect(got!.body.equals(body)).toBe(true)
  })

  test.each([200, 201, 202, 204, 301, 302, 307, 400, 404, 410, 500, 503])('reports %i as it came', async (status) => {
    const receiver = await httpReceiver((_, response) => response.writeHead(status, { Location: '/other' }).end())
    const attempt = await openSender().send(request(receiver.url))
    expect(attempt).toMatchObject({ outcome: answered(status), excerpt: '', detail: null })
    expect(attempt.ms).toBeGreaterThanOrEqual(0)
    // A redirect is not followed.
    expect(receiver.requests).toHaveLength(1)
  })

  test('is not late because this process was: an answer that arrived during a stall counts', async () => {
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

  test('reports Retry-After', async () => {
    const receiver = await httpReceiver((_, response) => response.writeHead(503, { 'Retry-After': '120' }).end())
    expect((await openSender().send(request(receiver.url))).outcome).toEqual(answered(503, '120'))
  })

  test('keeps how the answer begins, as text that does no harm', async () => {
    const receiver = await httpReceiver((_, response) => response.end('héllo\r\n\u001b[31m\0\u202eevil\u009b\tend'))
    expect((await openSender().send(request(receiver.url))).excerpt).toBe('héllo  �[31m��evil� end')
  })

  test('keeps no more than 1,024 characters of it', async () => {
    const receiver = await httpReceiver((_, response) => response.end('🙂'.repeat(2000)))
    const { excerpt } = await openSender().send(request(receiver.url))
    expect(excerpt).toBe('🙂'.repeat(512))
  })

  test('keeps no credentials that the answer repeats', async () => {
    const receiver = await httpReceiver((got, response) =>
      response.end('.'.repeat(1000) + String(got.headers['x-key'])),
    )
    const { excerpt } = await openSender().send(request(receiver.url, { 'X-Key': 'hunter2'.repeat(9) }))
    expect(excerpt).toBe(`${'.'.repeat(1000)}[removed]`)
  })

  test('the excerpt of an answer keeps none of the participant’s identifiers that the receiver repeats', async () => {
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

  test('to what is no address is unsendable', async () => {
    const sender = openSender()
    for (const url of ['', 'hook', 'ftp://127.0.0.1/', 'http://', 'http://a b/', 'http://127.0.0.1:99999/']) {
      expect((await sender.send(request(url))).outcome).toEqual(failed('unsendable'))
    }
  })

  test('with a header that cannot be written is unsendable, and the detail does not repeat it', async () => {
    const receiver = await httpReceiver()
    const attempt = await openSender().send(request(receiver.url, { Authorization: 'secret\r\nX-Evil: 1' }))
    expect(attempt.outcome).toEqual(failed('unsendable'))
    expect(attempt.detail).not.toContain('secret')
    expect(receiver.requests).toEqual([])
  })

  test('never rejects, whatever it is given', async () => {
    const sender = openSender({ allow: [], resolve: () => Promise.resolve(['127.0.0.1']), timeoutMs: 1_000 })
    const urls = fc.oneof(fc.webUrl({ validSchemes: ['http', 'https', 'ftp'] }), fc.string())
    await fc.assert(
      fc.asyncProperty(urls, fc.dictionary(fc.string(), fc.string()), async (url, headers) => {
        expect((await sender.send(request(url, headers))).outcome.kind).toBe('failed')
      }),
    )
  })
})

describe('a receiver that takes its time', () => {
  test.each<[how: string, start: () => Promise<Receiver>]>([
    ['hangs before its answer', () => rawReceiver((socket) => socket.resume())],
    ['hangs within its headers', () => bytesReceiver(`${OK}Content-Length: 2\r\n`)],
    ['hangs within its body', () => bytesReceiver(`${OK}Content-Length: 9\r\n\r\nbegun`)],
    ['drips its headers', () => dripping(`${OK}X-Slow: ${'a'.repeat(1000)}`)],
    ['drips its body', () => dripping('a'.repeat(1000), `${OK}Content-Length: 1000\r\n\r\n`)],
    ['drips its chunks', () => dripping('1\r\na\r\n'.repeat(1000), `${OK}Transfer-Encoding: chunked\r\n\r\n`)],
  ])('%s, and the attempt ends in time', async (_, start) => {
    const receiver = await start()
    const attempt = await openSender({ timeoutMs: 300 }).send(request(receiver.url))
    expect(attempt.outcome).toEqual(failed('timeout'))
    expect(attempt.ms).toBeGreaterThanOrEqual(295)
    expect(attempt.ms).toBeLessThan(1000)
    await vi.waitFor(() => expect(receiver.open()).toBe(0))
  })

  test('has answered nothing until all of its body is there, though what came is kept', async () => {
    const receiver = await bytesReceiver(`${OK}Content-Length: 9\r\n\r\nbegun`)
    const attempt = await openSender({ timeoutMs: 100 }).send(request(receiver.url))
    expect(attempt).toMatchObject({ outcome: failed('timeout'), excerpt: 'begun' })
  })

  test('never reads the request', async () => {
    const receiver = await rawReceiver((socket) => socket.pause())
    const attempt = await openSender({ timeoutMs: 300 }).send(request(receiver.url, {}, Buffer.alloc(20_000_000)))
    expect(attempt.outcome).toEqual(failed('timeout'))
    expect(attempt.ms).toBeLessThan(1500)
  })

  test('takes the connection but never shakes hands', async () => {
    const receiver = await rawReceiver((socket) => socket.resume())
    const sender = openSender({ timeoutMs: 300 })
    const attempt = await sender.send(request(receiver.url.replace('http:', 'https:')))
    expect(attempt.outcome).toEqual(failed('timeout'))
    await vi.waitFor(() => expect(receiver.open()).toBe(0))
  })

  test('has a name that takes as long to look up', async () => {
    const sender = openSender({ timeoutMs: 200, resolve: () => new Promise(() => {}) })
    const attempt = await sender.send(request('http://receiver.example/'))
    expect(attempt.outcome).toEqual(failed('timeout'))
    expect(attempt.ms).toBeLessThan(600)
  })

  test('is not called any more once its name is found too late', async () => {
    const receiver = await httpReceiver()
    const sender = openSender({ timeoutMs: 100, resolve: () => sleep(200, ['127.0.0.1']) })
    expect((await sender.send(request(`http://receiver.example:${receiver.port}/`))).outcome).toEqual(failed('timeout'))
    await sleep(300)
    expect(receiver.arrivals).toEqual([])
  })
})

describe('a receiver that sends too much', () => {
  test('counts by its status once 16 KiB of the body are read, and the connection is closed', async () => {
    let sent = 0
    const receiver = await flooding(`${OK}Content-Length: ${2 ** 30}\r\n\r\n`, 'a'.repeat(64 * KIB), {
      sent: (n) => (sent = n),
    })
    const attempt = await openSender().send(request(receiver.url))
    expect(attempt).toMatchObject({ outcome: answered(200), excerpt: 'a'.repeat(1024) })
    await vi.waitFor(() => expect(receiver.open()).toBe(0))
    // What the system's buffers took, and no more.
    expect(sent).toBeLessThan(16_000 * KIB)
  })

  test('keeps its connection with 16 KiB, and loses it with a byte more', async () => {
    const receiver = await httpReceiver((got, response) => response.end('a'.repeat(Number(got.url!.slice(1)))))
    const sender = openSender()
    const send = (size: number) => sender.send(request(`http://127.0.0.1:${receiver.port}/${size}`))
    await send(16 * KIB)
    await send(16 * KIB + 1)
    expect(receiver.arrivals).toHaveLength(1)
    await send(16 * KIB)
    expect(receiver.arrivals).toHaveLength(2)
  })

  test('in chunks, is stopped too', async () => {
    const receiver = await flooding(`${OK}Transfer-Encoding: chunked\r\n\r\n`, `400\r\n${'a'.repeat(KIB)}\r\n`)
    expect((await openSender().send(request(receiver.url))).outcome).toEqual(answered(200))
    await vi.waitFor(() => expect(receiver.open()).toBe(0))
  })

  test('compressed, is not unpacked', async () => {
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
    ['one header without end', `${OK}X-A: `, 'a'.repeat(KIB)],
    ['headers without end', OK, 'X-A: a\r\n'],
    ['trailers without end', `${OK}Transfer-Encoding: chunked\r\n\r\n0\r\n`, 'X-A: a\r\n'],
    ['a status line without end', 'HTTP/1.1 200 ', 'a'.repeat(KIB)],
    ['empty lines without end', '', '\r\n'],
    ['an extension of a chunk without end', `${OK}Transfer-Encoding: chunked\r\n\r\n1;a=`, 'a'.repeat(KIB)],
    ['interim answers without end', '', 'HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n'],
    ['“continue” without end', '', 'HTTP/1.1 100 Continue\r\n\r\n'],
  ])('as %s has given a bad answer', async (_, start, more) => {
    const receiver = await flooding(start, more)
    const attempt = await openSender().send(request(receiver.url))
    expect(attempt.outcome).toEqual(failed('badAnswer'))
    expect(attempt.ms).toBeLessThan(2000)
    await vi.waitFor(() => expect(receiver.open()).toBe(0))
  })

  test.each(['103 Early Hints', '100 Continue', '100 Continue\r\nDate: today', '102 Processing'])(
    'as a few interim answers is heard out: %s',
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

  test('as a body of nothing but line breaks is heard out', async () => {
    const receiver = await httpReceiver((_, response) => response.end('\n'.repeat(16 * KIB)))
    expect((await openSender().send(request(receiver.url))).outcome).toEqual(answered(200))
  })
})

describe('a receiver that answers badly', () => {
  test.each([
    ['bytes at random', Buffer.from([0, 1, 2, 255, 254, 10, 13])],
    ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['no status', 'HTTP/1.1 OK\r\n\r\n'],
    ['a broken chunk', `${OK}Transfer-Encoding: chunked\r\n\r\nzz\r\n`],
    ['an unasked upgrade', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'],
  ])('has given a bad answer: %s', async (_, bytes) => {
    const receiver = await bytesReceiver(bytes)
    const attempt = await openSender().send(request(receiver.url))
    expect(attempt.outcome).toEqual(failed('badAnswer'))
    await vi.waitFor(() => expect(receiver.open()).toBe(0))
  })

  test('is never answered for: any bytes end in an outcome', async () => {
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
    ['before its answer', ''],
    ['within its headers', `${OK}Content-`],
    ['within its body', `${OK}Content-Length: 9\r\n\r\nbegun`],
    ['within its last body', `${OK}Connection: close\r\nContent-Length: 9\r\n\r\nbegun`],
    ['within its chunks', `${OK}Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nab`],
  ])('is a reset when it closes %s', async (_, bytes) => {
    const receiver = await rawReceiver((socket) => socket.once('data', () => socket.end(bytes)))
    expect((await openSender().send(request(receiver.url))).outcome).toEqual(failed('reset'))
    expect(receiver.arrivals).toHaveLength(1)
  })

  test('is a reset when it drops the connection', async () => {
    const receiver = await rawReceiver((socket) => socket.once('data', () => socket.resetAndDestroy()))
    expect((await openSender().send(request(receiver.url))).outcome).toEqual(failed('reset'))
  })

  test('but fully is heard though it closes at once', async () => {
    const receiver = await rawReceiver((socket) =>
      socket.once('data', () => socket.end(`${OK}Connection: close\r\n\r\nfine`)),
    )
    expect(await openSender().send(request(receiver.url))).toMatchObject({ outcome: answered(200), excerpt: 'fine' })
  })
})
