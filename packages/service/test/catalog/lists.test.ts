import { randomBytes } from 'node:crypto'
import * as fc from 'fast-check'
import { pino } from 'pino'
import { describe, expect, inject, test } from 'vitest'
import { createServer } from '../../src/http/server.ts'
import { applyCatalogs } from '../../src/operations/catalog/files.ts'
import { connect } from '../../src/store/db/pool.ts'
import { migrate } from '../../src/store/db/migrate.ts'
import { createStore } from '../../src/store/store.ts'
import { onDatabase } from '../support/global-setup.ts'
import { catalogFile, testKeyring, token } from '../support/service.ts'
import { members, refusal, SECRET, serving } from './given.ts'

/** In the order of lists: ignoring case, then capitals first, then by id. */
const NAMES = [
  '10 Panel',
  '2 Panel',
  'ALPHA',
  'Alpha',
  'alpha',
  'alpha',
  'Back\\slash',
  'beta',
  'co-op',
  'Coop',
  'Pure 100% sure',
  'Pure 100X sure',
  'Pure_100_sure',
  'zeta',
  'Éclair',
  'éclair',
  '東京',
]
const KINDS = ['companies', 'locations', 'packages', 'services', 'clinics']

/** The same names in every list; the file has another order, and ids sort differently. */
const entries = (members_: (id: string, i: number) => object = () => ({})) =>
  NAMES.map((name, i) => ({
    id: `${String.fromCharCode(97 + ((i * 7) % 17))}-${i}`,
    name,
    ...members_(`${i}`, i),
  })).toReversed()

const STATES = ['IL', 'in', 'Il', 'Ontario']
const services = entries(() => ({ category: 'drug', type: 'urine', isDot: false }))
const packages = entries(() => ({ services: [] }))
const locations = entries()
const companies = entries(() => ({ packages: packages.map(({ id }) => id) }))
const clinics = entries((_, i) => ({
  services: [],
  isActive: i % 3 !== 0,
  address: { city: `${['Fort', 'Port', 'port'][i % 3]} ${i}`, state: STATES[i % 4] },
}))
const FILE = catalogFile('acme', {
  services,
  packages,
  clinics,
  companies: [{ ...companies[0], locations }, ...companies.slice(1)],
  tokens: [token(SECRET, { companies: companies.map(({ id }) => id) })],
})

const { get } = serving(FILE)

describe.each(KINDS)('GET /api/v2/%s', (kind) => {
  test('the list is sorted by name, ignoring case, and stable', async () => {
    expect(members(await get(kind))).toEqual(NAMES)
    const ids = members(await get(`${kind}?name=alpha`), 'id')
    // Positions 2 to 5 of NAMES; the last two have the same name.
    expect(ids.slice(0, 2)).toEqual(['o-2', 'e-3'])
    expect(ids.slice(2)).toEqual(['b-5', 'l-4'])
  })

  test('the default is the first page of 20 entries', async () => {
    expect((await get(kind)).body).toMatchObject({ limit: 20, page: 1, total: NAMES.length })
  })

  test.each([1, 2, 5, 16, 17, 20])('pages of %i neither repeat nor lose an entry', async (limit) => {
    const seen: unknown[] = []
    for (let page = 1; page <= Math.ceil(NAMES.length / limit); page++) {
      const { body } = await get(`${kind}?limit=${limit}&page=${page}`)
      expect(body).toMatchObject({ limit, page, total: NAMES.length })
      seen.push(...body.data.map(({ name }: { name: string }) => name))
    }
    expect(seen).toEqual(NAMES)
  })

  test('the total is exact even beyond the last page', async () => {
    for (const page of [18, 10_000])
      expect((await get(`${kind}?limit=1&page=${page}`)).body).toEqual({
        data: [],
        limit: 1,
        page,
        total: NAMES.length,
      })
    expect((await get(`${kind}?name=pure&limit=2&page=3`)).body).toMatchObject({ data: [], total: 3 })
  })

  test.each([
    ['alp', ['ALPHA', 'Alpha', 'alpha', 'alpha']],
    ['ALPHA', ['ALPHA', 'Alpha', 'alpha', 'alpha']],
    ['éCLAIR', ['Éclair', 'éclair']],
    ['e\u0301clair', ['Éclair', 'éclair']],
    ['京', ['東京']],
    ['%', ['Pure 100% sure']],
    ['100% s', ['Pure 100% sure']],
    ['_', ['Pure_100_sure']],
    ['e_100_s', ['Pure_100_sure']],
    ['\\', ['Back\\slash']],
    ['ack\\sla', ['Back\\slash']],
    ['\\%', []],
    ["' or true --", []],
    ['o-o', ['co-op']],
  ])('the name filter %j finds %j', async (name, found) => {
    const answer = await get(`${kind}?name=${encodeURIComponent(name)}`)
    expect(members(answer)).toEqual(found)
    expect(answer.body.total).toBe(found.length)
  })

  test.each([
    ['limit=0', '400 tooSmall /limit'],
    ['limit=21', '400 tooBig /limit'],
    ['page=0', '400 tooSmall /page'],
    ['page=10001', '400 tooBig /page'],
    ['name=', '400 tooSmall /name'],
    [`name=${'x'.repeat(256)}`, '400 tooBig /name'],
    ['nmae=x', '400 unrecognizedKeys /nmae'],
  ])('the query %.20s is refused: %s', async (query, problem) => {
    expect(refusal(await get(`${kind}?${query}`))).toEqual([problem])
  })

  test('limit, page and name accept their extreme values', async () => {
    for (const query of ['limit=1', 'limit=20', 'page=10000', 'name=x', `name=${'x'.repeat(255)}`])
      expect((await get(`${kind}?${query}`)).status).toBe(200)
  })
})

