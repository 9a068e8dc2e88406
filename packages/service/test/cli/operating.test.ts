import { rm, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { body, SECRET, world } from '../orders/given.ts'
import { newFolder } from '../support/folders.ts'
import { freePort, PATIENT, serving, SLOW, type Serving } from '../support/processes.ts'
import { freshDatabase, urlOf, type TestDatabase } from '../support/service.ts'
import { closeAll, httpReceiver } from '../webhooks/receivers.ts'

let folder: string
let database: TestDatabase
let env: Record<string, string>
let started: Serving[] = []

beforeAll(async () => {
  folder = await newFolder()
  database = await freshDatabase()
  const catalog = join(folder, 'catalog.json')
  await writeFile(catalog, JSON.stringify(world()))
  env = { OTS_DATA_DIR: join(folder, 'data'), OTS_CATALOG: catalog, DATABASE_URL: urlOf(database.target) }
}, SLOW.timeout)
afterEach(async () => {
  for (const each of started.toReversed()) if (each.process.exitCode === null) await each.end('SIGKILL')
  started = []
  await closeAll()
})
afterAll(async () => {
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function run(settings: Record<string, string>): Promise<Serving> {
  const service = await serving({ ...env, ...settings })
  started.push(service)
  return service
}

/** The status of an answer, and whether it asks the client to close the connection. */
const statusAt = (url: string) =>
  new Promise<{ status: number; connection: string | undefined }>((resolve, reject) => {
    request(
      url,
      { agent: false, headers: { connection: 'keep-alive', authorization: `Bearer ${SECRET}` } },
      (answer) => {
        resolve({ status: answer.statusCode!, connection: answer.headers.connection })
        answer.resume()
      },
    )
      .on('error', reject)
      .end()
  })

test('SIGTERM lets a node answer for a while, not ready and closing each connection', SLOW, async () => {
  const adminPort = String(await freePort())
  const { origin, process: node } = await run({ OTS_ROLE: 'api', OTS_DRAIN: '1h', OTS_ADMIN_PORT: adminPort })
  expect(await statusAt(`${origin}/api/v2/companies`)).toEqual({ status: 200, connection: 'keep-alive' })
  node.kill('SIGTERM')
  await expect.poll(async () => (await statusAt(`${origin}/readyz`)).status, PATIENT).toBe(503)
  expect((await statusAt(`http://127.0.0.1:${adminPort}/readyz`)).status).toBe(503)
  expect(await statusAt(`${origin}/api/v2/companies`)).toEqual({ status: 200, connection: 'close' })
  // A signal within a second of the first is taken for the same one.
  await sleep(1_100)
  expect(node.exitCode).toBeNull()
  node.kill('SIGTERM')
  await expect.poll(() => node.exitCode, PATIENT).toBe(0)
})

test('a start with the same catalog files applies them again only if the catalog has changed since', SLOW, async () => {
  const catalog = join(folder, 'other.json')
  await writeFile(catalog, `${JSON.stringify(world())}\n`)
  const outcome = async () => {
    const service = await run({ OTS_CATALOG: catalog, OTS_ROLE: 'api', OTS_LOG_LEVEL: 'info' })
    await service.end('SIGINT')
    return /Catalog applied|The catalog files are the same as at the last start/.exec(service.stdout())?.[0]
  }
  expect(await outcome()).toBe('Catalog applied')
  expect(await outcome()).toBe('The catalog files are the same as at the last start')
  await database.pool`update catalog_version set version = version + 1`
  expect(await outcome()).toBe('Catalog applied')
})

test('SIGINT stops a node at once, whatever OTS_DRAIN says', SLOW, async () => {
  const service = await run({ OTS_ROLE: 'api', OTS_DRAIN: '1h' })
  expect(await service.end('SIGINT')).toBe(0)
})

test('OTS_ADMIN_PORT serves metrics and health apart from the public port', SLOW, async () => {
  const port = await freePort()
  const { origin } = await run({ OTS_ROLE: 'api', OTS_ADMIN_PORT: String(port) })
  const admin = `http://127.0.0.1:${port}`
  const statuses = async (base: string) =>
    Promise.all(
      ['/healthz', '/readyz', '/metrics', '/api/v2/companies'].map(
        async (path) => (await statusAt(base + path)).status,
      ),
    )
  expect(await statuses(origin)).toEqual([200, 200, 404, 200])
  expect(await statuses(admin)).toEqual([200, 200, 200, 404])
  const metrics = await (await fetch(`${admin}/metrics`)).text()
  expect(metrics).toMatch(
    /ots_http_request_duration_seconds_count\{method="GET",route="\/api\/v2\/companies",status="200"\} \d/,
  )
})

test('OTS_OUTBOUND=off sends nothing, and a later process with it on sends what waited', SLOW, async () => {
  const receiver = await httpReceiver()
  const quiet = await run({ OTS_OUTBOUND: 'off' })
  const headers = { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' }
  const placed = await fetch(`${quiet.origin}/api/v2/orders`, {
    method: 'POST',
    headers,
    body: JSON.stringify(body({ callback: { url: receiver.url } })),
  })
  const { id } = (await placed.json()) as { id: string }
  await fetch(`${quiet.origin}/api/v2/orders/${id}/cancellation`, { method: 'PUT', headers })
  // A worker that sends would have sent it long before.
  const age = () => database.pool.only<{ age: number }>`
    select extract(epoch from now() - min(created_at))::float8 as age from deliveries where state = 'waiting'`
  await expect.poll(async () => (await age()).age, PATIENT).toBeGreaterThan(2)
  expect(receiver.requests).toHaveLength(0)
  await quiet.end('SIGTERM')
  await run({})
  await expect.poll(() => receiver.requests.length, PATIENT).toBe(1)
})

test('OTS_STATEMENT_TIMEOUT is the limit of every statement', SLOW, async () => {
  const timeouts = () => database.pool<{ setting: string }[]>`
    select setting from pg_db_role_setting s, unnest(setconfig) setting
    where setdatabase = (select oid from pg_database where datname = current_database()) and setting like 'statement_timeout%'`
  await (await run({ OTS_ROLE: 'api', OTS_STATEMENT_TIMEOUT: '1500ms' })).end('SIGTERM')
  expect(await timeouts()).toEqual([{ setting: 'statement_timeout=1500ms' }])
  await (await run({ OTS_ROLE: 'api' })).end('SIGTERM')
  expect(await timeouts()).toEqual([{ setting: 'statement_timeout=8000ms' }])
})
