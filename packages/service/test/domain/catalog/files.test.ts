import { describe, expect, test } from 'vitest'
import { CatalogFile, type Problem } from '@order-testing/contract'
import { checkCatalog, diffEntries, toEntries, toCatalogFile } from '../../../src/domain/catalog/files.ts'

/** A token without a secret. */
const BARE = { id: 't', name: 'T', scopes: [], companies: ['one'] }

const read = (members: object = {}) =>
  CatalogFile.parse({
    tenant: { id: 'acme', name: 'Acme' },
    services: [{ id: 'urine', name: 'Urine', category: 'drug', type: 'urine', isDot: false }],
    packages: [{ id: 'basic', name: 'Basic', services: ['urine'] }],
    clinics: [{ id: 'a', name: 'A', services: ['urine'] }],
    companies: [
      {
        id: 'one',
        name: 'One',
        packages: ['basic'],
        locations: [
          { id: 'hq', name: 'HQ' },
          { id: 'yard', name: 'Yard' },
        ],
      },
      { id: 'two', name: 'Two' },
    ],
    tokens: [{ ...BARE, secret: 'a-secret-long-enough' }],
    ...members,
  })

const pointers = (problems: Problem[]) => problems.map(({ pointer }) => pointer)
const diff = (before: CatalogFile, after: CatalogFile) => diffEntries(toEntries(before), toEntries(after))

describe('Entries of a file', () => {
  test('entries of locations have their company, and entries of tokens only the hash of their secret', () => {
    const { companies, locations, tokens } = toEntries(read())
    expect(locations.map(({ id, companyId }) => [id, companyId])).toEqual([
      ['hq', 'one'],
      ['yard', 'one'],
    ])
    expect(companies[0]).not.toHaveProperty('locations')
    expect(tokens[0]).not.toHaveProperty('secret')
    expect(tokens[0]?.secretHash).toMatch(/^[0-9a-f]{64}$/)
  })

  test('the file can be rebuilt from its entries, without secrets', () => {
    const file = read()
    expect(toCatalogFile(file.tenant, toEntries(file))).toEqual({ ...file, tokens: [BARE] })
  })

  test('entries have one notation for each time and for zero', () => {
    const token = { ...BARE, expiresAt: '2031-01-01T01:00:00+01:00' }
    const clinic = { id: 'a', name: 'A', services: [], coordinates: { lat: -0, long: 0 } }
    const entries = toEntries(read({ tokens: [token], clinics: [clinic] }))
    expect(entries.tokens[0]?.expiresAt).toBe('2031-01-01T00:00:00.000Z')
    expect(Object.is(entries.clinics[0]?.coordinates?.lat, 0)).toBe(true)
  })
})

describe('Differences between a stored catalog and a file', () => {
  test('a file does not differ from itself', () => {
    expect(diff(read(), read())).toEqual([])
  })

  test('a difference lists added entries, changed entries with their members, and removed entries', () => {
    const after = read({
      clinics: [{ id: 'b', name: 'B', services: [] }],
      companies: [
        { id: 'one', name: 'Uno', packages: [], locations: [{ id: 'hq', name: 'HQ' }] },
        { id: 'two', name: 'Two', locations: [{ id: 'yard', name: 'Yard' }] },
      ],
    })
    expect(diff(read(), after)).toEqual([
      { kind: 'clinics', id: 'b', name: 'B', action: 'add', members: [] },
      { kind: 'clinics', id: 'a', name: 'A', action: 'deactivate', members: [] },
      { kind: 'companies', id: 'one', name: 'Uno', action: 'change', members: ['name', 'packages'] },
      { kind: 'locations', id: 'yard', name: 'Yard', action: 'change', members: ['companyId'] },
    ])
  })

  test('a removed member is a change', () => {
    const before = read({ clinics: [{ id: 'a', name: 'A', services: [], phone: '1' }] })
    const after = read({ clinics: [{ id: 'a', name: 'A', services: [] }] })
    expect(diff(before, after)).toMatchObject([{ id: 'a', action: 'change', members: ['phone'] }])
  })

  test('the order of references is significant, the order of members is not', () => {
    const services = ['x', 'y'].map((id) => ({ id, name: id, category: 'drug', type: 'hair', isDot: false }))
    const file = (offered: string[]) =>
      read({ services, packages: [], companies: [], tokens: [], clinics: [{ services: offered, name: 'A', id: 'a' }] })
    expect(diff(file(['x', 'y']), file(['y', 'x']))).toMatchObject([{ members: ['services'] }])
    expect(diff(file(['x']), read({ ...file(['x']), clinics: [{ id: 'a', services: ['x'], name: 'A' }] }))).toEqual([])
  })

  test('a missing secret is not a change, a different one is', () => {
    expect(diff(read(), read({ tokens: [BARE] }))).toEqual([])
    expect(diff(read({ tokens: [BARE] }), read())).toMatchObject([{ kind: 'tokens', members: ['secretHash'] }])
    expect(diff(read(), read({ tokens: [{ ...BARE, secret: 'another-secret-here' }] }))).toMatchObject([
      { kind: 'tokens', members: ['secretHash'] },
    ])
  })
})

