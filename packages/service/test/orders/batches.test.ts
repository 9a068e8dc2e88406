import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { ORDER_STATUSES } from '@order-testing/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type BatchOptions, Batches } from '../../src/store/db/batches.ts'
import { composeView } from '../../src/domain/orders/view.ts'
import { blockingKeysOf, composeSearch } from '../../src/operations/matching/match.ts'
import { startService, type TestService } from '../support/service.ts'
import { created, orderOf, SECRET, TENANT, world } from './given.ts'

const settled = (all: Promise<unknown>[]) => Promise.allSettled(all)

describe('Batches', () => {
  const doubles = (options: Partial<BatchOptions<number>> = {}) => {
    const runs: number[][] = []
    const batches = new Batches<number, number>(
      async (items) => {
        runs.push(items)
        if (items.includes(13)) throw new Error('Thirteen.')
        return items.map((item) => 2 * item)
      },
      { most: 10, atOnce: 1, ...options },
    )
    return { runs, batches }
  }

  test('items of one turn form one batch, and each gets its own result', async () => {
    const { runs, batches } = doubles()
    expect(await Promise.all([1, 2, 3].map((item) => batches.add(item)))).toEqual([2, 4, 6])
    expect(runs).toEqual([[1, 2, 3]])
  })

  test('items of a failed batch are tried one by one', async () => {
    const { runs, batches } = doubles()
    const outcomes = await settled([1, 13, 3].map((item) => batches.add(item)))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(runs).toEqual([[1, 13, 3], [1], [13], [3]])
  })

  test('items of a failed batch are retried a few at once, and do not wait for one that takes long', async () => {
    const many = Array.from({ length: 32 }, (_, i) => i)
    let [running, most, done] = [0, 0, 0]
    let end = () => {}
    const rest = new Promise<void>((resolve) => (end = resolve))
    const batches = new Batches<number, number>(
      async (items) => {
        if (items.length > 1) throw new Error('One of them is bad.')
        most = Math.max(most, ++running)
        await (items[0] === 0 ? rest : nextTurn())
        running -= 1
        if (++done === many.length - 1) end()
        return items
      },
      { most: 32, atOnce: 1 },
    )
    expect(await Promise.all(many.map((item) => batches.add(item)))).toEqual(many)
    expect(most).toBe(4)
  })

  test('an item that conflicts with the batch waits for the next one', async () => {
    const { runs, batches } = doubles({ pick: (items) => items.filter((item) => item % 2 === items[0]! % 2) })
    expect(await Promise.all([1, 2, 3, 4].map((item) => batches.add(item)))).toEqual([2, 4, 6, 8])
    expect(runs).toEqual([
      [1, 3],
      [2, 4],
    ])
  })

  test('an item is not delayed by earlier ones that wait for each other', async () => {
    const { runs, batches } = doubles({ most: 2, pick: (items) => [items[0]!, ...items.filter((item) => item >= 10)] })
    await Promise.all([1, 2, 3, 4, 5, 20].map((item) => batches.add(item)))
    expect(runs[0]).toEqual([1, 20])
  })

  test('an item waits for a running batch that it conflicts with, others do not', async () => {
    const started: number[] = []
    let end = () => {}
    const batches = new Batches<number, number>(
      async (items) => {
        started.push(...items)
        if (items.includes(1)) await new Promise<void>((resolve) => (end = resolve))
        return items
      },
      {
        most: 10,
        atOnce: 2,
        // Odd items conflict with each other.
        pick: (waiting, underWay) => {
          const isOdd = (item: number) => item % 2 === 1
          const odd = underWay.some(isOdd) ? [] : waiting.filter(isOdd).slice(0, 1)
          return [...odd, ...waiting.filter((item) => !isOdd(item))]
        },
      },
    )
    const first = [1, 3].map((item) => batches.add(item))
    while (started.length === 0) await sleep(1)
    expect(await batches.add(2)).toBe(2)
    expect(await batches.add(4)).toBe(4)
    expect(started).not.toContain(3)
    end()
    expect(await Promise.all(first)).toEqual([1, 3])
  })

  test('a batch has at most the configured number of items', async () => {
    const { runs, batches } = doubles({ most: 2 })
    await Promise.all([1, 2, 3].map((item) => batches.add(item)))
    expect(runs).toEqual([[1, 2], [3]])
  })

  test('a batch that lingers goes as soon as it has as many items as the last one', { timeout: 20_000 }, async () => {
    const { runs, batches } = doubles({ lingerMs: 3_600_000 })
    await Promise.all([1, 2].map((item) => batches.add(item)))
    const third = batches.add(3)
    await sleep(20)
    expect(runs).toEqual([[1, 2]])
    expect(await Promise.all([third, batches.add(4)])).toEqual([6, 8])
    expect(runs).toEqual([
      [1, 2],
      [3, 4],
    ])
  })

  test('fewer items than the last batch had wait for more, but not longer than they may', async () => {
    const { runs, batches } = doubles({ lingerMs: 50 })
    await Promise.all([1, 2, 3].map((item) => batches.add(item)))
    const since = performance.now()
    expect(await Promise.all([4, 5].map((item) => batches.add(item)))).toEqual([8, 10])
    expect(performance.now() - since).toBeGreaterThan(45)
    expect(runs).toEqual([
      [1, 2, 3],
      [4, 5],
    ])
  })
})

