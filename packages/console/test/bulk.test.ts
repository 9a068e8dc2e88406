import { describe, expect, test } from 'vitest'
import type { ListedOrder } from '../src/api/masking.ts'
import { withPatience } from '../src/api/failures.ts'
import { collect, isPossible, leftOutOf, runBulk } from '../src/pages/orders/bulk.ts'
import { idsIn } from '../src/parts/export.ts'
import { toggled, withRange } from '../src/pages/orders/selection.ts'
import { canSave, filtersToSave, isSameView, searchOfView } from '../src/pages/orders/views.ts'

const order = (id: string, status = 'ordered', service = status) =>
  ({ id, code: id, status, services: [{ status: service }] }) as unknown as ListedOrder
const orders = ['a', 'b', 'c', 'd'].map((id) => order(id))
const never = new AbortController().signal
const onProgress = () => undefined

describe('what is done to many orders', () => {
  test('the orders of a filter are collected once each, although new ones push some onto the next page', async () => {
    const pages = [orders.slice(0, 2), orders.slice(1, 3), orders.slice(3)]
    const read: number[] = []
    const readPage = async (page: number) => ({ data: pages[page - 1] ?? [], total: 4 })
    const found = await collect(readPage, { signal: never, onProgress: (count) => read.push(count) })
    expect(found.map(({ id }) => id)).toEqual(['a', 'b', 'c', 'd'])
    expect(read).toEqual([2, 3, 4])
  })

  test('a refused order does not stop those after it, a failure does', async () => {
    const tried: string[] = []
    const act = async ({ id }: ListedOrder) => {
      tried.push(id)
      if (id === 'b') throw new Error('refused')
      if (id === 'c') throw new TypeError('offline')
    }
    const isRefusal = (error: unknown) => !(error instanceof TypeError)
    const { outcomes, failure } = await runBulk(orders, act, { signal: never, onProgress, isRefusal })
    expect(tried).toEqual(['a', 'b', 'c'])
    expect(outcomes.map(({ order: { id }, refusal }) => [id, refusal])).toEqual([
      ['a', undefined],
      ['b', 'refused'],
    ])
    expect(failure).toBeInstanceOf(TypeError)
  })

  test('nothing is done after a stop', async () => {
    const stopping = new AbortController()
    const act = async ({ id }: ListedOrder) => (id === 'b' ? stopping.abort() : undefined)
    const { outcomes } = await runBulk(orders, act, { signal: stopping.signal, onProgress, isRefusal: () => true })
    expect(outcomes.map(({ order: { id } }) => id)).toEqual(['a', 'b'])
  })

  test('a request over the limit is sent again after the time that the service asks for', async () => {
    let calls = 0
    const act = async () => {
      calls += 1
      if (calls < 3) throw new Error('too many')
      return 'done'
    }
    expect(await withPatience(act, { signal: never, waitAfter: () => 0.001 })).toBe('done')
    await expect(
      withPatience(() => Promise.reject(new Error('other')), { signal: never, waitAfter: () => undefined }),
    ).rejects.toThrow('other')
  })

  test.each([
    ['cancel', order('a', 'pending', 'testing'), true],
    ['cancel', order('a', 'negative'), false],
    ['extend', order('a', 'scheduled'), true],
    ['extend', order('a', 'pending', 'testing'), false],
    ['sendLink', order('a', 'cancelled'), false],
  ] as const)('%s is offered for an order as the rules allow', (action, given, isOffered) => {
    expect(isPossible(action, given)).toBe(isOffered)
  })
})

describe('selected rows', () => {
  const ids = ['a', 'b', 'c', 'd']
  test('a range has all rows between two, in either direction, besides those that were selected', () => {
    expect(Object.keys(withRange({}, ids, 1, 3))).toEqual(['b', 'c', 'd'])
    expect(Object.keys(withRange({ d: true }, ids, 2, 0)).toSorted()).toEqual(['a', 'b', 'c', 'd'])
  })

  test('a row is added and removed', () => {
    expect(toggled(toggled({}, 'a'), 'b')).toEqual({ a: true, b: true })
    expect(toggled({ a: true }, 'a')).toEqual({})
  })
})

describe('saved views', () => {
  test('a view leads back to the filters it was saved from', () => {
    const search = {
      status: 'pending',
      company: 'acme',
      location: 'hq',
      created: '7',
      externalId: 'HR-1',
      q: 'K7M4-2QXD',
    }
    expect(isSameView(searchOfView(filtersToSave(search)), { ...search, order: 'P3WT-9HC4' })).toBe(true)
  })

  test('a search for a person cannot be saved, one for a code can', () => {
    expect(canSave({ q: 'maria lopez' })).toBe(false)
    expect(filtersToSave({ q: 'k7m42qxd' })).toEqual({ code: 'K7M4-2QXD' })
  })
})

test('an export is read on from the last id at the start of a line, whatever cells contain', () => {
  expect(idsIn('id,code\r\nord_1,A\r\nord_2,"text\nord_not,an id"\r\n')).toEqual(['ord_1', 'ord_2'])
})

test('orders that an action leaves out are counted by the status that is in the way', () => {
  const chosen = [order('a'), order('b', 'cancelled'), order('c', 'cancelled'), order('d', 'pending', 'testing')]
  expect(leftOutOf('cancel', chosen)).toEqual([['cancelled', 2]])
  expect(leftOutOf('extend', chosen)).toEqual([
    ['cancelled', 2],
    ['pending', 1],
  ])
})
