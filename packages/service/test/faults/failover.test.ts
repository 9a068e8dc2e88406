import { pino } from 'pino'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { applyCatalogs } from '../../src/operations/catalog/files.ts'
import { migrate } from '../../src/store/db/migrate.ts'
import { connect, type Pool } from '../../src/store/db/pool.ts'
import { createStore } from '../../src/store/store.ts'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { body, SECRET, world } from '../orders/given.ts'
import { testKeyring } from '../support/service.ts'
import { startPair, type Pair } from './pair.ts'

removeFoldersAfterAll()

let pair: Pair
let pool: Pool
let app: Awaited<ReturnType<typeof createServer>>
let origin: string

beforeAll(async () => {
  pair = await startPair(await newFolder())
  pool = connect(pair.url)
  await migrate(pool)
  const store = createStore(pool, testKeyring)
  await applyCatalogs([{ name: 'world', content: world() }], store, { production: false })
  app = await createServer({ store, logger: pino({ level: 'silent' }), rateLimit: 0, requestTimeoutMs: 3_000 })
  origin = await app.listen({ port: 0, host: '127.0.0.1' })
}, 120_000)

afterAll(async () => {
  await app.close()
  await pool.end(0)
  await pair.stop()
})

async function create(): Promise<{ status: number; id: string }> {
  const response = await fetch(`${origin}/api/v2/orders`, {
    method: 'POST',
    headers: { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' },
    body: JSON.stringify(body()),
  })
  return { status: response.status, id: ((await response.json()) as { id: string }).id }
}

test('when the primary dies and the standby is promoted, writes go on there and nothing acknowledged is lost', async () => {
  const acknowledged: string[] = []
  const statuses = new Set<number>()
  const over = new AbortController()
  const clients = Array.from({ length: 8 }, async () => {
    while (!over.signal.aborted) {
      const { status, id } = await create()
      statuses.add(status)
      if (status === 201) acknowledged.push(id)
    }
  })
  await expect.poll(() => acknowledged.length, { timeout: 20_000 }).toBeGreaterThan(50)
  await pair.primary.kill()
  const before = acknowledged.length
  const begun = performance.now()
  await pair.promote()
  const promoted = performance.now()
  await expect.poll(() => acknowledged.length, { timeout: 20_000, interval: 10 }).toBeGreaterThan(before + 8)
  const recoveredMs = Math.round(performance.now() - promoted)
  process.stdout.write(
    `${JSON.stringify({ fault: 'failover', before, promotedMs: Math.round(promoted - begun), recoveredMs })}\n`,
  )
  over.abort()
  await Promise.all(clients)
  const stored = await pool<{ id: string }[]>`select id from orders where id = any(${acknowledged})`
  expect(stored).toHaveLength(acknowledged.length)
  expect([...statuses].filter((status) => status !== 201 && status !== 503)).toEqual([])
}, 120_000)

test('a server that has turned read-only gives 503, and its connections are dropped', async () => {
  expect((await create()).status).toBe(201)
  const admin = connect(pair.url.replace(/\?.*/, ''), { max: 1 })
  await admin.script('alter database ots set default_transaction_read_only = on')
  // Open connections are not told, as if the server had been demoted.
  await pool.script('set default_transaction_read_only = on').catch(() => {})
  const statuses = new Set<number>()
  for (let i = 0; i < 10; i++) statuses.add((await create()).status)
  expect([...statuses].filter((status) => status !== 201 && status !== 503)).toEqual([])
  await admin.script(
    'begin; set transaction read write; alter database ots reset default_transaction_read_only; commit',
  )
  await admin.end()
  await expect.poll(async () => (await create()).status, { timeout: 20_000 }).toBe(201)
})
