import { join } from 'node:path'
import { writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyInstance } from 'fastify'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { mayBeReplicated } from '@order-testing/contract'
import type { Finding } from '../../src/domain/diagnosis.ts'
import { createServer } from '../../src/http/server.ts'
import { applyCatalogs } from '../../src/operations/catalog/files.ts'
import { migrate } from '../../src/store/db/migrate.ts'
import { connect, type Pool } from '../../src/store/db/pool.ts'
import { Replica } from '../../src/store/db/replica.ts'
import { createStore } from '../../src/store/store.ts'
import { everyOperation, exampleOf } from '../http/walk.ts'
import { body, SECRET, TENANT } from '../orders/given.ts'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { routed as operatorOperations } from '../support/operator-walk.ts'
import { OPERATOR, staffed } from '../support/operator.ts'
import { freePort, ots, PATIENT, serving, SLOW } from '../support/processes.ts'
import { freshDatabase, startService, testKeyring, urlOf } from '../support/service.ts'
import { startPair, type Pair } from './pair.ts'

removeFoldersAfterAll()

/** More than replaying takes while tests run; a paused replica exceeds it soon. */
const MOST_LAG_MS = 5_000

let pair: Pair
let primary: Pool
let standby: Pool
let replica: Replica
let app: FastifyInstance
let origin: string
/** How many statements the standby was asked. */
let asked: number

beforeAll(async () => {
  pair = await startPair(await newFolder(), { isSynchronous: false })
  primary = connect(pair.primaryUrl)
  await migrate(primary)
  await applyCatalogs([{ name: 'world', content: staffed() }], createStore(primary, testKeyring), { production: false })
})

beforeEach(async () => {
  asked = 0
  standby = connect(pair.standbyUrl, { waitMs: 30_000, silenceMs: 30_000, onStatement: () => asked++ })
  replica = new Replica({ primary, pool: standby, mostLagMs: MOST_LAG_MS })
  app = await createServer({
    store: createStore(primary, testKeyring, replica),
    logger: pino({ level: 'silent' }),
    rateLimit: 0,
    requestTimeoutMs: 45_000,
  })
  origin = await app.listen({ port: 0, host: '127.0.0.1' })
  while (!replica.isUsable) {
    await replica.check()
    await sleep(20)
  }
})

afterEach(async () => {
  await app.close()
  await standby.end(0)
})

afterAll(async () => {
  await primary.end(0)
  await pair.stop()
})

const POSITION = 'x-write-position'

async function call(secret: string, path: string, { method = 'GET', sent, position }: Sent = {}) {
  const response = await fetch(origin + path, {
    method,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(sent !== undefined && { 'content-type': 'application/json' }),
      ...(position !== undefined && { [POSITION]: position }),
    },
    ...(sent !== undefined && { body: JSON.stringify(sent) }),
  })
  // oxlint-disable-next-line typescript/no-explicit-any -- bodies of every shape
  return { status: response.status, headers: response.headers, body: (await response.json()) as any }
}

interface Sent {
  method?: string
  sent?: unknown
  position?: string
}

const list = (position?: string, path = '/api/v2/orders') =>
  call(SECRET, path, position === undefined ? {} : { position })

async function create(): Promise<{ id: string; position: string }> {
  const { status, headers, body: order } = await call(SECRET, '/api/v2/orders', { method: 'POST', sent: body() })
  expect(status).toBe(201)
  expect(headers.get(POSITION)).toMatch(/^[0-9a-f]{16}$/)
  return { id: order.id, position: headers.get(POSITION)! }
}

async function whilePaused(work: () => Promise<void>): Promise<void> {
  await standby`select pg_wal_replay_pause()`
  await expect.poll(() => standby.values`select pg_get_wal_replay_pause_state()`, PATIENT).toEqual(['paused'])
  try {
    await work()
  } finally {
    await standby`select pg_wal_replay_resume()`
  }
}

const idsOf = ({ body: { data } }: { body: { data: { id: string }[] } }) => data.map(({ id }) => id)

test('every kind of write returns its position', async () => {
  const { id } = await create()
  const cancelled = await call(SECRET, `/api/v2/orders/${id}/cancellation`, { method: 'PUT' })
  const report = {
    messageId: 'a-report',
    sender: { kind: 'lab', id: 'lab-1' },
    match: { orderCode: 'ZZZZ-ZZZZ' },
    event: 'receivedAtLab',
    occurredAt: new Date().toISOString(),
  }
  const reported = await call(OPERATOR, '/api/operator/v1/results', { method: 'POST', sent: report })
  expect([cancelled.status, reported.status]).toEqual([200, 202])
  for (const { headers } of [cancelled, reported]) expect(headers.get(POSITION)).toMatch(/^[0-9a-f]{16}$/)
})

