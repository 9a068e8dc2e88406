import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { startEmbedded } from '@order-testing/embedded-postgres'
import { connect } from '../../src/store/db/pool.ts'
import { Keyring } from '../../src/store/sealing/keyring.ts'
import { migrate } from '../../src/store/db/migrate.ts'
import { createStore } from '../../src/store/store.ts'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { wayTo } from '../faults/proxy.ts'
import { testKeyring } from '../support/service.ts'
import { httpReceiver } from './receivers.ts'
import {
  arrivals,
  elsewhere,
  endWork,
  queue,
  startLoad,
  startWorker,
  states,
  until,
  workingDatabase,
} from './working.ts'

removeFoldersAfterAll()

const database = workingDatabase()

describe('a worker recovers by itself without losing anything', () => {
  test('a worker recovers after its connections are cut repeatedly', async () => {
    const receiver = await httpReceiver()
    for (let i = 0; i < 3; i++) startWorker(elsewhere(database.target).store, { leaseSeconds: 2 })
    for (let i = 0; i < 10; i++) {
      await queue(database.store, { url: receiver.url, count: 100 })
      await sleep(50)
      await database.pool`
        select pg_terminate_backend(pid) from pg_stat_activity
        where datname = current_database() and application_name = 'elsewhere'`
    }
    await until(async () => (await states(database.pool))['delivered'] === 1_000, 'all delivered')
    expect(new Set(arrivals(receiver.requests)).size).toBe(1_000)
  })

  test('a worker records requests, without repeating them, that ended while the database was unreachable', async () => {
    const way = await wayTo(database.target)
    const answers: (() => void)[] = []
    const receiver = await httpReceiver((_, response) => void answers.push(() => response.end()))
    startWorker(elsewhere(way.target).store)
    await queue(database.store, { url: receiver.url, count: 2 })
    await until(() => answers.length === 2)
    await way.cut()
    for (const answer of answers) answer()
    await sleep(500)
    expect(await states(database.pool)).toEqual({ waiting: 2 })
    await way.mend()
    await until(async () => (await states(database.pool))['delivered'] === 2)
    expect(receiver.requests).toHaveLength(2)
    await endWork()
    await way.cut()
  })

  test('a worker recovers after PostgreSQL restarts under load', async () => {
    const dataDir = await newFolder()
    const first = await startEmbedded({ dataDir })
    const target = { ...first.target }
    const way = await wayTo(target)
    const pool = connect(way.target, { max: 4 })
    await migrate(pool)
    const store = createStore(pool, testKeyring)
    const receiver = await httpReceiver((_, response) => void setTimeout(() => response.end(), 5))
    const stopLoad = startLoad(store, receiver.url)
    await queue(store, { url: receiver.url, count: 2_000 })
    startWorker(store, { leaseSeconds: 3 })
    await until(() => receiver.requests.length > 200)
    await first.stop()
    const second = await startEmbedded({ dataDir })
    Object.assign(target, second.target)
    const before = receiver.requests.length
    await until(() => receiver.requests.length > before + 100, 'more deliveries, by itself')
    const written = 2_000 + (await stopLoad())
    // The first statement on each connection hears that it was cut.
    const left = () =>
      states(pool).then(
        ({ waiting = 0, held = 0 }) => waiting + held,
        () => 1,
      )
    await until(async () => (await left()) === 0, 'all delivered')
    // Some may have been written though their writer did not hear of it.
    const { delivered = 0 } = await states(pool)
    expect(delivered).toBeGreaterThanOrEqual(written)
    expect(new Set(arrivals(receiver.requests)).size).toBe(delivered)
    await endWork()
    // As the service ends: the driver would wait for ever for connections that it has lost count of.
    await pool.end()
    await way.cut()
    await second.stop()
  })
})

test('a delivery whose key is missing is neither lost nor blocks others', async () => {
  const other = { id: 'other', secret: 'a key that is not set here' }
  const receiver = await httpReceiver()
  const { orderId } = await queue(createStore(database.pool, new Keyring([other])), { url: receiver.url })
  const { complaints, stop } = startWorker(database.store)
  await until(() => complaints.includes('Failed to decrypt a delivery: check that its key is set'))
  const { orderId: readable } = await queue(database.store, { url: receiver.url })
  await until(async () => (await states(database.pool, readable))['delivered'] === 1)
  const [row] = await database.pool`select state, attempts, due_at > now() + interval '50 seconds' as later
    from deliveries where order_id = ${orderId}`
  expect(row).toEqual({ state: 'waiting', attempts: 0, later: true })
  await stop()
  await database.pool`update deliveries set due_at = now() where order_id = ${orderId}`
  startWorker(createStore(database.pool, new Keyring([other])))
  await until(async () => (await states(database.pool, orderId))['delivered'] === 1)
})
