import { METHODS } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startService, type TestService } from '../support/service.ts'
import { expectCommonHeaders, refusalOf } from './answers.ts'
import { exchangeOne } from './raw.ts'
import { exampleOf, NOBODY, placeExampleOrder, placeOf, prairieCatalog, prairieToken, everyOperation } from './walk.ts'

const SECRET = 'prairie-secret-full'
const SEARCH = '/api/v2/clinics/search'
const LIMIT = 256 * 1024

let service: TestService

beforeAll(async () => {
  service = await startService()
  await service.apply(prairieCatalog('prairie', [prairieToken(SECRET)]))
})

afterAll(() => service.stop())

const get = (path: string, headers?: Record<string, string>) =>
  service.call(SECRET, { method: 'GET', path, ...(headers && { headers }) })

/** Searches clinics with a body as it is, and of no type where that is null. */
async function post(body: RequestInit['body'], type: string | null = 'application/json') {
  const response = await fetch(service.origin + SEARCH, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET}`, ...(type !== null && { 'content-type': type }) },
    body: body ?? null,
    duplex: 'half',
  })
  return { status: response.status, headers: response.headers, text: await response.text() }
}

/** A request written by hand, the connection closed behind it. */
function send(lines: string[], body = '') {
  const head = [...lines, 'Connection: close', '', ''].join('\r\n')
  return exchangeOne(service.origin, head + body, { method: /^\w*/.exec(head)?.[0] ?? '' })
}

describe('request bodies', () => {
  test.each(['{', '{"query":}', '{"query":"a"}}', 'nul', '[1,]', "{'query':'a'}", '\uFEFF', 'NaN'])(
    'a body that is not JSON is refused: %s',
    async (body) => {
      expect(refusalOf(await post(body))).toBe('400 badRequest')
    },
  )

  test.each([[[0xff]], [[0x22, 0xc3, 0x28, 0x22]], [[0x22, 0xed, 0xa0, 0x80, 0x22]], [[0x22, 0xc0, 0x80, 0x22]]])(
    'a body that is not UTF-8 is refused: %s',
    async (bytes) => {
      expect(refusalOf(await post(Uint8Array.from(bytes)))).toBe('400 badRequest')
    },
  )

  test('a missing body is refused, with or without a media type', async () => {
    for (const type of ['application/json', null]) expect(refusalOf(await post(undefined, type))).toBe('400 required')
  })

  test.each(['5', '"text"', 'null', 'true', '[]'])('a body that is not an object is refused: %s', async (body) => {
    expect(refusalOf(await post(body))).toBe('400 invalidType')
  })

  test.each([
    'text/plain',
    'application/xml',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    'application/json-patch+json',
    'application/jsonx',
    'text/json',
    'json',
    'application/',
    ';',
  ])('a body of the wrong media type is refused: %s', async (type) => {
    expect(refusalOf(await post('{"query":"a"}', type))).toBe('415 badRequest')
  })

  test('a body without a media type is refused', async () => {
    const answer = await send(
      [`POST ${SEARCH} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${SECRET}`, 'Content-Length: 13'],
      '{"query":"a"}',
    )
    expect(refusalOf(answer)).toBe('415 badRequest')
  })

  test.each([
    'application/json',
    'APPLICATION/JSON',
    'application/json; charset=utf-8',
    'application/json;charset=UTF-8',
  ])('a body of type %s is accepted', async (type) => {
    expect(await post('{"query":"a"}', type)).toMatchObject({ status: 200 })
  })

  test.each([LIMIT + 1, 4 * 1024 * 1024])('a body of %i bytes with a Content-Length is refused', async (length) => {
    expect(refusalOf(await post(padded(length)))).toBe('413 tooBig')
  })

  test.each([LIMIT + 1, 4 * 1024 * 1024])('a chunked body of %i bytes is refused', async (length) => {
    expect(refusalOf(await post(inChunks(padded(length))))).toBe('413 tooBig')
  })

  test('a body of exactly 256 KiB is accepted', async () => {
    expect(await post(padded(LIMIT))).toMatchObject({ status: 200 })
    expect(await post(inChunks(padded(LIMIT)))).toMatchObject({ status: 200 })
  })
})

const padded = (length: number) => `{"query":"a"${' '.repeat(length - 13)}}`

const inChunks = (text: string) =>
  new ReadableStream({
    start(controller) {
      const bytes = Buffer.from(text)
      for (let i = 0; i < bytes.length; i += 50_000) controller.enqueue(bytes.subarray(i, i + 50_000))
      controller.close()
    },
  })

describe('a path', () => {
  test.each([
    '/api',
    '/api/v2',
    '/api/v2/nothing',
    '/api/v3/companies',
    '/API/v2/companies',
    '//api/v2/companies',
    '/api/v2/companies/a/b',
    '/api/v2/clinics/search/more',
    '/healthz/',
    '/api/v2/clinics/search/',
    '/api/v2/agencies/fra/jobCategories',
    `/${'x'.repeat(8_000)}`,
    '/__proto__',
    '/constructor',
    '/*',
  ])('an unknown path is not found: %s', async (path) => {
    for (const method of ['GET', 'POST', 'DELETE'])
      expect(refusalOf(await service.call(SECRET, { method, path }))).toBe('404 notFound')
  })

  test.each([
    '/%',
    '/api/v2/companies/%',
    '/api/v2/companies/%zz',
    '/api/v2/companies/%ff',
    '/api/v2/clinics/%ED%A0%80',
    '/%C0%AE',
  ])('a path with invalid percent-encoding is a bad request: %s', async (path) => {
    expect(refusalOf(await get(path))).toBe('400 badRequest')
    expect(refusalOf(await get(path, { 'x-request-id': 'mine' }))).toBe('400 badRequest')
  })

  test('a path may be sent in absolute form, as to proxies', async () => {
    const lines = ['Host: x', `Authorization: Bearer ${SECRET}`]
    expect(await send(['GET http://x/api/v2/companies?limit=1 HTTP/1.1', ...lines])).toMatchObject({ status: 200 })
    expect(refusalOf(await send(['POST http://x/api/v2/companies HTTP/1.1', ...lines]))).toBe('405 badRequest')
    expect(await send(['GET http://x HTTP/1.1', ...lines])).toMatchObject({ status: 200 })
    expect(refusalOf(await send(['GET ftp://x/y HTTP/1.1', ...lines]))).toBe('404 notFound')
    expect(refusalOf(await send(['OPTIONS * HTTP/1.1', ...lines]))).toBe('404 notFound')
  })
})

describe('a method', () => {
  const paths = [...new Set(everyOperation.map((endpoint) => placeOf(exampleOf(endpoint).path)))]

  test.each(paths)('a method that %s does not accept is answered with the accepted ones', async (path) => {
    // What a longer template takes, its shorter neighbour may take too: `search` could be the id of a clinic.
    const taken = everyOperation.filter((each) => templateOf(each.path).test(path)).map((each) => each.method)
    const allowed = taken.includes('GET') ? [...taken, 'HEAD'] : taken
    for (const method of METHODS.filter((each) => !allowed.includes(each as never) && each !== 'CONNECT')) {
      const answer = await send([`${method} ${path} HTTP/1.1`, 'Host: x', 'Content-Length: 0'])
      expect(method === 'HEAD' ? answer.status : refusalOf(answer)).toBe(method === 'HEAD' ? 405 : '405 badRequest')
      expect(answer.headers.get('allow')?.split(', ').toSorted()).toEqual([...new Set(allowed)].toSorted())
    }
  })

  test('an unknown method is refused', async () => {
    expect(refusalOf(await send(['BREW /api/v2/companies HTTP/1.1', 'Host: x']))).toBe('400 badRequest')
  })

  test('CONNECT is refused', async () => {
    expect(refusalOf(await send(['CONNECT x:80 HTTP/1.1', 'Host: x']))).toBe('405 badRequest')
  })

  test('HEAD answers like GET, without the body', async () => {
    const example = await placeExampleOrder(service, SECRET)
    for (const endpoint of everyOperation.filter(({ method }) => method === 'GET')) {
      const { path } = example(endpoint)
      const [head, whole] = [await service.call(SECRET, { method: 'HEAD', path }), await get(path)]
      expect(head).toMatchObject({ status: 200, text: '' })
      expect(head.headers.get('content-length')).toBe(whole.headers.get('content-length'))
      expect(head.headers.get('content-type')).toBe(whole.headers.get('content-type'))
      expectCommonHeaders(head.headers)
    }
    expect(await service.call(NOBODY, { method: 'HEAD', path: '/api/v2/companies' })).toMatchObject({
      status: 401,
      text: '',
    })
  })
})

const templateOf = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`)
