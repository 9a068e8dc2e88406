import { readFileSync } from 'node:fs'
import { cityKey, stateCode } from './city-names.ts'
import { SortedLines } from './sorted-lines.ts'

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
  return inside ?? cityIn(line)?.at ?? leading ?? null
}

/** A city of the tables. */
export interface City extends Town {
  state: string
}

/** All cities as `naperville|IL`, sorted. */
export const cityKeys = (): string[] => [...cities()].map(([key]) => key!)

/** The cities of this name, as `cityName` writes it, in all states. */
export const citiesNamed = (name: string): City[] =>
  cities()
    .linesFrom(`${name}|`)
    .map(([key = '', ...fields]) => toCity(key, fields))

/** The distance along the ground in miles. */
export function milesBetween(one: Point, other: Point): number {
  const [a, b] = [onSphere(one), onSphere(other)]
  return milesOf(Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]))
}

/** All inhabited towns, largest first. Only maps need them. */
export function towns(): Town[] {
  inhabited ??= [...cities()]
    .map(([, lat, long, codes, ...name]) => ({ name: name.join(' '), codes: Number(codes), at: pointOf(lat, long) }))
    .filter(({ codes }) => codes > 0)
    .toSorted((one, other) => other.codes - one.codes)
  return inhabited
}

let inhabited: Town[] | undefined

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
  if (zip !== undefined) return country === 'CA' ? null : pointIn(postalCodes(), zip)
  return area === undefined ? null : pointIn(postalCodes(), area)
}

const byCity = (city: string, state: string): Point | null => findCity(city, state)?.at ?? null

function findCity(city: string, state: string): City | null {
  const code = stateCode(state)
  const key = code === undefined ? null : cityKey(city, code)
  const fields = key === null ? undefined : cities().find(key)
  return fields ? toCity(key!, fields) : null
}

const toCity = (key: string, [lat, long, codes, ...name]: string[]): City => ({
  name: name.join(' '),
  state: key.slice(key.indexOf('|') + 1),
  codes: Number(codes),
  at: pointOf(lat, long),
})

/** The last city in a line that is followed by its state: street names come first. */
export function cityIn(line: string): City | null {
  const words = line.split(/[\s,]+/).filter((word) => word !== '')
  for (let end = words.length; end > 1; end--) {
    for (const [cityWords, stateWords] of CITY_AND_STATE) {
      const middle = end - stateWords
      const city =
        middle >= cityWords
          ? findCity(words.slice(middle - cityWords, middle).join(' '), words.slice(middle, end).join(' '))
          : null
      if (city) return city
    }
  }
  return null
}

/** Numbers of words in a city and its state, longest first: Fort Worth is not Worth. */
const CITY_AND_STATE = [4, 3, 2, 1].flatMap((city) => [2, 1].map((state) => [city, state] as const))

/** ZIP codes, and the first three characters of Canadian postal codes. */
const postalCodes = tableOf('postal-codes')

const cities = tableOf('cities')

/** A table that `npm run places` writes. Read on first use, because most commands do not need it. */
function tableOf(name: string): () => SortedLines {
  let table: SortedLines | undefined
  return () => {
    table ??= new SortedLines(readFileSync(new URL(`../../../places/${name}.txt`, import.meta.url), 'utf8'))
    return table
  }
}

function pointIn(table: SortedLines, first: string): Point | null {
  const [lat, long] = table.find(first) ?? []
  return lat === undefined ? null : pointOf(lat, long)
}

const pointOf = (lat: string | undefined, long: string | undefined): Point => ({ lat: Number(lat), long: Number(long) })

const radians = (value: number) => (value * Math.PI) / 180

const degrees = (value: number) => (value * 180) / Math.PI
