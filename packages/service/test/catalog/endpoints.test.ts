import { beforeAll, describe, expect, test } from 'vitest'
import { catalogFile, token } from '../support/service.ts'
import { members, refusal, SECRET, serving } from './given.ts'

const TIMESTAMP = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const address = { line1: '25 N Washington St', city: 'Naperville', state: 'IL', postalCode: '60540' }
const shownAddress = { ...address, line2: '', country: 'US', object: 'address' }
const urine = { id: 'urine', name: 'Urine', object: 'service', type: 'urine', url: '/api/v2/services/urine' }

const { service, get } = serving(
  catalogFile('acme', {
    services: [
      { id: 'urine', name: 'Urine', category: 'drug', type: 'urine', isDot: true },
      { id: 'breath', name: 'breath', category: 'alcohol', type: 'breath', isDot: false },
      { id: 'gone', name: 'Gone', category: 'drug', type: 'hair', isDot: false },
    ],
    packages: [{ id: 'basic', name: 'Basic', services: ['urine'] }],
    clinics: [
      {
        id: 'full',
        name: 'Full',
        phone: '+16305550100',
        address: { ...address, line2: 'Suite 5', country: 'CA' },
        coordinates: { lat: 41.5, long: -88.25 },
        services: ['urine', 'breath', 'gone'],
        fee: 12.5,
        hours: { mon: '8-17' },
        timezone: 'America/Chicago',
      },
      { id: 'bare', name: 'Bare', services: [] },
      { id: 'shut', name: 'Shut', services: [], isActive: false },
    ],
    companies: [
      {
        id: 'acme',
        name: 'Acme',
        phone: '+16305550111',
        address,
        packages: ['basic'],
        settings: { billingCodeRequired: true },
        locations: [
          { id: 'hq', name: 'HQ', phone: '+16305550122', address },
          { id: 'yard', name: 'Yard' },
          { id: 'closed', name: 'Closed', isActive: false },
        ],
      },
      { id: 'bare', name: 'Bare', locations: [{ id: 'bare-site', name: 'Bare site' }] },
      { id: 'not linked', name: 'Other', locations: [{ id: 'other-site', name: 'Other site' }] },
      { id: 'inactive', name: 'Inactive', isActive: false, locations: [{ id: 'inactive-site', name: 'Site' }] },
      { id: 'a/b?c#d é%', name: 'Slashes' },
    ],
    tokens: [token(SECRET, { companies: ['acme', 'bare', 'inactive', 'a/b?c#d é%'] })],
  }),
  catalogFile('other', { clinics: [{ id: 'theirs', name: 'Theirs', services: [] }] }),
)

// A file cannot do this: it must define every service that it references.
beforeAll(async () => {
  await service().pool`update services set is_active = false where tenant_id = 'acme' and id = 'gone'`
})

