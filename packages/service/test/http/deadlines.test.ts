import { setTimeout as sleep } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { applyCatalogs } from '../../src/operations/catalog/files.ts'
import { connect, type Pool } from '../../src/store/db/pool.ts'
import { createStore } from '../../src/store/store.ts'
import { wayTo, type Way } from '../faults/proxy.ts'
import { OPERATOR, staffed } from '../support/operator.ts'
import { PATIENT } from '../support/processes.ts'
import { body, created, post, SECRET } from '../orders/given.ts'
import { linkTo } from '../participants/given.ts'
import { freshDatabase, startService, testKeyring, type TestDatabase, type TestService } from '../support/service.ts'

const DEADLINE_MS = 700

let database: TestDatabase
let way: Way
let pool: Pool
let service: TestService
let known: string
const logged: string[] = []

beforeAll(async () => {
  database = await freshDatabase()
  way = await wayTo(database.target)
  pool = connect(way.target)
  const logger = pino({ level: 'debug' }, { write: (line: string) => void logged.push(line) })
  service = await startService({ store: createStore(pool, testKeyring), requestTimeoutMs: DEADLINE_MS, logger })
  await applyCatalogs([{ name: 'world', content: staffed() }], database.store, { production: false })
  known = (await created(service)).id
})

afterAll(async () => {
  await service.stop()
  await pool.end(0)
  await way.cut()
  await database.drop()
})

const recovered = async () => {
  await expect.poll(async () => (await service.call(SECRET, '/api/v2/orders?limit=1')).status, PATIENT).toBe(200)
}

describe('while the database is silent', () => {
  test.each([
    ['a read', () => service.call(SECRET, `/api/v2/orders/${known}`)],
    ['a list', () => service.call(SECRET, '/api/v2/orders')],
    ['a cancellation', () => service.call(SECRET, { method: 'PUT', path: `/api/v2/orders/${known}/cancellation` })],
    ['a create', () => post(service, body(), { headers: { 'idempotency-key': 'late' } })],
    ['a create without a key', () => post(service, body())],
    ['a page of a participant', () => fetch(`${service.origin}/o/some-link`)],
  ])('%s is answered 503 with Retry-After by its deadline', async (_name, send) => {
    way.swallow()
    const begun = performance.now()
    const { status, headers } = await send()
    const ms = performance.now() - begun
    way.clear()
    expect(status).toBe(503)
    expect(headers.get('retry-after')).toBe('1')
    expect(ms).toBeGreaterThan(DEADLINE_MS - 200)
    expect(ms).toBeLessThan(DEADLINE_MS + 10_000)
    await recovered()
  })

  test.each([
    ['a create', () => post(service, body())],
    [
      'a create of an operator',
      () =>
        service.call(OPERATOR, { method: 'POST', path: '/api/operator/v1/orders', body: body({ source: 'portal' }) }),
    ],
  ])('%s says that the order may exist, and how to repeat the request', async (_name, send) => {
    await service.call(OPERATOR, '/api/operator/v1/orders')
    way.swallow()
    const { body: answer } = await send()
    way.clear()
    await recovered()
    expect(answer.errors[0].detail).toMatch(/may have been created.*Idempotency-Key can be repeated safely/)
  })
})

describe('while the database is slow', () => {
  test('creates that time out while they wait are not performed afterwards', async () => {
    await recovered()
    const count = async () => (await database.pool<{ n: number }[]>`select count(*)::int as n from orders`)[0]!.n
    const before = await count()
    way.delay(1_000)
    const answers = await Promise.all(Array.from({ length: 100 }, () => post(service, body())))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([503]))
    way.delay(0)
    await sleep(1_500)
    await recovered()
    // Those that had begun, two thirds of 48.
    expect((await count()) - before).toBeLessThanOrEqual(32)
  })

  test.each([
    ['a page', 'GET', ''],
    ['a form', 'POST', ''],
    ['a calendar file', 'GET', '/appointment.ics'],
    ['a pass', 'GET', '/pass.pdf'],
  ])('%s that completes after its deadline leaves no secret in the log', async (_name, method, path) => {
    await recovered()
    const secret = await linkTo(database, known)
    logged.length = 0
    way.delay(400)
    const { status } = await fetch(`${service.origin}/o/${secret}${path}`, { method })
    way.delay(0)
    await sleep(2_000)
    await recovered()
    expect(status).toBe(503)
    expect(logged.join('')).toContain('Request failed')
    expect(logged.filter((line) => line.includes(secret))).toEqual([])
  })
})

test('a silent connection is kept until the deadline of its request has passed', async () => {
  const app = await createServer({
    store: database.store,
    logger: pino({ level: 'silent' }),
    rateLimit: 0,
    requestTimeoutMs: 90_000,
  })
  expect(app.server.timeout).toBeGreaterThan(90_000)
  expect(service.app.server.timeout).toBe(60_000)
  await app.close()
})

test('a body that arrives slowly does not use up the deadline', async () => {
  const text = JSON.stringify(body())
  const slowly = new ReadableStream({
    async start(controller) {
      controller.enqueue(Buffer.from(text.slice(0, 10)))
      await sleep(DEADLINE_MS + 500)
      controller.enqueue(Buffer.from(text.slice(10)))
      controller.close()
    },
  })
  const response = await fetch(`${service.origin}/api/v2/orders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
    body: slowly,
    duplex: 'half',
  })
  expect(response.status).toBe(201)
})
