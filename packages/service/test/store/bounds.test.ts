import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ReferenceCandidates } from '../../src/domain/orders/references.ts'
import { sql } from '../../src/store/db/sql.ts'
import { referenceCache } from '../../src/store/orders/facts.ts'
import { pageOf } from '../../src/store/db/page.ts'
import { freshDatabase, type TestDatabase } from '../support/service.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await freshDatabase()
})
afterAll(() => database.drop())

test.each([
  [undefined, { total: 10, isMore: false }],
  [10, { total: 10, isMore: false }],
  [9, { total: 9, isMore: true }],
])('the total of ten rows that are counted up to %j is reported as %j', async (counted, said) => {
  const parts = { from: sql`from generate_series(1, 10) n`, order: sql`n desc`, pick: sql`n as id` }
  const page = await pageOf<{ id: number }>(
    database.pool,
    { limit: 2, page: 2 },
    { ...parts, ...(counted !== undefined && { counted }) },
  )
  expect(page).toMatchObject({ ...said, rows: [{ id: 8 }, { id: 7 }] })
})

test('the cache of resolved references is bounded by size, not by number of entries', () => {
  const known = referenceCache()
  const large = {
    locations: [],
    packages: [{ id: 'p', name: 'x'.repeat(100_000), services: [] }],
    hasBackgroundTexts: false,
  } as ReferenceCandidates
  for (let i = 0; i < 1_000; i++) known.set(`key ${i}`, large)
  expect(known.calculatedSize).toBeLessThanOrEqual(16 * 1024 ** 2)
  expect(known.size).toBeGreaterThan(100)
  expect(known.size).toBeLessThan(200)
})
