import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  chordOf,
  EARTH_RADIUS_MILES,
  locate,
  locateLine,
  milesOf,
  onSphere,
  type Point,
} from '../../../src/domain/places/postal-places.ts'

const point = fc
  .record({ lat: fc.integer({ min: -9000, max: 9000 }), long: fc.integer({ min: -18000, max: 18000 }) })
  .map(({ lat, long }) => ({ lat: lat / 100, long: long / 100 }))

function chord(a: Point, b: Point): number {
  const [p, q] = [onSphere(a), onSphere(b)]
  return Math.hypot(p[0] - q[0], p[1] - q[1], p[2] - q[2])
}

/** Miles from a found place to the expected one. */
const miles = (found: Point | null, lat: number, long: number) =>
  found ? milesOf(chord(found, { lat, long })) : Infinity

const NAPERVILLE = [41.764585, -88.144165] as const

describe('distances', () => {
  test('points lie on a sphere with the radius of the earth', () => {
    fc.assert(
      fc.property(point, (each) => {
        expect(Math.hypot(...onSphere(each))).toBeCloseTo(EARTH_RADIUS_MILES, 6)
      }),
    )
  })

  test('a distance along the ground converts to a chord and back', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 12_000, noNaN: true }), (ground) => {
        expect(milesOf(chordOf(ground))).toBeCloseTo(ground, 6)
      }),
    )
    expect(milesOf(2 * EARTH_RADIUS_MILES + 1)).toBeCloseTo(Math.PI * EARTH_RADIUS_MILES)
  })

  test.each([
    ['Chicago to New York', [41.8781, -87.6298], [40.7128, -74.006], 711],
    ['across the date line', [52, 179.5], [52, -179.5], 42.5],
    ['over the pole', [89, 0], [89, 180], 138.2],
    ['half around the world', [0, 0], [0, 180], 12_436.8],
  ] as [string, [number, number], [number, number], number][])(
    'the distance is right: %s',
    (_, [lat, long], [lat2, long2], expected) => {
      expect(milesOf(chord({ lat, long }, { lat: lat2, long: long2 })) / expected).toBeCloseTo(1, 2)
    },
  )
})

describe('places by postal code', () => {
  test.each(['60540', '60540-1234', '605401234', '60540 1234', ' 60540 '])(
    'the postal code %j is in Naperville',
    (postalCode) => {
      expect(miles(locate({ postalCode }), ...NAPERVILLE)).toBeLessThan(0.1)
    },
  )

  test.each(['M5V 3L9', 'm5v3l9', 'M5V-3L9', 'M5V', 'm5v'])(
    'the postal code %j is in Toronto, whatever the country',
    (postalCode) => {
      for (const country of [undefined, 'CA', 'US'])
        expect(miles(locate({ postalCode, country }), 43.64, -79.4)).toBeLessThan(3)
    },
  )

  test('a postal code of post office boxes is located at the post office', () => {
    for (const postalCode of ['60567', '60567-0012'])
      expect(miles(locate({ postalCode }), ...NAPERVILLE)).toBeLessThan(5)
  })

  test('postal codes of territories and with leading zeros are found', () => {
    expect(miles(locate({ postalCode: '00901', country: 'PR' }), 18.46, -66.1)).toBeLessThan(3)
    expect(miles(locate({ postalCode: '02108' }), 42.36, -71.06)).toBeLessThan(3)
    expect(miles(locate({ postalCode: '96910', country: 'GU' }), 13.47, 144.75)).toBeLessThan(5)
  })

  test.each([
    ['00000', undefined],
    ['6054', undefined],
    ['60540-12', undefined],
    ['605400', undefined],
    ['SW1A 1AA', undefined],
    ['M5V 3L', undefined],
    ['', undefined],
    ['60540', 'CA'],
    ['06600', 'MX'],
    ['10115', 'DE'],
    ['M5V 3L9', 'GB'],
    // In the tables with zeros for coordinates.
    ['34001', undefined],
    // Military mail, which the tables place at sea or in one city for all of Europe.
    ['09003', undefined],
    ['96201', undefined],
    ['96601', undefined],
  ])('the postal code %j in %s is not found', (postalCode, country) => {
    expect(locate({ postalCode, country })).toBeNull()
  })

  test('no postal code is located at zero coordinates', () => {
    const codes = Array.from({ length: 100_000 }, (_, i) => String(i).padStart(5, '0'))
    const found = codes.flatMap((postalCode) => locate({ postalCode }) ?? [])
    expect(found.length).toBeGreaterThan(40_000)
    expect(found.filter(({ lat, long }) => !Number.isFinite(lat) || !Number.isFinite(long))).toEqual([])
    expect(found.filter(({ lat, long }) => Math.abs(lat) < 0.1 && Math.abs(long) < 0.1)).toEqual([])
  })
})

