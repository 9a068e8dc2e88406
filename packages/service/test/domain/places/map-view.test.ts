import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { locateLine, milesOf, onSphere, type Point } from '../../../src/domain/places/postal-places.ts'
import { mapAround, projectFrom, type Spot } from '../../../src/domain/places/map-view.ts'

const at = (place: string): Point => locateLine(place)!
const project = (from: Point, to: Point) => projectFrom(from)(to)
const around = (place: Point, miles: number) => mapAround(place, [{ east: miles, north: 0 }])

const point = fc.record({
  lat: fc.double({ min: -89, max: 89, noNaN: true }),
  long: fc.double({ min: -180, max: 180, noNaN: true }),
})

describe('the projection around a place', () => {
  test('the projection keeps distances along the ground', () => {
    fc.assert(
      fc.property(point, point, (from, to) => {
        const [a, b] = [onSphere(from), onSphere(to)]
        const miles = milesOf(Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]))
        const { east, north } = project(from, to)
        // At the antipode every direction is right.
        fc.pre(miles < 12_000)
        expect(Math.hypot(east, north)).toBeCloseTo(miles, 3)
      }),
    )
  })

  test.each([
    ['Milwaukee lies north of Chicago', 'Chicago IL', 'Milwaukee WI', [-0.3, 0.95]],
    ['New York lies east of Chicago', 'Chicago IL', 'New York NY', [0.99, 0.1]],
    ['San Diego lies south-east of Los Angeles', 'Los Angeles CA', 'San Diego CA', [0.65, -0.75]],
  ] as const)('the projection shows that %s', (_, from, to, [east, north]) => {
    const spot = project(at(from), at(to))
    const miles = Math.hypot(spot.east, spot.north)
    expect(spot.east / miles).toBeCloseTo(east, 0.5)
    expect(spot.north / miles).toBeCloseTo(north, 0.5)
  })

  test('the projection is continuous across the date line', () => {
    const { east, north } = project({ lat: 52, long: 179.5 }, { lat: 52, long: -179.5 })
    expect(east).toBeGreaterThan(42)
    expect(Math.abs(north)).toBeLessThan(1)
  })
})

