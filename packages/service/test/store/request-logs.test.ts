import { afterAll, beforeAll, expect, test } from 'vitest'
import { tokenUses } from '../../src/store/access/token-uses.ts'
import type { Db } from '../../src/store/db/db.ts'
import { identifiers } from '../../src/store/db/sql.ts'
import { requests } from '../../src/store/sandbox/requests.ts'
import { runExplained, statementsOf } from '../support/plans.ts'
import { freshDatabase, testKeyring, type TestDatabase } from '../support/service.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

const ADDED = 800

const given = Array.from({ length: ADDED }, (_, n) => ({
  tenantId: 'acme',
  tokenId: 'hr',
  id: `req_${String(n).padStart(6, '0')}`,
  at: new Date(),
  orderIds: [],
  content: { status: 200 } as never,
}))

/** How often the plan looked for them. */
const searchesIn = (plan: string) =>
  Math.max(...[...plan.matchAll(/ newer .*loops=(\d+)/g)].map(([, loops]) => Number(loops)))

test.each<[string, (db: Db) => Promise<void>]>([
  ['token_requests', (db) => tokenUses(db, testKeyring).record(given)],
  ['sandbox_requests', (db) => requests(db, testKeyring).record(given)],
])('the requests to keep in %s are looked for once, not for each request', async (table, record) => {
  const statements = await statementsOf(record)
  const dropping = statements.pop()!
  for (const adding of statements) await database.pool.run(adding)
  await database.pool.script(`analyze ${table}`)
  expect(searchesIn(await runExplained(database.pool, dropping))).toBeLessThan(3)
  const left = await database.pool.values`select count(*)::int from ${identifiers(table)}`
  expect(left).toEqual([100])
})

test('large requests of a sandbox are written in statements of moderate size', async () => {
  const body = 'x'.repeat(16 * 1024)
  const content = { status: 200, request: { body }, answer: { body } } as never
  const large = given.slice(0, 100).map((each) => ({ ...each, content }))
  const sizes = (await statementsOf((db) => requests(db, testKeyring).record(large))).map(({ values }) =>
    Math.max(...values.map((value) => String(value).length)),
  )
  expect(Math.max(...sizes)).toBeLessThan(512 * 1024)
})
