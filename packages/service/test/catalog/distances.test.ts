import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { catalogFile, token } from '../support/service.ts'
import { SECRET, serving } from './given.ts'

interface Point {
  lat: number
  long: number
}

const RADIUS = 3958.7613

/** The distance by the haversine formula. */
function miles(a: Point, b: Point): number {
  const [phi1, phi2] = [radians(a.lat), radians(b.lat)]
  const h =
    Math.sin((phi2 - phi1) / 2) ** 2 + Math.cos(phi1) * Math.cos(phi2) * Math.sin(radians(b.long - a.long) / 2) ** 2
  return 2 * RADIUS * Math.asin(Math.sqrt(h))
}

const radians = (degrees: number) => (degrees * Math.PI) / 180

/** Places where naive geometry fails, and an ordinary one. */
const AROUND: Record<string, Point> = {
  'the middle of America': { lat: 39.8, long: -98.6 },
  'the North Pole': { lat: 89.5, long: 30 },
  'the South Pole': { lat: -89.5, long: 0 },
  'the date line': { lat: 52, long: 180 },
  'the zero meridian': { lat: 51.5, long: 0 },
  'the equator': { lat: 0, long: 100 },
}

/** Evenly distributed; doubles of fast-check are biased to zero and the bounds. */
const degrees = (min: number, max: number) => fc.integer({ min: min * 1e5, max: max * 1e5 }).map((n) => n / 1e5)

/** A point within some degrees of a place, also across a pole or the date line. */
const pointNear = ({ lat, long }: Point) =>
  fc.tuple(degrees(-6, 6), lat > 80 || lat < -80 ? degrees(-180, 180) : degrees(-6, 6)).map(([up, right]) => {
    const east = long + right
    return {
      lat: Math.max(-90, Math.min(90, lat + up)),
      long: east > 180 ? east - 360 : east < -180 ? east + 360 : east,
    }
  })

const corners = [-180, 0, 180].flatMap((long) => [-90, 0, 90].map((lat) => ({ lat, long })))
const points = [
  ...Object.values(AROUND).flatMap((place) => fc.sample(pointNear(place), { numRuns: 40, seed: 3 })),
  ...corners,
]

const { search } = serving(
  catalogFile('acme', {
    clinics: points.map((coordinates, i) => ({ id: `${i}`, name: `Clinic ${i}`, coordinates, services: [] })),
    tokens: [token(SECRET)],
  }),
)

const indices = (holds: (i: number) => boolean) => points.map((_, i) => i).filter((i) => holds(i))

async function searchAll(coordinates: Point, radiusMiles: number) {
  const found: { id: string; distance: { miles: number } }[] = []
  for (let page = 1; ; page++) {
    const { body } = await search({ near: { coordinates }, radiusMiles, page })
    found.push(...body.data)
    if (page * 20 >= body.total) return { found, total: body.total }
  }
}

describe.each(Object.entries(AROUND))('a search near %s', (_, place) => {
  test('a search finds the clinics within the radius, nearest first, with haversine distances', async () => {
    await fc.assert(
      fc.asyncProperty(pointNear(place), degrees(1, 500), async (from, radius) => {
        const { found, total } = await searchAll(from, radius)
        const distances = points.map((point) => miles(from, point))
        for (const { id, distance } of found) {
          expect(Math.abs(distance.miles - (distances[Number(id)] ?? Infinity))).toBeLessThan(0.00501)
        }
        const shown = found.map(({ distance }) => distance.miles)
        expect(shown).toEqual(shown.toSorted((a, b) => a - b))
        // Points on the very edge may be on either side.
        const inside = indices((i) => (distances[i] ?? 0) < radius - 1e-6)
        const around = indices((i) => (distances[i] ?? 0) < radius + 1e-6)
        const ids = found.map(({ id }) => Number(id))
        expect(inside.filter((i) => !ids.includes(i))).toEqual([])
        expect(ids.filter((i) => !around.includes(i))).toEqual([])
        expect(total).toBe(found.length)
      }),
      { numRuns: 25, seed: 5 },
    )
  })
})

test('clinics at the edges of the map are found at their coordinates', async () => {
  for (const corner of corners) {
    const { found } = await searchAll(corner, 0.5)
    const same = indices((i) => miles(points[i] ?? corner, corner) < 0.5)
    expect(found.map(({ id }) => Number(id)).toSorted((a, b) => a - b)).toEqual(same)
  }
})
