import { once } from 'node:events'
import type { Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Scope } from '@order-testing/contract'
import { startService, token, type TestService } from '../support/service.ts'
import { created, SECRET, world } from '../orders/given.ts'
import { PATIENT } from '../support/processes.ts'
import { exchange, open } from './raw.ts'

const LIMITED = 'limited-secret-of-three-requests'
const MANY = 'limited-secret-of-many-requests'
const READING: Scope[] = ['company.read', 'order.read', 'order.list']
const RAISED = 'limited-secret-that-is-allowed-more'
const NARROW = 'secret-that-reads-companies-alone'

const tokens = [
  token(LIMITED, { rateLimit: 3, scopes: READING }),
  token(MANY, { rateLimit: 1_000, scopes: READING }),
  token(RAISED, { rateLimit: 3, scopes: READING }),
  token(NARROW, { scopes: ['company.list'] }),
]

let service: TestService
beforeAll(async () => {
  service = await startService()
  await service.apply(world({ tokens }))
})
afterAll(() => service.stop())

const PATH = '/api/v2/companies/acme'

const get = (headers: Record<string, string> = {}, path = PATH) =>
  fetch(service.origin + path, { headers: { authorization: `Bearer ${SECRET}`, ...headers } })

/** Headers that differ between any two answers. */
const OWN = new Set(['date', 'x-request-id', 'ratelimit-remaining', 'ratelimit-reset'])

async function comparable(response: Response) {
  const headers = [...response.headers].filter(([name]) => !OWN.has(name))
  return { status: response.status, headers: Object.fromEntries(headers), body: await response.text() }
}

test('a cached answer is the same as the first one', async () => {
  for (const path of [PATH, '/api/v2/agencies', '/api/v2/packages?limit=1']) {
    const first = await comparable(await get({}, path))
    expect(first.status).toBe(200)
    for (let i = 0; i < 2; i++) expect(await comparable(await get({}, path))).toEqual(first)
  }
})

test('a cached answer has the id of its own request, and is not sent to a client that knows its tag', async () => {
  const { headers } = await get()
  const known = await get({ 'if-none-match': headers.get('etag')!, 'x-request-id': 'mine-1' })
  expect([known.status, known.headers.get('x-request-id'), await known.text()]).toEqual([304, 'mine-1', ''])
  expect((await get()).headers.get('x-request-id')).not.toBe(headers.get('x-request-id'))
})

test('a cached answer counts towards the rate limit', async () => {
  const authorization = `Bearer ${LIMITED}`
  const statuses = []
  for (let i = 0; i < 5; i++) statuses.push((await get({ authorization })).status)
  expect(statuses).toEqual([200, 200, 200, 429, 429])
})

test('a request over the limit counts once', async () => {
  const authorization = `Bearer ${RAISED}`
  let asked = 0
  const ask = async () => {
    asked++
    return (await get({ authorization })).headers
  }
  for (let i = 0; i < 6; i++) await ask()
  await service.apply(world({ tokens: [token(RAISED, { rateLimit: 100, scopes: READING })] }))
  await expect.poll(async () => (await ask()).get('ratelimit-limit'), { timeout: 10_000 }).toBe('100')
  expect((await ask()).get('ratelimit-remaining')).toBe(String(100 - asked))
})

test('metrics count what was answered before on the same connection', async () => {
  const head = (path: string) => `GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${SECRET}\r\n\r\n`
  const asked = ['/api/v2/token', '/metrics', '/api/v2/token', '/metrics'].map(head).join('')
  const answers = await exchange(service.origin, asked)
  const [before, after] = [answers[1]!, answers[3]!].map(({ text }) =>
    Number(/duration_seconds_count\{[^}]*"\/api\/v2\/token"[^}]*\} (\d+)/.exec(text)?.[1]),
  )
  expect(before).toBeGreaterThan(0)
  expect(after).toBe(before! + 1)
})

test('a cached answer is for its token alone', async () => {
  await get()
  expect((await get({ authorization: 'Bearer unknown' })).status).toBe(401)
  expect((await fetch(service.origin + PATH)).status).toBe(401)
})

test('cached answers are measured and recorded like others', async () => {
  const count = async () => {
    const text = await (await fetch(`${service.origin}/metrics`)).text()
    const line = text
      .split('\n')
      .find((each) => each.includes('duration_seconds_count') && each.includes('companies/:id') && each.includes('200'))
    return Number(line?.split(' ').at(-1))
  }
  await get()
  const before = await count()
  await get({ 'x-request-id': 'mine-2' })
  await get({ 'x-request-id': 'mine-3' })
  expect(await count()).toBe(before + 2)
  const response = await get({}, '/api/sandbox/v1/requests')
  const { data } = (await response.json()) as { data: { requestId: string; answer: { body: string } }[] }
  const recorded = data.filter(({ requestId }) => requestId === 'mine-2' || requestId === 'mine-3')
  expect(recorded.map(({ answer }) => JSON.parse(answer.body).id)).toEqual(['acme', 'acme'])
})

test('a change of the catalog takes effect', async () => {
  const path = '/api/v2/locations'
  const ids = async () => {
    const { data } = (await (await get({}, path)).json()) as { data: { id: string }[] }
    return data.map(({ id }) => id)
  }
  await ids()
  expect(await ids()).toEqual(['hq'])
  await service.apply(world({ tokens, locations: [{ id: 'site', name: 'Site' }] }))
  await expect.poll(ids, { timeout: 10_000 }).toHaveLength(2)
})

