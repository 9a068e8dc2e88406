import { readFileSync } from 'node:fs'
import type { GeoGeometryObjects } from 'd3-geo'

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

/** The outlines of the United States and its territories, read on first use. */
export function atlas(): Atlas {
  loaded ??= load()
  return loaded
}

/** A line of the file that `npm run places` writes. */
type Row = [
  kind: 'state' | 'counties',
  circle: [long: number, lat: number, radius: number],
  lines: [number, number][][],
]

function load(): Atlas {
  const text = readFileSync(new URL('../../../places/outlines.txt', import.meta.url), 'utf8')
  const rows = text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)
  return {
    states: rows
      .filter(([kind]) => kind === 'state')
      .map(([, circle, rings]) => outline({ type: 'Polygon', coordinates: rings }, circle)),
    counties: rows
      .filter(([kind]) => kind === 'counties')
      .map(([, circle, [line]]) => outline({ type: 'LineString', coordinates: line! }, circle)),
  }
}

const outline = (shape: GeoGeometryObjects, [long, lat, radius]: Row[1]): Outline => ({
  shape,
  center: [long, lat],
  radius,
})
