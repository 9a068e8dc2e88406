import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { serving, type Serving } from '../support/processes.ts'
import { urlOf } from '../support/service.ts'
import { httpReceiver } from './receivers.ts'
import { arrivals, elsewhere, queue, startWorker, states, until, workingDatabase } from './working.ts'

/** Claims of a worker that is gone come back within 15 s; a busy machine gets as much again. */
const COMES_BACK_MS = 30_000

const database = workingDatabase()

let folder: string
const processes: Serving[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'ots-lease-'))
})
afterEach(async () => {
  for (const each of processes.splice(0)) {
    each.process.kill('SIGCONT')
    if (each.process.exitCode === null && each.process.signalCode === null) await each.end('SIGKILL')
  }
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A worker in a process of its own, with the leases of every day. */
async function startProcess(): Promise<Serving> {
  const started = await serving({
    DATABASE_URL: urlOf(database.target),
    OTS_ROLE: 'worker',
    OTS_DATA_DIR: folder,
    OTS_KEYS: 'test:a key for tests alone',
    OTS_LOG_LEVEL: 'warn',
  })
  processes.push(started)
  return started
}

/** A receiver that answers at once, or keeps requests waiting in that mode. */
async function stoppableReceiver() {
  const waiting: ServerResponse[] = []
  const mode = { isKeeping: false }
  const receiver = await httpReceiver((_, response) => {
    if (mode.isKeeping) waiting.push(response)
    else response.end()
  })
  return { ...receiver, waiting, mode }
}

const delivered = async () => (await states(database.pool))['delivered'] ?? 0
const receivers = () => database.pool`select origin, failures, open_until from receivers`
const attempted = () => database.pool<{ status: number; attempts: number }[]>`
  select a.status, d.attempts from deliveries d
  left join delivery_attempts a on a.tenant_id = d.tenant_id and a.delivery_id = d.id`
const onceEach = (count: number) => Array.from({ length: count }, () => ({ status: 200, attempts: 1 }))
/** How often an attempt ended this way, as the process itself counts. */
async function outcomes({ origin }: Serving, outcome: string): Promise<number> {
  const text = await (await fetch(`${origin}/metrics`)).text()
  return Number(new RegExp(`^ots_delivery_attempts_total{outcome="${outcome}"} (\\d+)`, 'm').exec(text)?.[1])
}

describe('a worker that is stopped past its lease', () => {
  test('a worker stopped past its lease blames no receiver, records nothing, and delivers again under a new lease', async () => {
    const receiver = await stoppableReceiver()
    const stopped = await startProcess()
    // Enough for the receiver to get more than the five requests at once whose failure would open its breaker.
    await queue(database.store, { url: receiver.url, count: 100 })
    await until(async () => (await delivered()) === 100)
    receiver.mode.isKeeping = true
    await queue(database.store, { url: receiver.url, count: 12 })
    await until(() => receiver.waiting.length === 12, 'twelve requests under way')
    stopped.process.kill('SIGSTOP')
    receiver.mode.isKeeping = false
    const other = startWorker(elsewhere(database.target).store)
    await until(async () => (await delivered()) === 112, 'delivery by the other worker', COMES_BACK_MS)

    // What it finds when it goes on: answers that came meanwhile, cut connections, and requests that hang.
    for (const [i, response] of receiver.waiting.entries()) {
      if (i % 3 === 0) response.writeHead(500).end()
      if (i % 3 === 1) response.destroy()
    }
    stopped.process.kill('SIGCONT')
    await until(
      async () => (await outcomes(stopped, 'lapsed')) === 12,
      'twelve attempts that count for nothing',
      30_000,
    )

    expect(await receivers()).toEqual([])
    expect(await attempted()).toEqual(onceEach(112))
    expect([await outcomes(stopped, 'retry'), await outcomes(stopped, 'failed')]).toEqual([0, 0])
    expect(stopped.stdout()).toContain('The delivery worker lease has lapsed')
    await other.stop()
    await queue(database.store, { url: receiver.url })
    await until(async () => (await delivered()) === 113)
    expect(await outcomes(stopped, 'delivered')).toBe(101)
  })
})

test('deliveries claimed by a killed worker are delivered by another within 15 s', async () => {
  const receiver = await stoppableReceiver()
  receiver.mode.isKeeping = true
  const killed = await startProcess()
  await queue(database.store, { url: receiver.url, count: 300 })
  await until(() => receiver.waiting.length > 0)
  const claims = async () => (await database.pool`select 1 from deliveries where claim_id is not null`).length
  await until(async () => (await claims()) >= 100, 'a backlog of claims')
  await killed.end('SIGKILL')
  const killedAt = performance.now()
  receiver.mode.isKeeping = false
  expect(await claims()).toBeGreaterThanOrEqual(1)
  startWorker(elsewhere(database.target).store)
  await until(async () => (await delivered()) === 300, 'all delivered', COMES_BACK_MS)
  expect(performance.now() - killedAt).toBeLessThan(COMES_BACK_MS)
  expect(new Set(arrivals(receiver.requests)).size).toBe(300)
  expect(await receivers()).toEqual([])
})

describe('a worker whose lease has ended in the database but not by its own clock', () => {
  /** As when a virtual machine was suspended: time has passed for the database alone. */
  const endLease = () => database.pool`update delivery_workers set alive_until = now()`

  test('failures after the lease do not count against the receiver, and the deliveries are sent again', async () => {
    const receiver = await stoppableReceiver()
    receiver.mode.isKeeping = true
    startWorker(database.store, { workerLeaseSeconds: 4 })
    await queue(database.store, { url: receiver.url, count: 2 })
    await until(() => receiver.waiting.length === 2)
    await endLease()
    for (const response of receiver.waiting) response.writeHead(500).end()
    await until(() => receiver.requests.length > 2, 'a second request')
    expect(await receivers()).toEqual([])
    receiver.mode.isKeeping = false
    for (const response of receiver.waiting.slice(2)) response.end()
    await until(async () => (await delivered()) === 2)
    expect(receiver.requests).toHaveLength(4)
    expect(await attempted()).toEqual(onceEach(2))
  })

  test('results of claims that have ended in the database are not written', async () => {
    const { deliveries, deliveryWorkers, receivers: health } = database.store
    await queue(database.store, { url: 'http://127.0.0.1:9/' })
    const workerId = randomUUID()
    await deliveryWorkers.begin(workerId, { seconds: 60, replaces: null })
    const [claim] = await deliveries.claim(randomUUID(), 1, { workerId })
    await health.setBreaker(claim!, { failures: 3, openUntil: null, breakSeconds: 0 })
    expect(await deliveryWorkers.countValid([claim!])).toBe(1)
    await endLease()
    expect(await deliveryWorkers.countValid([claim!])).toBe(0)
    expect(await health.markHealthy(claim!, claim!)).toBeUndefined()
    const attempt = { at: new Date(), ms: 1, status: 200, error: null, detail: null, excerpt: '' }
    await deliveries.record([{ delivery: claim!, state: 'delivered', wait: 0, isGone: true, attempt }])
    expect(await deliveryWorkers.renew(workerId, 60)).toBe(false)
    expect(await deliveries.claim(randomUUID(), 1, { workerId })).toEqual([])
    expect(await states(database.pool)).toEqual({ waiting: 1 })
    expect(await attempted()).toEqual([{ status: null, attempts: 0 }])
    expect(await receivers()).toMatchObject([{ failures: 3 }])
    expect(await database.pool`select 1 from callbacks where ended_at is not null`).toEqual([])
  })
})

test('a worker that stops removes its lease, and that of a dead one is removed by another', async () => {
  const workers = () => database.pool`select id from delivery_workers`
  await database.pool`truncate delivery_workers`
  const { stop } = startWorker(database.store)
  await until(async () => (await workers()).length === 1)
  await stop()
  expect(await workers()).toEqual([])
  await database.store.deliveryWorkers.begin(randomUUID(), { seconds: 0, replaces: null })
  startWorker(database.store)
  await until(async () => (await workers()).length === 1)
})
