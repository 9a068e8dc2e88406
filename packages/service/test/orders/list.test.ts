import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Order } from '@order-testing/contract'
import { refusalOf } from '../http/answers.ts'
import { startService, token, type TestService } from '../support/service.ts'
import { body, cancelled, created, DISCREET, GLOBEX, PERSON, post, SECRET, stored, world } from './given.ts'

const RIVAL = 'rival-secret-full-scope'
const BARE = 'bare-secret-no-company'
const clock = { now: new Date('2026-03-01T12:00:00.000Z') }
/** Sixteen orders of three companies and two tenants, in order of creation. */
const made: { id: string; code: string }[] = []

let service: TestService
beforeAll(async () => {
  service = await startService({ now: () => clock.now })
  await service.apply(
    {
      tenant: { id: 'rival', name: 'Rival' },
      services: [{ id: 'urine', name: 'Urine', category: 'drug', type: 'urine', isDot: false }],
      packages: [{ id: 'basic', name: 'Basic', services: ['urine'] }],
      companies: [{ id: 'acme', name: 'Rival', packages: ['basic'], locations: [{ id: 'hq', name: 'Rival HQ' }] }],
      tokens: [token(RIVAL)],
    },
    world({
      linked: ['second', 'closed'],
      locations: [{ id: 'site', name: 'Site' }],
      companies: [
        { id: 'second', name: 'Second', packages: ['basic'], locations: [{ id: 'second-hq', name: 'Second HQ' }] },
        { id: 'closed', name: 'Closed', isActive: false, locations: [{ id: 'closed-hq', name: 'Closed HQ' }] },
      ],
      tokens: [token(BARE, { companies: [] })],
    }),
  )
  for (const location of ['hq', 'site', 'second-hq']) {
    for (let i = 0; i < 4; i++) {
      made.push(await created(service, { location: { id: location }, participant: PERSON }))
      clock.now = new Date(clock.now.getTime() + 1000)
    }
  }
  // Four in the same millisecond.
  made.push(...(await Promise.all(Array.from({ length: 4 }, () => created(service)))))
  await created(service, { location: { id: 'globex-hq' } }, { secret: GLOBEX })
  await post(service, body(), { secret: RIVAL })
  await stored(service, { company: { id: 'closed', name: 'Closed' }, location: { id: 'closed-hq', name: 'Closed HQ' } })
})
afterAll(() => service.stop())

interface Listed {
  id: string
  location: { id: string }
  createdAt: string
}

const list = (query = '', secret = SECRET) => service.call(secret, `/api/v2/orders${query === '' ? '' : `?${query}`}`)
const idsOf = async (query = '', secret = SECRET) =>
  (await list(query, secret)).body.data.map(({ id }: Listed) => id) as string[]
const totalOf = async (query: string) => (await list(query)).body.total as number
const encoded = (query: Record<string, string>) => new URLSearchParams(query).toString()

describe('GET /orders', () => {
  test('the list has the orders of the token’s companies, newest first', async () => {
    const { status, body: page } = await list()
    expect(status).toBe(200)
    expect({ ...page, data: page.data.length }).toEqual({ data: 16, limit: 20, page: 1, total: 16 })
    const ids = page.data.map(({ id }: Listed) => id)
    expect(new Set(ids)).toEqual(new Set(made.map(({ id }) => id)))
    const times = page.data.map(({ createdAt }: Listed) => createdAt)
    expect(times).toEqual(times.toSorted().toReversed())
  })

  test('each order is listed as it is read, and conforms to the contract', async () => {
    const { body: page } = await list()
    for (const order of page.data) {
      expect((await service.call(SECRET, order.url)).body).toEqual(order)
      expect(Order.parse(order)).toEqual(order)
    }
  })

  test('the list leaves out participants without order.participant.read', async () => {
    for (const order of (await list('', DISCREET)).body.data) expect(order).not.toHaveProperty('participant')
    for (const order of (await list()).body.data) expect(order.participant).toHaveProperty('identifiers')
  })

  test('the list is empty for a token without companies', async () => {
    expect((await list('', BARE)).body).toEqual({ data: [], limit: 20, page: 1, total: 0 })
  })

  test('other companies and tenants see only their own orders', async () => {
    expect((await list('', GLOBEX)).body).toMatchObject({ total: 1, data: [{ company: { id: 'globex' } }] })
    expect((await list('', RIVAL)).body).toMatchObject({ total: 1, data: [{ company: { name: 'Rival' } }] })
  })
})

