import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CatalogFile, SCOPES } from '@order-testing/contract'
import { databases } from './databases.ts'

const database = databases()

const letter = fc.constantFrom(...Array.from('abcABC019 ._-/%?#~é東😀\'"\\\u200d'))
const text = (maxLength: number) => fc.array(letter, { minLength: 1, maxLength }).map((letters) => letters.join(''))
const id = text(4).filter((value) => value !== '.' && value !== '..')
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const number = fc.oneof(fc.constantFrom(0, -0, 0.1, 1e-7, 1e21, 12.345), fc.double({ min: 0, max: 1e6, noNaN: true }))
const json = fc.jsonValue({ maxDepth: 2 })

const address = fc.record(
  {
    line1: text(5),
    line2: text(5),
    city: text(5),
    state: text(3),
    postalCode: fc.constantFrom('60540', 'M5V', 'x'),
    country: fc.constantFrom('US', 'CA'),
  },
  { requiredKeys: [] },
)
const coordinates = fc.record({
  lat: fc.oneof(fc.constantFrom(0, -0, 90, -90), fc.double({ min: -90, max: 90, noNaN: true })),
  long: fc.oneof(fc.constantFrom(0, -0, 180, -180), fc.double({ min: -180, max: 180, noNaN: true })),
})
const settings = (clinicIds: string[]) =>
  fc.record(
    {
      billingCodeRequired: fc.boolean(),
      orderMatching: fc.record({ enabled: fc.boolean(), matchScore: fc.integer({ min: 0, max: 100 }) }),
      clinicFeeCap: number,
      ...(clinicIds.length > 0 && { configuredClinic: fc.constantFrom(...clinicIds) }),
      expiresInUnit: fc.constantFrom('days', 'hours'),
    },
    { requiredKeys: [] },
  )
const expiry = fc.constantFrom('2031-01-01T00:00:00Z', '2031-01-01T01:00:00+01:00', '2031-06-01T12:30:00.123456-07:00')

const some = (ids: string[]): fc.Arbitrary<string[]> =>
  ids.length === 0 ? fc.constant([]) : fc.array(fc.constantFrom(...ids), { maxLength: 4 })
const idsOf = (maxLength: number) => fc.uniqueArray(id, { maxLength })
const entries = (ids: string[], shape: (id: string) => fc.Arbitrary<object>) =>
  fc.tuple(...ids.map((each) => shape(each).map((members) => withoutGaps({ id: each, ...members }))))

/** Valid files of arbitrary content. */
const anyCatalog = fc
  .record({
    services: idsOf(4),
    packages: idsOf(4),
    clinics: idsOf(6),
    companies: idsOf(4),
    locations: idsOf(6),
    tokens: idsOf(3),
  })
  .chain((ids) =>
    fc.record({
      tenant: fc.record({ id: fc.constant('acme'), name: text(6) }),
      services: entries(ids.services, () =>
        fc.record({
          name: text(6),
          category: text(4),
          type: text(4),
          isDot: fc.boolean(),
          requiresMro: maybe(fc.boolean()),
          lab: maybe(fc.record({ id, name: text(3) })),
        }),
      ),
      packages: entries(ids.packages, () =>
        fc.record({ name: text(6), services: some(ids.services), isActive: maybe(fc.boolean()) }),
      ),
      clinics: entries(ids.clinics, () =>
        fc.record({
          name: text(12),
          phone: maybe(text(5)),
          address: maybe(address),
          coordinates: maybe(coordinates),
          services: some(ids.services),
          fee: maybe(number),
          hours: maybe(json),
          timezone: maybe(fc.constantFrom('UTC', 'America/Chicago')),
          isActive: maybe(fc.boolean()),
        }),
      ),
      companies: entries(ids.companies, (company) =>
        fc.record({
          name: text(6),
          address: maybe(address),
          isActive: maybe(fc.boolean()),
          packages: some(ids.packages),
          settings: maybe(settings(ids.clinics)),
          locations: entries(
            ids.locations.filter((_, i) => ids.companies[i % ids.companies.length] === company),
            () =>
              fc.record({
                name: text(6),
                phone: maybe(text(4)),
                packages: maybe(some(ids.packages)),
                settings: maybe(settings(ids.clinics)),
              }),
          ),
        }),
      ),
      laboratoryCodes:
        ids.services.length === 0
          ? fc.constant([])
          : fc.uniqueArray(fc.record({ lab: id, code: text(3), service: fc.constantFrom(...ids.services) }), {
              maxLength: 3,
              selector: ({ lab, code }) => JSON.stringify([lab, code]),
            }),
      tokens: entries(ids.tokens, (token) =>
        fc.record({
          name: text(5),
          scopes: fc.subarray([...SCOPES]),
          companies: some(ids.companies),
          secret: maybe(fc.constant(`secret-of-${Buffer.from(token).toString('hex')}-here`)),
          expiresAt: maybe(expiry),
          rateLimit: maybe(fc.nat()),
        }),
      ),
    }),
  )

/** Drops undefined members, as JSON does. */
const withoutGaps = (value: object) => JSON.parse(JSON.stringify(value)) as object

/** Normalizes a file: defaults set, secrets removed, one notation of times and numbers, lists sorted. */
function plain(content: unknown): unknown {
  const file = CatalogFile.parse(JSON.parse(JSON.stringify(content)))
  const ordered = <T extends { id: string }>(items: T[]): T[] => items.toSorted((a, b) => (a.id < b.id ? -1 : 1))
  return {
    tenant: file.tenant,
    services: ordered(file.services),
    packages: ordered(file.packages),
    clinics: ordered(file.clinics),
    companies: ordered(file.companies).map((company) => ({ ...company, locations: ordered(company.locations) })),
    tokens: ordered(file.tokens).map(({ secret: _, expiresAt, ...token }) => ({
      ...token,
      ...(expiresAt !== undefined && { expiresAt: new Date(expiresAt).toISOString() }),
    })),
    laboratoryCodes: (file.laboratoryCodes ?? [])
      .map((code) => JSON.stringify(code, ['lab', 'code', 'service']))
      .toSorted(),
  }
}

describe('Catalog files with arbitrary content', () => {
  test('an export equals the file except for secrets and order, and applying it changes nothing', async () => {
    const { apply, export: exported, version } = await database()
    await fc.assert(
      fc.asyncProperty(anyCatalog, async (file) => {
        await apply(file)
        const [copy, before] = [await exported('acme'), await version()]
        expect(plain(copy)).toEqual(plain(file))
        expect(await apply(copy)).toEqual([])
        expect(await apply(file)).toEqual([])
        expect(await version()).toBe(before)
      }),
      { numRuns: 60, seed: 17 },
    )
  })

  test('a diff lists exactly what apply does, and applying the previous file restores it', async () => {
    const { apply, diff, export: exported } = await database()
    await fc.assert(
      fc.asyncProperty(anyCatalog, anyCatalog, async (first, second) => {
        for (const file of [first, second, first]) {
          const announced = await diff(file)
          expect(await apply(file)).toEqual(announced)
          expect(await diff(file)).toEqual([])
          expect(plain(await exported('acme'))).toEqual(plain(file))
        }
      }),
      { numRuns: 25, seed: 19 },
    )
  })
})
