import { describe, expect, test } from 'vitest'
import { catalogFile, token } from '../support/service.ts'
import { members, refusal, SECRET, serving } from './given.ts'

const FOREIGN = 'foreign-secret-token'
const OTHER = 'other-secret-full-scope'

/** The centre of ZIP 60540 by the census; a degree of latitude is 69.0934 miles on our sphere. */
const NAPERVILLE = { lat: 41.764585, long: -88.144165 }
const MILES_A_DEGREE = (Math.PI * 3958.7613) / 180
const north = (miles: number) => ({ lat: NAPERVILLE.lat + miles / MILES_A_DEGREE, long: NAPERVILLE.long })

const kind = (id: string, category = 'drug') => ({ id, name: id, category, type: id, isDot: false })
const clinic = (id: string, members_: object = {}) => ({ id, name: `Clinic ${id}`, services: [], ...members_ })

const { get, search } = serving(
  catalogFile('acme', {
    services: [kind('urine'), kind('breath', 'alcohol'), kind('criminal', 'background')],
    packages: [
      { id: 'urine-and-breath', name: 'Both', services: ['urine', 'breath'] },
      { id: 'urine-and-criminal', name: 'With background', services: ['urine', 'criminal'] },
      { id: 'background', name: 'Background', services: ['criminal'] },
      { id: 'foreign', name: 'Foreign', services: ['urine'] },
      { id: 'off', name: 'Off', services: ['urine'], isActive: false },
    ],
    clinics: [
      clinic('at-0', { coordinates: NAPERVILLE, services: ['urine', 'breath'] }),
      clinic('at-10', { coordinates: north(10), services: ['urine'] }),
      clinic('at-20-shut', { coordinates: north(20), services: ['urine', 'breath'], isActive: false }),
      clinic('at-49', { coordinates: north(49.99), services: ['breath'] }),
      clinic('at-51', { coordinates: north(50.01), services: ['urine', 'breath'] }),
      clinic('at-499', { coordinates: north(499.9) }),
      clinic('at-501', { coordinates: north(500.1) }),
      clinic('by-zip', { address: { postalCode: '90210' } }),
      clinic('nowhere', { address: { line1: 'somewhere' } }),
      clinic('toronto', { coordinates: { lat: 43.64, long: -79.39 } }),
      clinic('berlin', { address: { city: 'Berlin', state: 'BE', postalCode: '10115', country: 'DE' } }),
      ...Array.from({ length: 45 }, (_, i) => clinic(`anchorage-${i}`, { coordinates: { lat: 61.2, long: -149.9 } })),
    ],
    companies: [
      { id: 'acme', name: 'Acme', packages: ['urine-and-breath', 'urine-and-criminal', 'background', 'off'] },
      { id: 'foreign', name: 'Foreign', packages: ['foreign'] },
    ],
    tokens: [token(SECRET), token(FOREIGN, { companies: ['foreign'] })],
  }),
  catalogFile('other', { clinics: [{ id: 'theirs', name: 'Clinic theirs', coordinates: NAPERVILLE, services: [] }] }),
)

const near = { coordinates: NAPERVILLE }
const NOTHING = { data: [], limit: 20, page: 1, total: 0 }

describe('Clinic search: the request', () => {
  test('a search without query and place is refused without a pointer', async () => {
    expect(refusal(await search({}))).toEqual(['400 required'])
    expect(refusal(await search({ radiusMiles: 10, isActive: true }))).toEqual(['400 required'])
    expect(refusal(await search({ near: {} }))).toEqual(['400 required /near'])
  })

  test('all violated bounds are reported at once with their members', async () => {
    const body = {
      query: '',
      near: { coordinates: { lat: 91, long: -181 } },
      radiusMiles: 0,
      limit: 21,
      page: 0,
      quary: 'x',
      serviceIds: [''],
      isActive: 'yes',
    }
    expect(refusal(await search(body)).toSorted()).toEqual([
      '400 invalidType /isActive',
      '400 tooBig /limit',
      '400 tooBig /near/coordinates/lat',
      '400 tooSmall /near/coordinates/long',
      '400 tooSmall /page',
      '400 tooSmall /query',
      '400 tooSmall /radiusMiles',
      '400 tooSmall /serviceIds/0',
      '400 unrecognizedKeys /quary',
    ])
  })

  test.each([
    [{ postalCode: '00000' }, '/near/postalCode'],
    [{ postalCode: '6054' }, '/near/postalCode'],
    [{ postalCode: 'SW1A 1AA' }, '/near/postalCode'],
    [{ address: 'nowhere in particular' }, '/near/address'],
    [{ address: { line1: '1 Main St' } }, '/near/address'],
    [{ address: { city: 'Naperville', state: 'ZZ' } }, '/near/address'],
    [{ address: { postalCode: '10115', country: 'DE' } }, '/near/address'],
    [{ address: {} }, '/near/address'],
    // A military post office, which the tables place at 0° N 0° E.
    [{ postalCode: '34001' }, '/near/postalCode'],
  ])('an unknown place is refused: %j', async (place, pointer) => {
    expect(refusal(await search({ near: place }))).toEqual([`400 invalidValue ${pointer}`])
  })
})

