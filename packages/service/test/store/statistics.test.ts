import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freshDatabase, type TestDatabase } from '../support/service.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

const ROWS = 20_000

const renew = () => database.pool.values`select renew_statistics()`

/** Waits until the server counts changes of most rows, which it does some time after their transaction. */
async function untilCounted(): Promise<void> {
  for (;;) {
    const [count] = await database.pool.values`select n_tup_upd::int from pg_stat_user_tables where relname = 'grown'`
    if (Number(count) > ROWS * 0.6) return
    await sleep(20)
  }
}

test('a table is analyzed at once when it grows, from a small sample, and some time later when it is changed in place', async () => {
  // With room for another version of each row, so that it does not grow when they change.
  await database.pool.script(
    'create table grown (id int, state text) with (fillfactor = 40, autovacuum_enabled = false)',
  )
  await renew()
  await database.pool`insert into grown select n, 'waiting' from generate_series(1, ${ROWS}::int) n`
  expect(await renew()).toContain('grown')
  const [bounds] = await database.pool
    .values`select array_length(histogram_bounds::text::int[], 1) from pg_stats where tablename = 'grown' and attname = 'id'`
  expect(bounds).toBe(21)

  const analyzedAt = performance.now()
  await database.pool`update grown set state = 'ended' where id <= ${ROWS * 0.7}::int`
  await untilCounted()
  while (!(await renew()).includes('grown')) await sleep(100)
  expect(performance.now() - analyzedAt).toBeGreaterThan(8_000)
}, 60_000)