describe('pages (Limits)', () => {
  test.each([1, 3, 5, 7, 16, 20])('pages of %i have every order once, in the same order', async (limit) => {
    const all = await idsOf()
    const seen: string[] = []
    for (let page = 1; page <= Math.ceil(16 / limit); page++) {
      const { body: listed } = await list(encoded({ limit: String(limit), page: String(page) }))
      expect({ limit: listed.limit, page: listed.page, total: listed.total }).toEqual({ limit, page, total: 16 })
      seen.push(...listed.data.map(({ id }: Listed) => id))
    }
    expect(seen).toEqual(all)
  })

  test('a page past the last one is empty and still has the total', async () => {
    expect((await list('page=10000')).body).toEqual({ data: [], limit: 20, page: 10_000, total: 16 })
  })

  test.each([
    ['page=0', 'tooSmall /page'],
    ['page=10001', 'tooBig /page'],
    ['limit=0', 'tooSmall /limit'],
    ['limit=21', 'tooBig /limit'],
    ['limit=ten', 'invalidType /limit'],
    ['status=Ordered', 'invalidValue /status'],
    ['status=', 'invalidValue /status'],
    ['code=', 'tooSmall /code'],
    [`code=${'x'.repeat(256)}`, 'tooBig /code'],
    [`specimenId=${'x'.repeat(256)}`, 'tooBig /specimenId'],
    ['createdFrom=yesterday', 'invalidFormat /createdFrom'],
    ['createdTo=2026-03-01', 'invalidFormat /createdTo'],
    ['updatedFrom=2026-03-01T12:00:00', 'invalidFormat /updatedFrom'],
    ['updatedTo=2026-02-30T12:00:00Z', 'invalidFormat /updatedTo'],
    ['colour=blue', 'unrecognizedKeys /colour'],
    ['page=0&limit=21', 'tooBig /limit, tooSmall /page'],
  ])('the list refuses the page %s', async (query, expected) => {
    expect(refusalOf(await list(query))).toBe(`400 ${expected}`)
  })

  test('filters may have 255 characters', async () => {
    expect((await list(`code=${'x'.repeat(255)}&specimenId=${'x'.repeat(255)}`)).body).toMatchObject({ total: 0 })
  })
})

