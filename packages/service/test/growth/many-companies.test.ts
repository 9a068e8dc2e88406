import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Pool } from '../../src/store/db/pool.ts'
import { orderCounts } from '../../src/store/orders/counts.ts'
import { created, TENANT, world } from '../orders/given.ts'
import { startService, type TestService } from '../support/service.ts'

const ORDERS = 4_000
const COMPANIES = 300

let service: TestService
let session: Pool

beforeAll(async () => {
  service = await startService()
  await service.apply(world())
  const { id } = await created(service)
  // One session for everything, so that its figures are complete.
  session = connect(service.target, { max: 1 })
  await session.script(
    `alter table orders disable trigger user; alter table orders set (autovacuum_enabled = false);
    insert into companies
    select (jsonb_populate_record(c, jsonb_build_object('id', 'other' || n))).*
    from companies c cross join generate_series(1, ${COMPANIES}) n where c.id = 'acme'`,
  )
  await copyOrder(id, 'ord_z', ORDERS)
  // As if the planner did not choose them: it has done so while a service grew fast.
  await session.script('drop index orders_of_company, orders_by_status; truncate order_changes, order_chunks')
}, 60_000)
afterAll(async () => {
  await session?.end()
  await service.stop()
})

const copyOrder = (id: string, prefix: string, count: number) => session`
  insert into orders
  select (jsonb_populate_record(o, jsonb_build_object('id', ${prefix} || n, 'code', ${prefix} || n))).*
  from orders o cross join generate_series(1, ${count}) n where o.id = ${id}`

test.each(['all', 'status ordered'])(
  'splitting the list "%s" of a tenant with many companies reads each order once',
  async (list) => {
    await session`insert into order_chunks (tenant_id, company_id, list, start_key, n) values (${TENANT}, '', ${list}, 'ord_z', ${ORDERS})`
    const before = await pagesTouched()
    await session.transaction((tx) => orderCounts(tx).splitLargest())
    const touched = (await pagesTouched()) - before
    const [{ pieces, sum } = { pieces: 0, sum: 0 }] = await session<{ pieces: number; sum: number }[]>`
      select count(*)::int as pieces, sum(n)::int as sum from order_chunks where list = ${list}`
    expect({ pieces, sum }).toEqual({ pieces: 4, sum: ORDERS })
    expect(touched).toBeLessThan(2 * ORDERS)
  },
)

/** Pages of orders and their indexes that were read since the service started, from memory or disk. */
async function pagesTouched(): Promise<number> {
  await session`select pg_stat_force_next_flush()`
  const { pages } = await session.only<{ pages: number }>`
    select (heap_blks_hit + heap_blks_read + idx_blks_hit + idx_blks_read)::float8 as pages
    from pg_statio_user_tables where relid = 'orders'::regclass`
  return pages
}