describe('References and resources', () => {
  test('a company has exactly the members of the specification', async () => {
    const { body } = await get('companies/acme')
    expect(body).toStrictEqual({
      address: shownAddress,
      createdAt: expect.stringMatching(TIMESTAMP),
      id: 'acme',
      name: 'Acme',
      object: 'company',
      phone: '+16305550111',
      url: '/api/v2/companies/acme',
    })
    expect(Math.abs(Date.now() - Date.parse(body.createdAt))).toBeLessThan(120_000)
  })

  test('a company without optional values has null for them', async () => {
    expect((await get('companies/bare')).body).toMatchObject({ address: null, phone: null })
  })

  test('a location has exactly the members of the specification', async () => {
    expect((await get('locations/hq')).body).toStrictEqual({
      address: shownAddress,
      company: { id: 'acme', name: 'Acme', object: 'company', url: '/api/v2/companies/acme' },
      createdAt: expect.stringMatching(TIMESTAMP),
      id: 'hq',
      name: 'HQ',
      object: 'location',
      phone: '+16305550122',
      url: '/api/v2/locations/hq',
    })
  })

  test('a location without optional values has null for them', async () => {
    expect((await get('locations/yard')).body).toMatchObject({ address: null, phone: null })
  })

  test('a service has exactly the members of the specification', async () => {
    expect((await get('services/urine')).body).toStrictEqual({
      ...urine,
      attributes: { category: 'drug', type: 'urine' },
      isDot: true,
    })
  })

  test('a package has exactly the members of the specification', async () => {
    expect((await get('packages/basic')).body).toStrictEqual({
      id: 'basic',
      locationIds: ['hq', 'yard'],
      name: 'Basic',
      object: 'package',
      services: [urine],
      url: '/api/v2/packages/basic',
    })
  })

  test('a clinic has its active services sorted by name, but not its fee and hours', async () => {
    const { body } = await get('clinics/full')
    expect(body).toStrictEqual({
      address: { ...shownAddress, line2: 'Suite 5', country: 'CA' },
      coordinates: { lat: 41.5, long: -88.25 },
      distance: null,
      id: 'full',
      isActive: true,
      name: 'Full',
      object: 'clinic',
      phone: '+16305550100',
      services: [
        { id: 'breath', name: 'breath', object: 'service', type: 'breath', url: '/api/v2/services/breath' },
        urine,
      ],
      url: '/api/v2/clinics/full',
    })
    const list = await get('clinics?name=full')
    expect(list.body).toStrictEqual({ data: [body], limit: 20, page: 1, total: 1 })
  })

  test('a clinic without optional values has null for them and no services', async () => {
    expect((await get('clinics/bare')).body).toStrictEqual({
      address: null,
      coordinates: null,
      distance: null,
      id: 'bare',
      isActive: true,
      name: 'Bare',
      object: 'clinic',
      phone: null,
      services: [],
      url: '/api/v2/clinics/bare',
    })
  })

  test('an entry of a list equals the resource', async () => {
    for (const kind of ['companies', 'locations', 'services', 'packages', 'agencies']) {
      const { data } = (await get(kind)).body
      expect(data.length).toBeGreaterThan(0)
      for (const entry of data) {
        expect((await service().call(SECRET, entry.url)).body).toStrictEqual(entry)
      }
    }
  })

  test('an id with slashes or spaces is encoded as one segment of its url', async () => {
    const { data } = (await get('companies?name=slashes')).body
    expect(data[0]).toMatchObject({ id: 'a/b?c#d é%', url: '/api/v2/companies/a%2Fb%3Fc%23d%20%C3%A9%25' })
  })
})

describe('Visibility for a token', () => {
  test.each([
    ['companies', ['Acme', 'Bare', 'Slashes']],
    ['locations', ['Bare site', 'HQ', 'Yard']],
    ['clinics', ['Bare', 'Full', 'Shut']],
  ])('a token sees only the %s of its companies and tenant', async (kind, names) => {
    expect(members(await get(kind))).toEqual(names)
  })

  test.each([
    'companies/not%20linked',
    'companies/inactive',
    'companies/nobody',
    'locations/closed',
    'locations/other-site',
    'locations/inactive-site',
    'clinics/shut',
    'clinics/theirs',
    'services/gone',
    'packages/nothing',
  ])('%s is not found, and the response does not disclose why', async (path) => {
    const [answer, missing] = [await get(path), await get('companies/missing')]
    expect(refusal(answer)).toEqual(['404 notFound'])
    expect(answer.text).toBe(missing.text)
  })

  test('the clinic list includes inactive clinics and marks them', async () => {
    const { data } = (await get('clinics')).body
    expect(data.map(({ id, isActive }: { id: string; isActive: boolean }) => [id, isActive])).toEqual([
      ['bare', true],
      ['full', true],
      ['shut', false],
    ])
  })

  test('the locations of an inactive company, or one that is not linked, are an empty page', async () => {
    for (const id of ['not%20linked', 'inactive', 'nobody', 'ACME']) {
      expect((await get(`locations?companyId=${id}`)).body).toStrictEqual({ data: [], limit: 20, page: 1, total: 0 })
    }
    expect(members(await get('locations?companyId=acme'))).toEqual(['HQ', 'Yard'])
  })
})
