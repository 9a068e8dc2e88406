import { request } from 'node:http'
import { gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { body, created, post, SECRET, world } from '../orders/given.ts'
import { startService, type TestService } from '../support/service.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(world())
})
afterAll(() => service.stop())

interface RawAnswer {
  status: number | undefined
  headers: NodeJS.Dict<string | string[]>
  bytes: Buffer
}

/** Sends a request whose answer is not decompressed. */
function callRaw(path: string, headers: Record<string, string>): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request(service.origin + path, { headers: { authorization: `Bearer ${SECRET}`, ...headers } })
    sent.on('error', reject)
    sent.on('response', (response) => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () =>
        resolve({ status: response.statusCode, headers: response.headers, bytes: Buffer.concat(chunks) }),
      )
    })
    sent.end()
  })
}

describe('ruling 50: conditional reads', () => {
  test.each(['/api/v2/companies/acme', '/api/v2/packages/basic', '/api/v2/agencies/fra', '/api/v2/token'])(
    '%s has an ETag, and If-None-Match gives 304 without a body',
    async (path) => {
      const first = await service.call(SECRET, path)
      const etag = first.headers.get('etag')!
      expect(etag).toMatch(/^W\/"[\w-]+"$/)
      for (const known of [etag, `"other", ${etag}`, etag.slice(2), '*']) {
        const again = await service.call(SECRET, { method: 'GET', path, headers: { 'if-none-match': known } })
        expect([again.status, again.text, again.headers.get('etag')]).toEqual([304, '', etag])
      }
      const other = await service.call(SECRET, { method: 'GET', path, headers: { 'if-none-match': 'W/"other"' } })
      expect([other.status, other.text]).toEqual([200, first.text])
    },
  )

  test('the ETag of an order changes with the order', async () => {
    const order = await created(service)
    const path = `/api/v2/orders/${order.id}`
    const etag = (await service.call(SECRET, path)).headers.get('etag')!
    const headers = { 'if-none-match': etag }
    expect((await service.call(SECRET, { method: 'GET', path, headers })).status).toBe(304)
    await service.call(SECRET, { method: 'PUT', path: `${path}/cancellation` })
    const after = await service.call(SECRET, { method: 'GET', path, headers })
    expect([after.status, after.body.status]).toEqual([200, 'cancelled'])
    expect(after.headers.get('etag')).not.toBe(etag)
  })

  test('lists and errors have no ETag', async () => {
    expect((await service.call(SECRET, '/api/v2/companies')).headers.has('etag')).toBe(false)
    expect((await service.call(SECRET, '/api/v2/companies/unknown')).headers.has('etag')).toBe(false)
  })
})

describe('ruling 50: compression', () => {
  test('an answer over 1 KB is compressed for clients that accept gzip', async () => {
    const { id } = await created(service)
    const plain = await callRaw(`/api/v2/orders/${id}`, {})
    expect(plain.bytes.length).toBeGreaterThan(1024)
    expect(plain.headers).toMatchObject({ vary: 'accept-encoding' })
    expect(plain.headers).not.toHaveProperty('content-encoding')
    const packed = await callRaw(`/api/v2/orders/${id}`, { 'accept-encoding': 'br, GZIP;q=0.8' })
    expect(packed.headers).toMatchObject({
      'content-encoding': 'gzip',
      vary: 'accept-encoding',
      etag: plain.headers['etag'],
    })
    expect(packed.bytes.length).toBeLessThan(plain.bytes.length / 2)
    expect(Number(packed.headers['content-length'])).toBe(packed.bytes.length)
    expect(gunzipSync(packed.bytes)).toEqual(plain.bytes)
  })

  test('a long list is compressed too', async () => {
    for (let i = 0; i < 12; i++) await created(service)
    const plain = await callRaw('/api/v2/orders', {})
    const packed = await callRaw('/api/v2/orders', { 'accept-encoding': 'gzip' })
    expect(plain.bytes.length).toBeGreaterThan(16 * 1024)
    expect(gunzipSync(packed.bytes)).toEqual(plain.bytes)
  })

  test.each(['identity', 'gzip;q=0', 'br', '*;q=0', 'identity;q=1, gzip;q=0.5', 'identity, *;q=0.1'])(
    'an answer is not compressed for Accept-Encoding: %s',
    async (coding) => {
      const { id } = await created(service)
      const answer = await callRaw(`/api/v2/orders/${id}`, { 'accept-encoding': coding })
      expect(answer.headers).not.toHaveProperty('content-encoding')
    },
  )

  test.each(['/api/v2/orders?a=1&b=2&c=3&d=4&e=5&f=6&g=7&h=8', '/metrics', '/openapi.json', '/postman.json'])(
    'what the framework sends is compressed too: %s',
    async (path) => {
      const plain = await callRaw(path, {})
      expect(plain.bytes.length).toBeGreaterThan(1024)
      expect(plain.headers['vary']).toContain('accept-encoding')
      const packed = await callRaw(path, { 'accept-encoding': 'gzip' })
      expect(packed.status).toBe(plain.status)
      expect(packed.headers).toMatchObject({
        'content-encoding': 'gzip',
        'content-type': plain.headers['content-type'],
      })
      expect(Number(packed.headers['content-length'])).toBe(packed.bytes.length)
      // Figures, which come later, change between two requests.
      const beginning = (bytes: Buffer) => bytes.toString().slice(0, 50)
      expect(beginning(gunzipSync(packed.bytes))).toBe(beginning(plain.bytes))
    },
  )

  test('a short answer is not compressed', async () => {
    const answer = await callRaw('/api/v2/companies/acme', { 'accept-encoding': 'gzip' })
    expect(answer.headers).not.toHaveProperty('content-encoding')
  })
})

test('ruling 50: a replayed answer says so, and the first one does not', async () => {
  const headers = { 'Idempotency-Key': 'replayed-answer' }
  const first = await post(service, body(), { headers })
  const again = await post(service, body(), { headers })
  expect([first, again].map((answer) => answer.headers.get('idempotent-replayed'))).toEqual([null, 'true'])
  expect(again.text).toBe(first.text)
})

test('ruling 53: v1 answers are marked as deprecated, refusals too, and v2 answers are not', async () => {
  const path = '/api/v1/orders'
  const answers = [
    await post(service, body(), { path }),
    await post(service, {}, { path }),
    await post(service, body(), { path, secret: 'unknown' }),
  ]
  expect(answers.map(({ status }) => status)).toEqual([201, 400, 401])
  for (const { headers } of answers) {
    expect(headers.get('deprecation')).toMatch(/^@\d{10}$/)
    expect(headers.get('link')).toBe('</docs/guides/v1-to-v2>; rel="deprecation"; type="text/html"')
  }
  expect((await post(service, body())).headers.has('deprecation')).toBe(false)
})