describe('filters', () => {
  test('companyId finds the orders of a company', async () => {
    expect(await totalOf('companyId=acme')).toBe(12)
    expect(await idsOf('companyId=second')).toEqual(
      made
        .slice(8, 12)
        .map(({ id }) => id)
        .toReversed(),
    )
  })

  test('locationId finds the orders of a location', async () => {
    expect(await idsOf('locationId=site')).toEqual(
      made
        .slice(4, 8)
        .map(({ id }) => id)
        .toReversed(),
    )
  })

  test.each(['companyId=closed', 'companyId=globex', 'companyId=none', 'locationId=globex-hq', 'locationId=closed-hq'])(
    'the filter %s gives an empty page',
    async (query) => {
      expect((await list(query)).body).toEqual({ data: [], limit: 20, page: 1, total: 0 })
    },
  )

  test('code finds only the exact code', async () => {
    const { id, code } = made.at(3)!
    expect(await idsOf(encoded({ code }))).toEqual([id])
    expect(await idsOf(encoded({ code: code.toLowerCase() }))).toEqual([])
    expect(await idsOf(encoded({ code: code.slice(0, 4) }))).toEqual([])
  })

  test('the code of an order of another company finds nothing', async () => {
    const [theirs] = (await list('', GLOBEX)).body.data
    expect(await idsOf(encoded({ code: theirs.code }))).toEqual([])
  })

  test('filters can be combined', async () => {
    const { id, code } = made.at(3)!
    const one = { code, companyId: 'acme', locationId: 'hq', status: 'ordered' }
    expect(await idsOf(encoded(one))).toEqual([id])
    expect(await idsOf(encoded({ ...one, companyId: 'second' }))).toEqual([])
  })

  test('createdFrom is inclusive and createdTo exclusive, so that a time divides all orders', async () => {
    const times = ['2026-03-01T12:00:04.000Z', '2026-03-01T07:00:04.000-05:00', '2026-03-01T17:30:04+05:30']
    for (const time of times) {
      expect(await totalOf(encoded({ createdFrom: time }))).toBe(12)
      expect(await totalOf(encoded({ createdTo: time }))).toBe(4)
    }
    const within = encoded({ createdFrom: '2026-03-01T12:00:04Z', createdTo: '2026-03-01T12:00:06Z' })
    expect(await idsOf(within)).toEqual([made.at(5)!.id, made.at(4)!.id])
  })

  test.each([
    ['2026-03-01T12:00:04.0001Z', 11],
    ['2026-03-01T12:00:03.9999999Z', 12],
    ['2026-03-01T12:00:04.00000Z', 12],
  ])('createdFrom %s is distinguished from the adjacent millisecond', async (time, total) => {
    expect(await totalOf(encoded({ createdFrom: time }))).toBe(total)
    expect(await totalOf(encoded({ createdTo: time }))).toBe(16 - total)
  })

  test.each(['0000-01-01T00:00:00Z', '0001-01-01T00:00:00+14:00', '9999-12-31T23:59:59-14:00'])(
    'filters accept the time %s',
    async (time) => {
      const from = await totalOf(encoded({ createdFrom: time }))
      expect(from + (await totalOf(encoded({ createdTo: time })))).toBe(16)
      expect(from + (await totalOf(encoded({ updatedTo: time })))).toBe(16)
    },
  )
})

describe('orders that have changed', () => {
  const CHANGED = new Date('2026-03-05T00:00:00.000Z')
  beforeAll(async () => {
    clock.now = CHANGED
    await cancelled(service, made.at(0)!.id)
    await cancelled(service, made.at(9)!.id)
  })

  test('changed orders are found by updatedFrom and updatedTo, not by their creation time', async () => {
    const time = CHANGED.toISOString()
    expect(await idsOf(encoded({ updatedFrom: time }))).toEqual([made.at(9)!.id, made.at(0)!.id])
    expect(await totalOf(encoded({ updatedTo: time }))).toBe(14)
    expect(await totalOf(encoded({ createdFrom: time }))).toBe(0)
  })

  test('orders are found by their exact status', async () => {
    expect(await idsOf('status=cancelled')).toEqual([made.at(9)!.id, made.at(0)!.id])
    expect(await totalOf('status=ordered')).toBe(14)
    expect(await totalOf('status=negative')).toBe(0)
  })

  test('a changed order keeps its place in the list', async () => {
    expect((await idsOf()).at(-1)).toBe(made.at(0)!.id)
  })
})

test('specimenId finds orders with the exact specimen', async () => {
  const at = new Date('2020-01-01T00:00:00Z')
  const services = [{ specimenId: 'S,1 "{x}"' }, { specimenId: 'S-2' }, {}]
  const order = await stored(service, { createdAt: at, services })
  await stored(service, { createdAt: at, services: [{ specimenId: 'S-20' }] })
  await stored(service, {
    createdAt: at,
    company: { id: 'globex', name: 'Globex' },
    services: [{ specimenId: 'S-2' }],
  })
  expect(await idsOf(encoded({ specimenId: 'S-2' }))).toEqual([order.id])
  expect(await idsOf(encoded({ specimenId: 'S,1 "{x}"' }))).toEqual([order.id])
  expect(await idsOf(encoded({ specimenId: 's-2' }))).toEqual([])
  await cancelled(service, order.id)
  expect(await idsOf(encoded({ specimenId: 'S-2' }))).toEqual([order.id])
})