describe('Clinic search: near a place', () => {
  test('clinics are found nearest first, with their distance and otherwise as read by id', async () => {
    const { status, body } = await search({ near, radiusMiles: 60 })
    expect(status).toBe(200)
    expect(body).toMatchObject({ limit: 20, page: 1, total: 4 })
    expect(body.data.map((found: { id: string }) => found.id)).toEqual(['at-0', 'at-10', 'at-49', 'at-51'])
    expect(body.data.map((found: { distance: object }) => found.distance)).toEqual([
      { miles: 0 },
      { miles: 10 },
      { miles: 49.99 },
      { miles: 50.01 },
    ])
    const { data } = (await get('clinics?name=at-10')).body
    expect(body.data[1]).toStrictEqual({ ...data[0], distance: { miles: 10 } })
  })

  test.each([
    { postalCode: '60540' },
    { postalCode: '60540-1234' },
    { postalCode: '605401234' },
    { postalCode: ' 60540 ' },
    { address: { postalCode: '60540' } },
    { address: { line1: '1 Main St', city: 'Chicago', state: 'IL', postalCode: '60540-0001', country: 'us' } },
    { address: '1 Main St, Naperville, IL 60540' },
    { address: '60540' },
    // The most precise place is used.
    { coordinates: NAPERVILLE, postalCode: '90210', address: 'Chicago, IL' },
    { postalCode: '60540', address: 'Chicago, IL' },
  ])('a search near %j finds the clinics there', async (place) => {
    const { body } = await search({ near: place })
    expect(body.data[0]).toMatchObject({ id: 'at-0', distance: { miles: 0 } })
    expect(body.data[1]).toMatchObject({ id: 'at-10', distance: { miles: 10 } })
  })

  test.each([
    { address: { city: 'Naperville', state: 'IL' } },
    { address: { city: ' NAPERVILLE ', state: 'illinois', postalCode: '00000' } },
    { address: 'Naperville, IL' },
    { address: '12345 Main St, Naperville, IL, USA' },
  ])('a search near %j uses the place of the city', async (place) => {
    const { data } = (await search({ near: place })).body
    expect(data[0].id).toBe('at-0')
    expect(data[0].distance.miles).toBeLessThan(5)
  })

  test.each([
    { postalCode: 'M5V 3L9' },
    { postalCode: 'm5v3l9' },
    { postalCode: 'M5V-3L9' },
    { postalCode: 'M5V' },
    { postalCode: 'm5v' },
    { address: { postalCode: 'M5V 3L9', country: 'CA' } },
    { address: { city: 'Toronto', state: 'ON', postalCode: 'M5V 3L9' } },
    { address: '290 Bremner Blvd, Toronto, ON M5V 3L9' },
  ])('a search near %j works in Canada', async (place) => {
    const { data } = (await search({ near: place })).body
    expect(data[0].id).toBe('toronto')
    expect(data[0].distance.miles).toBeLessThan(3)
  })

  test('a clinic without coordinates is found by its postal code, and one without any place is not', async () => {
    const { body } = await search({ near: { postalCode: '90210' }, radiusMiles: 500 })
    expect(body.data).toMatchObject([{ id: 'by-zip', coordinates: null, distance: { miles: 0 } }])
  })

  test('five digits of another country are not taken for a ZIP code', async () => {
    // 10115 is also a ZIP code of New York.
    const answer = await search({ near: { postalCode: '10115' }, radiusMiles: 100 })
    expect(members(answer, 'id')).toEqual([])
  })

  test('clinics of another tenant are not found', async () => {
    expect(members(await search({ near }, OTHER), 'id')).toEqual(['theirs'])
    expect(members(await search({ near }), 'id')).toEqual(['at-0', 'at-10', 'at-49'])
  })
})

