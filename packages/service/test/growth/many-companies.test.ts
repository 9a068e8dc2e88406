import { afterAll, beforeAll, expect, test } from 'vitest'
import { connect, type Pool } from '../../src/store/db/pool.ts'
import { orderCounts } from '../../src/store/orders/counts.ts'
import { created, TENANT, world } from '../orders/given.ts'
import { startService, type TestService } from '../support/service.ts'
import { copyRow, pagesTouched } from './touched.ts'

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
  await copyRow(session, id, { prefix: 'ord_z', companyId: 'acme', count: ORDERS })
  // The planner has left them aside while a service grew fast.
  await session.script('drop index orders_of_company, orders_by_status; truncate order_changes, order_chunks')
})
afterAll(async () => {
  await session?.end()
  await service.stop()
})

test.each(['all', 'status ordered'])(
  'splitting the list "%s" of a tenant with many companies reads each order once',
  async (list) => {
    await session`insert into order_chunks (tenant_id, company_id, list, start_key, n) values (${TENANT}, '', ${list}, 'ord_z', ${ORDERS})`
    const before = await pagesTouched(session)
    await session.transaction((tx) => orderCounts(tx).splitLargest())
    const touched = (await pagesTouched(session)) - before
    const [{ pieces, sum } = { pieces: 0, sum: 0 }] = await session<{ pieces: number; sum: number }[]>`
      select count(*)::int as pieces, sum(n)::int as sum from order_chunks where list = ${list}`
    expect({ pieces, sum }).toEqual({ pieces: 4, sum: ORDERS })
    expect(touched).toBeLessThan(2 * ORDERS)
  },
)

test('a list of many chunks gets blocks of 64, and a block of twice as many is divided', async () => {
  const blocks = () => session<{ startKey: string; n: number }[]>`
    select start_key, n::int from order_blocks where list = 'updated' order by start_key`
  const addChunks = (from: number, to: number) => session`
    insert into order_chunks (tenant_id, company_id, list, start_key, n)
    select ${TENANT}, '', 'updated', case when i = 0 then '' else lpad(i::text, 15, '0') end, 10 from generate_series(${from}::int, ${to}) i`
  /** Splitting the chunk that begins with this key makes nothing of it, since no order is that new. */
  const splitAt = async (key: string) => {
    await session`update order_chunks set n = 2000 where list = 'updated' and start_key = ${key}`
    await session.transaction((tx) => orderCounts(tx).splitLargest())
    await session`update order_chunks set n = 10 where list = 'updated' and start_key = ${key}`
  }
  await session`truncate order_chunks`
  await addChunks(0, 126)
  await splitAt('000000000000100')
  expect(await blocks()).toEqual([])

  await addChunks(127, 129)
  await splitAt('000000000000100')
  const start = (i: number) => String(i).padStart(15, '0')
  expect(await blocks()).toEqual([
    { startKey: '', n: 640 },
    { startKey: start(64), n: 640 },
    { startKey: start(128), n: 20 },
  ])

  await addChunks(130, 255)
  await splitAt('000000000000200')
  expect(await blocks()).toEqual([
    { startKey: '', n: 640 },
    { startKey: start(64), n: 640 },
    { startKey: start(128), n: 640 },
    { startKey: start(192), n: 640 },
  ])

  // The range of a deleted chunk becomes part of the one before it.
  await session`delete from order_chunks where list = 'updated' and start_key in (${start(64)}, ${start(65)})`
  expect(await blocks()).toEqual([
    { startKey: '', n: 1260 },
    { startKey: start(128), n: 640 },
    { startKey: start(192), n: 640 },
  ])
})
