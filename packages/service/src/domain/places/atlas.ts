import { createRequire } from 'node:module'
import { geoCentroid, geoDistance, type GeoGeometryObjects } from 'd3-geo'
import { feature, mesh } from 'topojson-client'

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
  const center = geoCentroid(shape)
  return { shape, center, radius: Math.max(...points.map((point) => geoDistance(center, point as [number, number]))) }
}