describe('Clinic search: the radius', () => {
  test.each([
    [undefined, ['at-0', 'at-10', 'at-49']],
    [50, ['at-0', 'at-10', 'at-49']],
    [50.02, ['at-0', 'at-10', 'at-49', 'at-51']],
    ['9.9', ['at-0']],
    [0.001, ['at-0']],
  ])('the radius %j finds %j', async (radiusMiles, expected) => {
    const answer = await search({ near, ...(radiusMiles !== undefined && { radiusMiles }) })
    expect(members(answer, 'id')).toEqual(expected)
    expect(answer.body.total).toBe(expected.length)
  })

  test('the largest radius reaches 500 miles', async () => {
    const found = members(await search({ near, radiusMiles: 500 }), 'id')
    expect(found).toContain('at-499')
    expect(found).not.toContain('at-501')
  })

  test.each([
    [0, 'tooSmall'],
    [-1, 'tooSmall'],
    [500.001, 'tooBig'],
    [501, 'tooBig'],
    ['far', 'invalidType'],
  ])('the radius %j is refused: %s', async (radiusMiles, code) => {
    expect(refusal(await search({ near, radiusMiles }))).toEqual([`400 ${code} /radiusMiles`])
  })
})

describe('Clinic search: filters', () => {
  test.each([
    [['urine'], ['at-0', 'at-10']],
    [['breath', 'urine'], ['at-0']],
    [[], ['at-0', 'at-10', 'at-49']],
    [['unknown'], []],
    [['urine', 'unknown'], []],
  ])('a search by the services %j finds clinics that offer all of them', async (serviceIds, expected) => {
    const answer = await search({ near, serviceIds })
    expect(members(answer, 'id')).toEqual(expected)
    expect(answer.body.total).toBe(expected.length)
  })

  test.each([
    ['urine-and-breath', ['at-0']],
    ['urine-and-criminal', ['at-0', 'at-10']],
    ['background', ['at-0', 'at-10', 'at-49']],
  ])(
    'a search by the package %s finds clinics that offer all of its in-person services',
    async (packageId, expected) => {
      expect(members(await search({ near, packageId }), 'id')).toEqual(expected)
    },
  )

  test('package and services filters combine', async () => {
    expect(members(await search({ near, packageId: 'urine-and-criminal', serviceIds: ['breath'] }), 'id')).toEqual([
      'at-0',
    ])
  })

  test.each(['foreign', 'off', 'missing'])(
    'a search by the package %s, which the token cannot see, finds nothing',
    async (packageId) => {
      expect((await search({ near, packageId })).body).toStrictEqual(NOTHING)
      expect((await search({ query: 'clinic', packageId })).body).toStrictEqual(NOTHING)
    },
  )

  test('a package filter works for a token that can see the package', async () => {
    expect(members(await search({ near, packageId: 'foreign' }, FOREIGN), 'id')).toEqual(['at-0', 'at-10'])
    expect((await search({ near, packageId: 'urine-and-breath' }, FOREIGN)).body).toStrictEqual(NOTHING)
  })

  test.each([
    [true, ['at-0', 'at-10', 'at-49']],
    [1, ['at-0', 'at-10', 'at-49']],
    [false, ['at-20-shut']],
    ['0', ['at-20-shut']],
  ])('a search with isActive %j finds clinics of that state', async (isActive, expected) => {
    expect(members(await search({ near, isActive }), 'id')).toEqual(expected)
  })
})

describe('Clinic search: pages', () => {
  const place = { coordinates: { lat: 61, long: -150 } }

  test.each([
    ['near', { near: place }],
    ['by text', { query: 'anchorage' }],
    ['near and by text', { near: place, query: 'anchorage' }],
  ])('paging by %s neither repeats nor loses equal clinics, and the total is exact', async (_, what) => {
    const seen: unknown[] = []
    for (let page = 1; page <= 8; page++) {
      const { body } = await search({ ...what, limit: 7, page })
      expect(body).toMatchObject({ limit: 7, page, total: 45 })
      seen.push(...body.data.map(({ id }: { id: string }) => id))
    }
    expect(seen.length).toBe(45)
    expect(new Set(seen).size).toBe(45)
  })
})
