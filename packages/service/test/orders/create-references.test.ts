import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalOf } from '../http/answers.ts'
import { startService, type TestService } from '../support/service.ts'
import { body, created, GLOBEX, PERSON, post, world } from './given.ts'

let service: TestService
beforeAll(async () => {
  service = await startService()
  const rivals = { id: 'rivals', name: 'Rivals Own', services: ['urine'] }
  await service.apply(
    {
      tenant: { id: 'rival', name: 'Rival' },
      services: [{ id: 'urine', name: 'Urine', category: 'drug', type: 'urine', isDot: false }],
      packages: [rivals],
      companies: [
        { id: 'rival', name: 'Rival', packages: ['rivals'], locations: [{ id: 'rival-hq', name: 'Rival HQ' }] },
      ],
    },
    world({
      packages: [
        { id: 'panel', name: 'Panel', services: ['urine'] },
        { id: 'panel-caps', name: 'PANEL', services: ['hair'] },
        { id: 'depot-dot', name: 'Depot DOT', services: ['dot-urine'] },
        { id: 'mixed', name: 'Mixed', services: ['dot-urine'] },
        { id: 'mixed-caps', name: 'MIXED', services: ['hair'] },
        { id: 'strasse', name: 'Straße Ähnlich', services: ['urine'] },
        { id: 'site-only', name: 'Site Only', services: ['urine'] },
        { id: 'empty', name: 'Empty', services: [] },
        { id: 'retired', name: 'Retired', services: ['urine'], isActive: false },
        { id: 'unassigned', name: 'Unassigned', services: ['urine'] },
        { id: 'globex-only', name: 'Globex Only', services: ['urine'] },
        { id: 'closed-only', name: 'Closed Only', services: ['urine'] },
      ],
      offered: ['panel', 'panel-caps', 'mixed', 'mixed-caps', 'strasse', 'empty', 'retired'],
      locations: [
        { id: 'site', name: 'Site', packages: ['site-only'] },
        { id: 'depot-east', name: 'Depot', packages: ['depot-dot'] },
        { id: 'depot-west', name: 'Depot' },
        { id: 'shut', name: 'Shut', isActive: false },
      ],
      companies: [
        {
          id: 'closed',
          name: 'Closed',
          isActive: false,
          packages: ['closed-only', 'basic'],
          locations: [{ id: 'closed-hq', name: 'Closed HQ' }],
        },
        {
          id: 'initech',
          name: 'Initech',
          packages: ['globex-only', 'basic'],
          locations: [{ id: 'initech-hq', name: 'Initech HQ' }],
        },
      ],
      tokens: [],
    }),
  )
})
afterAll(() => service.stop())

const refused = async (members: object) => refusalOf(await post(service, body(members)))

describe('a location (Request body: location)', () => {
  test.each([{ id: 'hq' }, { name: 'Headquarters' }, { id: 'hq', name: 'Headquarters' }])(
    'a location is found by id, by exact name, or by both: %j',
    async (location) => {
      expect((await created(service, { location })).location.id).toBe('hq')
    },
  )

  test.each([{ name: 'headquarters' }, { name: 'Head' }, { id: 'hq', name: 'Site' }, { id: 'HQ' }])(
    'a location is not found by %j',
    async (location) => {
      expect(await refused({ location })).toBe('400 invalidValue /location')
    },
  )

  test('a location without id and name is required', async () => {
    expect(await refused({ location: {} })).toBe('400 required /location')
    expect(await refused({ location: undefined })).toBe('400 required /location')
  })

  test('an ambiguous location name is a conflict, which the id resolves', async () => {
    expect(await refused({ location: { name: 'Depot' } })).toBe('409 conflict /location')
    expect((await created(service, { location: { id: 'depot-west', name: 'Depot' } })).location.id).toBe('depot-west')
  })

  test('an ambiguous location name is not reported beside other problems', async () => {
    expect(await refused({ location: { name: 'Depot' }, testReason: 'whim' })).toBe('400 invalidValue /testReason')
  })

  test('a location that is missing, inactive or of another company is refused with the same bytes', async () => {
    const ids = ['missing', 'shut', 'globex-hq', 'initech-hq', 'closed-hq', 'rival-hq']
    const names = ['Missing', 'Shut', 'Globex HQ', 'Initech HQ', 'Closed HQ', 'Rival HQ']
    const references = [...ids.map((id) => ({ id })), ...names.map((name) => ({ name }))]
    const answers = await Promise.all(references.map((location) => post(service, body({ location }))))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(refusalOf(answers.at(0)!)).toBe('400 invalidValue /location')
  })
})

