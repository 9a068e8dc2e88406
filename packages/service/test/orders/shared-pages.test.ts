import { expect, test } from 'vitest'
import type { Caller } from '../../src/domain/access/caller.ts'
import { sharePages, type OrderPage } from '../../src/store/orders/shared-pages.ts'

const caller = (tokenId: string) => ({ tenantId: 'acme', tokenId }) as Caller
const FIRST = { limit: 20, page: 1 }

/** Pages whose total is the number of the read that gave them. A read takes until it is let go. */
function reads() {
  const begun: { finish: () => void; fail: () => void }[] = []
  const list = sharePages((): Promise<OrderPage> => {
    return new Promise((resolve, reject) => {
      const total = begun.length + 1
      begun.push({ finish: () => resolve({ rows: [], total }), fail: () => reject(new Error('lost')) })
    })
  })
  return { begun, list }
}

test('those who ask at the same time share a read', async () => {
  const { begun, list } = reads()
  const token = caller('one')
  const asked = Array.from({ length: 10 }, () => list(token, FIRST))
  await expect.poll(() => begun).toHaveLength(1)
  begun[0]!.finish()
  expect((await Promise.all(asked)).map(({ total }) => total)).toEqual(Array.from({ length: 10 }, () => 1))
})

test('who asks during a read gets a later one', async () => {
  const { begun, list } = reads()
  const token = caller('one')
  const first = list(token, FIRST)
  await expect.poll(() => begun).toHaveLength(1)
  const second = list(token, FIRST)
  await expect.poll(() => begun).toHaveLength(2)
  const third = list(token, FIRST)
  begun[0]!.finish()
  begun[1]!.finish()
  await expect.poll(() => begun).toHaveLength(3)
  begun[2]!.finish()
  expect((await Promise.all([first, second, third])).map(({ total }) => total)).toEqual([1, 2, 3])
})

test('other pages and other tokens are read on their own', async () => {
  const { begun, list } = reads()
  const token = caller('one')
  const asked = [list(token, FIRST), list(token, { ...FIRST, page: 2 }), list(caller('two'), FIRST)]
  await expect.poll(() => begun).toHaveLength(3)
  for (const { finish } of begun) finish()
  expect(new Set((await Promise.all(asked)).map(({ total }) => total)).size).toBe(3)
})

test('a read that fails is not kept', async () => {
  const { begun, list } = reads()
  const token = caller('one')
  const failing = list(token, FIRST)
  await expect.poll(() => begun).toHaveLength(1)
  begun[0]!.fail()
  await expect(failing).rejects.toThrow('lost')
  const next = list(token, FIRST)
  await expect.poll(() => begun).toHaveLength(2)
  begun[1]!.finish()
  expect(await next).toEqual({ rows: [], total: 2 })
})

test('a page is the same object for as long as its orders and its total are the same', async () => {
  const [one, two, other] = [1, 2, 3].map((n) => ({ id: `ord_${n}`, view: { order: `{${n}}`, participant: null } }))
  const found: OrderPage[] = [
    { rows: [two!, one!], total: 2 },
    { rows: [two!, one!], total: 2 },
    { rows: [two!, one!], total: 3 },
    { rows: [{ ...two!, view: { ...two!.view } }, one!], total: 3 },
    { rows: [other!, one!], total: 3 },
    { rows: [other!], total: 3 },
  ]
  const waiting = [...found]
  const list = sharePages(async () => waiting.shift()!)
  const token = caller('one')
  const given: OrderPage[] = []
  for (const _ of found) given.push(await list(token, FIRST))
  expect(given).toEqual(found)
  expect(given[1]).toBe(given[0])
  expect(new Set(given).size).toBe(5)
})

/** How many of these pages are the same objects as when they were first read. */
async function countKept(list: ReturnType<typeof sharePages>, asked: [Caller, { limit: number; page: number }][]) {
  const first: OrderPage[] = []
  for (const [token, filter] of asked) first.push(await list(token, filter))
  let kept = 0
  // Newest first, because those that are read again push out others.
  for (const [i, [token, filter]] of [...asked.entries()].toReversed())
    if ((await list(token, filter)) === first[i]) kept += 1
  return kept
}

const NEXT = Array.from({ length: 100 }, (_, i) => ({ limit: 20, page: i + 2 }))

test('a bounded number of pages is kept, even if they are empty', async () => {
  const list = sharePages(async () => ({ rows: [], total: 0 }))
  const tokens = Array.from({ length: 120 }, (_, i) => caller(`token ${i}`))
  const kept = await countKept(
    list,
    tokens.flatMap((token) => NEXT.map((filter): [Caller, typeof FIRST] => [token, filter])),
  )
  expect(kept).toBeGreaterThan(1_000)
  expect(kept).toBeLessThan(10_000)
})

test('filters that a token has not used for long leave no pages behind', async () => {
  const large = { id: 'ord_1', view: { order: 'x'.repeat(8_000_000), participant: null } }
  const list = sharePages(async ({ tokenId }) => ({ rows: tokenId === 'large' ? [large] : [], total: 1 }))
  const [other, polling] = [caller('large'), caller('polling')]
  const first = await list(other, FIRST)
  for (let page = 1; page <= 10_000; page++) await list(polling, { limit: 20, page })
  // Ten thousand empty pages would have pushed it out.
  expect(await list(other, FIRST)).toBe(first)
})
