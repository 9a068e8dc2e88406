import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OrderStatus } from '@order-testing/contract'
import type { Caller } from '../../src/domain/access/caller.ts'
import { makeId } from '../../src/domain/ids.ts'
import type { Order } from '../../src/domain/orders/order.ts'
import { runHousekeeping } from '../../src/operations/housekeeping.ts'
import type { OrderFilter } from '../../src/store/orders/list.ts'
import { freshDatabase, type TestDatabase } from '../support/service.ts'

const START = Date.parse('2026-03-01T00:00:00.000Z')
const STATUSES: OrderStatus[] = ['negative', 'positive', 'cancelled', 'expired']
/** Enough of one company for its lists to be split into chunks. */
const COUNT = 5_000
const TEXTS = { head: '{}', participant: '{}' }

let database: TestDatabase
let orders: Order[]
beforeAll(async () => {
  database = await freshDatabase()
  orders = Array.from({ length: COUNT }, (_, i) => orderAt(i))
  for (let i = 0; i < COUNT; i += 100) {
    const added = orders.slice(i, i + 100).map((order) => ({ tenantId: 't', order, presented: TEXTS, words: [] }))
    await database.store.orders.insert(added)
  }
  await fold()
})
afterAll(() => database.drop())

const fold = () => runHousekeeping(database.store, new Date())

const caller = {
  tenantId: 't',
  tokenId: 'x',
  scopes: new Set(),
  companyIds: ['a', 'b'],
  rateLimit: null,
  senders: null,
  catalogVersion: '1',
} as Caller
const from = new Date(START + 1_200_000).toISOString()
const FILTERS: [Partial<OrderFilter>, (order: Order) => boolean][] = [
  [{}, () => true],
  [{ companyId: 'b' }, ({ company }) => company.id === 'b'],
  [{ locationId: 'a1' }, ({ location }) => location.id === 'a1'],
  [{ status: 'positive' }, ({ status }) => status === 'positive'],
  [{ createdFrom: from }, ({ createdAt }) => createdAt >= new Date(from)],
  [{ updatedFrom: from }, ({ updatedAt }) => updatedAt >= new Date(from)],
]

/** Every total, and pages at the beginning, the middle and the end. */
async function check(): Promise<void> {
  for (const [filter, holds] of FILTERS) {
    const ids = orders.filter((order) => holds(order)).map(({ id }) => id)
    const expected = ids.toSorted().toReversed()
    for (const page of [1, 101, 150, Math.max(1, Math.ceil(expected.length / 20))]) {
      const found = await database.store.orderList.page(caller, { limit: 20, page, ...filter })
      expect({ filter, page, total: found.total }).toEqual({ filter, page, total: expected.length })
      expect(found.rows.map(({ id }) => id)).toEqual(expected.slice((page - 1) * 20, page * 20))
    }
  }
}

async function remove(isGone: (order: Order, i: number) => boolean): Promise<void> {
  const gone = orders.filter((order, i) => isGone(order, i)).map(({ id }) => id)
  for (let i = 0; i < gone.length; i += 500) {
    const removed = await database.store.transaction((tx) => tx.orderRemoval.remove('t', gone.slice(i, i + 500)))
    expect(removed).toHaveLength(Math.min(500, gone.length - i))
  }
  const ids = new Set(gone)
  orders = orders.filter(({ id }) => !ids.has(id))
}

test('totals and pages of every list stay exact while orders are deleted, folded or not, down to the last one', async () => {
  await check()
  await remove((_, i) => i % 5 === 0)
  await check()
  await Promise.all([fold(), remove(({ company }, i) => company.id === 'a' && i % 2 === 0)])
  await check()
  await fold()
  await check()
  await remove(() => true)
  await fold()
  await check()
  const [left] = await database.pool<{ n: number; changes: number }[]>`
    select coalesce(sum(abs(n)), 0)::int as n, (select count(*)::int from order_changes) as changes from order_chunks`
  expect(left).toEqual({ n: 0, changes: 0 })
}, 60_000)

function orderAt(i: number): Order {
  const at = new Date(START + Math.floor(i / 3) * 3_000)
  const company = i % 4 === 0 ? 'b' : 'a'
  return {
    id: makeId('ord', at, randomBytes),
    code: randomBytes(8).toString('hex'),
    company: { id: company, name: company },
    location: { id: `${company}${i % 2}`, name: 'x' },
    status: STATUSES[i % 4]!,
    services: [],
    participant: { identifiers: [] },
    createdAt: at,
    updatedAt: at,
    expiresAt: null,
    appointmentAt: null,
  } as unknown as Order
}
