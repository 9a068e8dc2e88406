import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { CatalogFile } from '@order-testing/contract'
import { applyCatalogs, CatalogRefusal } from '../../src/operations/catalog/files.ts'
import { catalogFile, startService, token, type TestService } from '../support/service.ts'
import { databases, problemsOf } from './databases.ts'
import { members } from './given.ts'

const database = databases()
const NAPERVILLE = { lat: 41.76, long: -88.14 }
const clinic = (id: string, more: object = {}) => ({ id, name: `Clinic ${id}`, services: ['urine'], ...more })

/** A catalog with an entry of every kind. */
const full = (tenant = 'acme') =>
  catalogFile(tenant, {
    clinics: [clinic('a', { coordinates: NAPERVILLE }), clinic('b', { isActive: false })],
    companies: [
      { id: 'acme', name: 'Acme', packages: ['basic'], locations: [{ id: 'hq', name: 'HQ' }] },
      { id: 'beta', name: 'Beta', locations: [{ id: 'yard', name: 'Yard', settings: { expiresIn: 3 } }] },
    ],
  })

describe('Applying catalog files', () => {
  test('applying adds new entries and lists them', async () => {
    const { apply } = await database()
    expect(await apply(full())).toEqual([
      'add tenants acme',
      'add services urine',
      'add packages basic',
      'add clinics a',
      'add clinics b',
      'add companies acme',
      'add companies beta',
      'add locations hq',
      'add locations yard',
      'add tokens acme-secret-full-scope',
    ])
  })

  test('applying a file again changes nothing and keeps the catalog version', async () => {
    const { apply, version } = await database()
    await apply(full())
    const before = await version()
    expect(await apply(full())).toEqual([])
    expect(await version()).toBe(before)
  })

  test('a catalog is as in the files of a start until anything else changes it', async () => {
    const { store, apply } = await database()
    const digest = Buffer.from('these files')
    const start = () => applyCatalogs([{ name: 'file', content: full() }], store, { production: false, digest })
    const isAsInFiles = () => store.catalog.isAsInFiles(digest)
    expect(await isAsInFiles()).toBe(false)
    await start()
    expect(await isAsInFiles()).toBe(true)
    expect(await store.catalog.isAsInFiles(Buffer.from('other files'))).toBe(false)
    await apply({ ...full(), tenant: { id: 'acme', name: 'Renamed' } })
    expect(await isAsInFiles()).toBe(false)
    await start()
    await start()
    expect(await isAsInFiles()).toBe(true)
  })

  test('files that are refused are not taken for applied ones', async () => {
    const { store } = await database()
    const digest = Buffer.from('bad files')
    const content = { ...full(), tenant: { id: '' } }
    await expect(applyCatalogs([{ name: 'file', content }], store, { production: false, digest })).rejects.toThrow(
      CatalogRefusal,
    )
    expect(await store.catalog.isAsInFiles(digest)).toBe(false)
  })

  test('applying succeeds even if the maintenance after many changed clinics fails', async () => {
    const { store } = await database()
    const clinics = Array.from({ length: 1_000 }, (_, i) => clinic(`c${i}`))
    const failing = { ...store, settle: () => Promise.reject(new Error('The disk is full.')) }
    const [applied] = await applyCatalogs([{ name: 'file', content: catalogFile('acme', { clinics }) }], failing, {
      production: false,
    })
    expect(applied?.changes.filter(({ kind }) => kind === 'clinics')).toHaveLength(1_000)
  })

  test('every change raises the catalog version, a new tenant name too', async () => {
    const { apply, version } = await database()
    const versions = new Set([await version()])
    await apply(full())
    versions.add(await version())
    expect(await apply({ ...full(), tenant: { id: 'acme', name: 'Renamed' } })).toEqual(['change tenants acme: name'])
    versions.add(await version())
    expect(await apply({ ...full(), tenant: { id: 'acme', name: 'Renamed' }, clinics: [clinic('a')] })).toEqual([
      'change clinics a: coordinates',
      'deactivate clinics b',
    ])
    versions.add(await version())
    expect(versions.size).toBe(4)
  })

  test('an invalid file keeps the other files from being applied', async () => {
    const { apply, rows, version } = await database()
    const before = await version()
    const bad = catalogFile('bad', { clinics: [clinic('x', { services: ['missing'] })] })
    expect(await problemsOf(apply(full(), bad))).toEqual(['invalidValue file 2#/clinics/0/services/0'])
    expect(await rows()).toBe(0)
    expect(await version()).toBe(before)
  })

  test('a file that conflicts with stored data keeps the other files from being applied', async () => {
    const { apply, rows } = await database()
    await apply(catalogFile('first', { tokens: [token('a-secret-that-is-shared')] }))
    const before = await rows()
    const second = catalogFile('second', { tokens: [token('a-secret-that-is-shared')] })
    expect(await problemsOf(apply(full(), second))).toEqual(['conflict file 2#/tokens/0/secret'])
    expect(await rows()).toBe(before)
  })

  test('applying changes only the member that differs', async () => {
    const { apply, pool } = await database()
    await apply(full())
    const states = () => pool<{ id: string; xmin: string }[]>`select id, xmin::text from clinics order by id`
    const before = await states()
    const changed = {
      ...full(),
      clinics: [clinic('a', { coordinates: NAPERVILLE, phone: '1' }), clinic('b', { isActive: false })],
    }
    expect(await apply(changed)).toEqual(['change clinics a: phone'])
    const after = await states()
    expect(after[0]?.xmin).not.toBe(before[0]?.xmin)
    expect(after[1]?.xmin).toBe(before[1]?.xmin)
  })

  test('different notations of the same values are not a change', async () => {
    const { apply } = await database()
    const spelled = (expiresAt: string, long: number) => ({
      ...full(),
      clinics: [clinic('a', { coordinates: { lat: 0, long }, fee: 1.5, hours: { b: [1, -0], a: null } })],
      tokens: [token('a-secret-for-spelling', { expiresAt })],
    })
    await apply(spelled('2031-05-01T00:00:00Z', -0))
    for (const expiresAt of ['2031-05-01T00:00:00.000Z', '2031-05-01T02:00:00+02:00', '2031-04-30T18:30:00.0000-05:30'])
      expect(await apply(spelled(expiresAt, 0))).toEqual([])
    const reordered = JSON.parse('{"hours":{"a":null,"b":[1.0,0]},"fee":1.50,"services":["urine"]}') as object
    expect(
      await apply({
        ...spelled('2031-05-01T00:00:00Z', 0),
        clinics: [{ ...reordered, coordinates: { long: 0, lat: 0 }, name: 'Clinic a', id: 'a', isActive: true }],
      }),
    ).toEqual([])
    expect(await apply(spelled('2031-05-01T00:00:00.001Z', 0))).toEqual([
      'change tokens a-secret-for-spelling: expiresAt',
    ])
  })

  test('several files can define several tenants with the same ids', async () => {
    const { apply, export: exported } = await database()
    const two = { ...full('two'), clinics: [clinic('a', { name: 'Another' })] }
    await apply(full('one'), two)
    expect((await exported('one')).clinics.map(({ name }) => name)).toEqual(['Clinic a', 'Clinic b'])
    expect((await exported('two')).clinics.map(({ name }) => name)).toEqual(['Another'])
    expect(await apply(two)).toEqual([])
    expect(await apply(full('one'))).toEqual([])
  })

  test('two files for one tenant are refused', async () => {
    const { apply } = await database()
    expect(await problemsOf(apply(full(), catalogFile('acme', { tokens: [] })))).toEqual(['conflict file 2#/tenant/id'])
  })

  test('a location can move to another company and stays the same location', async () => {
    const { apply, pool, export: exported } = await database()
    await apply(full())
    const created = () => pool`select id, company_id, created_at from locations where id = 'hq'`
    const [before] = await created()
    const companies = [
      { id: 'acme', name: 'Acme', packages: ['basic'] },
      {
        id: 'beta',
        name: 'Beta',
        locations: [
          { id: 'yard', name: 'Yard', settings: { expiresIn: 3 } },
          { id: 'hq', name: 'HQ' },
        ],
      },
    ]
    expect(await apply({ ...full(), companies })).toEqual(['change locations hq: companyId'])
    const [after] = await created()
    expect(after).toEqual({ ...before, companyId: 'beta' })
    expect((await exported('acme')).companies.map(({ locations }) => locations.map(({ id }) => id))).toEqual([
      [],
      ['hq', 'yard'],
    ])
  })

  test('an empty file deactivates everything of the tenant', async () => {
    const { apply, export: exported } = await database()
    await apply(full())
    await apply({ tenant: { id: 'acme', name: 'Acme' } })
    expect(await exported('acme')).toEqual({
      tenant: { id: 'acme', name: 'Acme' },
      services: [],
      packages: [],
      clinics: [],
      companies: [],
      tokens: [],
    })
  })

  test('the demo catalog is valid', async () => {
    const { apply } = await database()
    const demo = JSON.parse(readFileSync(new URL('../../catalog/demo.json', import.meta.url), 'utf8')) as object
    expect((await apply(demo)).length).toBeGreaterThan(100)
    expect(await apply(demo)).toEqual([])
  })
})

