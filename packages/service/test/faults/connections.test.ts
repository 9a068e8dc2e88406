import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { applyCatalogs } from '../../src/operations/catalog/files.ts'
import { connect, type Pool } from '../../src/store/db/pool.ts'
import { createStore } from '../../src/store/store.ts'
import { body, cancelled, created, post, SECRET, TENANT, world } from '../orders/given.ts'
import { PATIENT } from '../support/processes.ts'
import { freshDatabase, startService, testKeyring, type TestDatabase, type TestService } from '../support/service.ts'
import { wayTo, type Way } from './proxy.ts'

/** How long each fault lasts: seconds in CI, more by hand (`FAULT_SECONDS=60 npm run test:faults`). */
const SECONDS = Number(process.env['FAULT_SECONDS'] ?? 3)
const CLIENTS = 16
const DEADLINE_MS = 2_000
/** What the service may take longer, besides what a statement without faults takes on a busy machine. */
const SLACK_MS = 3_000
const RECOVERY_MS = 3_000

let database: TestDatabase
let way: Way
let pool: Pool
let service: TestService
/** An order created before the fault. */
let known: string

beforeAll(async () => {
  database = await freshDatabase()
  way = await wayTo(database.target)
  pool = connect(way.target)
  service = await startService({ store: createStore(pool, testKeyring), requestTimeoutMs: DEADLINE_MS })
  await applyCatalogs([{ name: 'world', content: world() }], database.store, { production: false })
  known = (await created(service)).id
})

afterAll(async () => {
  await service.stop()
  await pool.end(0)
  await way.cut()
  await database.drop()
})

interface Seen {
  kind: 'create' | 'read' | 'cancel' | 'list'
  status: number
  text: string
  retryAfter: string | null
  ms: number
  /** The order that was created or cancelled. */
  id?: string
}

/** Clients that create, read, list and cancel orders, one request after the other, until stopped. */
function startLoad() {
  const seen: Seen[] = []
  const over = new AbortController()
  const timed = async (kind: Seen['kind'], send: () => ReturnType<TestService['call']>, id?: string) => {
    const begun = performance.now()
    const { status, text, headers, body: answer } = await send()
    const ms = performance.now() - begun
    const subject = id ?? (status === 201 ? (answer as { id: string }).id : undefined)
    seen.push({ kind, status, text, retryAfter: headers.get('retry-after'), ms, ...(subject && { id: subject }) })
    return { status, id: subject }
  }
  const client = async () => {
    while (!over.signal.aborted) {
      const { status, id } = await timed('create', () => post(service, body({ callback: HOOK })))
      await timed('read', () => service.call(SECRET, `/api/v2/orders/${known}`))
      await timed('list', () => service.call(SECRET, '/api/v2/orders?limit=1'))
      if (status === 201) await timed('cancel', () => cancelled(service, id!), id)
    }
  }
  const clients = Promise.all(Array.from({ length: CLIENTS }, client))
  return {
    seen,
    async stop() {
      over.abort()
      await clients
    },
  }
}

const HOOK = { url: 'https://hooks.example.com/orders' }

/** Runs statements without faults, one after the other, to see how busy the machine is; returns the longest time of one. */
function startPeer() {
  const over = new AbortController()
  let worstMs = 0
  const running = (async () => {
    while (!over.signal.aborted) {
      const begun = performance.now()
      await Promise.all([database.pool`select 1`, sleep(50)])
      worstMs = Math.max(worstMs, performance.now() - begun)
    }
  })()
  return async () => {
    over.abort()
    await running
    return worstMs
  }
}

/** A request is a few statements and several turns of each process. */
const TURNS = 10

/** The time until a request succeeds, retrying from now on. */
async function recovery(): Promise<number> {
  const begun = performance.now()
  for (;;) {
    const answers = await Promise.race([
      Promise.all([service.call(SECRET, `/api/v2/orders/${known}`), post(service, body())]),
      sleep(DEADLINE_MS),
    ])
    if (answers?.every(({ status }) => status < 300)) return performance.now() - begun
    if (performance.now() - begun > 20 * RECOVERY_MS) return Number.POSITIVE_INFINITY
  }
}

