import { afterAll, beforeAll, expect, test } from 'vitest'
import { startService, token, type TestService } from '../support/service.ts'
import { created, TENANT, world } from './given.ts'

const MANY = 'secret-of-many-companies'
const EVERY = 'secret-of-every-company'
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
  await service.apply(
    world({
      companies,
      tokens: [token(MANY, { companies: COMPANIES }), token(EVERY, { companies: [...COMPANIES, 'hidden'] })],
    }),
  )
  for (const company of [...COMPANIES, ...COMPANIES]) {
    made.push((await created(service, { location: { id: `${company}-hq` } }, { secret: MANY })).id)
    clock.now = new Date(clock.now.getTime() + 1000)
  }
})
afterAll(() => service.stop())

const list = async (query: string, secret = MANY) => {
  const { body } = await service.call(secret, `/api/v2/orders?${query}`)
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

test('a token of every company sees no order of a company that was added since its companies were read', async () => {
  expect(await list('limit=2', EVERY)).toEqual({ ids: newestFirst().slice(0, 2), total: 50 })
  await service.pool`
    insert into companies (tenant_id, id, record, name, name_key, package_ids, settings, is_active)
    values (${TENANT}, 'added', '{}', 'added', 'added', '{}', '{}', true)`
  await addOrders('added', 1)
  for (const query of ['', 'status=ordered', 'updatedFrom=2020-01-01T00:00:00Z'])
    expect(await list(`limit=2&${query}`, EVERY)).toEqual({ ids: newestFirst().slice(0, 2), total: 50 })
})

test('a token of many companies gets its orders behind thousands of other companies', async () => {
  await addOrders('hidden', 2_100)
  expect(await list('limit=3')).toEqual({ ids: newestFirst().slice(0, 3), total: 50 })
  expect(await list('limit=20&page=3')).toEqual({ ids: newestFirst().slice(40), total: 50 })
})

const addOrders = (company: string, count: number) => service.pool`
  insert into orders (tenant_id, id, code, company_id, location_id, status, created_at, updated_at, blocking_keys)
  select ${TENANT}, 'ord_7' || lpad(n::text, 24, '0') || ${company[0]!}, ${company} || n, ${company}, ${`${company}-hq`}, 'ordered', now(), now(), '{}'
  from generate_series(1, ${count}) n`
