import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { OrderStatus } from '@order-testing/contract'
import type { Order } from '../../src/domain/orders/order.ts'
import { runHousekeeping } from '../../src/operations/housekeeping.ts'
import type { OrderFilter } from '../../src/store/orders/filter.ts'
import {
  addCompanies,
  callerOf,
  expectPages,
  makeSmallChunks,
  orderAt,
  START,
  toRow,
} from '../support/counted-orders.ts'
import { freshDatabase, type TestDatabase } from '../support/service.ts'

const STATUSES: OrderStatus[] = ['ordered', 'scheduled', 'pending', 'negative', 'cancelled']
const COUNT = 6_000

const MANY = Array.from({ length: 25 }, (_, i) => `k${i}`)

/** Who lists the orders: the companies, those that the caller sees, and of one of them the id and a location. */
const SCOPES = [
  { scope: 'two companies', companies: ['a', 'a', 'b'], seen: ['a', 'b'], company: 'b', location: 'a1' },
  { scope: 'all companies of a tenant', companies: MANY, seen: MANY, company: 'k3', location: 'k41' },
  { scope: 'most companies of a tenant', companies: MANY, seen: MANY.slice(1), company: 'k3', location: 'k41' },
]

describe.each(SCOPES)('lists of $scope', ({ companies, seen, company, location }) => {
  let database: TestDatabase
  let orders: Order[] = []
  beforeAll(async () => {
    database = await freshDatabase()
    await addCompanies(database, [...new Set(companies)])
    orders = Array.from({ length: COUNT }, (_, i) =>
      orderAt(i, { company: companies[i % companies.length]!, status: STATUSES[i % STATUSES.length]! }),
    )
    // Out of order and many at once, with folding in between, as on a busy day with several nodes.
    const shuffled = orders.toSorted((one, other) => (one.code < other.code ? -1 : 1))
    for (let i = 0; i < COUNT; i += 500) {
      await Promise.all(shuffled.slice(i, i + 500).map((order) => database.store.orders.insert([toRow(order)])))
      if (i % 1500 === 0) await runHousekeeping(database.store, new Date())
    }
  })
  afterAll(() => database.drop())

  const from = new Date(START + 1_200_000).toISOString()
  const to = new Date(START + 4_700_000).toISOString()

  const filters: [string, Partial<OrderFilter>, (order: Order) => boolean][] = [
    ['all', {}, () => true],
    ['a company', { companyId: company }, (order) => order.company.id === company],
    ['a company that is not linked', { companyId: 'z' }, () => false],
    ['a location', { locationId: location }, (order) => order.location.id === location],
    ['a status', { status: 'negative' }, ({ status }) => status === 'negative'],
    [
      'several statuses',
      { status: ['negative', 'ordered', 'expired'] },
      ({ status }) => status === 'negative' || status === 'ordered',
    ],
    ['no status', { status: [] }, () => false],
    [
      'several statuses, created between',
      { status: ['pending', 'cancelled'], createdFrom: from, createdTo: to },
      ({ status, createdAt }) =>
        ['pending', 'cancelled'].includes(status) && createdAt >= new Date(from) && createdAt < new Date(to),
    ],
    [
      'a location and several statuses',
      { locationId: location, status: ['ordered', 'pending'] },
      (order) => order.location.id === location && ['ordered', 'pending'].includes(order.status),
    ],
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
      { locationId: location, status: 'ordered' },
      (order) => order.location.id === location && order.status === 'ordered',
    ],
  ]

  const pages = [1, 2, 99, 100, 101, 150, 233, 299, 300, 301, 10_000]
  const check = (filter: Partial<OrderFilter>, isSelected: (order: Order) => boolean) =>
    expectPages(database, orders, {
      filter,
      isSelected: (order) => seen.includes(order.company.id) && isSelected(order),
      pages,
      companies: seen,
    })

  test.each(filters)('the list filtered by %s is exact with changes not folded yet', async (_name, filter, holds) => {
    await check(filter, holds)
    expect.hasAssertions()
  })

  test('lists are exact after changes of many orders at once, folded and not', async () => {
    const changed = orders.map((order, i) => (i % 3 === 0 ? moved(order, STATUSES[i % 4]!, i) : order))
    const work = changed.filter((order, i) => order !== orders[i])
    await changeAll(work.slice(0, 1000))
    await Promise.all([
      runHousekeeping(database.store, new Date()),
      runHousekeeping(database.store, new Date()),
      changeAll(work.slice(1000)),
    ])
    orders = changed
    for (const [, filter, holds] of filters) await check(filter, holds)
    await runHousekeeping(database.store, new Date())
    for (const [, filter, holds] of filters) await check(filter, holds)
    const [left] = await database.pool<{ count: number }[]>`select count(*)::int from order_changes`
    expect(left?.count).toBe(0)
  })

  test('lists of many chunks are exact, while orders move from block to block', async () => {
    await makeSmallChunks(database)
    for (const [, filter, holds] of filters) await check(filter, holds)
    // All of a status leave it, so that blocks become empty.
    const changed = orders.map((order, i) =>
      order.status === 'negative' || i % 7 === 0 ? moved(order, 'cancelled', i) : order,
    )
    const work = changed.filter((order, i) => order !== orders[i])
    await changeAll(work.slice(0, 500))
    await runHousekeeping(database.store, new Date())
    await changeAll(work.slice(500))
    orders = changed
    for (const [, filter, holds] of filters) await check(filter, holds)
    await runHousekeeping(database.store, new Date())
    for (const [, filter, holds] of filters) await check(filter, holds)
    const { invariants } = database.store
    const owners = await invariants.companies()
    const wrong = await Promise.all(owners.map((owner) => invariants.wrongBlocks(owner)))
    expect(wrong.flat()).toEqual([])
    const [empty] = await database.pool<{ blocks: number }[]>`
      select count(*)::int as blocks from order_blocks where list = 'status negative' and start_key <> ''`
    expect(empty?.blocks).toBe(0)
  })

  /** Fifty at once: on a busy machine, hundreds would wait too long for a connection. */
  async function changeAll(changed: Order[]): Promise<void> {
    for (let i = 0; i < changed.length; i += 50)
      await Promise.all(changed.slice(i, i + 50).map((order) => change(order)))
  }

  const change = (order: Order) => database.store.transaction((tx) => tx.orders.update([toRow(order)]))
})

