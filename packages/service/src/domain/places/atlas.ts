import { createRequire } from 'node:module'
import type { GeoGeometryObjects } from 'd3-geo'
import { feature, mesh } from 'topojson-client'
import { EARTH_RADIUS_MILES, milesOf, onSphere, toPoint, type Vector } from './postal-places.ts'

/** A shape on the globe with its bounding circle, by which distant shapes are skipped. Coordinates are `[long, lat]`. */
export interface Outline {
  shape: GeoGeometryObjects
  center: [number, number]
  /** In radians. */
  radius: number
}

export interface Atlas {
  /** Polygons, coastlines included. */
  states: Outline[]
  /** Borders between counties of the same state. */
  counties: Outline[]
}

let loaded: Atlas | undefined

/** The outlines of the United States and its territories, decoded on first use. */
export function atlas(): Atlas {
  loaded ??= load()
  return loaded
}

type Topology = Parameters<typeof mesh>[0]

function load(): Atlas {
  const require = createRequire(import.meta.url)
  const topology = require('us-atlas/counties-10m.json') as Topology
  const { states, counties } = topology.objects
  const areas = feature(topology, states as Parameters<typeof feature>[1])
  const polygons = ('features' in areas ? areas.features : [areas]).flatMap(({ geometry }) => {
    if (geometry.type === 'MultiPolygon') return geometry.coordinates
    return geometry.type === 'Polygon' ? [geometry.coordinates] : []
  })
  const borders = mesh(
    topology,
    counties as Parameters<typeof mesh>[1],
    (a, b) => a !== b && stateCode(a.id) === stateCode(b.id),
  )
  return {
    states: polygons.map((coordinates) => outline({ type: 'Polygon', coordinates }, coordinates.flat())),
    counties: borders.coordinates.map((coordinates) => outline({ type: 'LineString', coordinates }, coordinates)),
  }
}

/** The first two digits of a county's FIPS code. */
const stateCode = (id: string | number | undefined) => String(id).slice(0, 2)

function outline(shape: GeoGeometryObjects, points: number[][]): Outline {
  const vectors = points.map(([long, lat]) => onSphere({ lat: lat!, long: long! }))
  const center = centerOf(vectors)
  const chord = Math.max(...vectors.map(([x, y, z]) => Math.hypot(x - center[0], y - center[1], z - center[2])))
  const { lat, long } = toPoint(center)
  return { shape, center: [long, lat], radius: milesOf(chord) / EARTH_RADIUS_MILES }
}

/** The mean of the points. A centroid takes several times as long, and any center will do. */
function centerOf(vectors: Vector[]): Vector {
  const [x, y, z] = vectors.reduce((sum, each) => [sum[0] + each[0], sum[1] + each[1], sum[2] + each[2]])
  const scale = EARTH_RADIUS_MILES / Math.hypot(x, y, z)
  return [x * scale, y * scale, z * scale]
}
