import { describe, expect, test } from 'vitest'
import type { OrderTestingError } from '../src/index.ts'
import { answering, closeServersAfterEach, cut, failure, json, problem } from './servers.ts'

closeServersAfterEach()

const page = (ids: string[], nextCursor: string) =>
  json(200, { data: ids.map((id) => ({ id })), limit: 20, page: 1, total: 9, nextCursor })

const cursorOf = (path: string) => new URLSearchParams(path.split('?')[1]).get('cursor')

interface Item {
  id: string
  version: number
}

/** Orders by their last change: one that changes again moves to the end, as in the service. */
class Feed {
  #last = 0
  #items: (Item & { position: number })[] = []

  constructor(size: number) {
    for (let i = 0; i < size; i += 1) this.#put(`ord_${i}`, 0)
  }

  change(index: number): void {
    const { id, version } = this.#items.splice(index % this.#items.length, 1)[0]!
    this.#put(id, version + 1)
  }

  /** Whether the latest version of every order is known. */
  isSeen = (seen: Map<string, number>) => this.#items.every(({ id, version }) => seen.get(id) === version)

  answer: ReturnType<typeof json> = (response, { path, ...rest }) => {
    const query = new URLSearchParams(path.split('?')[1])
    const from = Number(query.get('cursor'))
    const limit = Number(query.get('limit') ?? 20)
    const data = this.#items.filter(({ position }) => position > from).slice(0, limit)
    const nextCursor = String(data.at(-1)?.position ?? from)
    json(200, { data, limit, page: 1, total: 40, nextCursor })(response, { path, ...rest })
  }

  #put(id: string, version: number): void {
    this.#items.push({ id, version, position: (this.#last += 1) })
  }
}

describe('changes', () => {
  test('come with the cursor to keep: within a page, its cursor and the number of items', async () => {
    const { client, seen } = await answering([page(['a', 'b'], 'c1'), page(['c'], 'c2'), page([], 'c2')])
    const controller = new AbortController()
    const found: string[] = []
    for await (const { order, cursor } of client.orders.changes({ cursor: 'c0', signal: controller.signal })) {
      found.push(`${order.id} ${cursor}`)
      if (order.id === 'c') controller.abort()
    }
    expect(found).toEqual(['a c0~1', 'b c1', 'c c2'])
    expect(seen.map(({ path }) => path)).toEqual([
      '/api/v2/orders?sort=updatedAt&cursor=c0',
      '/api/v2/orders?sort=updatedAt&cursor=c1',
    ])
  })

  test.each([
    ['c0~3', undefined, '?limit=3&cursor=c0'],
    ['c0~3', 2, '?limit=2&cursor=c0'],
    ['c0~3', 20, '?limit=3&cursor=c0'],
    ['~1', undefined, '?limit=1&cursor='],
  ])('go on from the cursor %s with a page of that many items', async (cursor, limit, search) => {
    const { client, seen } = await answering([page(['a'], 'c1'), page(['b'], 'c2')])
    for await (const { event } of client.events.changes({ cursor, limit })) if (event.id === 'b') break
    expect(seen.map(({ path }) => path)).toEqual([
      `/api/v2/events${search}`,
      `/api/v2/events?${limit ? `limit=${limit}&` : ''}cursor=c1`,
    ])
  })

  test('reach a caller that stops within pages, none left out, while orders go on changing', async () => {
    const feed = new Feed(40)
    const { client } = await answering([feed.answer])
    const seen = new Map<string, number>()
    let cursor = ''
    let runs = 0
    for (; !feed.isSeen(seen); runs += 1) {
      let left = 1 + (runs % 4)
      for await (const change of client.orders.changes({ cursor })) {
        const { id, version } = change.order as unknown as Item
        seen.set(id, version)
        cursor = change.cursor
        left -= 1
        if (left === 0 || feed.isSeen(seen)) break
      }
      if (runs < 60) feed.change(runs * 7)
      expect(runs).toBeLessThan(400)
    }
    expect(seen.size).toBe(40)
  })

  test('that keep the cursor end with an error', async () => {
    const { client, seen } = await answering([page(['a'], 'c1')])
    const changes = client.orders.changes({ pollMs: 1 })
    await changes.next()
    expect((await failure(changes.next())).message).toBe('The page repeats its cursor')
    expect(seen).toHaveLength(2)
  })

  test('are waited for after every empty page, also if its cursor is new', async () => {
    const { client, seen } = await answering([page([], 'c1'), page([], 'c2'), page(['a'], 'c3')])
    const started = performance.now()
    await client.orders.changes({ pollMs: 50 }).next()
    expect(performance.now() - started).toBeGreaterThan(90)
    expect(seen).toHaveLength(3)
  })

  test('are waited for at the end, and read on from there', async () => {
    const { client, seen } = await answering([page(['a'], 'c1'), page([], 'c1'), page([], 'c1'), page(['b'], 'c2')])
    const found: string[] = []
    for await (const { event } of client.events.changes({ pollMs: 1, limit: 7 })) {
      found.push(event.id)
      if (event.id === 'b') break
    }
    expect(found).toEqual(['a', 'b'])
    expect(seen.map(({ path }) => cursorOf(path))).toEqual(['', 'c1', 'c1', 'c1'])
    expect(seen[0]!.path).toContain('limit=7')
  })

  test('end without an error when aborted while they wait', async () => {
    const controller = new AbortController()
    const { client } = await answering([
      (response, seen) => {
        page([], 'c1')(response, seen)
        response.on('close', () => controller.abort())
      },
    ])
    const found: unknown[] = []
    for await (const change of client.orders.changes({ pollMs: 100_000, signal: controller.signal })) found.push(change)
    expect(found).toEqual([])
  })

  test('end without an error when aborted during a request', async () => {
    const controller = new AbortController()
    const { client } = await answering([() => controller.abort()])
    const found: unknown[] = []
    for await (const change of client.orders.changes({ signal: controller.signal })) found.push(change)
    expect(found).toEqual([])
  })

  test('go on after failures that pass, which are reported', async () => {
    const answers = [page(['a'], 'c1'), cut, json(503, problem(503, 'internalError')), page(['b'], 'c2')]
    const { client, seen } = await answering(answers, { maxRetries: 0 })
    const errors: OrderTestingError[] = []
    const found: string[] = []
    for await (const { order } of client.orders.changes({ pollMs: 1, onError: (error) => errors.push(error) })) {
      found.push(order.id)
      if (order.id === 'b') break
    }
    expect(found).toEqual(['a', 'b'])
    expect(errors.map(({ name, status }) => [name, status])).toEqual([
      ['NetworkError', undefined],
      ['OrderTestingError', 503],
    ])
    expect(seen.map(({ path }) => cursorOf(path))).toEqual(['', 'c1', 'c1', 'c1'])
  })

  test.each([
    ['a refusal', json(401, problem(401, 'unauthenticated'))],
    ['a page without a cursor', json(200, { data: [] })],
  ])('end with an error after %s', async (_, answer) => {
    const { client } = await answering([answer])
    expect((await failure(client.orders.changes().next())).name).toBe('OrderTestingError')
  })
})