describe('Comparing and exporting catalogs', () => {
  test('diff lists what apply would do, and changes nothing', async () => {
    const { apply, diff, rows, version } = await database()
    const first = await diff(full())
    expect(await rows()).toBe(0)
    expect(await apply(full())).toEqual(first)
    const before = await version()
    const changed = { ...full(), clinics: [clinic('a', { name: 'New' }), clinic('c')] }
    const changes = await diff(changed)
    expect(changes).toEqual(['change clinics a: coordinates, name', 'add clinics c', 'deactivate clinics b'])
    expect(await version()).toBe(before)
    expect(await apply(changed)).toEqual(changes)
    expect(await diff(changed)).toEqual([])
  })

  test('diff refuses what apply refuses', async () => {
    const { diff } = await database()
    const shared = { tokens: [token('a-secret-that-is-shared')] }
    expect(await problemsOf(diff(catalogFile('one', shared), catalogFile('two', shared)))).toEqual([
      'conflict file 2#/tokens/0/secret',
    ])
  })

  test('there is no export of an unknown tenant', async () => {
    const { export: exported } = await database()
    expect(await exported('nobody')).toBeUndefined()
  })
})

describe('Entries removed from a file', () => {
  let service: TestService
  beforeAll(async () => {
    service = await startService()
  })
  afterAll(() => service.stop())

  test('a removed entry is deactivated, not deleted, and can be restored', async () => {
    const secret = 'acme-secret-full-scope'
    const paths = ['services/urine', 'packages/basic', 'clinics/a', 'companies/acme', 'locations/hq']
    const read = async () => {
      await sleep(600)
      return Promise.all(paths.map(async (path) => (await service.call(secret, `/api/v2/${path}`)).body))
    }
    await service.apply(full())
    const before = await read()
    expect(before.map(({ object }) => object)).toEqual(['service', 'package', 'clinic', 'company', 'location'])
    const kept = catalogFile('acme', {
      services: [],
      packages: [],
      companies: [{ id: 'beta', name: 'Beta' }],
      tokens: [token(secret, { companies: [] })],
    })
    await service.apply(kept)
    expect((await read()).map(({ statusCode }) => statusCode)).toEqual([404, 404, 404, 404, 404])
    expect((await service.call(secret, '/api/v2/clinics?isActive=false')).body.total).toBe(2)
    expect((await service.call(secret, '/api/v2/clinics?isActive=true')).body.total).toBe(0)
    const found = await service.call(secret, {
      method: 'POST',
      path: '/api/v2/clinics/search',
      body: { query: 'clinic' },
    })
    expect(members(found)).toEqual([])
    const [row] = await service.pool`select count(*)::int as count from clinics`
    expect(row).toEqual({ count: 2 })
    await service.apply(full())
    expect(await read()).toEqual(before)
  })
})

