import { createRequire } from 'node:module'
import type { CatalogFileOutput } from '@order-testing/client/operator'
import { describe, expect, test } from 'vitest'
import { EMPTY, offeredFor, requestOf, sortProblems, withChange, type Draft } from '../src/pages/orders/new-order.ts'

const demo = createRequire(import.meta.url)('../../service/catalog/demo.json') as CatalogFileOutput

/** As the service exports it: with every default. */
const CATALOG = {
  ...demo,
  companies: demo.companies.map((company) => ({
    ...company,
    isActive: company.isActive ?? true,
    locations: company.locations.map((location) => ({ ...location, isActive: location.isActive ?? true })),
  })),
}
const chosen = (...changes: Partial<Draft>[]) =>
  changes.reduce<Draft>((draft, change) => withChange(draft, change, CATALOG), EMPTY)

describe('what can be chosen', () => {
  test('locations are those of the company, packages those of the location', () => {
    const { locations, packages } = offeredFor(
      chosen({ company: 'co-boxelder' }, { location: 'loc-boxelder-naperville' }),
      CATALOG,
    )
    expect(locations.map(({ id }) => id)).toContain('loc-boxelder-naperville')
    expect(locations.every(({ id }) => id.startsWith('loc-boxelder'))).toBe(true)
    expect(packages.map(({ id }) => id)).toContain('pkg-pre-employment-10')
    expect(offeredFor(EMPTY, CATALOG)).toMatchObject({ locations: [], packages: [], agencies: [] })
  })

  test('an agency is asked for a regulated package, and a job category under FAA, FRA and FTA', () => {
    const draft = chosen(
      { company: 'co-prairie-arrow' },
      { location: 'loc-prairie-joliet' },
      { package: 'pkg-dot-urine' },
    )
    expect(offeredFor(draft, CATALOG).agencies.map(({ code }) => code)).toContain('FMCSA')
    expect(offeredFor({ ...draft, agency: 'fmcsa' }, CATALOG).jobCategories).toEqual([])
    expect(offeredFor({ ...draft, agency: 'fra' }, CATALOG).jobCategories.length).toBeGreaterThan(1)
    expect(offeredFor({ ...draft, testReason: 'followUp' }, CATALOG).asksObserved).toBe(true)
    expect(offeredFor({ ...draft, testReason: 'random' }, CATALOG).asksObserved).toBe(false)
  })

  test('another company takes back what it does not offer', () => {
    const draft = chosen(
      { company: 'co-prairie-arrow', testReason: 'followUp' },
      { location: 'loc-prairie-joliet' },
      { package: 'pkg-dot-urine' },
      { agency: 'fra', isObserved: true },
      { jobCategory: 'engine-service' },
    )
    expect(draft).toMatchObject({ agency: 'fra', jobCategory: 'engine-service', isObserved: true })
    const other = withChange(draft, { company: 'co-boxelder' }, CATALOG)
    expect(other).toMatchObject({ company: 'co-boxelder', package: '', agency: '', jobCategory: '', isObserved: false })
  })

  test('the only location of a company is chosen with it', () => {
    const only = CATALOG.companies.map((each) => ({ ...each, locations: each.locations.slice(0, 1) }))
    const draft = withChange(EMPTY, { company: 'co-prairie-arrow' }, { ...CATALOG, companies: only })
    expect(draft.location).toBe('loc-prairie-joliet')
  })
})

describe('the request', () => {
  test('has what was typed, trimmed, and nothing that was left empty', () => {
    const draft = { ...EMPTY, company: 'c', location: 'l', package: 'p', testReason: 'random', firstName: ' Ana ' }
    expect(requestOf({ ...draft, lastName: 'Lopez', email: 'ana@example.com' })).toMatchObject({
      source: 'portal',
      participant: { firstName: 'Ana', lastName: 'Lopez', email: 'ana@example.com' },
      deliveryMethods: [{ type: 'email', to: 'ana@example.com' }],
      settings: { schedulingOption: 'link' },
    })
    expect(Object.keys(requestOf(draft))).not.toContain('externalId')
    expect(Object.keys(requestOf(draft).participant)).toEqual(['firstName', 'lastName'])
    expect(requestOf({ ...draft, sendBy: 'mobile', phone: '630 555 0142', expiresIn: '7' })).toMatchObject({
      deliveryMethods: [{ type: 'mobile', phone: '630 555 0142' }],
      settings: { expiresIn: 7 },
    })
  })

  test('problems stand beside their fields, the first of each, and the rest apart', () => {
    expect(
      sortProblems([
        { pointer: '/location/id', detail: 'Unknown location.' },
        { pointer: '/location', detail: 'Another.' },
        { pointer: '/deliveryMethods/0/to', detail: 'Not an address.' },
        { detail: 'Busy.' },
        { pointer: '/callback/url', detail: 'Required.' },
      ]),
    ).toEqual({
      fields: { location: 'Unknown location.', email: 'Not an address.' },
      others: ['Busy.', 'Required.'],
    })
  })
})
