import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, token, type TestService } from '../support/service.ts'
import { created, TENANT, world } from './given.ts'

const ALL = 'secret-of-all-companies'
const clock = { now: new Date('2026-03-01T12:00:00.000Z') }
const COMPANIES = Array.from({ length: 25 }, (_, i) => `client-${i}`)
/** Two orders of each company, oldest first. */
const made: string[] = []

let service: TestService
beforeAll(async () => {
  service = await startService({ now: () => clock.now })
  const companies = [...COMPANIES, 'hidden'].map((id) => ({
    id,
    name: id,
    packages: ['basic'],
    locations: [{ id: `${id}-hq`, name: id }],
  }))
  await service.apply(world({ companies, tokens: [token(ALL, { companies: COMPANIES })] }))
  for (const company of [...COMPANIES, ...COMPANIES]) {
    made.push((await created(service, { location: { id: `${company}-hq` } }, { secret: ALL })).id)
    clock.now = new Date(clock.now.getTime() + 1000)
  }
})
afterAll(() => service.stop())

const list = async (query: string) => {
  const { body } = await service.call(ALL, `/api/v2/orders?${query}`)
  return { ids: body.data.map(({ id }: { id: string }) => id) as string[], total: body.total as number }
}
const newestFirst = () => made.toReversed()

test('a token of many companies gets every page of their orders, newest first', async () => {
  const pages = await Promise.all([1, 2, 3, 4].map((page) => list(`limit=15&page=${page}`)))
  expect(pages.map(({ ids }) => ids.length)).toEqual([15, 15, 15, 5])
  expect(pages.flatMap(({ ids }) => ids)).toEqual(newestFirst())
  expect(pages.map(({ total }) => total)).toEqual([50, 50, 50, 50])
})

test('a token of many companies gets the orders of a time alone', async () => {
  const [from, to] = ['2026-03-01T12:00:10.000Z', '2026-03-01T12:00:28.000Z']
  const expected = newestFirst().slice(22, 40)
  expect(await list(`limit=18&createdFrom=${from}&createdTo=${to}`)).toEqual({ ids: expected, total: 18 })
  expect(await list(`limit=20&createdFrom=${from}&createdTo=${to}`)).toEqual({ ids: expected, total: 18 })
  expect(await list(`limit=8&page=2&createdFrom=${from}&createdTo=${to}`)).toEqual({
    ids: expected.slice(8, 16),
    total: 18,
  })
})

test('a token of many companies gets its orders behind thousands of other companies', async () => {
  await service.pool`
    insert into orders (tenant_id, id, code, company_id, location_id, status, created_at, updated_at, blocking_keys)
    select ${TENANT}, 'ord_7' || lpad(n::text, 25, '0'), 'H' || n, 'hidden', 'hidden-hq', 'ordered', now(), now(), '{}'
    from generate_series(1, 2100) n`
  expect(await list('limit=3')).toEqual({ ids: newestFirst().slice(0, 3), total: 50 })
  expect(await list('limit=20&page=3')).toEqual({ ids: newestFirst().slice(40), total: 50 })
})