describe('a map', () => {
  test('a map reaches beyond all clinics, and at least three miles', () => {
    fc.assert(
      fc.property(fc.array(spotWithin(400), { minLength: 1, maxLength: 20 }), (spots) => {
        const { reach } = mapAround(at('Denver CO'), spots)
        for (const { east, north } of spots) {
          expect(Math.abs(east)).toBeLessThan(reach.east)
          expect(Math.abs(north)).toBeLessThan(reach.north)
        }
      }),
      { numRuns: 20 },
    )
    expect(mapAround(at('60540'), [{ east: 0, north: 0 }]).reach.north).toBe(3)
  })

  test.each(['60540', 'Denver CO', 'Honolulu HI', 'Anchorage AK', '99692', '00901', '96910', '10001'])(
    'a map around %s shows its center within exactly one state',
    (place) => {
      const { states } = around(at(place), 10)
      expect(states.filter((ring) => holds(ring, { east: 0, north: 0 }))).toHaveLength(1)
    },
  )

  test.each([
    ['in Lake Michigan', { lat: 43, long: -87 }],
    ['in the Pacific', { lat: 30, long: -150 }],
    ['at the antimeridian', { lat: 51, long: 180 }],
    ['at the pole', { lat: 90, long: 0 }],
    ['in Toronto', at('M5V 2T6')],
  ])('a map around a place %s shows no states there', (_, place) => {
    const { states, counties } = around(place, 10)
    expect(states.filter((ring) => holds(ring, { east: 0, north: 0 }))).toEqual([])
    expect(counties).toEqual([])
  })

  test.each([
    ['Windsor', 'Detroit MI', { lat: 42.25, long: -82.95 }],
    ['Tijuana', 'San Diego CA', { lat: 32.45, long: -116.95 }],
    ['the middle of Coahuila', 'Laredo TX', { lat: 27.3, long: -101.5 }],
    ['Vancouver', 'Bellingham WA', { lat: 49.2, long: -122.9 }],
    ['the coast of Labrador', 'M5V 2T6', { lat: 53, long: -60 }],
  ])('%s is land on a map around %s', (_, place, abroadAt) => {
    const there = project(at(place), abroadAt)
    const { abroad, states } = around(at(place), Math.hypot(there.east, there.north) + 5)
    expect(abroad.filter((ring) => holds(ring, there))).toHaveLength(1)
    expect(states.filter((ring) => holds(ring, there))).toEqual([])
  })

  test('the Canadian half of the Great Lakes is water with a name', () => {
    const buffalo = at('Buffalo NY')
    const there = project(buffalo, { lat: 42.7, long: -79.5 })
    const { lakes } = around(buffalo, 60)
    const erie = lakes.filter(({ lines }) => lines.some((ring) => holds(ring, there)))
    expect(erie.map(({ name }) => name)).toEqual(['Lake Erie'])
  })

  test('highways run where they do', () => {
    const naperville = at('60540')
    const { highways } = around(naperville, 40)
    const crossed = (from: string, to: string) => {
      const [a, b] = [project(naperville, at(from)), project(naperville, at(to))]
      return highways.filter(({ lines }) => crossings(lines, a, b) > 0).map(({ name }) => name)
    }
    expect(highways.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['I-55', 'I-57', 'I-80', 'I-88', 'I-90', 'I-94', 'I-290', 'I-294', 'I-355']),
    )
    expect(crossed('Naperville IL', 'Carol Stream IL')).toContain('I-88')
    expect(crossed('Naperville IL', 'Lombard IL')).toContain('I-355')
    expect(around(at('Honolulu HI'), 10).highways.map(({ name }) => name)).not.toContain('I-90')
  })

  test('county borders lie between counties, not within one', () => {
    const naperville = at('60540')
    const { counties } = around(naperville, 30)
    const crossed = (from: string, to: string) =>
      crossings(counties, project(naperville, at(from)), project(naperville, at(to)))
    expect(crossed('Wheaton IL', 'Glen Ellyn IL')).toBe(0)
    expect(crossed('Wheaton IL', 'Joliet IL') % 2).toBe(1)
  })

  test('a map of a whole region shows states but no counties', () => {
    expect(around(at('Denver CO'), 250).counties).toHaveLength(0)
    expect(around(at('Denver CO'), 250).states.length).toBeGreaterThan(1)
  })

  test('a map holds little beyond its edges', () => {
    for (const [place, miles] of [
      ['10001', 5],
      ['60601', 40],
      ['Juneau AK', 90],
      ['Saint Louis MO', 500],
    ] as const) {
      const { reach, states, counties } = around(at(place), miles)
      const all = [...states, ...counties].flat()
      expect(all.length).toBeLessThan(3500)
      for (const { east, north } of states.flat()) {
        expect(Math.abs(east)).toBeLessThan(reach.east * 1.2)
        expect(Math.abs(north)).toBeLessThan(reach.north * 1.2)
      }
    }
  })

  test('a map names large towns, in Canada too, with room between them, and no companies', () => {
    const names = (place: string, miles: number) => around(at(place), miles).towns.map(({ name }) => name)
    expect(names('60540', 40).slice(0, 2)).toContain('Chicago')
    expect(names('M5V 2T6', 20)).toContain('Mississauga')
    expect(names('10001', 4)).not.toContain('Philip Morris')
    const { towns, reach } = around(at('60540'), 20)
    expect(towns.length).toBeGreaterThan(5)
    for (const [i, a] of towns.entries())
      for (const b of towns.slice(i + 1))
        expect(Math.hypot(a.east - b.east, a.north - b.north)).toBeGreaterThan(reach.north / 5)
  })
})

function spotWithin(miles: number) {
  const way = fc.double({ min: -miles, max: miles, noNaN: true })
  return fc.record({ east: way, north: way })
}

/** Whether a spot lies within a closed line: a ray from it crosses the line an odd number of times. */
const holds = (ring: Spot[], from: Spot) =>
  crossings([[...ring, ring[0]!]], from, { east: 10_000, north: 0.0123 }) % 2 === 1

function crossings(lines: Spot[][], from: Spot, to: Spot): number {
  const side = (a: Spot, b: Spot, c: Spot) =>
    (b.east - a.east) * (c.north - a.north) - (b.north - a.north) * (c.east - a.east) > 0
  const pairs = lines.flatMap((line) => line.slice(1).map((end, i) => [line[i]!, end] as const))
  return pairs.filter(([a, b]) => side(a, b, from) !== side(a, b, to) && side(from, to, a) !== side(from, to, b)).length
}
