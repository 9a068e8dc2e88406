import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readPlainRequest } from '../../src/http/plain-request.ts'
import { open } from './raw.ts'

const read = (text: string) => readPlainRequest(Buffer.from(text, 'latin1'))

const HOST = 'Host: x\r\n'

describe('the head of a request', () => {
  test.each([
    ['with a host', `GET /a?b=c HTTP/1.1\r\n${HOST}\r\n`, { method: 'GET', url: '/a?b=c', headers: { host: 'x' } }],
    [
      'with spaces around a value',
      `GET / HTTP/1.1\r\nHost:x\r\nA: \t b c \t\r\n\r\n`,
      { headers: { host: 'x', a: 'b c' } },
    ],
    ['that keeps the connection', `GET / HTTP/1.1\r\n${HOST}Connection: Keep-Alive\r\n\r\n`, { method: 'GET' }],
    ['with a body', `PUT / HTTP/1.1\r\n${HOST}Content-Length: 7\r\n\r\nab`, { length: 46 + 7 }],
  ])('a head %s is read without a parser', (_, text, expected) => {
    expect(read(text)).toMatchObject(expected)
  })

  test.each([
    ['that is not complete', `GET / HTTP/1.1\r\n${HOST}`],
    ['without a host', 'GET / HTTP/1.1\r\nA: b\r\n\r\n'],
    ['with two hosts', `GET / HTTP/1.1\r\n${HOST}${HOST}\r\n`],
    ['with a repeated header', `GET / HTTP/1.1\r\n${HOST}A: b\r\na: c\r\n\r\n`],
    ['of HTTP/1.0', `GET / HTTP/1.0\r\n${HOST}\r\n`],
    ['with another method', `CONNECT /a HTTP/1.1\r\n${HOST}\r\n`],
    ['in absolute form', `GET http://x/ HTTP/1.1\r\n${HOST}\r\n`],
    ['with two spaces', `GET  / HTTP/1.1\r\n${HOST}\r\n`],
    ['after an empty line', `\r\nGET / HTTP/1.1\r\n${HOST}\r\n`],
    ['with bare line feeds', 'GET / HTTP/1.1\nHost: x\n\n'],
    ['with a bare line feed in a value', 'GET / HTTP/1.1\r\nHost: x\nA: b\r\n\r\n'],
    ['with a folded header', `GET / HTTP/1.1\r\n${HOST}A: b\r\n c\r\n\r\n`],
    ['with a space before a colon', 'GET / HTTP/1.1\r\nHost : x\r\n\r\n'],
    ['with a control character', `GET / HTTP/1.1\r\n${HOST}A: \u0000\r\n\r\n`],
    ['with a letter beyond ASCII', `GET / HTTP/1.1\r\n${HOST}A: \u00e4\r\n\r\n`],
    ['in chunks', `POST / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n`],
    ['with a signed length', `POST / HTTP/1.1\r\n${HOST}Content-Length: +1\r\n\r\n`],
    ['with a list of lengths', `POST / HTTP/1.1\r\n${HOST}Content-Length: 1, 1\r\n\r\n`],
    ['that ends the connection', `GET / HTTP/1.1\r\n${HOST}Connection: close\r\n\r\n`],
    ['that upgrades the connection', `GET / HTTP/1.1\r\n${HOST}Connection: keep-alive\r\nUpgrade: a\r\n\r\n`],
    ['that waits for an interim answer', `POST / HTTP/1.1\r\n${HOST}Expect: 100-continue\r\nContent-Length: 1\r\n\r\n`],
    ['with a header that Node drops', `GET / HTTP/1.1\r\n${HOST}__proto__: a\r\n\r\n`],
    ['of many bytes', `GET / HTTP/1.1\r\n${HOST}A: ${'x'.repeat(4_096)}\r\n\r\n`],
    ['of many headers', `GET / HTTP/1.1\r\n${HOST}${Array.from({ length: 40 }, (_, i) => `a${i}:b\r\n`).join('')}\r\n`],
  ])('a head %s is left to the parser', (_, text) => {
    expect(read(text)).toBeNull()
  })

  test('whatever is read without a parser, node:http reads alike', async () => {
    let plainOnes = 0
    const parser = await startParser()
    try {
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...STARTS),
          fc.array(fc.constantFrom(...PARTS), { maxLength: 5 }),
          fc.constantFrom(...ENDS),
          async (start, parts, end) => {
            const text = `${start}${parts.join('')}${end}`
            const plain = read(text)
            if (!plain || plain.length !== text.length) return
            plainOnes += 1
            expect(await parser.parse(text)).toEqual({ ...plain, headers: { ...plain.headers } })
          },
        ),
        { numRuns: 2_000 },
      )
    } finally {
      parser.stop()
    }
    expect(plainOnes).toBeGreaterThan(100)
  })
})

const STARTS = [
  'GET /a HTTP/1.1\r\nHost: x\r\n',
  'GET /?a=%20&b#c HTTP/1.1\r\nhost:y\r\n',
  'POST /a"b HTTP/1.1\r\nHOST: z \r\n',
  'GET /{|}~ HTTP/1.1\r\n',
]
const PARTS = [
  HOST,
  'A:b\r\n',
  'a: \tb \t\r\n',
  'b:\r\n',
  'cookie: a=b; c=d\r\n',
  'content-length: 0\r\n',
  'Content-Length: 2\r\n',
  'connection: keep-alive\r\n',
  'Connection: close\r\n',
  'transfer-encoding: chunked\r\n',
  'te: trailers\r\n',
  'a!#$%&: ~\r\n',
  'c : d\r\n',
  ' e\r\n',
  'f: g\nh: i\r\n',
]
const ENDS = ['\r\n', '\r\n', '\r\nab', '\n', '']

/** What `node:http` reads from a connection of its own: the first request, if all of it has arrived. */
async function startParser() {
  const requests = new Map<number, (request: IncomingMessage | null) => void>()
  const server = createServer((request) => requests.get(request.socket.remotePort!)?.(request))
  server.on('clientError', (_error, socket) => requests.get((socket as Socket).remotePort!)?.(null))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    async parse(text: string) {
      const socket = await open(`http://127.0.0.1:${port}`)
      const found = new Promise<IncomingMessage | null>((resolve) => requests.set(socket.localPort!, resolve))
      socket.write(text, 'latin1')
      const request = await found
      let length = text.indexOf('\r\n\r\n') + 4
      if (request) for await (const chunk of request) length += (chunk as Buffer).length
      socket.destroy()
      return request && { method: request.method, url: request.url, headers: { ...request.headers }, length }
    },
    stop: () => server.close(),
  }
}
