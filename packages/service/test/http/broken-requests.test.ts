import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SECRET, world } from '../orders/given.ts'
import { startService, type TestService } from '../support/service.ts'
import { refusalOf } from './answers.ts'
import { exchange, exchangeOne } from './raw.ts'

let service: TestService

beforeAll(async () => {
  service = await startService()
  await service.apply(world())
})

afterAll(() => service.stop())

const answerTo = (bytes: Uint8Array | string) => exchangeOne(service.origin, bytes)

describe('malformed HTTP requests are answered with the error body', () => {
  test.each([
    ['words', 'hello there\r\n\r\n'],
    ['zeros', Buffer.alloc(100)],
    ['a TLS greeting', Buffer.from('16030100c8010000c40303', 'hex')],
    ['HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'],
    ['a header without a colon', 'GET / HTTP/1.1\r\nHost: x\r\nnonsense\r\n\r\n'],
    ['a header name with a space', 'GET / HTTP/1.1\r\nHost: x\r\na b: c\r\n\r\n'],
    ['a control character in a header', 'GET / HTTP/1.1\r\nHost: x\r\na: \u0001\r\n\r\n'],
    ['a length that is no number', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ten\r\n\r\n'],
    ['two lengths', 'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n12'],
    [
      'a length and chunks',
      'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
    ],
    ['a space in the path', 'GET /a b HTTP/1.1\r\nHost: x\r\n\r\n'],
    ['half a request', 'GET /api/v2/companies HTTP/1.1\r\nHos'],
  ])('%s', async (_, bytes) => {
    const answer = await answerTo(bytes)
    expect(refusalOf(answer)).toBe('400 badRequest')
    expect(answer.headers.get('connection')).toBe('close')
  })

  test('an HTTP/1.1 request without a Host header is answered with the error body', async () => {
    const answer = await answerTo('GET /api/v2/companies HTTP/1.1\r\nConnection: close\r\n\r\n')
    expect(refusalOf(answer)).toBe('400 badRequest')
  })

  test('headers of more than 16 KiB are answered with the error body', async () => {
    const answer = await answerTo(`GET / HTTP/1.1\r\nHost: x\r\nX-Long: ${'x'.repeat(17_000)}\r\n\r\n`)
    expect(refusalOf(answer)).toBe('431 tooBig')
  })

  test('a path of more than 16 KiB is answered with the error body', async () => {
    const answer = await answerTo(`GET /${'x'.repeat(17_000)} HTTP/1.1\r\nHost: x\r\n\r\n`)
    expect(refusalOf(answer)).toBe('431 tooBig')
  })

  test('a malformed chunk in a body is answered with the error body', async () => {
    const head = `POST /api/v2/orders HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${SECRET}\r\nContent-Type: application/json\r\n`
    const answers = await exchange(service.origin, `${head}Transfer-Encoding: chunked\r\n\r\n5\r\n{"que\r\nxyz\r\n`)
    expect(answers.map((answer) => refusalOf(answer))).toEqual(['400 badRequest'])
  })

  test('endless chunk extensions are answered with the error body', async () => {
    const head = 'POST /api/v2/clinics/search HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n'
    const answers = await exchange(
      service.origin,
      `${head}Transfer-Encoding: chunked\r\n\r\n1;${'x'.repeat(20_000)}\r\n`,
    )
    expect(answers.map((answer) => refusalOf(answer))).toContain('413 tooBig')
  })
})

test('an unknown expectation is ignored', async () => {
  const answer = await answerTo('GET /healthz HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nConnection: close\r\n\r\n')
  expect(answer).toMatchObject({ status: 200 })
})

test('a client that sends Expect: 100-continue gets its answer', async () => {
  const answer = await answerTo(
    'POST /nowhere HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\nConnection: close\r\n\r\nhello',
  )
  expect(refusalOf(answer)).toBe('404 notFound')
})

test('garbage after a complete request is refused and ends the connection', async () => {
  const answers = await exchange(service.origin, 'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n\u0000garbage')
  expect(answers.slice(-1).map((answer) => refusalOf(answer))).toEqual(['400 badRequest'])
})

test('a client that is too slow is disconnected', () => {
  const { headersTimeout, requestTimeout, timeout, keepAliveTimeout } = service.app.server
  expect({ headersTimeout, requestTimeout, timeout, keepAliveTimeout }).toEqual({
    headersTimeout: 15_000,
    requestTimeout: 30_000,
    timeout: 60_000,
    keepAliveTimeout: 72_000,
  })
})