test('a list that sends the position of a write has it, even while the replica does not replay', async () => {
  await create()
  const before = (await list((await create()).position)).body.total
  await whilePaused(async () => {
    const { id, position } = await create()
    const stale = await list()
    expect([stale.body.total, idsOf(stale).includes(id)]).toEqual([before, false])
    const behind = replica.counts.behind
    const fresh = await list(position)
    expect([fresh.body.total, idsOf(fresh)[0]]).toEqual([before + 1, id])
    expect(replica.counts.behind).toBe(behind + 1)
  })
  const { id, position } = await create()
  const served = replica.counts.replica
  await expect.poll(async () => (await list(position), replica.counts.replica), PATIENT).toBeGreaterThan(served)
  const fresh = await list(position)
  expect([fresh.body.total, idsOf(fresh)[0]]).toEqual([before + 2, id])
})

test('an order is read from the primary, even while the replica does not replay', async () => {
  await whilePaused(async () => {
    const before = { asked, ...replica.counts }
    const { id } = await create()
    const statusRead = async () => {
      const { status, body: order } = await call(SECRET, `/api/v2/orders/${id}`)
      return [status, order.status]
    }
    expect(await statusRead()).toEqual([200, 'ordered'])
    expect((await call(SECRET, `/api/v2/orders/${id}/cancellation`, { method: 'PUT' })).status).toBe(200)
    expect(await statusRead()).toEqual([200, 'cancelled'])
    expect({ asked, ...replica.counts }).toEqual(before)
  })
  // The count notices lists.
  const before = asked
  await list()
  expect(asked).toBeGreaterThan(before)
})

test('the changes and events after a cursor include a write whose position was sent', async () => {
  const begun = await create()
  const orders = (cursor: string) => `/api/v2/orders?sort=updatedAt&cursor=${cursor}`
  const events = (cursor: string) => `/api/v2/events?cursor=${cursor}`
  const { nextCursor: changeCursor } = (await list(begun.position, orders('latest'))).body
  const { nextCursor: eventCursor } = (await list(begun.position, events('latest'))).body
  const readOn = async ({ id, position }: { id: string; position: string }) => {
    expect(idsOf(await list(position, orders(changeCursor)))).toContain(id)
    const { body: page } = await list(position, events(eventCursor))
    expect(page.data.map((event: { data: { id: string } }) => event.data.id)).toContain(id)
  }
  const cancel = async () => {
    const { id } = await create()
    const answer = await call(SECRET, `/api/v2/orders/${id}/cancellation`, { method: 'PUT' })
    return { id, position: answer.headers.get(POSITION)! }
  }
  for (let i = 0; i < 5; i++) await readOn(await cancel())
  await whilePaused(async () => {
    const changed = await cancel()
    await readOn(changed)
    // The primary has issued this cursor; the replica does not know it yet.
    const { nextCursor } = (await list(changed.position, orders(changeCursor))).body
    expect((await list(undefined, orders(nextCursor))).status).toBe(200)
  })
})

test('the replica answers every list that takes a position, and nothing is written to it', async () => {
  await create()
  const { position } = await create()
  const lists = [...everyOperation, ...operatorOperations].filter((each) => mayBeReplicated(each))
  expect(lists.map(({ name }) => name)).toEqual(expect.arrayContaining(['listOrders', 'listEvents', 'listDeliveries']))
  await expect.poll(async () => (await list(position), replica.counts.replica), PATIENT).toBeGreaterThan(0)
  for (const endpoint of lists) {
    const { replica: served } = replica.counts
    const { path } = exampleOf(endpoint, { id: 'operator' })
    const secret = path.startsWith('/api/operator') ? OPERATOR : SECRET
    const answer = await call(secret, path, { position })
    expect([endpoint.name, [200, 404].includes(answer.status)]).toEqual([endpoint.name, true])
    expect([endpoint.name, replica.counts.replica]).toEqual([endpoint.name, served + 1])
  }
  expect(replica.counts.failed).toBe(0)
})

test('reads of participants in a list of the replica are recorded by the primary', async () => {
  const { id, position } = await create()
  const recorded = () =>
    primary.values<number>`select count(*)::int from audit_entries where tenant_id = ${TENANT} and subject_id = ${id}`
  const [before] = await recorded()
  await expect
    .poll(async () => {
      const { replica: served } = replica.counts
      const answer = await call(OPERATOR, '/api/operator/v1/orders', { position })
      expect(idsOf(answer)).toContain(id)
      return replica.counts.replica > served
    }, PATIENT)
    .toBe(true)
  expect((await recorded())[0]).toBeGreaterThan(before!)
  expect(replica.counts.failed).toBe(0)
})

test('a malformed position is refused', async () => {
  const { status, body: refused } = await list('0/3000148')
  expect([status, refused.errors[0].source.pointer]).toEqual([400, '/X-Write-Position'])
})

