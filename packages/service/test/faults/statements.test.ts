import { createServer, type AddressInfo, type Socket } from 'node:net'
import { once } from 'node:events'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Batches } from '../../src/store/db/batches.ts'
import { Unavailable } from '../../src/store/db/errors.ts'
import { migrate } from '../../src/store/db/migrate.ts'
import { MigrationRefusal } from '../../src/store/db/migration-files.ts'
import { connect } from '../../src/store/db/pool.ts'
import { emptyDatabase, loadEarlierDatabase } from '../support/earlier-database.ts'
import { freshDatabase, urlOf, type TestDatabase } from '../support/service.ts'
import { wayTo } from './proxy.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test('a prepared statement that the server no longer has is prepared again', async () => {
  const pool = connect(database.target, { max: 1 })
  const count = () => pool<{ n: number }[]>`select count(*)::int as n from tenants`
  const before = await count()
  // As a pooler does when it gives the session to another client.
  await pool.script('deallocate all')
  expect(await count()).toEqual(before)
  await pool.end()
})

test('a prepared statement whose tables have changed is prepared again', async () => {
  const pool = connect(database.target, { max: 1 })
  await pool.script('create table shelves (id int); insert into shelves values (1)')
  const all = () => pool`select * from shelves`
  expect(await all()).toEqual([{ id: 1 }])
  await pool.script('alter table shelves add column name text')
  expect(await all()).toEqual([{ id: 1, name: null }])
  await pool.end()
})

test('with prepare off, the server keeps no prepared statements', async () => {
  const pool = connect(database.target, { max: 1, prepare: 'off' })
  await pool`select count(*) from tenants where id = ${'t'}`
  expect(await pool`select name from pg_prepared_statements`).toEqual([])
  await pool.end()
})

test('a server without encryption is used if the address allows it', async () => {
  const way = await wayTo(database.target)
  const { port, database: name, username } = way.target as Exclude<typeof way.target, string>
  const address = `postgres://${username}@127.0.0.1:${port}/${name}`
  const preferring = connect(`${address}?sslmode=prefer`, { max: 1 })
  expect(await preferring`select 1 as one`).toEqual([{ one: 1 }])
  await preferring.end()
  const requiring = connect(`${address}?sslmode=require`, { max: 1 })
  await expect(requiring`select 1 as one`).rejects.toBeInstanceOf(Unavailable)
  await requiring.end()
  await way.cut()
})

test('a server that falls silent after the login fails statements within the timeout', async () => {
  // Accepts any login and answers no statement (PostgreSQL protocol 3).
  const sockets: Socket[] = []
  const silent = createServer((socket) => {
    sockets.push(socket)
    socket.once('data', () => socket.write(Buffer.from([82, 0, 0, 0, 8, 0, 0, 0, 0, 90, 0, 0, 0, 5, 73])))
  }).listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const { port } = silent.address() as AddressInfo
  const pool = connect(`postgres://ots@127.0.0.1:${port}/ots`, { max: 1, connectWithinMs: 200 })
  await expect(pool`select 1`).rejects.toThrow('The database did not answer within 200 ms.')
  await pool.end()
  for (const socket of sockets) socket.destroy()
  silent.close()
})

test('a batch whose connection is lost while it waits for a lock is retried on another one', async () => {
  const pool = connect(database.target)
  const other = connect(database.target, { max: 3 })
  await pool.script('create table seats (id int primary key); insert into seats values (1)')
  const batches = new Batches<number, number>(
    (ids) =>
      pool.transaction(async (db) => {
        await db`select from seats where id = any(${ids}) for update`
        return ids
      }),
    { most: 10, atOnce: 1 },
  )
  for (let round = 0; round < 5; round++) {
    const { retried } = await other.transaction(async (db) => {
      await db`select from seats for update`
      const locked = batches.add(1)
      await expect
        .poll(
          () => other.values<boolean>`
            select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        )
        .toEqual([true])
      return { retried: locked }
    })
    expect(await retried).toBe(1)
  }
  await pool.end()
  await other.end()
})

test('after a lock timeout the items of a batch are retried one by one, so that only the locked one fails', async () => {
  const waited = Object.assign(new Unavailable('canceling statement due to lock timeout', { code: '55P03' }))
  const batches = new Batches<string, string>(
    async (items) => {
      if (items.includes('locked')) throw waited
      return items.map((item) => `${item} done`)
    },
    { most: 10, atOnce: 1 },
  )
  const outcomes = await Promise.allSettled(['a', 'locked', 'b'].map((item) => batches.add(item)))
  expect(outcomes).toEqual([
    { status: 'fulfilled', value: 'a done' },
    { status: 'rejected', reason: waited },
    { status: 'fulfilled', value: 'b done' },
  ])
})

test('a migration gives way to a backup that reads the tables, and reports it', async () => {
  const own = await emptyDatabase()
  await loadEarlierDatabase(own.pool, '0025')
  const backup = connect(urlOf(own.target), { max: 3 })
  let [begin, end] = [() => {}, () => {}]
  const begun = new Promise<void>((resolve) => (begin = resolve))
  const ended = new Promise<void>((resolve) => (end = resolve))
  const reading = backup.transaction(
    async (db) => {
      await db`lock table orders in access share mode`
      begin()
      await ended
    },
    { isUnlimited: true },
  )
  try {
    await begun
    await expect(migrate(own.pool)).rejects.toThrow(MigrationRefusal)
  } finally {
    end()
    await reading
    await backup.end()
    await own.drop()
  }
})