const moved = (order: Order, status: OrderStatus, i: number): Order => ({
  ...order,
  status,
  updatedAt: new Date(Math.max(order.createdAt.getTime(), START + 3_000_000 + i)),
})

describe('changes of orders that a list by time of change has', () => {
  let database: TestDatabase
  beforeAll(async () => {
    database = await freshDatabase()
    await addCompanies(database, ['a'])
  })
  afterAll(() => database.drop())

  const change = (order: Order) => database.store.transaction((tx) => tx.orders.update([toRow(order)]))

  test('the rows and the total of a page are of one moment', async () => {
    const { store } = database
    const orders = Array.from({ length: 90 }, (_, i) => orderAt(i, { company: 'a', status: 'ordered' }))
    await store.orders.insert(orders.map((order) => toRow(order)))
    const left = { orders: orders.length }
    const changing = (async () => {
      for (const [i, order] of orders.entries()) {
        await change(moved(order, 'cancelled', i))
        left.orders--
      }
    })()
    const updatedTo = new Date(START + 2_000_000).toISOString()
    while (left.orders > 0) {
      const page = await store.orderList.page(callerOf(['a']), { limit: 100, page: 1, updatedTo })
      expect(page.rows).toHaveLength(page.total)
    }
    await changing
  })

  test('the count of a chunk is written only if it changes, and each change is folded once', async () => {
    const { store, pool } = database
    const fold = () => store.transaction((tx) => tx.orderCounts.fold({ waits: true }))
    while ((await fold()) > 0);
    const order = orderAt(1_000, { company: 'a', status: 'ordered' })
    await store.orders.insert([toRow(order)])
    expect([await fold(), await fold()]).toEqual([1, 0])
    const written = () =>
      pool`select company_id, list, xmin::text from order_chunks where list in ('all', 'updated') order by 1, 2`
    const before = await written()
    await change(moved(order, 'ordered', 1))
    expect([await fold(), await fold()]).toEqual([1, 0])
    expect(await written()).toEqual(before)
  })
})
