import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../src/domain/access/caller.ts'
import { connect, type Pool } from '../../src/store/db/pool.ts'
import { orders } from '../../src/store/orders/orders.ts'
import { created, TENANT, world } from '../orders/given.ts'
import { startService, testKeyring, type TestService } from '../support/service.ts'

const ON_FILE = 20_000
/** Orders of a company that statistics do not know yet. */
const NEW = 6_000
/** Read at once, in a batch. */
const READ = 20

let service: TestService
let session: Pool

beforeAll(async () => {
  service = await startService()
  await service.apply(world())
  const { id } = await created(service)
  await service.pool.script(
    'alter table orders disable trigger user; alter table orders set (autovacuum_enabled = false)',
  )
  // One session for everything, so that its figures are complete.
  session = connect(service.target, { max: 1 })
  await copyOrder(id, 'acme', ON_FILE)
  await session.script('analyze orders')
  await copyOrder(id, 'globex', NEW)
}, 60_000)
afterAll(async () => {
  await session?.end()
  await service.stop()
})

const copyOrder = (id: string, company: string, count: number) => session`
  insert into orders
  select (jsonb_populate_record(o, jsonb_build_object('id', ${company} || n, 'code', ${company} || n, 'company_id', ${company}::text))).*
  from orders o cross join generate_series(1, ${count}) n where o.id = ${id}`

test('reading some orders of a company without statistics does not read all of its orders', async () => {
  const caller = { tenantId: TENANT, companyIds: ['globex'], scopes: [] } as unknown as Caller
  const ids = Array.from({ length: READ }, (_, n) => `globex${n + 1}`)
  const before = await pagesTouched()
  await session`select id from orders where tenant_id = ${TENANT} and company_id = any(${['globex']}) and id = any(${ids})`
  const between = await pagesTouched()
  // Copies cannot be opened, which comes after they were read.
  await expect(orders(session, testKeyring).findViews(caller, ids)).rejects.toThrow('A sealed value does not open')
  const after = await pagesTouched()
  // Otherwise PostgreSQL has learned to do without the trick.
  expect(between - before).toBeGreaterThan(NEW / 10)
  expect(after - between).toBeLessThan(READ * 10)
})

/** Pages of orders and their indexes that were read since the service started, from memory or disk. */
async function pagesTouched(): Promise<number> {
  await session`select pg_stat_force_next_flush()`
  const { pages } = await session.only<{ pages: number }>`
    select (heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::float8 as pages
    from pg_statio_user_tables where relid = 'orders'::regclass`
  return pages
}
