import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
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
      db`insert into noted values (1)`,
      db`insert into noted values (3)`,
    ])
  })
  await expect(failed).rejects.toMatchObject({ code: '23505', constraint: 'noted_pkey' })
  expect(await noted()).toEqual([])
  expect(await pool.transaction((db) => db`select 1 as n`)).toEqual([{ n: 1 }])
})

test('nothing is committed if one of them fails before it is sent', async () => {
  const compose = async () => {
    await Promise.resolve()
    throw new Error('This could not be composed.')
  }
  const failed = pool.transaction(async (db, commitWith) => {
    await commitWith([db`insert into noted values (1)`, Promise.all([compose()])])
  })
  await expect(failed).rejects.toThrow('This could not be composed.')
  expect(await noted()).toEqual([])
})

test('nothing is committed if one of them is sent too late', async () => {
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
  let isAnswered = false
  let wasAnswered: boolean | undefined
  await pool.transaction(async (db, commitWith) => {
    const sent = db`insert into noted select 1 from pg_sleep(0.05)`.then(() => (isAnswered = true))
    const committing = commitWith([sent])
    await expect(db`insert into noted values (2)`).rejects.toThrow('The transaction is over.')
    wasAnswered = isAnswered
    await committing
  })
  expect(wasAnswered).toBe(false)
  expect(await noted()).toEqual([1])
})
