import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Batches } from '../../src/store/batches.ts'
import { presentedTexts } from '../../src/operations/order-answer.ts'
import { wordsOf } from '../../src/operations/match-order.ts'
import { startService, type TestService } from '../support/service.ts'
import { created, SECRET, TENANT, world } from './given.ts'

const settled = (all: Promise<unknown>[]) => Promise.allSettled(all)

describe('what is asked for one by one', () => {
  const doubles = (options: { most?: number; pick?: (items: number[]) => number[] } = {}) => {
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

  test('goes together when it comes together, each with its own answer', async () => {
    const { runs, batches } = doubles()
    expect(await Promise.all([1, 2, 3].map((item) => batches.add(item)))).toEqual([2, 4, 6])
    expect(runs).toEqual([[1, 2, 3]])
  })

  test('is tried alone where the batch failed, so that nobody fails for a neighbour', async () => {
    const { runs, batches } = doubles()
    const outcomes = await settled([1, 13, 3].map((item) => batches.add(item)))
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
    expect(runs).toEqual([[1, 13, 3], [1], [13], [3]])
  })

  test('waits for the next batch where it may not go with the others', async () => {
    const { runs, batches } = doubles({ pick: (items) => items.filter((item) => item % 2 === items[0]! % 2) })
    expect(await Promise.all([1, 2, 3, 4].map((item) => batches.add(item)))).toEqual([2, 4, 6, 8])
    expect(runs).toEqual([
      [1, 3],
      [2, 4],
    ])
  })

  test('does not make a batch larger than is good', async () => {
    const { runs, batches } = doubles({ most: 2 })
    await Promise.all([1, 2, 3].map((item) => batches.add(item)))
    expect(runs).toEqual([[1, 2], [3]])
  })
})

describe('an order that is written twice, because the answer to the first time was lost', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
    await service.apply(world())
  })
  afterAll(() => service.stop())

  test('is there once, and is counted once', async () => {
    const { id } = await created(service)
    const caller = { tenantId: TENANT, companyIds: ['acme'] } as never
    const order = (await service.store.orders.lockVisible(caller, id))!
    const again = { tenantId: TENANT, order, presented: presentedTexts(order), words: wordsOf(order) }
    expect(await service.store.placeOrder(again)).toBe(true)
    expect((await service.call(SECRET, '/api/v2/orders')).body.total).toBe(1)
    const [changes] = await service.pool<{ n: number }[]>`select count(*)::int as n from order_changes`
    expect(changes?.n).toBe(1)
  })
})
