import { createRequire } from 'node:module'
import { feature, mesh } from 'topojson-client'
import { onSphere, type Vector } from './postal-places.ts'

/** A line over the ground, with a ball around it: by that alone most lines are known to be far away. */
export interface Outline {
  points: Vector[]
  middle: Vector
  /** In miles, straight through the earth. */
  radius: number
}

export interface Atlas {
  /** Closed, with their coasts. */
  states: Outline[]
  /** Where two counties of a state meet. */
  counties: Outline[]
}

let loaded: Atlas | undefined

/** The lines of the United States and their territories. Decoded on first use: that takes a tenth of a second. */
export function atlas(): Atlas {
  loaded ??= load()
  return loaded
}

type Topology = Parameters<typeof mesh>[0]
type Area = { id?: string | number | undefined }

function load(): Atlas {
  const require = createRequire(import.meta.url)
  const topology = require('us-atlas/counties-10m.json') as Topology
  const { states, counties } = topology.objects
  const areas = feature(topology, states as Parameters<typeof feature>[1])
  const rings = ('features' in areas ? areas.features : [areas]).flatMap(({ geometry }) => {
    if (geometry.type === 'MultiPolygon') return geometry.coordinates.flat()
    return geometry.type === 'Polygon' ? geometry.coordinates : []
  })
  const between = mesh(topology, counties as Parameters<typeof mesh>[1], (a, b) => a !== b && stateOf(a) === stateOf(b))
  return { states: rings.map(outline), counties: between.coordinates.map(outline) }
}

/** Counties are numbered within their states. */
const stateOf = ({ id }: Area) => String(id).slice(0, 2)

function outline(line: number[][]): Outline {
  const points = line.map(([long = 0, lat = 0]) => onSphere({ lat, long }))
  const middle = [0, 1, 2].map((axis) => middleOf(points.map((point) => point[axis]!))) as Vector
  return { points, middle, radius: Math.max(...points.map((point) => straight(point, middle))) }
}

const middleOf = (values: number[]) => (Math.min(...values) + Math.max(...values)) / 2

export const straight = (a: Vector, b: Vector) => Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2])
