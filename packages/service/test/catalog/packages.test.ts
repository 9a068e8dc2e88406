import { describe, expect, test } from 'vitest'
import { catalogFile, token } from '../support/service.ts'
import { members, refusal, SECRET, serving } from './given.ts'

const FOREIGN = 'foreign-secret-token'
const UNLINKED = 'unlinked-secret-token'

const services = ['zeta', 'Alpha', 'beta'].map((name) => ({
  id: name,
  name,
  category: 'drug',
  type: 'hair',
  isDot: false,
}))
const packages = [
  'company',
  'both',
  'own',
  'without-locations',
  'overridden',
  'closed-only',
  'dark',
  'foreign',
  'unassigned',
].map((id) => ({ id, name: `Package ${id}`, services: [] as string[] }))

const { get } = serving(
  catalogFile('acme', {
    services,
    packages: [
      ...packages.filter(({ id }) => id !== 'own'),
      { id: 'own', name: 'Package own', services: ['zeta', 'beta', 'Alpha', 'beta'] },
      { id: 'off', name: 'Package off', services: [], isActive: false },
    ],
    companies: [
      {
        id: 'acme',
        name: 'Acme',
        packages: ['company', 'both', 'off'],
        locations: [
          { id: 'z-inherits', name: 'Inherits' },
          { id: 'a-inherits', name: 'Inherits too', packages: [] },
          { id: 'has-own', name: 'Has its own', packages: ['own', 'both', 'off'] },
          { id: 'closed', name: 'Closed', packages: ['closed-only', 'own'], isActive: false },
          { id: 'closed-inherits', name: 'Closed, inherits', isActive: false },
        ],
      },
      { id: 'bare', name: 'Bare', packages: ['without-locations'] },
      {
        id: 'partly',
        name: 'Partly',
        packages: ['overridden'],
        locations: [{ id: 'other', name: 'O', packages: ['own'] }],
      },
      {
        id: 'dark',
        name: 'Dark',
        isActive: false,
        packages: ['dark', 'both'],
        locations: [{ id: 'dark-site', name: 'D' }],
      },
      {
        id: 'foreign',
        name: 'Foreign',
        packages: ['foreign', 'both'],
        locations: [
          { id: 'foreign-site', name: 'F' },
          { id: 'foreign-own', name: 'G', packages: ['own'] },
        ],
      },
    ],
    tokens: [
      token(SECRET, { companies: ['acme', 'bare', 'partly', 'dark'] }),
      token(FOREIGN, { companies: ['foreign'] }),
      token(UNLINKED, { companies: [] }),
    ],
  }),
)

const locationIds = async (id: string, secret = SECRET) => (await get(`packages/${id}`, secret)).body.locationIds

describe('GET /api/v2/packages', () => {
  test('the list has the active packages assigned to linked companies or their locations', async () => {
    expect(members(await get('packages'), 'id')).toEqual(['both', 'company', 'overridden', 'own', 'without-locations'])
    expect(members(await get('packages', FOREIGN), 'id')).toEqual(['both', 'foreign', 'own'])
  })

  test('a token without companies sees no packages', async () => {
    expect((await get('packages', UNLINKED)).body).toStrictEqual({ data: [], limit: 20, page: 1, total: 0 })
  })

  test.each(['off', 'closed-only', 'dark', 'foreign', 'unassigned'])('the package %s is not found', async (id) => {
    expect(refusal(await get(`packages/${id}`))).toEqual(['404 notFound'])
  })

  test('services of a package are sorted by name, ignoring case, each once', async () => {
    const { services: shown } = (await get('packages/own')).body
    expect(shown.map(({ name }: { name: string }) => name)).toEqual(['Alpha', 'beta', 'zeta'])
  })
})

describe('locationIds: active locations under the token’s companies that offer the package', () => {
  test.each([
    ['own', 'directly', ['has-own', 'other']],
    ['company', 'through their company, where they have none of their own', ['a-inherits', 'z-inherits']],
    ['both', 'in either way', ['a-inherits', 'has-own', 'z-inherits']],
    ['without-locations', 'of which there are none', []],
    ['overridden', 'none, where all locations have their own', []],
  ])('the locations of the package %s: %s', async (id, _, expected) => {
    expect(await locationIds(id)).toEqual(expected)
    const { data } = (await get('packages')).body
    expect(data.find((entry: { id: string }) => entry.id === id).locationIds).toEqual(expected)
  })

  test('the same package has different locations for another token', async () => {
    expect(await locationIds('both', FOREIGN)).toEqual(['foreign-site'])
    expect(await locationIds('own', FOREIGN)).toEqual(['foreign-own'])
  })
})

describe('the location filter', () => {
  test.each([
    ['has-own', ['both', 'own']],
    ['z-inherits', ['both', 'company']],
    ['a-inherits', ['both', 'company']],
    ['other', ['own']],
  ])('the location %s offers %j', async (location, expected) => {
    const answer = await get(`packages?locationId=${location}`)
    expect(members(answer, 'id')).toEqual(expected)
    expect(answer.body.total).toBe(expected.length)
  })

  test.each(['closed', 'closed-inherits', 'dark-site', 'foreign-site', 'foreign-own', 'nowhere', 'HAS-OWN'])(
    'the location %s, which is inactive, not linked or unknown, has an empty page of packages',
    async (location) => {
      expect((await get(`packages?locationId=${location}`)).body).toStrictEqual({
        data: [],
        limit: 20,
        page: 1,
        total: 0,
      })
    },
  )

  test('location and name filters combine', async () => {
    expect(members(await get('packages?locationId=has-own&name=OWN'), 'id')).toEqual(['own'])
    expect(members(await get('packages?locationId=z-inherits&name=own'), 'id')).toEqual([])
  })

  test('the location filter accepts 1 to 255 characters', async () => {
    expect(refusal(await get('packages?locationId='))).toEqual(['400 tooSmall /locationId'])
    expect(refusal(await get(`packages?locationId=${'x'.repeat(256)}`))).toEqual(['400 tooBig /locationId'])
    expect((await get(`packages?locationId=${'x'.repeat(255)}`)).body.total).toBe(0)
  })
})