describe('Problems of a file beyond its schema', () => {
  test('a file whose references are all defined has no problems', () => {
    expect(checkCatalog(read())).toEqual([])
  })

  test('every dangling reference is reported with its pointer', () => {
    const file = read({
      services: [],
      companies: [
        { id: 'one', name: 'One', packages: ['basic', 'x'], settings: { configuredClinic: 'a' } },
        {
          id: 'two',
          name: 'Two',
          locations: [{ id: 'l', name: 'L', packages: ['y'], settings: { configuredClinic: 'z' } }],
        },
      ],
      tokens: [{ id: 't', name: 'T', scopes: [], companies: ['two', 'three'] }],
    })
    expect(pointers(checkCatalog(file))).toEqual([
      '/packages/0/services/0',
      '/clinics/0/services/0',
      '/companies/0/packages/1',
      '/companies/1/locations/0/packages/0',
      '/companies/1/locations/0/settings/configuredClinic',
      '/tokens/0/companies/1',
    ])
  })

  test('duplicate ids are reported from the second on; the same id in two kinds is allowed', () => {
    const clinic = { id: 'urine', name: 'A', services: [] }
    expect(pointers(checkCatalog(read({ clinics: [clinic, clinic, clinic] })))).toEqual([
      '/clinics/1/id',
      '/clinics/2/id',
    ])
  })

  test('duplicate secrets are reported without their values', () => {
    const token = (id: string) => ({ id, name: id, scopes: [], companies: [], secret: 'a-secret-nobody-sees' })
    const problems = checkCatalog(read({ tokens: [token('a'), token('b')] }))
    expect(pointers(problems)).toEqual(['/tokens/1/secret'])
    expect(JSON.stringify(problems)).not.toContain('nobody-sees')
  })

  test('ruling 62: duplicate laboratory codes, and codes for unknown services, are reported', () => {
    const code = (lab: string, service = 'urine') => ({ lab, code: '35105N', service })
    const codes = [code('heartland'), code('copper'), code('heartland'), code('quest', 'hair')]
    expect(pointers(checkCatalog(read({ laboratoryCodes: codes })))).toEqual([
      '/laboratoryCodes/2/code',
      '/laboratoryCodes/3/service',
    ])
  })

  test('characters that cannot be stored are reported in free-form members', () => {
    const hours = { mon: [{ 'a/b': '\u0000' }], ok: [1, null, true, 'é😀'], '\ud800': 1 }
    expect(pointers(checkCatalog(read({ clinics: [{ id: 'a', name: 'A', services: [], hours }] })))).toEqual([
      '/clinics/0/hours/mon/0/a~1b',
      '/clinics/0/hours/\ud800',
    ])
  })
})
