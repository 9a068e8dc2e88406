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
}, 60_000)
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
