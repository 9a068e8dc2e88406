import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Callback } from '@order-testing/contract'
import { Registry } from 'prom-client'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { DeliveryMetrics } from '../../src/webhooks/metrics.ts'
import { Worker } from '../../src/webhooks/worker.ts'
import { makeId } from '../../src/domain/ids.ts'
import type { Target } from '../../src/store/db/address.ts'
import { connect, type Pool } from '../../src/store/db/pool.ts'
import type { CallbackVersion } from '../../src/store/webhooks/callbacks.ts'
import { createStore, type Store } from '../../src/store/store.ts'
import { freshDatabase, testKeyring, type TestDatabase } from '../support/service.ts'
import { closeAll, openSender } from './receivers.ts'

export const TENANT = 'north'

const started: { stop(): Promise<void> }[] = []

/** Ends workers and receivers. Connections are cut first, so that no stop waits for a receiver that hangs. */
export async function endWork(): Promise<void> {
  await Promise.all([closeAll(), ...started.splice(0).map((each) => each.stop())])
}

/** The database of a file's tests: empty before each, and what one has started ends with it. */
export function workingDatabase(): TestDatabase {
  const database = {} as TestDatabase
  beforeAll(async () => {
    Object.assign(database, await freshDatabase())
    // Deliveries are listed by tenant.
    await database.pool`insert into tenants (id, name) values (${TENANT}, 'North')`
  })
  beforeEach(() => database.pool`truncate deliveries, delivery_attempts, delivery_workers, receivers`)
  afterEach(endWork)
  afterAll(() => database.drop())
  return database
}

interface Work {
  schedule?: number[]
  leaseSeconds?: number
  workerLeaseSeconds?: number
  timeoutMs?: number
}

/** A worker that retries soon enough for a test to wait for it. */
export function startWorker(store: Store, { schedule = [0, 0.2, 0.2], timeoutMs = 5_000, ...leases }: Work = {}) {
  const complaints: string[] = []
  const registry = new Registry()
  const log = (_: object, message: string) => void complaints.push(message)
  const worker = new Worker({
    store,
    sender: openSender({ timeoutMs }),
    policy: { schedule },
    syncMs: 100,
    metrics: new DeliveryMetrics(registry),
    log: { warn: log, error: log },
    ...leases,
  })
  store.onQueued(() => worker.wake())
  worker.start()
  started.push(worker)
  return { worker, complaints, registry, stop: () => worker.stop() }
}

/** Stands for another process on the same database, with its own connections and store. */
export function elsewhere(target: Target): { pool: Pool; store: Store } {
  const pool = connect(target, { max: 4, application: 'elsewhere' })
  started.push({ stop: () => pool.end(1_000) })
  return { pool, store: createStore(pool, testKeyring) }
}

interface Queued {
  url: string
  count?: number
  tenantId?: string
  version?: CallbackVersion
  callback?: Omit<Callback, 'url'>
}

/** Queues ten events every 20 ms, even while some cannot be written. Stopping it returns how many were. */
export function startLoad(store: Store, url: string): () => Promise<number> {
  const stopping = new AbortController()
  const loading = (async () => {
    let count = 0
    for (; !stopping.signal.aborted; await sleep(20)) {
      const isWritten = await queue(store, { url, count: 10 }).then(
        () => true,
        () => false,
      )
      if (isWritten) count += 10
    }
    return count
  })()
  return () => {
    stopping.abort()
    return loading
  }
}

let orders = 0

/** Queues events of a new order, each with one delivery to the order's only registration. */
export async function queue(store: Store, given: Queued): Promise<{ orderId: string; callbackId: string }> {
  const { url, count = 1, tenantId = TENANT, version = 'v2', callback = {} } = given
  const at = new Date()
  const orderId = `ord_${++orders}`
  const callbackId = makeId('cbk', at, randomBytes)
  const registered = { tokenId: 'hr', showsParticipant: true, at }
  const registration = { id: callbackId, orderId, version, callback: { url, ...callback }, ...registered }
  await store.transaction(async (tx) => {
    await tx.outbox.register(tenantId, registration)
    for (let from = 0; from < count; from += 1_000) {
      const ids = Array.from({ length: Math.min(1_000, count - from) }, () => makeId('dlv', at, randomBytes))
      const to = { callbackId, version, origin: new URL(url).origin }
      const deliveries = ids.map((id) => ({ id, ...to, body: `{"id":"${id}"}` }))
      const event = { tenantId, id: makeId('evt', at, randomBytes), orderId, at, deliveries }
      await tx.outbox.putEvents([event])
      await tx.outbox.putDeliveries([event])
    }
  })
  return { orderId, callbackId }
}

/** The number of deliveries in each state. */
export async function states(pool: Pool, orderId?: string): Promise<Record<string, number>> {
  const rows = await pool<{ state: string; count: number }[]>`
    select state, count(*)::int as count from deliveries where ${orderId ?? null}::text is null or order_id = ${orderId ?? null} group by 1`
  return Object.fromEntries(rows.map(({ state, count }) => [state, count]))
}

/** Polls until the condition holds, for 100 seconds at most unless given another limit. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what = 'the expected state',
  withinMs = 100_000,
): Promise<void> {
  for (const end = performance.now() + withinMs; performance.now() < end; await sleep(10)) {
    if (await holds()) return
  }
  throw new Error(`Timed out waiting for: ${what}.`)
}

/** The events that arrived, each as often as it did. */
export const arrivals = (requests: { body: Buffer }[]) =>
  requests.map(({ body }) => (JSON.parse(body.toString()) as { id: string }).id)
