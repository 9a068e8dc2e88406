import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Caller } from '../../src/domain/access/caller.ts'
import { connect, type Pool } from '../../src/store/db/pool.ts'
import { orders } from '../../src/store/orders/orders.ts'
import { created, TENANT, world } from '../orders/given.ts'
import { startService, testKeyring, type TestService } from '../support/service.ts'
import { copyRow, pagesTouched } from './touched.ts'

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
  await copyRow(session, id, { prefix: 'acme', companyId: 'acme', count: ON_FILE })
  await session.script('analyze orders')
  await copyRow(session, id, { prefix: 'globex', companyId: 'globex', count: NEW })
})
afterAll(async () => {
  await session?.end()
  await service.stop()
})

test('reading some orders of a company without statistics does not read all of its orders', async () => {
  const caller = { tenantId: TENANT, companyIds: ['globex'], scopes: [] } as unknown as Caller
  const ids = Array.from({ length: READ }, (_, n) => `globex${n + 1}`)
  const before = await pagesTouched(session)
  await session`select id from orders where tenant_id = ${TENANT} and company_id = any(${['globex']}) and id = any(${ids})`
  const between = await pagesTouched(session)
  // Copies cannot be opened, which comes after they were read.
  await expect(orders(session, testKeyring).findViews(caller, ids)).rejects.toThrow('A sealed value does not open')
  const after = await pagesTouched(session)
  // Otherwise PostgreSQL has learned to do without the trick.
  expect(between - before).toBeGreaterThan(NEW / 10)
  expect(after - between).toBeLessThan(READ * 10)
})