const FAULTS: [string, () => Promise<void>][] = [
  [
    'are reset again and again',
    async () => {
      for (const until = Date.now() + SECONDS * 1000; Date.now() < until; await sleep(50)) way.reset()
    },
  ],
  [
    'are slow',
    async () => {
      way.delay(100)
      await sleep(SECONDS * 1000)
      way.delay(0)
    },
  ],
  [
    'swallow everything, new ones too',
    async () => {
      way.swallow()
      await sleep(SECONDS * 1000)
      way.clear()
    },
  ],
  [
    'are silently forgotten',
    async () => {
      for (const until = Date.now() + SECONDS * 1000; Date.now() < until; await sleep(1_000)) way.forget()
    },
  ],
  [
    'cannot be opened',
    async () => {
      await way.cut()
      await sleep(SECONDS * 1000)
      await way.mend()
    },
  ],
]

describe.each(FAULTS)('while connections to the database %s', (name, fault) => {
  test(
    'nothing acknowledged is lost, every other answer is 503 in time, and the service recovers',
    async () => {
      const stopPeer = startPeer()
      const load = startLoad()
      await expect.poll(() => load.seen.length, PATIENT).toBeGreaterThan(0)
      await fault()
      const recoveredMs = await recovery()
      await load.stop()
      const slackMs = SLACK_MS + TURNS * (await stopPeer())
      const { seen } = load
      const figures = {
        fault: name,
        answers: seen.length,
        unavailable: seen.filter(({ status }) => status === 503).length,
        slowestMs: Math.round(Math.max(...seen.map(({ ms }) => ms))),
        recoveredMs: Math.round(recoveredMs),
      }
      process.stdout.write(`${JSON.stringify(figures)}\n`)
      await expectNothingLost(seen)
      expectHonest(seen)
      expect(figures.slowestMs).toBeLessThan(DEADLINE_MS + slackMs)
      expect(recoveredMs).toBeLessThan(RECOVERY_MS + slackMs)
    },
    120_000 + SECONDS * 2_000,
  )
})

/** Every order answered with 201 is in the database, and every cancellation answered with 200 has its event. */
async function expectNothingLost(seen: Seen[]): Promise<void> {
  const made = seen.filter(({ kind, status }) => kind === 'create' && status === 201).map(({ id }) => id!)
  const ended = seen.filter(({ kind, status }) => kind === 'cancel' && status === 200).map(({ id }) => id!)
  expect(made.length).toBeGreaterThan(0)
  const stored = await database.pool<{ id: string }[]>`
    select id from orders where tenant_id = ${TENANT} and id = any(${made})`
  expect(made.filter((id) => !stored.some((row) => row.id === id))).toEqual([])
  const events = await database.pool<{ orderId: string }[]>`
    select o.id as order_id from orders o join events e on e.tenant_id = o.tenant_id and e.order_id = o.id
    join deliveries d on d.tenant_id = e.tenant_id and d.event_id = e.id
    where o.tenant_id = ${TENANT} and o.id = any(${ended}) and o.status = 'cancelled'`
  expect(ended.filter((id) => !events.some((row) => row.orderId === id))).toEqual([])
}

/** Failures are answered with 503 and the error body: a fault is never taken for an unknown order or token. */
function expectHonest(seen: Seen[]): void {
  const good: Record<Seen['kind'], number> = { create: 201, read: 200, list: 200, cancel: 200 }
  for (const { kind, status, text, retryAfter } of seen) {
    if (status === good[kind]) continue
    expect(`${kind} ${status}`).toBe(`${kind} 503`)
    expect(retryAfter).toBe('1')
    const { errors, statusCode } = JSON.parse(text) as {
      errors: { code: string; detail: string }[]
      statusCode: number
    }
    expect([errors[0]?.code, statusCode]).toEqual(['internalError', 503])
    const advice = kind === 'create' ? /same Idempotency-Key|Nothing was changed/ : /[Tt]ry again/
    expect(errors[0]?.detail).toMatch(advice)
  }
}