describe('GET /api/v2/clinics: further filters', () => {
  const where = (holds: (i: number) => boolean) => NAMES.filter((_, i) => holds(i))

  test.each(['1', 'true'])('isActive=%s', async (flag) => {
    expect(members(await get(`clinics?isActive=${flag}`))).toEqual(where((i) => i % 3 !== 0))
  })

  test.each(['0', 'false'])('isActive=%s', async (flag) => {
    expect(members(await get(`clinics?isActive=${flag}`))).toEqual(where((i) => i % 3 === 0))
  })

  test.each(['yes', 'TRUE', '2', ''])('isActive=%j is refused', async (flag) => {
    expect(refusal(await get(`clinics?isActive=${flag}`))).toEqual(['400 invalidType /isActive'])
  })

  test('the city filter matches a part, ignoring case', async () => {
    expect(members(await get('clinics?city=PORT'))).toEqual(where((i) => i % 3 !== 0))
    expect(members(await get('clinics?city=T%201'))).toEqual(where((i) => `${i}`.startsWith('1')))
    expect(members(await get('clinics?city=%25'))).toEqual([])
  })

  test('the state filter matches the whole state, ignoring case', async () => {
    expect(members(await get('clinics?state=iL'))).toEqual(where((i) => i % 2 === 0 && i % 4 !== 3))
    expect(members(await get('clinics?state=ONTARIO'))).toEqual(where((i) => i % 4 === 3))
    expect(members(await get('clinics?state=I'))).toEqual([])
    expect(members(await get('clinics?state=i_'))).toEqual([])
  })

  test('filters combine, and the total is of the combination', async () => {
    const expected = where((i) => i % 3 !== 0 && i % 4 === 1)
    const { body } = await get('clinics?city=port&state=IN&isActive=1&limit=2')
    expect(body.total).toBe(expected.length)
    expect(body.data.map(({ name }: { name: string }) => name)).toEqual(expected.slice(0, 2))
  })

  test.each(['city', 'state'])('the filter %s accepts 1 to 255 characters', async (filter) => {
    expect(refusal(await get(`clinics?${filter}=`))).toEqual([`400 tooSmall /${filter}`])
    expect(refusal(await get(`clinics?${filter}=${'x'.repeat(256)}`))).toEqual([`400 tooBig /${filter}`])
    expect((await get(`clinics?${filter}=${'x'.repeat(255)}`)).status).toBe(200)
  })
})

describe('arbitrary names', () => {
  const letter = fc.constantFrom(...Array.from('aAbcé%_\\1 \'"-ßİ東😀'))
  const text = fc.array(letter, { minLength: 1, maxLength: 8 }).map((letters) => letters.join(''))
  const names = fc.sample(text, { numRuns: 120, seed: 7 })
  const many = serving(
    catalogFile('acme', {
      clinics: names.map((name, i) => ({ id: `${i}`, name, services: [] })),
      tokens: [token(SECRET)],
    }),
  )

  test('the name filter finds exactly the names that contain the text', async () => {
    const part = fc.oneof(
      text,
      fc.tuple(fc.constantFrom(...names), fc.nat(4), fc.integer({ min: 1, max: 5 })).map(
        ([name, start, length]) =>
          Array.from(name)
            .slice(start, start + length)
            .join('') || 'a',
      ),
    )
    await fc.assert(
      fc.asyncProperty(part, async (filter) => {
        const plain = (name: string) => name.toLowerCase().normalize('NFC')
        const expected = names.filter((name) => plain(name).includes(plain(filter)))
        const found: unknown[] = []
        for (let page = 1; page === 1 || found.length === (page - 1) * 20; page++)
          found.push(...members(await many.get(`clinics?name=${encodeURIComponent(filter)}&page=${page}`)))
        expect(found.map(String).toSorted()).toEqual(expected.toSorted())
      }),
      { numRuns: 150, seed: 11 },
    )
  })
})

describe('a database with another collation', () => {
  test('lists have the same order with any collation of the database', async (context) => {
    const admin = connect(inject('server'), { max: 1 })
    const name = `ots_test_${randomBytes(6).toString('hex')}`
    try {
      await admin.script(
        `create database ${name} template template0 encoding 'UTF8' locale 'C' locale_provider icu icu_locale 'en-US'`,
      )
    } catch (error) {
      await admin.end()
      context.skip(`no database with ICU here: ${(error as Error).message}`)
    }
    const pool = connect(onDatabase(inject('server'), name))
    const app = await createServer({
      store: createStore(pool, testKeyring),
      logger: pino({ level: 'silent' }),
      rateLimit: 0,
    })
    try {
      await migrate(pool)
      const rows = await pool<{ word: string }[]>`select unnest(array['b', 'A', 'a', 'B']) as word order by 1`
      expect(rows.map(({ word }) => word)).toEqual(['a', 'A', 'b', 'B'])
      await applyCatalogs([{ name: 'file', content: FILE }], createStore(pool, testKeyring), {
        production: false,
      })
      for (const kind of KINDS) {
        const answer = await app.inject({ url: `/api/v2/${kind}`, headers: { authorization: `Bearer ${SECRET}` } })
        expect(members({ body: answer.json() })).toEqual(NAMES)
      }
      const found = await app.inject({
        url: '/api/v2/clinics?name=100%25%20s',
        headers: { authorization: `Bearer ${SECRET}` },
      })
      expect(members({ body: found.json() })).toEqual(['Pure 100% sure'])
    } finally {
      await app.close()
      await pool.end()
      await admin.script(`drop database ${name} with (force)`)
      await admin.end()
    }
  })
})
