import { rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { closeAll, httpReceiver } from '../webhooks/receivers.ts'
import { body, only, SECRET, world } from '../orders/given.ts'
import { newFolder } from '../support/folders.ts'
import { PATIENT, serving, SLOW, type Serving } from '../support/processes.ts'
import { entryAt } from '../audit/given.ts'
import { freshDatabase, urlOf, type TestDatabase } from '../support/service.ts'

let folder: string
let database: TestDatabase
let env: Record<string, string>
/** Delivers nothing, so that tests of workers share it. */
let api: Serving
let started: Serving[] = []

beforeAll(async () => {
  folder = await newFolder()
  database = await freshDatabase()
  const catalog = join(folder, 'catalog.json')
  await writeFile(catalog, JSON.stringify(world()))
  env = { OTS_DATA_DIR: join(folder, 'data'), OTS_CATALOG: catalog, DATABASE_URL: urlOf(database.target) }
  api = await serving({ ...env, OTS_ROLE: 'api' })
}, SLOW.timeout)
afterEach(async () => {
  for (const each of started.toReversed()) if (each.process.exitCode === null) await each.end('SIGTERM')
  started = []
  await closeAll()
  await database.pool`truncate deliveries, delivery_attempts`
})
afterAll(async () => {
  await api.end('SIGTERM')
  await database.drop()
  await rm(folder, { recursive: true, force: true })
})

async function run(role: 'all' | 'api' | 'worker', settings: Record<string, string> = {}, printed?: string) {
  const service = await serving({ ...env, OTS_ROLE: role, ...settings }, printed)
  started.push(service)
  return service
}

/** Cancels a new order, which sends an event to the callback. */
async function change(url: string, { origin }: { origin: string } = api): Promise<void> {
  const { id } = await placeOrder(origin, { callback: { url } })
  const path = `/api/v2/orders/${id}/cancellation`
  const answer = await fetch(origin + path, { method: 'PUT', headers: { authorization: `Bearer ${SECRET}` } })
  expect(answer.ok).toBe(true)
}

async function placeOrder(origin: string, members: object = {}): Promise<{ id: string; code: string }> {
  const headers = { authorization: `Bearer ${SECRET}`, 'content-type': 'application/json' }
  const sent = { method: 'POST', headers, body: JSON.stringify(body(members)) }
  const answer = await fetch(`${origin}/api/v2/orders`, sent)
  expect(answer.status).toBe(201)
  return (await answer.json()) as { id: string; code: string }
}

const counts = async () =>
  only(
    await database.pool<{ delivered: number; waiting: number; claimed: number; attempts: number }[]>`
      select count(*) filter (where state = 'delivered')::int as delivered,
        count(*) filter (where state in ('waiting', 'held'))::int as waiting, count(claim_id)::int as claimed,
        (select count(*)::int from delivery_attempts) as attempts
      from deliveries`,
  )

/** Connections of our processes, except the one of this query. */
const connections = async () =>
  (
    await database.pool`
      select from pg_stat_activity
      where datname = current_database() and application_name = 'order-testing-service'`
  ).length

/** Waits until the repeated work of a running process has come round twice; delivering would have come round more often. */
async function untilUpkeep(): Promise<void> {
  for (let round = 0; round < 2; round++) {
    await database.store.audit.append([entryAt(round)])
    await expect.poll(() => database.store.auditChain.tenantsToLink(), PATIENT).toEqual([])
  }
}

describe('OTS_ROLE', SLOW, () => {
  test('OTS_ROLE=all serves and delivers in one process, and with PORT=0 its links lead to the port it got', async () => {
    const receiver = await httpReceiver()
    const service = await run('all', { PORT: '0' }, 'Press Ctrl-C')
    const [, origin] = /API\s+(http:\/\/127\.0\.0\.1:\d+)\/api/.exec(service.stdout())!
    await change(receiver.url, { origin: origin! })
    await expect.poll(() => receiver.requests, PATIENT).toHaveLength(1)
    await expect.poll(counts, PATIENT).toMatchObject({ delivered: 1, attempts: 1 })
    const figures = async () => (await fetch(`${origin}/metrics`)).text()
    const taken = /^ots_message_attempts_total\{channel="email",outcome="accepted"\} [1-9]/m
    await expect.poll(figures, PATIENT).toMatch(taken)
    await expect.poll(figures, PATIENT).toMatch(/^ots_messages_due\{channel="email"\} 0$/m)
    const { code } = await placeOrder(origin!)
    const link = await linkOf(code, origin!)
    expect(link.startsWith(`${origin}/o/`)).toBe(true)
    expect((await fetch(link)).status).toBe(200)
  })

  test('OTS_ROLE=api delivers nothing; any number of workers on the same database do', async () => {
    const receiver = await httpReceiver()
    await change(receiver.url)
    await untilUpkeep()
    expect(receiver.requests).toEqual([])
    expect(await counts()).toEqual({ delivered: 0, waiting: 1, claimed: 0, attempts: 0 })

    const workers = await Promise.all([run('worker'), run('worker', { OTS_PUBLIC_URL: `${api.origin}/` })])
    await expect.poll(() => receiver.requests, PATIENT).toHaveLength(1)
    for (let i = 0; i < 20; i++) await change(receiver.url)
    await expect.poll(counts, PATIENT).toEqual({ delivered: 21, waiting: 0, claimed: 0, attempts: 21 })
    expect(receiver.requests).toHaveLength(21)

    const [guessing, configured] = workers
    await expect
      .poll(() => guessing.stdout(), PATIENT)
      .toContain('OTS_PUBLIC_URL is not set: notifications of this worker link to')
    expect(configured.stdout()).not.toContain('OTS_PUBLIC_URL')
    for (const worker of workers) {
      expect(worker.stdout()).toContain('worker: sends events and notifications')
      expect((await fetch(`${worker.origin}/metrics`)).status).toBe(200)
      expect((await fetch(`${worker.origin}/api/v2/orders`)).status).toBe(404)
      expect(await worker.end('SIGTERM')).toBe(0)
    }
    await change(receiver.url)
    await untilUpkeep()
    expect(receiver.requests).toHaveLength(21)
  })

  test('a worker shares the embedded server that another process started', async () => {
    const receiver = await httpReceiver()
    const embedded = await run('api', { DATABASE_URL: '' })
    await change(receiver.url, embedded)
    const worker = await run('worker', { DATABASE_URL: '' })
    await expect.poll(() => receiver.requests, PATIENT).toHaveLength(1)
    expect(await worker.end('SIGTERM')).toBe(0)
    expect((await fetch(`${embedded.origin}/readyz`)).status).toBe(200)
  })

  test('a worker whose port is in use works without health and metrics, and its links lead to OTS_PUBLIC_URL', async () => {
    const receiver = await httpReceiver()
    const settings = { PORT: new URL(api.origin).port, OTS_PUBLIC_URL: 'http://127.0.0.1:9/' }
    const worker = await run('worker', settings, 'Health      not served')
    await expect
      .poll(() => worker.stdout(), PATIENT)
      .toContain('Cannot listen on the port: health and metrics are not served')
    await change(receiver.url)
    await expect.poll(() => receiver.requests, PATIENT).toHaveLength(1)
    const { code } = await placeOrder(api.origin)
    expect(await linkOf(code, api.origin)).toContain('http://127.0.0.1:9/o/')
    expect(await worker.end('SIGTERM')).toBe(0)
  })
})

/** The link in the notification about an order, once a sandbox would have sent it. */
async function linkOf(code: string, origin: string): Promise<string> {
  const find = async () => {
    const { data } = (await (await fetch(`${origin}/sandbox/mailbox.json`)).json()) as { data: { text: string }[] }
    return data.find(({ text }) => text.includes(code))?.text.match(/http:\S+\/o\/[\w-]+/)?.[0]
  }
  await expect.poll(find, PATIENT).toBeDefined()
  return (await find())!
}

describe('a worker that is stopped', SLOW, () => {
  test('a stopped worker finishes running requests, releases the other deliveries, and leaves no connection', async () => {
    const pending: (() => void)[] = []
    let isStopping = false
    const receiver = await httpReceiver((_, response) => {
      if (isStopping) response.end()
      else pending.push(() => response.end())
    })
    for (let i = 0; i < 8; i++) await change(receiver.url)
    const before = await connections()
    const worker = await run('worker')
    await expect.poll(() => receiver.requests.length, PATIENT).toBeGreaterThan(0)
    const ended = worker.end('SIGTERM')
    // Responses come only now, so that the worker cannot have delivered all before it stops.
    await expect.poll(() => worker.stdout(), PATIENT).toContain('Stopping (SIGTERM)')
    isStopping = true
    for (const respond of pending) respond()
    expect(await ended).toBe(0)
    const begun = receiver.requests.length
    expect(begun).toBeLessThan(8)
    expect(await counts()).toEqual({ delivered: begun, waiting: 8 - begun, claimed: 0, attempts: begun })
    await expect.poll(connections, PATIENT).toBeLessThanOrEqual(before)

    // Released deliveries are due at once.
    await run('worker')
    await expect.poll(counts, PATIENT).toMatchObject({ delivered: 8, waiting: 0 })
    expect(receiver.requests).toHaveLength(8)
  })
})
