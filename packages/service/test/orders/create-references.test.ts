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
    'is named by id, by exact name, or by both: %j',
    async (location) => {
      expect((await created(service, { location })).location.id).toBe('hq')
    },
  )

  test.each([{ name: 'headquarters' }, { name: 'Head' }, { id: 'hq', name: 'Site' }, { id: 'HQ' }])(
    'is not %j',
    async (location) => {
      expect(await refused({ location })).toBe('400 invalidValue /location')
    },
  )

  test('without id and name is required', async () => {
    expect(await refused({ location: {} })).toBe('400 required /location')
    expect(await refused({ location: undefined })).toBe('400 required /location')
  })

  test('whose name several have is a conflict, which its id solves', async () => {
    expect(await refused({ location: { name: 'Depot' } })).toBe('409 conflict /location')
    expect((await created(service, { location: { id: 'depot-west', name: 'Depot' } })).location.id).toBe('depot-west')
  })

  test('whose name several have is not told while something else is wrong', async () => {
    expect(await refused({ location: { name: 'Depot' }, testReason: 'whim' })).toBe('400 invalidValue /testReason')
  })

  test('that is missing, closed or somebody else’s is refused with the same bytes', async () => {
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
  ])('is found by %j', async (reference, id) => {
    const answer = await post(service, body({ package: reference }))
    expect({ ...reference, found: answer.body?.packages?.[0]?.id ?? refusalOf(answer) }).toEqual({
      ...reference,
      found: id,
    })
  })

  test('is matched exactly first: two that differ in case are both found by their own name', async () => {
    expect((await created(service, { package: { name: 'Panel' } })).packages[0].id).toBe('panel')
    expect((await created(service, { package: { name: 'PANEL' } })).packages[0].id).toBe('panel-caps')
  })

  test('that matches several only when case is ignored is a conflict', async () => {
    expect(await refused({ package: { name: 'panel' } })).toBe('409 conflict /package')
  })

  test('that matches several is not told while something fails whichever is meant', async () => {
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

  test('that matches several is not told where none could be ordered, each for a reason of its own', async () => {
    expect(await refused({ package: { name: 'mIXED' }, jobCategory: { name: 'Other' } })).toBe(
      '400 required /agency, invalidValue /jobCategory',
    )
    expect(await refused({ package: { name: 'mIXED' } })).toBe('409 conflict /package')
  })

  test('that only one of several locations offers is not at fault', async () => {
    const dot = { location: { name: 'Depot' }, package: { id: 'depot-dot' } }
    expect(await refused(dot)).toBe('400 required /agency')
    expect(await refused({ ...dot, agency: { code: 'USCG' } })).toBe('409 conflict /location')
  })

  test('that fits several at a location that fits several: both are told', async () => {
    expect(await refused({ location: { name: 'Depot' }, package: { name: 'pANEL' } })).toBe(
      '409 conflict /location, conflict /package',
    )
  })

  test('that is not known does not hide an address that cannot be placed', async () => {
    const address = { line1: '1 Nowhere', city: 'Nowhere', state: 'IL', postalCode: '00000' }
    const nowhere = { participant: { ...PERSON, address }, settings: { schedulingOption: 'schedule' } }
    expect(await refused({ package: { id: 'missing' }, ...nowhere })).toBe(
      '400 invalidValue /package, invalidValue /participant/address',
    )
  })

  test('that matches several is not told while something else is wrong', async () => {
    expect(await refused({ package: { name: 'panel' }, testReason: 'whim' })).toBe('400 invalidValue /testReason')
    expect(await refused({ package: { name: 'panel' }, agency: { code: 'XYZ' } })).toBe('400 invalidValue /agency')
    expect(await refused({ package: { name: 'panel' }, location: { id: 'missing' } })).toBe(
      '400 invalidValue /location',
    )
  })

  test('may be the location’s own or its company’s', async () => {
    const location = { id: 'site' }
    expect((await created(service, { location, package: { id: 'site-only' } })).packages[0].id).toBe('site-only')
    expect((await created(service, { location, package: { id: 'basic' } })).packages[0].id).toBe('basic')
  })

  test('of which nothing can be ordered is not available', async () => {
    expect(await refused({ package: { id: 'empty' } })).toBe('400 invalidValue /package')
  })

  test('that is missing, inactive or offered elsewhere is refused with the same bytes', async () => {
    const ids = ['missing', 'retired', 'unassigned', 'globex-only', 'closed-only', 'site-only', 'rivals', 'empty']
    const names = ['Missing', 'Retired', 'Unassigned', 'Globex Only', 'Closed Only', 'Site Only', 'Rivals Own']
    const references = [...ids.map((id) => ({ id })), ...names.map((name) => ({ name }))]
    const answers = await Promise.all(references.map((reference) => post(service, body({ package: reference }))))
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect(refusalOf(answers.at(0)!)).toBe('400 invalidValue /package')
  })

  test('of another location does not betray itself beside an unknown location', async () => {
    const answers = await Promise.all(
      ['missing', 'globex-only'].map((id) => post(service, body({ location: { id: 'missing' }, package: { id } }))),
    )
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  })

  test('is that of the token’s own companies', async () => {
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

  test('an agency with a package that has no DOT service', async () => {
    expect(await refused({ agency: { code: 'FRA' } })).toBe('400 invalidValue /agency')
  })

  test('FMCSA needs a driver’s licence whatever the scheduling option', async () => {
    const members = { package: { id: 'dot' }, agency: { code: 'FMCSA' } }
    expect(await refused(members)).toBe('400 required /participant/identifiers')
    const license = { type: 'driverLicense', value: 'L100-2000', issuingState: 'IL' }
    const participant = { ...PERSON, identifiers: [license] }
    expect(await created(service, { ...members, participant })).toMatchObject({ agency: { code: 'FMCSA' } })
  })
})