describe('lists', () => {
  const numbered = (ids: string[], number: number, total: number) =>
    json(200, { data: ids.map((id) => ({ id })), limit: 2, page: number, total })

  test('are read page by page, and only as far as they are used', async () => {
    const { client, seen } = await answering([numbered(['a', 'b'], 1, 5), numbered(['c', 'd'], 2, 5)])
    const list = client.companies.list({ limit: 2, name: 'x' })
    expect(seen).toEqual([])
    for await (const { id } of list) if (id === 'c') break
    expect(seen.map(({ path }) => path)).toEqual([
      '/api/v2/companies?limit=2&name=x',
      '/api/v2/companies?limit=2&name=x&page=2',
    ])
  })

  test('give an item once that moved to the next page meanwhile', async () => {
    const { client } = await answering([numbered(['d', 'c'], 1, 4), numbered(['c', 'b'], 2, 5), numbered(['a'], 3, 5)])
    const ids: string[] = []
    for await (const { id } of client.orders.list({ limit: 2 })) ids.push(id)
    expect(ids).toEqual(['d', 'c', 'b', 'a'])
  })

  test('are awaited as their first page with one request', async () => {
    const { client, seen } = await answering([numbered(['a', 'b'], 1, 5)])
    const list = client.orders.list()
    expect((await list).total).toBe(5)
    expect((await list).data).toHaveLength(2)
    expect(seen).toHaveLength(1)
  })

  test('of a search send the page in the body', async () => {
    const { client, seen } = await answering([numbered(['a', 'b'], 1, 3), numbered(['c'], 2, 3)])
    const sizes: number[] = []
    for await (const { data } of client.clinics.search({ query: 'x', limit: 2 }).pages()) sizes.push(data.length)
    expect(sizes).toEqual([2, 1])
    expect(seen.map(({ body }) => JSON.parse(body) as object)).toEqual([
      { query: 'x', limit: 2 },
      { query: 'x', limit: 2, page: 2 },
    ])
  })
})
