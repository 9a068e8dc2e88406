import { afterAll, beforeAll, expect, test } from 'vitest'
import type { OrderStatus } from '@order-testing/contract'
import type { Order } from '../../src/domain/orders/order.ts'
import { runHousekeeping } from '../../src/operations/housekeeping.ts'
import type { OrderFilter } from '../../src/store/orders/filter.ts'
import { expectPages, orderAt, START, toRow } from '../support/counted-orders.ts'
import { freshDatabase, type TestDatabase } from '../support/service.ts'

const STATUSES: OrderStatus[] = ['negative', 'positive', 'cancelled', 'expired']
/** Enough orders of one company for its lists to be split into chunks. */
const COUNT = 5_000

let database: TestDatabase
let orders: Order[]
beforeAll(async () => {
  database = await freshDatabase()
  orders = Array.from({ length: COUNT }, (_, i) =>
    orderAt(i, { company: i % 4 === 0 ? 'b' : 'a', status: STATUSES[i % 4]! }),
  )
  for (let i = 0; i < COUNT; i += 100)
    await database.store.orders.insert(orders.slice(i, i + 100).map((order) => toRow(order)))
  await fold()
})
afterAll(() => database.drop())

const fold = () => runHousekeeping(database.store, new Date())

const from = new Date(START + 1_200_000).toISOString()
const FILTERS: [Partial<OrderFilter>, (order: Order) => boolean][] = [
  [{}, () => true],
  [{ companyId: 'b' }, ({ company }) => company.id === 'b'],
  [{ locationId: 'a1' }, ({ location }) => location.id === 'a1'],
  [{ status: 'positive' }, ({ status }) => status === 'positive'],
  [{ createdFrom: from }, ({ createdAt }) => createdAt >= new Date(from)],
  [{ updatedFrom: from }, ({ updatedAt }) => updatedAt >= new Date(from)],
]

/** Checks every total, and pages at the beginning, the middle and the end. */
async function check(): Promise<void> {
  for (const [filter, isSelected] of FILTERS) {
    const last = Math.max(1, Math.ceil(orders.filter((order) => isSelected(order)).length / 20))
    await expectPages(database, orders, { filter, isSelected, pages: [1, 101, 150, last] })
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
})