describe('places by city', () => {
  test.each([
    ['Naperville', 'IL', 41.77, -88.15],
    [' naperville ', 'il', 41.77, -88.15],
    ['Naperville', 'Illinois', 41.77, -88.15],
    ['St. Louis', 'MO', 38.63, -90.24],
    ['Ft Worth', 'TX', 32.76, -97.33],
    ['Winston Salem', 'NC', 36.1, -80.25],
    ["Coeur d'Alene", 'ID', 47.69, -116.78],
    ['Calgary', 'AB', 51.05, -114.07],
    // The tables have parts of these alone, such as Downtown Toronto.
    ['Toronto', 'ON', 43.66, -79.39],
    ['Toronto', 'Ontario', 43.66, -79.39],
    ['Montréal', 'QC', 45.5, -73.57],
    ['Montreal', 'Québec', 45.5, -73.57],
    ['Halifax', 'NS', 44.65, -63.58],
    ['Vancouver', 'British Columbia', 49.26, -123.11],
    ['North Vancouver', 'BC', 49.32, -123.07],
    ['Whitehorse', 'Yukon', 60.72, -135.06],
    ['San Juan', 'PR', 18.4, -66.06],
    ['San Juan', 'Puerto Rico', 18.4, -66.06],
    ['Hagatna', 'Guam', 13.47, 144.75],
    ['Portland', 'ME', 43.66, -70.26],
    ['Portland', 'OR', 45.52, -122.68],
    // Single codes of these lie far away in the tables; a mean would be pulled out to sea or into the wild.
    ['New York', 'NY', 40.76, -73.98],
    ['Anchorage', 'AK', 61.2, -149.9],
    ['Fairbanks', 'AK', 64.84, -147.72],
  ])('the city %s, %s is found', (city, state, lat, long) => {
    expect(miles(locate({ city, state }), lat, long)).toBeLessThan(10)
  })

  test('the city is used only if the postal code is unknown', () => {
    expect(miles(locate({ postalCode: '00000', city: 'Naperville', state: 'IL' }), ...NAPERVILLE)).toBeLessThan(5)
    expect(miles(locate({ postalCode: '60540', city: 'Portland', state: 'ME' }), ...NAPERVILLE)).toBeLessThan(0.1)
  })

  test.each([
    { city: 'Naperville' },
    { state: 'IL' },
    { city: 'Naperville', state: 'ZZ' },
    { city: 'Naperville', state: 'Somewhere' },
    { city: '', state: '' },
    { city: 'APO', state: 'AE' },
    { city: 'FPO', state: 'AP', postalCode: '96601' },
    { city: 'Atlantis', state: 'IL', postalCode: '99999' },
    { city: 'Paris', state: 'TX', country: 'FR' },
    {},
  ])('the place %j is not found', (place) => {
    expect(locate(place)).toBeNull()
  })
})

describe('places in a line of text', () => {
  test.each([
    ['1 Main St, Naperville, IL 60540', 41.76, -88.14],
    ['1 Main St Naperville IL 60540-1234 USA', 41.76, -88.14],
    ['60540', 41.76, -88.14],
    ['Naperville, IL', 41.77, -88.15],
    ['naperville il', 41.77, -88.15],
    ['Naperville, Illinois, USA', 41.77, -88.15],
    ['12345 Main Street, Naperville, IL', 41.77, -88.15],
    ['12345 Portland Ave, Fort Worth, TX', 32.76, -97.33],
    ['12345 Main Street, 60540', 41.76, -88.14],
    ['New York, New York', 40.76, -73.98],
    ['Charlotte, North Carolina', 35.2, -80.83],
    ['290 Bremner Blvd, Toronto, ON M5V 3L9', 43.64, -79.4],
    ['290 Bremner Blvd, Toronto, ON m5v3l9, Canada', 43.64, -79.4],
    ['M5V', 43.64, -79.4],
    ['toronto on', 43.66, -79.39],
    ['San Juan, Puerto Rico', 18.4, -66.06],
    ['PO Box 12, Naperville IL 60567-0012', 41.77, -88.15],
  ])('the line %j is found', (line, lat, long) => {
    expect(miles(locateLine(line), lat, long)).toBeLessThan(10)
  })

  test.each(['', ' ', ',', 'nowhere', 'Main Street', '1234', 'Naperville', 'ZZ 00000', ', IL', 'IL'])(
    'the line %j is not found',
    (line) => {
      expect(locateLine(line)).toBeNull()
    },
  )

  test('any text can be searched for a place', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 60 }), (line) => {
        const { lat, long } = locateLine(line) ?? { lat: 0, long: 0 }
        expect(Math.abs(lat) <= 90 && Math.abs(long) <= 180).toBe(true)
      }),
    )
  })
})
