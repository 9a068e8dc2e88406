import { Socket } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { connect, type Pool } from '../../src/store/db/pool.ts'
import { freshDatabase, type TestDatabase } from '../support/service.ts'

let database: TestDatabase
let pool: Pool
beforeAll(async () => {
  database = await freshDatabase()
  // Transactions have one connection, so that the next one would find what another left behind.
  pool = connect(database.target, { max: 3 })
  await pool.script('create table noted (n int primary key)')
})
beforeEach(() => pool.script('truncate noted'))
afterAll(async () => {
  await pool.end()
  await database.drop()
})

/** Fails some microtasks later than its statement does. */
const later = async (statement: Promise<unknown>) => (async () => statement)()
const noted = () => pool.values<number>`select n from noted order by n`

test('statements that are sent with the commit are committed', async () => {
  const result = await pool.transaction(async (db, commitWith) => {
    await db`insert into noted values (1)`
    await commitWith([db`insert into noted values (2)`, db`insert into noted values (3)`])
    return 'done'
  })
  expect(result).toBe('done')
  expect(await noted()).toEqual([1, 2, 3])
})

test('nothing is committed if one of them fails, and the first failure is reported', async () => {
  const failed = pool.transaction(async (db, commitWith) => {
    await db`insert into noted values (1)`
    await commitWith([
      db`insert into noted values (2)`,
      later(db`insert into noted values (1)`),
      db`insert into noted values (3)`,
    ])
  })
  await expect(failed).rejects.toMatchObject({ code: '23505', constraint: 'noted_pkey' })
  expect(await noted()).toEqual([])
  expect(await pool.transaction((db) => db`select 1 as n`)).toEqual([{ n: 1 }])
})

test('of statements that are sent together, the first failure is reported', async () => {
  const failed = pool.transaction((db) =>
    Promise.all([later(db`select 1 / 0`), db`insert into noted values (1)`, later(db`insert into noted values (2)`)]),
  )
  await expect(failed).rejects.toMatchObject({ code: '22012' })
  expect(await noted()).toEqual([])
})

test('nothing is committed if one of them fails before it is sent', async () => {
  const compose = async () => {
    await Promise.resolve()
    throw new Error('This could not be composed.')
  }
  const failed = pool.transaction(async (db, commitWith) => {
    await commitWith([db`insert into noted values (1)`, compose()])
  })
  await expect(failed).rejects.toThrow('This could not be composed.')
  expect(await noted()).toEqual([])
})

test('nothing is committed if one of them is refused before the next tick', async () => {
  const failed = pool.transaction(async (db, commitWith) => {
    const late = Promise.resolve().then(() => db`insert into noted values (2)`)
    await commitWith([db`insert into noted values (1)`, late])
  })
  await expect(failed).rejects.toThrow('The transaction is over.')
  expect(await noted()).toEqual([])
})

test('a statement that comes after the commit is refused', async () => {
  const late = pool.transaction(async (db, commitWith) => {
    await commitWith([db`insert into noted values (1)`])
    await db`insert into noted values (2)`
  })
  await expect(late).rejects.toThrow('The transaction is over.')
  expect(await noted()).toEqual([1])
})

test('the commit does not wait for replies', async () => {
  const other = connect(database.target)
  const written = vi.spyOn(Socket.prototype, 'write')
  onTestFinished(() => {
    written.mockRestore()
    return other.end()
  })
  const { blocked } = await other.transaction(async (db) => {
    await db`lock table noted`
    const waiting = pool.transaction((tx, commitWith) => commitWith([tx`insert into noted values (1)`]))
    await expect.poll(() => written.mock.calls.some(([bytes]) => String(bytes).includes('commit'))).toBe(true)
    return { blocked: waiting }
  })
  await blocked
  expect(await noted()).toEqual([1])
})
