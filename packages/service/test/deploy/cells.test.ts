import { readFile } from 'node:fs/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { linkAudit } from '../../src/operations/audit/link.ts'
import { compareCounts, findOrdersWithoutKeys } from '../../src/operations/orders/invariants.ts'
import { entryAt, faultsOf } from '../audit/given.ts'
import { cancelled, created, SECRET, world } from '../orders/given.ts'
import { startService, type TestService } from '../support/service.ts'

const FILE = new URL('../../../../deploy/citus.sql', import.meta.url)

/** The part of the file that prepares a schema, which needs no Citus. */
const inSchema = async () => /^begin;\n(.*)^commit;\n/ms.exec(await readFile(FILE, 'utf8'))![1]!

const changedAttributes = ({ pool }: TestService) => pool`
  select proname, prosecdef, proconfig from pg_proc
  where pronamespace = current_schema()::regnamespace and proname in (
    'add_blocking_keys', 'add_search_keys', 'queue_audit_entries', 'change_blocks') order by 1`

let service: TestService
let attributes: object[]
beforeAll(async () => {
  service = await startService()
  await service.apply(world())
  attributes = await changedAttributes(service)
  await service.pool.script(await inSchema())
})
afterAll(() => service.stop())

test('no trigger of a cell reads the rows of a statement, which Citus refuses', async () => {
  const triggers = await service.pool.values`
    select tgname::text from pg_trigger where tgnewtable is not null or tgoldtable is not null`
  expect(triggers).toEqual([])
})

test('the functions of its triggers keep their rights and settings', async () => {
  expect(await changedAttributes(service)).toEqual(attributes)
})

test('orders of a cell are counted and found by their keys', async () => {
  const { pool, store } = service
  await created(service)
  await folded()
  // Lists have blocks only if they are long.
  await pool`
    insert into order_blocks (tenant_id, company_id, list, start_key, n)
    select tenant_id, company_id, list, start_key, n from order_chunks where list = 'all' and company_id = 'acme'`
  const { id } = await created(service)
  await cancelled(service, id)
  await folded()
  expect(await pool.values`select n::int from order_blocks`).toEqual([2])
  expect(await compareCounts(store)).toMatchObject({ wrong: [] })
  expect(await findOrdersWithoutKeys(store)).toMatchObject({ seen: 2, wrong: [] })
  expect((await service.call(SECRET, '/api/v2/orders')).body).toMatchObject({ total: 2, data: [{ id }, {}] })
})

test('entries of the audit log wait to be linked, and are', async () => {
  await service.store.audit.append([entryAt(0), entryAt(1)])
  expect(await service.pool.values`select count(*)::int from audit_unlinked`).toEqual([2])
  while (await linkAudit(service.store));
  expect(await faultsOf(service)).toEqual([])
})

const folded = async () => {
  while ((await service.store.transaction((tx) => tx.orderCounts.fold({ waits: true }))) > 0);
}
