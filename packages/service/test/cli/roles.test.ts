import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { closeAll, httpReceiver } from '../webhooks/receivers.ts'
import { body, only, SECRET, world } from '../orders/given.ts'
import { newFolder } from '../support/folders.ts'
import { serving, type Serving } from '../support/processes.ts'
import { freshDatabase, urlOf, type TestDatabase } from '../support/service.ts'

let folder: string
let database: TestDatabase
let env: Record<string, string>
let started: Serving[]

beforeEach(async () => {
  folder = await newFolder()
  database = await freshDatabase()
  const catalog = join(folder, 'catalog.json')
  await writeFile(catalog, JSON.stringify(world()))
  env = { OTS_DATA_DIR: join(folder, 'data'), OTS_CATALOG: catalog, DATABASE_URL: urlOf(database.target) }
  started = []
})
afterEach(async () => {
  for (const each of started.toReversed()) if (each.process.exitCode === null) await each.end('SIGTERM')
  await closeAll()
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function run(role: 'all' | 'api' | 'worker', settings: Record<string, string> = {}, printed?: string) {
  const service = await serving({ ...env, OTS_ROLE: role, ...settings }, printed)
  started.push(service)
  return service
}

/** Makes a change of a new order, of which the callback is told. */
async function change(api: Serving, url: string): Promise<void> {
  const call = async (method: string, path: string, sent?: unknown) => {
    const headers = {
      authorization: `Bearer ${SECRET}`,
      ...(sent !== undefined && { 'content-type': 'application/json' }),
    }
    const answer = await fetch(api.origin + path, {
      method,
      headers,
      ...(sent !== undefined && { body: JSON.stringify(sent) }),
    })
    expect(answer.ok).toBe(true)
    return (await answer.json()) as { id: string }
  }
  const { id } = await call('POST', '/api/v2/orders', body({ callback: { url } }))
  await call('PUT', `/api/v2/orders/${id}/cancellation`)
}

const counts = async () =>
  only(
    await database.pool<{ delivered: number; waiting: number; claimed: number; attempts: number }[]>`
      select count(*) filter (where state = 'delivered')::int as delivered,
        count(*) filter (where state in ('waiting', 'held'))::int as waiting, count(claim_id)::int as claimed,
        (select count(*)::int from delivery_attempts) as attempts
      from deliveries`,
  )

/** Connections that processes of ours hold, beside the one that asks. */
const connections = async () =>
  (
    await database.pool`
      select from pg_stat_activity
      where datname = current_database() and application_name = 'order-testing-service'`
  ).length

describe('OTS_ROLE', () => {
  test('all serves and delivers in one process', async () => {
    const receiver = await httpReceiver()
    const service = await run('all')
    await change(service, receiver.url)
    await expect.poll(() => receiver.requests).toHaveLength(1)
    await expect.poll(counts).toMatchObject({ delivered: 1, attempts: 1 })
    const figures = async () => (await fetch(`${service.origin}/metrics`)).text()
    const taken = /^ots_message_attempts_total\{channel="email",outcome="accepted"\} [1-9]/m
    await expect.poll(figures, { timeout: 5_000 }).toMatch(taken)
    expect(await figures()).toMatch(/^ots_messages_due\{channel="email"\} 0$/m)
  })

  test('api delivers nothing; a worker on the same database does, and any number of them', async () => {
    const receiver = await httpReceiver()
    const api = await run('api')
    await change(api, receiver.url)
    await sleep(1_500)
    expect(receiver.requests).toEqual([])
    expect(await counts()).toEqual({ delivered: 0, waiting: 1, claimed: 0, attempts: 0 })

    const workers = [await run('worker'), await run('worker')]
    await expect.poll(() => receiver.requests, { timeout: 5_000 }).toHaveLength(1)
    for (let i = 0; i < 20; i++) await change(api, receiver.url)
    await expect.poll(counts, { timeout: 5_000 }).toEqual({ delivered: 21, waiting: 0, claimed: 0, attempts: 21 })
    expect(receiver.requests).toHaveLength(21)

    for (const worker of workers) {
      expect(worker.stdout()).toContain('worker: sends events')
      expect((await fetch(`${worker.origin}/metrics`)).status).toBe(200)
      expect((await fetch(`${worker.origin}/api/v2/orders`)).status).toBe(404)
      expect(await worker.end('SIGTERM')).toBe(0)
    }
    await change(api, receiver.url)
    await sleep(500)
    expect(receiver.requests).toHaveLength(21)
  })

  test('a worker shares the embedded server of the process that has started it', async () => {
    const receiver = await httpReceiver()
    const api = await run('api', { DATABASE_URL: '' })
    await change(api, receiver.url)
    const worker = await run('worker', { DATABASE_URL: '' })
    await expect.poll(() => receiver.requests, { timeout: 5_000 }).toHaveLength(1)
    expect(await worker.end('SIGTERM')).toBe(0)
    expect((await fetch(`${api.origin}/readyz`)).status).toBe(200)
  })

  test('a worker whose port is taken works on without health, and says so', async () => {
    const receiver = await httpReceiver()
    const api = await run('api')
    const worker = await run('worker', { PORT: new URL(api.origin).port }, 'Health      not served')
    await expect
      .poll(() => worker.stdout())
      .toContain('health and metrics are not served: the port cannot be listened on')
    await change(api, receiver.url)
    await expect.poll(() => receiver.requests, { timeout: 5_000 }).toHaveLength(1)
    expect(await worker.end('SIGTERM')).toBe(0)
  })
})

describe('links in messages', () => {
  /** The letters that a sandbox would have sent, once there are any. */
  async function mailbox(origin: string): Promise<string> {
    const letters = async () => (await fetch(`${origin}/sandbox/mailbox.json`)).text()
    await expect.poll(letters, { timeout: 10_000 }).toContain('/o/')
    return letters()
  }
  const placed = async (origin: string) => {
    const headers = { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' }
    const answer = await fetch(`${origin}/api/v2/orders`, { method: 'POST', headers, body: JSON.stringify(body()) })
    expect(answer.status).toBe(201)
  }

  test('lead to the port that chance has given, and open there', async () => {
    const service = await run('all', { PORT: '0' }, 'Press Ctrl-C')
    const [, origin] = /API\s+(http:\/\/127\.0\.0\.1:\d+)\/api/.exec(service.stdout())!
    await placed(origin!)
    const [link] = /http:\/\/[\w.:]+\/o\/[\w-]+/.exec(await mailbox(origin!))!
    expect(link.startsWith(`${origin}/o/`)).toBe(true)
    expect((await fetch(link)).status).toBe(200)
  })

  test('of a worker lead to where it was told, or it says that it can only guess', async () => {
    const api = await run('api')
    const guessing = await run('worker')
    await expect.poll(() => guessing.stdout()).toContain('OTS_PUBLIC_URL is not set: messages of this worker link to')
    await guessing.end('SIGTERM')
    const told = await run('worker', { OTS_PUBLIC_URL: `${api.origin}/` })
    await placed(api.origin)
    expect(await mailbox(api.origin)).toContain(`${api.origin}/o/`)
    expect(told.stdout()).not.toContain('OTS_PUBLIC_URL')
  })
})

describe('a worker that is stopped', () => {
  test('ends what it has begun, gives back what it has not, and leaves nothing running', async () => {
    const receiver = await httpReceiver((_, response) => void setTimeout(() => response.end(), 1_500))
    const api = await run('api')
    for (let i = 0; i < 8; i++) await change(api, receiver.url)
    expect(await api.end('SIGTERM')).toBe(0)
    const before = await connections()
    const worker = await run('worker')
    await expect.poll(() => receiver.requests.length, { timeout: 5_000 }).toBeGreaterThan(0)
    expect(await worker.end('SIGTERM')).toBe(0)
    const begun = receiver.requests.length
    expect(begun).toBeLessThan(8)
    expect(await counts()).toEqual({ delivered: begun, waiting: 8 - begun, claimed: 0, attempts: begun })
    await expect.poll(connections).toBeLessThanOrEqual(before)

    // What was given back is there for the next at once.
    await run('worker')
    await expect.poll(counts, { timeout: 15_000 }).toMatchObject({ delivered: 8, waiting: 0 })
    expect(receiver.requests).toHaveLength(8)
  })
})
