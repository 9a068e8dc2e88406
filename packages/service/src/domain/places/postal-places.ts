import { createRequire } from 'node:module'
import { cityKey, cityName, stateCode } from './city-names.ts'

/** A point on the globe, in degrees. */
export interface Point {
  lat: number
  long: number
}

export interface PlaceName {
  postalCode?: string | undefined
  city?: string | undefined
  state?: string | undefined
  country?: string | undefined
}

/** A point on the globe as Cartesian coordinates in miles, which is how the `cube` columns hold it. */
export type Vector = [number, number, number]

/** The number of inhabited postal codes stands in for the size of a town. */
export interface Town {
  name: string
  codes: number
  at: Point
}

export const EARTH_RADIUS_MILES = 3958.7613

/** Countries with US ZIP codes or Canadian postal codes. Five digits in any other country mean a different place. */
const COVERED = new Set(['US', 'CA', 'PR', 'VI', 'GU', 'AS', 'MP', 'FM', 'MH', 'PW'])

/** Finds a place by its postal code, or else by its city. Offline: null if the tables do not have it. */
export function locate({ postalCode, city, state, country = 'US' }: PlaceName): Point | null {
  if (!COVERED.has(country)) return null
  const byCode = postalCode === undefined ? null : byPostalCode(postalCode, country)
  return byCode ?? (city !== undefined && state !== undefined ? byCity(city, state) : null)
}

/** Finds an address given as one line by its postal code, or else by its city and state. */
export function locateLine(line: string): Point | null {
  const whole = byPostalCode(line)
  if (whole) return whole
  const codes = [...line.matchAll(/\b\d{5}(?:-\d{4})?\b|\b[a-z]\d[a-z][ -]?\d[a-z]\d\b/gi)].toReversed()
  // Five digits at the start of a line are a house number, unless nothing else identifies the place.
  const points = (found: RegExpExecArray[]) => found.flatMap(([code]) => byPostalCode(code) ?? [])
  const [inside] = points(codes.filter(({ index }) => index > 0))
  const [leading] = points(codes.filter(({ index }) => index === 0))
  return inside ?? byCityIn(line) ?? leading ?? null
}

/** Whether a line is the name of a city without its state. */
export const isCityAlone = (line: string) => places().cityNames.has(cityName(line))

/** All towns, largest first. */
export const towns = (): Town[] => places().towns

export function onSphere({ lat, long }: Point): Vector {
  const [phi, lambda] = [radians(lat), radians(long)]
  return [
    EARTH_RADIUS_MILES * Math.cos(phi) * Math.cos(lambda),
    EARTH_RADIUS_MILES * Math.cos(phi) * Math.sin(lambda),
    EARTH_RADIUS_MILES * Math.sin(phi),
  ]
}

/** The inverse of `onSphere`. */
export const toPoint = ([x, y, z]: Vector): Point => ({
  lat: degrees(Math.asin(Math.min(1, Math.max(-1, z / EARTH_RADIUS_MILES)))),
  long: degrees(Math.atan2(y, x)),
})

/** The straight-line distance of two points that are this many miles apart along the ground. */
export function chordOf(miles: number): number {
  return 2 * EARTH_RADIUS_MILES * Math.sin(Math.min(miles / (2 * EARTH_RADIUS_MILES), Math.PI / 2))
}

/** The distance along the ground of two points at this straight-line distance. */
export function milesOf(chord: number): number {
  return 2 * EARTH_RADIUS_MILES * Math.asin(Math.min(chord / (2 * EARTH_RADIUS_MILES), 1))
}

/** Takes ZIP, ZIP+4 and Canadian postal codes. The latter are recognized by their format, whatever the country. */
function byPostalCode(postalCode: string, country?: string): Point | null {
  const code = postalCode.trim().toUpperCase()
  const zip = /^(\d{5})(?:[- ]?\d{4})?$/.exec(code)?.[1]
  const area = /^([A-Z]\d[A-Z])(?:[ -]?\d[A-Z]\d)?$/.exec(code)?.[1]
  if (zip !== undefined) return (country !== 'CA' && places().codes.get(zip)) || null
  return (area !== undefined && places().codes.get(area)) || null
}

function byCity(city: string, state: string): Point | null {
  const code = stateCode(state)
  return (code !== undefined && places().cities.get(cityKey(city, code))) || null
}

/** The last city in a line that is followed by its state: street names come first. */
function byCityIn(line: string): Point | null {
  const words = line.split(/[\s,]+/).filter((word) => word !== '')
  for (let end = words.length; end > 1; end--) {
    for (const [cityWords, stateWords] of CITY_AND_STATE) {
      const middle = end - stateWords
      const point =
        middle >= cityWords
          ? byCity(words.slice(middle - cityWords, middle).join(' '), words.slice(middle, end).join(' '))
          : null
      if (point) return point
    }
  }
  return null
}

/** Numbers of words in a city and its state, longest first: Fort Worth is not Worth. */
const CITY_AND_STATE = [4, 3, 2, 1].flatMap((city) => [2, 1].map((state) => [city, state] as const))

interface Places {
  /** ZIP codes, and the first three characters of Canadian postal codes. */
  codes: Map<string, Point>
  cities: Map<string, Point>
  cityNames: Set<string>
  towns: Town[]
}

let loaded: Places | undefined

/** Read on first use, because most commands do not need it. */
function places(): Places {
  loaded ??= load()
  return loaded
}

/** As `npm run places` writes it. */
interface Table {
  postalCodes: [code: string, lat: number, long: number][]
  /** Largest first. */
  cities: [key: string, name: string, codes: number, lat: number, long: number][]
}

function load(): Places {
  const table = createRequire(import.meta.url)('../../../places/places.json') as Table
  const cities = new Map<string, Point>()
  const cityNames = new Set<string>()
  const inhabited: Town[] = []
  for (const [key, name, codes, lat, long] of table.cities) {
    const at = { lat, long }
    cities.set(key, at)
    cityNames.add(key.slice(0, key.indexOf('|')))
    if (codes > 0) inhabited.push({ name, codes, at })
  }
  const codes = new Map(table.postalCodes.map(([code, lat, long]) => [code, { lat, long }]))
  return { codes, cities, cityNames, towns: inhabited }
}

const radians = (value: number) => (value * Math.PI) / 180

const degrees = (value: number) => (value * 180) / Math.PI
