import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Pool } from '../../src/store/db/pool.ts'
import { createStore, type Store } from '../../src/store/store.ts'
import { entryAt } from '../audit/given.ts'
import { world } from '../orders/given.ts'
import { startService, testKeyring, type TestService } from '../support/service.ts'
import { applied, closedOrder } from './given.ts'

/** A short statement timeout stands for the timeout of a real role and a count of millions. */
const LIMIT_MS = 400

let service: TestService
let pool: Pool
let store: Store
beforeAll(async () => {
  service = await startService()
  await service.apply(world())
  const [{ role, database }] = await service.pool<[{ role: string; database: string }]>`
    select current_user as role, current_database() as database`
  await service.pool.script(`alter role "${role}" in database "${database}" set statement_timeout = '${LIMIT_MS}ms'`)
  pool = connect(service.target)
  store = createStore(pool, testKeyring)
})
afterAll(async () => {
  await pool.end()
  await service.stop()
})

/** Works while reading a table takes longer than the timeout. */
async function whileSlow<T>(table: string, work: () => Promise<T>): Promise<T> {
  const slow = service.pool.transaction(async (db) => {
    await db.script(`lock table ${table}`)
    await sleep(3 * LIMIT_MS)
  })
  await sleep(LIMIT_MS / 4)
  const [result] = await Promise.all([work(), slow])
  return result
}

test('expired records are counted and deleted however long it takes', async () => {
  await closedOrder(service, 800)
  const keep = { notifications: '1 year' }
  expect(await whileSlow('notifications', () => applied({ store }, keep, { isDryRun: true }))).toEqual({
    notifications: '1 due',
  })
  expect(await whileSlow('notifications', () => applied({ store }, keep))).toEqual({ notifications: '1 due' })
})

test('the audit log is pruned however long it takes to find prunable entries', async () => {
  const count = (await store.audit.page('north', { limit: 1, page: 1 })).total
  await store.audit.append([entryAt(0), entryAt(1)])
  const all = { audit: `${count + 2} due` }
  const [keep, now] = [{ audit: '4 years' }, new Date('2040-01-01T00:00:00.000Z')]
  expect(await whileSlow('legal_holds', () => applied({ store }, keep, { now, isDryRun: true }))).toEqual(all)
  expect(await whileSlow('legal_holds', () => applied({ store }, keep, { now }))).toEqual(all)
})