describe('orders', () => {
  let id: string
  /** Which of the observed requests came from the framework. */
  const seen: { requestId: string; isOfFramework: boolean }[] = []
  beforeAll(async () => {
    id = (await created(service)).id
    service.app.observers.push((request) => seen.push({ requestId: request.id, isOfFramework: 'server' in request }))
  })

  const paths = () => [`/api/v2/orders/${id}`, '/api/v2/orders', '/api/v2/orders?limit=1&status=ordered']

  /** Asks until the request did without the framework, as all do whose token was checked in the last half second. */
  async function getDirectly(path: string): Promise<Response> {
    for (let attempt = 0; ; attempt++) {
      const requestId = `direct-${path.length}-${attempt}`
      const response = await get({ 'x-request-id': requestId }, path)
      const find = () => seen.find((each) => each.requestId === requestId)
      await expect.poll(find).toBeDefined()
      if (!find()!.isOfFramework) return response
      if (attempt === 100) throw new Error(`${path} needs the framework.`)
    }
  }

  test('the framework would have given the same answer', async () => {
    for (const path of paths()) {
      const direct = await comparable(await getDirectly(path))
      // A header that is not ordinary.
      const usual = await comparable(await get({ 'x-request-id': 'usual', 'content-encoding': 'identity' }, path))
      expect(direct).toEqual(usual)
      expect(direct.status).toBe(200)
    }
    expect(seen.filter(({ requestId }) => requestId === 'usual').every((each) => each.isOfFramework)).toBe(true)
  })

  test('a header that the endpoint knows is checked as ever', async () => {
    await getDirectly('/api/v2/orders')
    const response = await get({ 'x-write-position': '0/3000148' }, '/api/v2/orders')
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { errors: [{ source: { pointer: '/X-Write-Position' } }] },
    ])
  })

  test('a cancellation is seen at once', async () => {
    const order = await created(service)
    const path = `/api/v2/orders/${order.id}`
    expect(await (await get({}, path)).json()).toMatchObject({ status: 'ordered' })
    await service.call(SECRET, { method: 'PUT', path: `${path}/cancellation` })
    expect(await (await get({}, path)).json()).toMatchObject({ status: 'cancelled' })
  })

  test('an unknown order is not found, and counts once', async () => {
    const authorization = `Bearer ${MANY}`
    const path = `/api/v2/orders/ord_${'0'.repeat(26)}`
    const left = async () => Number((await get({ authorization })).headers.get('ratelimit-remaining'))
    const before = await left()
    const response = await get({ authorization, 'x-request-id': 'mine-4' }, path)
    expect([response.status, response.headers.get('x-request-id')]).toEqual([404, 'mine-4'])
    expect(await response.json()).toMatchObject({ errors: [{ code: 'notFound' }], statusCode: 404 })
    expect(response.headers.get('ratelimit-remaining')).toBe(String(before - 1))
    expect(await left()).toBe(before - 2)
  })

  test('a request over the limit is refused with its reason', async () => {
    const authorization = `Bearer ${LIMITED}`
    let response = await get({ authorization }, `/api/v2/orders/${id}`)
    while (response.status !== 429) response = await get({ authorization }, `/api/v2/orders/${id}`)
    expect(await response.json()).toMatchObject({ errors: [{ code: 'tooManyRequests' }] })
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/)
  })

  test('a token without the scope, or an unknown one, is refused', async () => {
    for (const path of paths()) {
      await get({}, path)
      const narrow = await get({ authorization: `Bearer ${NARROW}` }, path)
      expect([narrow.status, await narrow.json()]).toMatchObject([401, { errors: [{ code: 'insufficientScope' }] }])
      expect((await get({ authorization: 'Bearer unknown' }, path)).status).toBe(401)
    }
  })

  test.each([
    ['first', 0],
    ['second', 1],
  ])('a client that goes away during the %s request of its connection leaves nothing running', async (_, before) => {
    const running = async () => {
      const text = await (await fetch(`${service.origin}/metrics`)).text()
      return Number(/^ots_requests_running\{kind="read"\} (\d+)$/m.exec(text)?.[1])
    }
    const ask = (requestId: string) =>
      `GET /api/v2/orders/${id} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${SECRET}\r\nx-request-id: ${requestId}\r\n\r\n`
    const accepted = once(service.app.server, 'connection') as Promise<[Socket]>
    const socket = await open(service.origin)
    const [connection] = await accepted
    for (let i = 0; i < before; i++) {
      socket.write(ask('before'))
      await once(socket, 'data')
    }
    await service.pool.transaction(async (db) => {
      await db`lock table orders in access exclusive mode`
      socket.write(ask(`gone-${before}`))
      await expect.poll(running, PATIENT).toBe(1)
      socket.destroy()
      // The service has noticed before it could answer.
      await once(connection, 'close')
    })
    await expect.poll(running, PATIENT).toBe(0)
    expect((await get({}, `/api/v2/orders/${id}`)).status).toBe(200)
    // Nobody got an answer to it.
    expect(seen.map(({ requestId }) => requestId)).not.toContain(`gone-${before}`)
  })
})