describe('a package (Request body: package)', () => {
  test.each([
    [{ id: 'basic' }, 'basic'],
    [{ name: 'Basic' }, 'basic'],
    [{ name: 'bAsIc' }, 'basic'],
    [{ id: 'basic', name: 'BASIC' }, 'basic'],
    [{ name: 'straße ÄHNLICH' }, 'strasse'],
  ])('a package is found by %j', async (reference, id) => {
    const answer = await post(service, body({ package: reference }))
    expect({ ...reference, found: answer.body?.packages?.[0]?.id ?? refusalOf(answer) }).toEqual({
      ...reference,
      found: id,
    })
  })

  test('two packages that differ in case are each found by their exact name', async () => {
    expect((await created(service, { package: { name: 'Panel' } })).packages[0].id).toBe('panel')
    expect((await created(service, { package: { name: 'PANEL' } })).packages[0].id).toBe('panel-caps')
  })

  test('a package name that fits several when case is ignored is a conflict', async () => {
    expect(await refused({ package: { name: 'panel' } })).toBe('409 conflict /package')
  })

  test('an ambiguous package name is not reported if all readings share a problem', async () => {
    const address = { line1: '1 Nowhere', city: 'Nowhere', state: 'IL', postalCode: '00000' }
    const nowhere = { participant: { ...PERSON, address }, settings: { schedulingOption: 'schedule' } }
    const several = { package: { name: 'pANEL' } }
    expect(await refused({ ...several, ...nowhere })).toBe('400 invalidValue /participant/address')
    expect(await refused({ ...several, agency: { code: 'FAA' } })).toBe('400 invalidValue /agency')
    expect(await refused({ ...several, jobCategory: { name: 'Other' } })).toBe('400 invalidValue /jobCategory')
    expect(await refused({ location: { name: 'Depot' }, package: { id: 'site-only' } })).toBe(
      '400 invalidValue /package',
    )
  })

  test('an ambiguous package name is not reported if each reading has a problem of its own', async () => {
    expect(await refused({ package: { name: 'mIXED' }, jobCategory: { name: 'Other' } })).toBe(
      '400 required /agency, invalidValue /jobCategory',
    )
    expect(await refused({ package: { name: 'mIXED' } })).toBe('409 conflict /package')
  })

  test('a package that only one of several locations offers is not ambiguous', async () => {
    const dot = { location: { name: 'Depot' }, package: { id: 'depot-dot' } }
    expect(await refused(dot)).toBe('400 required /agency')
    expect(await refused({ ...dot, agency: { code: 'USCG' } })).toBe('409 conflict /location')
  })

  test('an ambiguous package name and an ambiguous location name are both reported', async () => {
    expect(await refused({ location: { name: 'Depot' }, package: { name: 'pANEL' } })).toBe(
      '409 conflict /location, conflict /package',
    )
  })

  test('an unknown package does not hide an address that cannot be located', async () => {
    const address = { line1: '1 Nowhere', city: 'Nowhere', state: 'IL', postalCode: '00000' }
    const nowhere = { participant: { ...PERSON, address }, settings: { schedulingOption: 'schedule' } }
    expect(await refused({ package: { id: 'missing' }, ...nowhere })).toBe(
      '400 invalidValue /package, invalidValue /participant/address',
    )
  })

  test('an ambiguous package name is not reported beside other problems', async () => {
    expect(await refused({ package: { name: 'panel' }, testReason: 'whim' })).toBe('400 invalidValue /testReason')
    expect(await refused({ package: { name: 'panel' }, agency: { code: 'XYZ' } })).toBe('400 invalidValue /agency')
    expect(await refused({ package: { name: 'panel' }, location: { id: 'missing' } })).toBe(
      '400 invalidValue /location',
    )
  })

  test('a package of the location or of its company can be ordered', async () => {
    const location = { id: 'site' }
    expect((await created(service, { location, package: { id: 'site-only' } })).packages[0].id).toBe('site-only')
    expect((await created(service, { location, package: { id: 'basic' } })).packages[0].id).toBe('basic')
  })

  test('a package without active services is not available', async () => {
    expect(await refused({ package: { id: 'empty' } })).toBe('400 invalidValue /package')
  })

  test('a package that is missing, inactive or of another location is refused with the same bytes', async () => {
    const ids = ['missing', 'retired', 'unassigned', 'globex-only', 'closed-only', 'site-only', 'rivals', 'empty']
    const names = ['Missing', 'Retired', 'Unassigned', 'Globex Only', 'Closed Only', 'Site Only', 'Rivals Own']
    const references = [...ids.map((id) => ({ id })), ...names.map((name) => ({ name }))]
    const answers = await Promise.all(references.map((reference) => post(service, body({ package: reference }))))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(refusalOf(answers.at(0)!)).toBe('400 invalidValue /package')
  })

  test('a package of another location is not disclosed beside an unknown location', async () => {
    const answers = await Promise.all(
      ['missing', 'globex-only'].map((id) => post(service, body({ location: { id: 'missing' }, package: { id } }))),
    )
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })

  test('a package of companies that are not linked to the token is unknown', async () => {
    const location = { id: 'globex-hq' }
    expect((await created(service, { location }, { secret: GLOBEX })).company.id).toBe('globex')
    expect(refusalOf(await post(service, body({ location, package: { id: 'panel' } }), { secret: GLOBEX }))).toBe(
      '400 invalidValue /package',
    )
  })
})