describe('an order that is written again after its reply was lost', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
    await service.apply(world())
  })
  afterAll(() => service.stop())

  test('an order that is written twice is stored and counted once', async () => {
    const { id } = await created(service)
    const caller = { tenantId: TENANT, companyIds: ['acme'] } as never
    const order = (await service.store.orders.lockVisible(caller, id))!
    const again = { tenantId: TENANT, order, view: composeView(order), blockingKeys: blockingKeysOf(order) }
    expect(await service.store.placeOrder(again)).toBe(true)
    expect((await service.call(SECRET, '/api/v2/orders')).body.total).toBe(1)
    const [changes] = await service.pool<{ n: number }[]>`select count(*)::int as n from order_changes`
    expect(changes?.n).toBe(1)
  })
})

describe('placing an order after a search', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.stop())

  test('an order with a new candidate since its search is not placed, the others of the batch are', async () => {
    const [first, again, other] = [candidate(), candidate(), candidate({ email: 'anna@example.com' })]
    expect(await service.store.placeOrder(first)).toBe(true)
    const placed = await Promise.all([again, other].map((added) => service.store.placeOrder(added)))
    expect(placed).toEqual([false, true])
    const rows = await service.pool`select id from orders order by id`
    expect(rows.map(({ id }) => id as string)).toEqual([first.order.id, other.order.id].toSorted())
  })

  test('an order whose search had found the candidate is placed', async () => {
    const seen = candidate({ email: 'seen@example.com' })
    await service.store.placeOrder(seen)
    const added = candidate({ email: 'seen@example.com' })
    const searched = { ...added.searched, found: [seen.order.id] }
    expect(await service.store.placeOrder({ ...added, searched })).toBe(true)
  })

  test('an order that is written again after its reply was lost is stored once', async () => {
    const added = candidate({ email: 'twice@example.com' })
    expect(await service.store.placeOrder(added)).toBe(true)
    expect(await service.store.placeOrder(added)).toBe(true)
    expect(await service.store.matchCandidates.find([added.searched.search])).toMatchObject([[{ id: added.order.id }]])
  })

  test('an order waits for a transaction that places a candidate, and is then not placed', async () => {
    const [first, second] = [candidate({ email: 'both@example.com' }), candidate({ email: 'both@example.com' })]
    let later: Promise<boolean> | undefined
    await service.store.transaction(async (tx) => {
      await tx.matchCandidates.lock(first.searched.search)
      later = service.store.placeOrder(second)
      const isWaiting = () => service.pool`select from pg_locks where locktype = 'advisory' and not granted`
      while ((await isWaiting()).length === 0) await sleep(5)
      await tx.orders.insert([first])
    })
    expect(await later).toBe(false)
  })

  test('a batch takes no more orders than it may take locks', async () => {
    const many = Array.from({ length: 60 }, (_, i) => candidate({ email: `p${i}@example.com` }, 20))
    const placed = Promise.all(many.map((added) => service.store.placeOrder(added)))
    const over = new AbortController()
    void placed.then(() => over.abort())
    let most = 0
    while (!over.signal.aborted) {
      const [row] = await service.pool<{ n: number }[]>`
        select count(*)::int as n from pg_locks where locktype = 'advisory'`
      most = Math.max(most, row!.n)
    }
    expect(await placed).toEqual(many.map(() => true))
    // Two statements run at once.
    expect(most).toBeLessThanOrEqual(1_000)
  })
})

describe('match candidates by status', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.stop())

  test.each(['standard', 'appCollection'] as const)(
    'the search and the rules agree on the statuses that can match: %s',
    async (profile) => {
      const options = { enabled: true, profile, lookBackMs: 86_400_000, minScore: 85 }
      const asked = ORDER_STATUSES.map((status) => {
        const person = { lastName: `${status} ${profile}`, email: `${status}.${profile}@example.com` }
        const open = orderOf({ participant: person, source: 'app' })
        // Written with the blocking keys of an open order, whatever its status.
        const given = {
          tenantId: TENANT,
          order: { ...open, status },
          view: composeView(open),
          blockingKeys: blockingKeysOf(open),
        }
        const isOpen = blockingKeysOf(given.order).some((key) => key.startsWith(`${profile} `))
        return { given, isOpen, search: composeSearch(open, options, { caller: CALLER, now: new Date() }) }
      })
      await Promise.all(asked.map(({ given }) => service.store.placeOrder(given)))
      const found = await service.store.matchCandidates.find(asked.map(({ search }) => search))
      expect(found.map((candidates) => candidates.length > 0)).toEqual(asked.map(({ isOpen }) => isOpen))
      expect(new Set(asked.map(({ isOpen }) => isOpen))).toEqual(new Set([true, false]))
    },
  )
})

const CALLER = { tenantId: TENANT, companyIds: ['acme'] } as never

/** An order with a search that found nothing, and `more` blocking keys that no other order has. */
function candidate(person: { email?: string } = {}, more = 0) {
  const participant = {
    birthDate: '1990-03-07',
    email: 'maria@example.com',
    ...person,
    lastName: person.email ?? 'Lopez',
  }
  const order = orderOf({ participant })
  const options = { enabled: true, profile: 'standard' as const, lookBackMs: 86_400_000, minScore: 85 }
  const search = composeSearch(order, options, { caller: CALLER, now: new Date() })
  const blockingKeys = [...search.blockingKeys, ...Array.from({ length: more }, (_, i) => `${order.id} ${i}`)]
  const searched = { search: { ...search, blockingKeys }, found: [] as string[] }
  return { tenantId: TENANT, order, view: composeView(order), blockingKeys: blockingKeysOf(order), searched }
}
