import { expect, test } from 'vitest'
import type { CatalogFileOutput } from '@order-testing/client/operator'
import { offersFor, type Needs } from '../src/pages/order/clinic-offers.ts'

const LOS_ANGELES = { lat: 34.05, long: -118.25 }
const DENVER = { lat: 39.75, long: -105 }
const AURORA = { lat: 39.73, long: -104.83 }

const clinic = (id: string, coordinates: object, more: object = {}) => ({
  id,
  name: id,
  isActive: true,
  services: ['urine'],
  coordinates,
  ...more,
})

const catalog = {
  clinics: [
    clinic('angeles', LOS_ANGELES, { fee: 40 }),
    clinic('aurora', AURORA, { fee: 90 }),
    clinic('denver', DENVER, { services: [] }),
    clinic('off', DENVER, { isActive: false }),
  ],
  companies: [
    { id: 'acme', settings: { clinicFeeCap: 60 }, locations: [{ id: 'hq', settings: { clinicFeeCap: 80 } }] },
  ],
} as unknown as CatalogFileOutput

const read = {
  near: DENVER,
  order: { company: { id: 'acme' }, location: { id: 'hq' }, services: [{ id: 's1', name: 'Urine 5' }] },
  services: [{ id: 's1', serviceId: 'urine', status: 'ordered' }],
} as unknown as Needs

test('clinics with all services come first, the nearest at the top, with miles, what they lack and the fee cap', () => {
  const { offers, cap } = offersFor(read, catalog)
  expect(cap).toBe(80)
  expect(offers.map(({ clinic: { id }, miles, missing, isOverCap }) => [id, miles, missing, isOverCap])).toEqual([
    ['aurora', 9, [], true],
    ['angeles', 830, [], false],
    ['denver', 0, ['Urine 5'], undefined],
  ])
})

test('clinics are sorted by name where nobody knows where to look', () => {
  const { offers } = offersFor({ ...read, near: null }, catalog)
  expect(offers.map(({ clinic: { id }, miles }) => [id, miles])).toEqual([
    ['angeles', null],
    ['aurora', null],
    ['denver', null],
  ])
})
