import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runHousekeeping } from '../../src/operations/housekeeping.ts'
import type { Finding } from '../../src/domain/diagnosis.ts'
import { identifiers } from '../../src/store/db/sql.ts'
import { recordEntries, tamper } from '../audit/given.ts'
import { cancelled, created, rewrite, TENANT, world } from '../orders/given.ts'
import { newFolder, removeFoldersAfterAll } from '../support/folders.ts'
import { ots } from '../support/processes.ts'
import { startService, TEST_KEY, urlOf, type TestService } from '../support/service.ts'

let service: TestService
let env: Record<string, string>
let ids: string[]
beforeAll(async () => {
  service = await startService()
  await service.apply(world())
  const DATABASE_URL = urlOf(service.target)
  env = { OTS_DATA_DIR: await newFolder(), OTS_KEYS: `${TEST_KEY.id}:${TEST_KEY.secret}`, DATABASE_URL }
  const orders = [await created(service), await created(service), await created(service, { externalId: 'HR-4471' })]
  ids = orders.map(({ id }) => id as string)
  await cancelled(service, ids[0]!)
  await runHousekeeping(service.store, new Date())
  // Neither folded nor announced yet.
  await cancelled(service, ids[1]!)
})
afterAll(() => service.stop())
removeFoldersAfterAll()

async function examine(): Promise<{ code: number | null; problems: Record<string, string>; checks: string[] }> {
  const { code, stdout } = await ots(['doctor', '--deep', '--json'], env)
  const { findings } = JSON.parse(stdout) as { findings: Finding[] }
  // Test servers may run without fsync, which is a problem anywhere else.
  const problems = findings.filter(({ level, check }) => level === 'problem' && check !== 'durability')
  return {
    code,
    problems: Object.fromEntries(problems.map(({ check, detail }) => [check, detail])),
    checks: findings.map(({ check }) => check),
  }
}

/** What is found while a row is changed; the change is undone. */
async function whileBroken(breaks: () => Promise<unknown>, mends: () => Promise<unknown>) {
  await breaks()
  try {
    return await examine()
  } finally {
    await mends()
  }
}

describe('ots doctor --deep', () => {
  test('a database in use, with changes that are not folded yet, breaks no invariant', async () => {
    const { problems, checks } = await examine()
    expect(problems).toEqual({})
    expect(checks).toEqual(expect.arrayContaining(['counts', 'events', 'histories', 'searchKeys', 'audit']))
    const shallow = JSON.parse((await ots(['doctor', '--json'], env)).stdout) as { findings: Finding[] }
    expect(shallow.findings.map(({ check }) => check)).not.toContain('counts')
  })

  test('a kept count that is not the number of orders is named with its list', async () => {
    const add = (n: number) => service.pool`
      update order_chunks set n = n + ${n} where tenant_id = ${TENANT} and list = 'status cancelled'`
    const { code, problems } = await whileBroken(
      () => add(1),
      () => add(-1),
    )
    expect([code, Object.keys(problems)]).toEqual([1, ['counts']])
    expect(problems['counts']).toMatch(/north\/\S+, list "status cancelled": 3 kept, 2 found\.$/)
  })

  test('a block of counts that is not the sum of its chunks is named with its list', async () => {
    const { problems } = await whileBroken(
      () => service.pool`
        insert into order_blocks select tenant_id, company_id, list, start_key, n + 1 from order_chunks where list = 'updated'`,
      () => service.pool`delete from order_blocks`,
    )
    expect(problems['counts']).toMatch(/list "updated": 4 kept, 3 found/)
  })

  test('orders of a list without any count are found', async () => {
    const kept = await service.pool.values<object>`select to_jsonb(c) from order_chunks c where list = 'all'`
    const { problems } = await whileBroken(
      () => service.pool`delete from order_chunks where list = 'all'`,
      () => service.pool`
        insert into order_chunks
        select * from jsonb_populate_recordset(null::order_chunks, ${JSON.stringify(kept)}::text::jsonb)`,
    )
    expect(problems['counts']).toMatch(/list "all": \d+ kept, \d+ found/)
  })

  test('an event without its change, and one without its order, are named', async () => {
    const id = 'evt_00000000000000000000000000'
    const insert = (orderId: string) => () =>
      service.pool`
      insert into events (tenant_id, id, order_id, created_at) values (${TENANT}, ${id}, ${orderId}, now())`
    const remove = () => service.pool`delete from events where id = ${id}`
    for (const orderId of [ids[2]!, 'ord_missing']) {
      const { code, problems } = await whileBroken(insert(orderId), remove)
      expect([code, problems]).toEqual([1, { events: `Events without their change: ${TENANT}/${id}.` }])
    }
  })

  test('an order whose history ends in another status, and one that no reader can follow, are named', async () => {
    const setStatus = (status: string) => service.pool`update orders set status = ${status} where id = ${ids[2]!}`
    const other = await whileBroken(
      () => setStatus('pending'),
      () => setStatus('ordered'),
    )
    expect(other.problems['histories']).toMatch(new RegExp(`ends in another status: ${TENANT}/${ids[2]}\\.$`))
    const { history } = (await service.store.orders.find(TENANT, ids[2]!))!
    const without = await whileBroken(
      () => rewrite(service, ids[2]!, { history: [] }),
      () => rewrite(service, ids[2]!, { history }),
    )
    expect(without.problems['histories']).toContain(ids[2]!)
    const { position, companyId } = await service.pool.only<{ position: string; companyId: string }>`
      delete from order_positions where order_id = ${ids[2]!} returning position::text, company_id`
    const unplaced = await examine()
    await service.pool`
      insert into order_positions (tenant_id, order_id, company_id, position)
      values (${TENANT}, ${ids[2]!}, ${companyId}, ${position}::bigint)`
    expect(unplaced.problems).toEqual({ histories: expect.stringContaining(ids[2]!) as string })
    expect((await examine()).problems).toEqual({})
  })

  test.each(['search_keys', 'search_codes', 'blocking_keys'])(
    'an order that lacks a row of %s is named',
    async (table) => {
      const rows = identifiers(table)
      let removed: object | undefined
      const { problems } = await whileBroken(
        async () => {
          const removing = service.pool.values<object>`
          delete from ${rows} t where ctid = (select min(ctid) from ${rows} where order_id = ${ids[2]!})
          returning to_jsonb(t)`
          ;[removed] = await removing
        },
        () => service.pool`
        insert into ${rows} select * from jsonb_populate_record(null::${rows}, ${JSON.stringify(removed)}::text::jsonb)`,
      )
      expect(problems).toEqual({
        searchKeys: `Orders that matching or the search of operators may miss: ${TENANT}/${ids[2]}.`,
      })
    },
  )

  test('a broken audit chain is named', async () => {
    await recordEntries(service, 3)
    const { code, problems } = await whileBroken(
      () => tamper(service, "update audit_entries set action = 'order.create' where action = 'order.cancel'"),
      () => tamper(service, "update audit_entries set action = 'order.cancel' where action = 'order.create'"),
    )
    expect([code, problems['audit']]).toEqual([1, expect.stringContaining(`of tenant "${TENANT}"`)])
  })
})