test('a replica that is too far behind is not used until it has caught up', async () => {
  const hasty = new Replica({ primary, pool: standby, mostLagMs: 1 })
  const reasons: (string | undefined)[] = []
  hasty.onChange = (reason) => reasons.push(reason)
  await expect.poll(() => hasty.check().then(() => reasons.length), PATIENT).toBeGreaterThan(0)
  await whilePaused(async () => {
    await create()
    await expect.poll(() => hasty.check().then(() => hasty.isUsable), PATIENT).toBe(false)
    expect(reasons.at(-1)).toBe('It is more than 0.001 s behind the primary.')
    expect(await hasty.canServe(undefined)).toBe(false)
  })
  await expect.poll(() => hasty.check().then(() => hasty.lagSeconds), PATIENT).toBeLessThan(MOST_LAG_MS / 1000)
})

test('a server that accepts writes is not used as a replica', async () => {
  const wrong = new Replica({ primary, pool: primary, mostLagMs: MOST_LAG_MS })
  const reasons: (string | undefined)[] = []
  wrong.onChange = (reason) => reasons.push(reason)
  await wrong.check()
  expect([wrong.isUsable, reasons]).toEqual([false, ['It is not a streaming standby.']])
})

test('ots doctor tells whether a server follows the primary', SLOW, async () => {
  const findings = async (address: string) => {
    const env = { DATABASE_URL: pair.primaryUrl, OTS_KEYS: 'test:a key for tests alone' }
    const { stdout } = await ots(['doctor', '--json'], { ...env, OTS_DATABASE_READ_URL: address })
    const found = (JSON.parse(stdout) as { findings: Finding[] }).findings.find(({ check }) => check === 'replica')
    return `${found?.level}: ${found?.detail}`
  }
  await expect
    .poll(() => findings(pair.standbyUrl), PATIENT)
    .toBe('ok: The server of OTS_DATABASE_READ_URL follows the primary.')
  expect(await findings(pair.primaryUrl)).toMatch(/^problem: .*not a streaming standby/)
  const other = await freshDatabase()
  expect(await findings(urlOf(other.target))).toMatch(/^problem: .*not a copy of the database/)
  await other.drop()
  expect(await findings(`postgres://ots@127.0.0.1:${await freePort()}/ots`)).toMatch(/^problem: .*ECONNREFUSED/)
})

test('without a replica, writes send no position and ask for none', async () => {
  const service = await startService()
  try {
    await service.apply(staffed())
    const statements: string[] = []
    service.hear(({ text }) => statements.push(text))
    const answer = await service.call(SECRET, { method: 'POST', path: '/api/v2/orders', body: body() })
    expect([answer.status, answer.headers.has(POSITION)]).toEqual([201, false])
    expect(statements.filter((text) => text.includes('insert into orders'))).toHaveLength(1)
    expect(statements.filter((text) => text.includes('lsn'))).toEqual([])
  } finally {
    await service.stop()
  }
})

test('lists go on without a failure when the replica is stopped, which log and metrics tell', SLOW, async () => {
  const folder = await newFolder()
  const catalog = join(folder, 'catalog.json')
  await writeFile(catalog, JSON.stringify(staffed()))
  const service = await serving({
    DATABASE_URL: pair.primaryUrl,
    OTS_DATABASE_READ_URL: pair.standbyUrl,
    OTS_CATALOG: catalog,
    OTS_DATA_DIR: join(folder, 'data'),
    OTS_KEYS: 'test:a key for tests alone',
    OTS_ROLE: 'api',
    OTS_LOG_LEVEL: 'info',
    OTS_RATE_LIMIT: '0',
  })
  const ask = async (path: string) => {
    const response = await fetch(service.origin + path, { headers: { authorization: `Bearer ${SECRET}` } })
    return { status: response.status, text: await response.text() }
  }
  const metric = async (name: string) =>
    Number(new RegExp(`^${name}(?:\\{[^}]*\\})? (\\S+)$`, 'm').exec((await ask('/metrics')).text)?.[1])
  try {
    await expect.poll(() => metric('ots_replica_usable'), PATIENT).toBe(1)
    expect((await ask('/api/v2/orders')).status).toBe(200)
    expect(await metric('ots_replica_lists_total')).toBeGreaterThan(0)
    const statuses = new Set<number>()
    await pair.standby.kill()
    for (let i = 0; i < 50; i++) statuses.add((await ask('/api/v2/orders')).status)
    expect([...statuses]).toEqual([200])
    await expect.poll(() => metric('ots_replica_usable'), PATIENT).toBe(0)
    expect((await ask('/readyz')).status).toBe(200)
    expect(service.stdout()).toContain('The replica is not used: lists are read from the primary')
  } finally {
    await service.end('SIGTERM')
  }
})
