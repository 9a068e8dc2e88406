import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { body as orderBody, SECRET, world } from '../orders/given.ts'
import { linkTo } from '../participants/given.ts'
import {
  cheaply as cheaplyAt,
  costOf,
  leftOut,
  MOST_CPU_MS,
  print,
  send,
  startHostile,
  type HostileService,
  type Sent,
} from './hostile.ts'
import { exchange } from './raw.ts'

let service: HostileService
beforeAll(async () => {
  service = await startHostile(world())
}, 120_000)
afterAll(() => service.stop())

const cheaply = (what: string, sent: Sent) => cheaplyAt(service, what, sent)

describe('the pages for participants', { timeout: 120_000 }, () => {
  test('huge forms and malformed links cost the event loop little', async () => {
    const placed = await send(service, { path: '/api/v2/orders', secret: SECRET, body: JSON.stringify(orderBody()) })
    const { id } = JSON.parse(placed.text) as { id: string }
    const link = `/o/${await linkTo(service.database, id)}`
    const form = (body: string): Sent => ({
      path: link,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body,
    })
    const fields = ['line1', 'city', 'email', 'phone', 'birthDate', 'identifierValue', 'draft']
    const forms: [string, Sent][] = [
      ['a form of huge fields', form(`step=you&${fields.map((name) => `${name}=${'%C3%A9'.repeat(700)}`).join('&')}`)],
      ['a form of 10,000 fields', form('a=&'.repeat(10_000))],
      ['a form with a field 4,000 times', form('city=%00&'.repeat(3_600))],
      [
        'a link with a long draft',
        { method: 'GET', path: `${link}?step=clinics`, headers: { cookie: `draft=${'A'.repeat(14_000)}` } },
      ],
      ['a link with a long place', { method: 'GET', path: `${link}?step=clinics&place=${'a+'.repeat(7_000)}` }],
      ['a link of percent signs', { method: 'GET', path: `/o/${'%'.repeat(14_000)}` }],
      [
        'a long list of languages',
        { method: 'GET', path: link, headers: { 'accept-language': 'a;q=0.1,'.repeat(1_800) } },
      ],
      [
        'a long list of addresses',
        { method: 'GET', path: link, headers: { 'x-forwarded-for': '10.0.0.1,'.repeat(1_600) } },
      ],
    ]
    for (const [what, sent] of forms) expect((await cheaply(what, sent)).status).toBeLessThan(500)
  })

  test('a malformed link is answered like one that is unknown', async () => {
    const statuses = ['/o/unknown', '/o/%', '/o/%%%'].map(
      async (path) => (await send(service, { method: 'GET', path })).status,
    )
    expect(await Promise.all(statuses)).toEqual([404, 404, 404])
  })
})

describe('requests without bodies', { timeout: 120_000 }, () => {
  const head = (path: string, ...fields: string[]) => [`${path} HTTP/1.1`, 'Host: x', ...fields, '', ''].join('\r\n')
  const bearer = `Authorization: Bearer ${SECRET}`

  /** The statuses of what a server answers to bytes, which must cost it little. */
  async function statusesOf(what: string, bytes: string): Promise<number[]> {
    const { answer, cpuMs } = await costOf(service, () => exchange(service.origin, bytes).catch(() => []))
    print(what, cpuMs, `${answer.length} answers`)
    expect(cpuMs).toBeLessThan(MOST_CPU_MS)
    return answer.map(({ status }) => status)
  }

  test('a query of thousands of parameters is answered with a hundred problems', async () => {
    const query = Array.from({ length: 2_500 }, (_, i) => `k${i.toString(36)}`).join('&')
    const answer = await cheaply('2,500 query parameters', {
      method: 'GET',
      path: `/api/v2/orders?${query}`,
      secret: SECRET,
    })
    expect(leftOut(answer)).toMatchObject({
      entries: 100,
      last: { detail: '2401 more problems are not listed. Fix the ones above first.' },
    })
  })

  test('thousands of headers are answered or refused', async () => {
    const fields = (count: number) => Array.from({ length: count }, () => 'a:')
    expect(await statusesOf('24,000 headers', head('GET /api/v2/orders', ...fields(24_000)))).toEqual([431])
    const taken = head('GET /api/v2/companies', bearer, 'Connection: close', ...fields(8_000))
    expect(await statusesOf('8,000 headers', taken)).toEqual([200])
  })

  test('a body in chunks of one byte is refused', async () => {
    const start = head('POST /api/v2/orders', bearer, 'Content-Type: application/json', 'Transfer-Encoding: chunked')
    expect(await statusesOf('100,000 chunks of one byte', start + '1\r\n \r\n'.repeat(100_000))).toEqual([400])
  })

  test('a whole body in chunks of one byte is refused, also behind another request', async () => {
    const start = head('POST /api/v2/orders', bearer, 'Content-Type: application/json', 'Transfer-Encoding: chunked')
    const request = `${start}${'1\r\n \r\n'.repeat(5_000)}0\r\n\r\n`
    const refusal = { status: 400, text: expect.stringContaining('too many small chunks') as string }
    expect(await exchange(service.origin, request)).toMatchObject([refusal])
    const before = head('GET /api/v2/companies', bearer)
    expect(await exchange(service.origin, before + request)).toMatchObject([{ status: 200 }, refusal])
  })

  test('a body in a thousand chunks of normal size is accepted', async () => {
    const start = head(
      'POST /api/v2/orders',
      bearer,
      'Content-Type: application/json',
      'Transfer-Encoding: chunked',
      'Connection: close',
    )
    const body = JSON.stringify(orderBody()).padEnd(1_100 * 128)
    const chunks = body.match(/[^]{1,128}/g)!.map((chunk) => `80\r\n${chunk}\r\n`)
    expect(chunks.at(-1)).toHaveLength(128 + 6)
    expect(await statusesOf('1,100 chunks of 128 bytes', `${start}${chunks.join('')}0\r\n\r\n`)).toEqual([201])
  })

  test('a connection with hundreds of pipelined requests gets a few answers and is closed with a refusal', async () => {
    for (const path of ['GET /healthz', 'GET /o/somebody', 'GET /api/v2/nothing']) {
      // As many as arrive in one packet: a connection that is closed while more arrives is reset, and answers may be lost.
      const statuses = await statusesOf(`700 times ${path} at once`, head(path).repeat(700))
      expect(statuses.length).toBeLessThan(100)
      expect(statuses.at(-1)).toBe(429)
    }
  })

  test('the refusal of too many pipelined requests says when to try again, and has the id of its request', async () => {
    const requests = Array.from({ length: 60 }, (_, i) => head('GET /healthz', `X-Request-Id: mine-${i}`))
    const refusal = (await exchange(service.origin, requests.join(''))).at(-1)!
    const { status, headers } = refusal
    expect([status, headers.get('retry-after')]).toEqual([429, '1'])
    expect(headers.get('x-request-id')).toMatch(/^mine-\d+$/)
  })

  test('a compressed body is refused with the advice to send it uncompressed', async () => {
    const path = '/api/v2/orders'
    const { status, text } = await send(service, {
      path,
      secret: SECRET,
      headers: { 'content-encoding': 'gzip' },
      body: '{}',
    })
    expect([status, text]).toEqual([415, expect.stringContaining('Send the body uncompressed')])
  })

  test('thirty pipelined requests are all answered', async () => {
    const last = head('GET /healthz', 'Connection: close')
    expect(await statusesOf('30 requests at once', head('GET /healthz').repeat(29) + last)).toEqual(
      Array.from({ length: 30 }, () => 200),
    )
  })
})