describe('agency and job category (Request body: agency, jobCategory)', () => {
  const dot = (members: object) => body({ package: { id: 'dot' }, agency: { code: 'FRA' }, ...members })

  test.each([{ code: 'FRA' }, { code: 'fra' }, { code: 'Fra' }, { id: 'fra' }, { id: 'fra', code: 'FRA' }])(
    'the agency is found by %j',
    async (agency) => {
      const answer = await post(service, dot({ agency, jobCategory: { id: 'engine-service' } }))
      expect(answer.body.agency).toMatchObject({ id: 'fra' })
    },
  )

  test.each([
    ['an agency is required with a DOT service', { agency: undefined }, '400 required /agency'],
    ['an agency that nobody knows', { agency: { code: 'XYZ' } }, '400 invalidValue /agency'],
    ['id and code of two agencies', { agency: { id: 'faa', code: 'FRA' } }, '400 invalidValue /agency'],
    ['no id and no code', { agency: {} }, '400 required /agency'],
    ['a DOT urine test under FRA without a job category', {}, '400 required /jobCategory'],
    ['a job category of another agency', { jobCategory: { id: 'flight-attendant' } }, '400 invalidValue /jobCategory'],
    ['a job category in another case', { jobCategory: { name: 'engine service' } }, '400 invalidValue /jobCategory'],
    [
      'a job category under an agency that has none',
      { agency: { code: 'PHMSA' }, jobCategory: { name: 'Other' } },
      '400 invalidValue /jobCategory',
    ],
  ])('%s', async (_, members, expected) => {
    expect(refusalOf(await post(service, dot(members)))).toBe(expected)
  })

  test('a job category is optional under FRA without a urine test', async () => {
    const members = { package: { id: 'dot-alcohol' }, agency: { code: 'FRA' } }
    expect(await created(service, members)).toMatchObject({ jobCategory: null })
    expect(await created(service, { ...members, jobCategory: { name: 'Other' } })).toMatchObject({
      jobCategory: { name: 'Other' },
    })
  })

  test('an agency is refused with a package without a DOT service', async () => {
    expect(await refused({ agency: { code: 'FRA' } })).toBe('400 invalidValue /agency')
  })

  test('FMCSA requires a driver’s licence with every scheduling option', async () => {
    const members = { package: { id: 'dot' }, agency: { code: 'FMCSA' } }
    expect(await refused(members)).toBe('400 required /participant/identifiers')
    const license = { type: 'driverLicense', value: 'L100-2000', issuingState: 'IL' }
    const participant = { ...PERSON, identifiers: [license] }
    expect(await created(service, { ...members, participant })).toMatchObject({ agency: { code: 'FMCSA' } })
  })
})
