import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OrderStatus } from '@order-testing/contract'
import type { Caller } from '../../src/domain/access/caller.ts'
import { makeId } from '../../src/domain/ids.ts'
import type { Order } from '../../src/domain/orders/order.ts'
import { runHousekeeping } from '../../src/operations/housekeeping.ts'
import type { OrderFilter } from '../../src/store/orders/list.ts'
import { freshDatabase, type TestDatabase } from '../support/service.ts'

const START = Date.parse('2026-03-01T00:00:00.000Z')
const STATUSES: OrderStatus[] = ['ordered', 'scheduled', 'pending', 'negative', 'cancelled']
const COUNT = 6_000

let database: TestDatabase
let orders: Order[] = []
beforeAll(async () => {
  database = await freshDatabase()
  orders = Array.from({ length: COUNT }, (_, i) => orderAt(i))
  // Out of order and many at once, with folding in between, as on a busy day with several nodes.
  const shuffled = orders.toSorted((a, b) => (a.code < b.code ? -1 : 1))
  for (let i = 0; i < COUNT; i += 500) {
    await Promise.all(
      shuffled
        .slice(i, i + 500)
        .map((order) => database.store.orders.insert([{ tenantId: 't', order, presented: TEXTS, words: [] }])),
    )
    if (i % 1500 === 0) await runHousekeeping(database.store, new Date())
  }
})
afterAll(() => database.drop())

describe('Every list has an exact total, and pages that neither repeat nor lose an order', () => {
  const caller = {
    tenantId: 't',
    tokenId: 'x',
    scopes: new Set(),
    companyIds: ['a', 'b', 'c'],
    catalogVersion: '1',
    senders: null,
    rateLimit: null,
  } as Caller
  const from = new Date(START + 1_200_000).toISOString()
  const to = new Date(START + 4_700_000).toISOString()

  const filters: [string, Partial<OrderFilter>, (order: Order) => boolean][] = [
    ['all', {}, () => true],
    ['a company', { companyId: 'b' }, ({ company }) => company.id === 'b'],
    ['a company that is not linked', { companyId: 'z' }, () => false],
    ['a location', { locationId: 'a1' }, ({ location }) => location.id === 'a1'],
    ['a status', { status: 'negative' }, ({ status }) => status === 'negative'],
    ['created from', { createdFrom: from }, ({ createdAt }) => createdAt >= new Date(from)],
    ['created to', { createdTo: to }, ({ createdAt }) => createdAt < new Date(to)],
    [
      'created between',
      { createdFrom: from, createdTo: to },
      ({ createdAt }) => createdAt >= new Date(from) && createdAt < new Date(to),
    ],
    [
      'a status, created to',
      { status: 'ordered', createdTo: to },
      ({ status, createdAt }) => status === 'ordered' && createdAt < new Date(to),
    ],
    ['updated from', { updatedFrom: from }, ({ updatedAt }) => updatedAt >= new Date(from)],
    [
      'updated between',
      { updatedFrom: from, updatedTo: to },
      ({ updatedAt }) => updatedAt >= new Date(from) && updatedAt < new Date(to),
    ],
    [
      'a location and a status',
      { locationId: 'a1', status: 'ordered' },
      ({ location, status }) => location.id === 'a1' && status === 'ordered',
    ],
  ]

  const check = async (filter: Partial<OrderFilter>, holds: (order: Order) => boolean) => {
    const expected = orders
      .filter((order) => holds(order))
      .map(({ id }) => id)
      .toSorted()
      .toReversed()
    for (const page of [1, 2, 99, 100, 101, 150, 233, 299, 300, 301, 10_000]) {
      const found = await database.store.orderList.page(caller, { limit: 20, page, ...filter })
      expect(found.total).toBe(expected.length)
      expect(found.rows.map(({ id }) => id)).toEqual(expected.slice((page - 1) * 20, page * 20))
    }
  }

  test.each(filters)('%s, with changes not folded yet', async (_name, filter, holds) => {
    await check(filter, holds)
    expect.hasAssertions()
  })

  test('and still after changes of many orders at once, folded and not', async () => {
    const changed = orders.map((order, i) => (i % 3 === 0 ? moved(order, STATUSES[i % 4]!, i) : order))
    const work = changed.filter((order, i) => order !== orders[i])
    await Promise.all(work.slice(0, 1000).map((order) => change(order)))
    await Promise.all([
      runHousekeeping(database.store, new Date()),
      runHousekeeping(database.store, new Date()),
      ...work.slice(1000).map((order) => change(order)),
    ])
    orders = changed
    for (const [, filter, holds] of filters) await check(filter, holds)
    await runHousekeeping(database.store, new Date())
    for (const [, filter, holds] of filters) await check(filter, holds)
    const [left] = await database.pool<{ count: number }[]>`select count(*)::int from order_changes`
    expect(left?.count).toBe(0)
  })

  const change = (order: Order) =>
    database.store.transaction((tx) => tx.orders.update([{ tenantId: 't', order, presented: TEXTS, words: [] }]))
})

const TEXTS = { head: '{}', participant: '{}' }

function orderAt(i: number): Order {
  // Several orders in each millisecond, so that ties have to keep their order.
  const at = new Date(START + Math.floor(i / 3) * 3_000)
  const company = 'aab'[i % 3]!
  return {
    id: makeId('ord', at, randomBytes),
    code: randomBytes(8).toString('hex'),
    company: { id: company, name: company },
    location: { id: `${company}${i % 2}`, name: 'x' },
    status: STATUSES[i % 5]!,
    services: [],
    participant: { identifiers: [] },
    createdAt: at,
    updatedAt: at,
    expiresAt: null,
    appointmentAt: null,
  } as unknown as Order
}

const moved = (order: Order, status: OrderStatus, i: number): Order => ({
  ...order,
  status,
  updatedAt: new Date(Math.max(order.createdAt.getTime(), START + 3_000_000 + i)),
})