describe('Concurrent catalog commands', () => {
  test('the same file applied concurrently is applied once', async () => {
    const { apply, rows, export: exported } = await database()
    const all = await Promise.all(Array.from({ length: 8 }, () => apply(full())))
    expect(all.filter((changes) => changes.length > 0).length).toBe(1)
    expect(await rows()).toBe(10)
    expect((await exported('acme')).clinics.length).toBe(2)
  })

  /** Catalogs of the same tenant with no entry in common. */
  const version = (n: number) => ({
    ...full(),
    services: [{ id: `service-${n}`, name: `${n}`, category: 'drug', type: 'urine', isDot: false }],
    packages: [{ id: 'basic', name: `Basic ${n}`, services: [`service-${n}`] }],
    clinics: Array.from({ length: 20 + n }, (_, i) =>
      clinic(`${i}`, { name: `Clinic ${n}`, services: [`service-${n}`] }),
    ),
    tokens: [token('a-secret-of-one-token', { id: `token-${n}` })],
  })

  test('of different files applied concurrently, one wins as a whole', async () => {
    const { apply, export: exported } = await database()
    await Promise.all(Array.from({ length: 8 }, (_, n) => apply(version(n))))
    const last = await exported('acme')
    expect(wholeVersionOf(last)).toBe(true)
    expect(await apply(version(last.clinics.length - 20))).toEqual([])
  })

  test('an export while files are applied is a consistent snapshot', async () => {
    const { apply, export: exported } = await database()
    await apply(version(0))
    const applied = (async () => {
      for (let n = 1; n <= 30; n++) await apply(version(n % 2))
      return 'done'
    })()
    const copies: CatalogFile[] = []
    while ((await Promise.race([applied, Promise.resolve('under way')])) !== 'done') copies.push(await exported('acme'))
    expect(copies.length).toBeGreaterThan(30)
    expect(copies.filter((copy) => !wholeVersionOf(copy))).toEqual([])
  })

  function wholeVersionOf({ services, packages, clinics, tokens }: CatalogFile): boolean {
    const n = clinics.length - 20
    return (
      services.length === 1 &&
      services[0]?.name === `${n}` &&
      packages[0]?.services[0] === `service-${n}` &&
      tokens.length === 1 &&
      tokens[0]?.id === `token-${n}` &&
      clinics.every(({ name, services: [offered] }) => name === `Clinic ${n}` && offered === `service-${n}`)
    )
  }
})
