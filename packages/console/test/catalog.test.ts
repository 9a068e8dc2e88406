import { expect, test } from 'vitest'
import type { CatalogFileOutput } from '@order-testing/client/operator'
import { frameOf } from '../src/pages/catalog/frame.ts'
import { isOnlyChange, listedOf, valueAt, withEntry, withValue, type Entry } from '../src/pages/catalog/entries.ts'
import { hoursText, isOpenAt, parseHours } from '../src/pages/catalog/hours.ts'

const FILE = {
  tenant: { id: 'north', name: 'North' },
  services: [{ id: 'urine', name: 'Urine', category: 'drug', type: 'urine' }],
  packages: [{ id: 'basic', name: 'Basic', services: ['urine'] }],
  clinics: [{ id: 'open', name: 'Open', services: ['urine'], address: { city: 'Joliet', state: 'IL' } }],
  companies: [
    {
      id: 'acme',
      name: 'Acme',
      address: { city: 'Chicago', state: 'IL' },
      locations: [
        { id: 'hq', name: 'Headquarters', address: { city: 'Chicago', state: 'IL' } },
        { id: 'yard', name: 'Yard' },
      ],
    },
  ],
  tokens: [],
} as unknown as CatalogFileOutput

const entry = (members: object = {}): Entry => ({ id: 'acme', name: 'Acme', ...members })

test('entries are listed with where they are or what they consist of, and locations with their company', () => {
  const details = (['companies', 'locations', 'packages', 'services', 'clinics'] as const).map((kind) =>
    listedOf(FILE, kind).map(({ detail }) => detail),
  )
  expect(details).toEqual([
    ['Chicago, IL'],
    ['Acme · Chicago, IL', 'Acme'],
    ['urine'],
    ['drug · urine'],
    ['Joliet, IL'],
  ])
  expect(listedOf(FILE, 'locations').map(({ owner }) => owner?.id)).toEqual(['acme', 'acme'])
})

test('one entry of a file is replaced, and everything else stays as it is', () => {
  const named = withEntry(FILE, 'locations', { id: 'yard', name: 'East Yard' })
  expect(named.companies.flatMap(({ locations }) => locations).map(({ name }) => name)).toEqual([
    'Headquarters',
    'East Yard',
  ])
  expect({ ...named, companies: FILE.companies }).toEqual(FILE)
  const clinics = withEntry(FILE, 'clinics', { id: 'open', name: 'Opened' }).clinics
  expect(clinics.map(({ name }) => name)).toEqual(['Opened'])
})

test('a value is set and read by its path, and an object without members is left out', () => {
  const capped = withValue(entry(), 'settings.clinicFeeCap', 80)
  expect(capped).toEqual(entry({ settings: { clinicFeeCap: 80 } }))
  expect([valueAt(capped, 'settings.clinicFeeCap'), valueAt(entry(), 'settings.clinicFeeCap')]).toEqual([80, undefined])
  expect(valueAt(undefined, 'settings')).toBeUndefined()
  expect(withValue(capped, 'settings.clinicFeeCap', undefined)).toEqual(entry())
})

test('hours are written as they are read, and what is not a span of a day is refused', () => {
  const spans = [
    ['08:00', '12:00'],
    ['13:00', '24:00'],
  ]
  expect(parseHours(hoursText(spans))).toEqual(spans)
  expect(parseHours('08:00 – 12:00')).toEqual([['08:00', '12:00']])
  expect(parseHours(' ')).toBeUndefined()
  for (const wrong of ['8-12', '12:00-08:00', '08:00-25:00', 'open']) expect(parseHours(wrong)).toBeNull()
})

test('a clinic is open in its own zone, and hours of another form bind nobody', () => {
  const clinic = (hours: unknown) => ({ hours, timezone: 'America/Chicago' }) as Parameters<typeof isOpenAt>[0]
  const daily = clinic({ thu: [['08:00', '12:00']] })
  expect(isOpenAt(daily, '2026-11-19T14:00:00Z')).toBe(true)
  expect(isOpenAt(daily, '2026-11-19T18:00:00Z')).toBe(false)
  expect(isOpenAt(daily, '2026-11-20T14:00:00Z')).toBe(false)
  expect(isOpenAt(clinic('by appointment'), '2026-11-20T14:00:00Z')).toBe(true)
})

test('a change of an entry is the only one unless another entry or another member differs', () => {
  const change = (members: object = {}) => ({
    kind: 'companies' as const,
    id: 'acme',
    name: 'Acme',
    action: 'change' as const,
    members: ['phone'],
    ...members,
  })
  const made = { saved: entry(), entry: entry({ phone: '1' }) }
  expect(isOnlyChange([change()], 'companies', made)).toBe(true)
  expect(isOnlyChange([change({ members: ['phone', 'name'] })], 'companies', made)).toBe(false)
  expect(isOnlyChange([change(), change({ id: 'other' })], 'companies', made)).toBe(false)
  expect(isOnlyChange([change({ kind: 'clinics' })], 'companies', made)).toBe(false)
})

test('a map comes closer around a spot, and stays within its edges', () => {
  const map = { width: 100, height: 60 }
  expect(frameOf(map, 0, { x: 90, y: 50 })).toEqual({ viewBox: '0 0 100 60', scale: 1 })
  expect(frameOf(map, 1, undefined)).toEqual({ viewBox: '25 15 50 30', scale: 0.5 })
  expect(frameOf(map, 2, { x: 95, y: 2 })).toEqual({ viewBox: '75 0 25 15', scale: 0.25 })
})
