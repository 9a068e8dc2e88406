import { readFileSync } from 'node:fs'
import type { GeoGeometryObjects } from 'd3-geo'

/** A shape on the globe with its bounding circle, by which distant shapes are skipped. Coordinates are `[long, lat]`. */
export interface Outline {
  shape: GeoGeometryObjects
  center: [number, number]
  /** In radians. */
  radius: number
}

export type NamedOutline = Outline & { name: string }

export interface Atlas {
  /** Polygons, coastlines included. */
  states: Outline[]
  /** Borders between counties of the same state. */
  counties: Outline[]
  /** Canada, Mexico and other neighbors. Their lakes count as land. */
  abroad: Outline[]
  lakes: NamedOutline[]
  /** Interstates, each in several parts. */
  highways: NamedOutline[]
}

let loaded: Atlas | undefined

/** The outlines of the United States, its territories and its neighbors, read on first use. */
export function atlas(): Atlas {
  loaded ??= load()
  return loaded
}

/** A line of a table: a kind or a name, and a shape. */
type Row = [label: string, circle: [long: number, lat: number, radius: number], lines: [number, number][][]]

function load(): Atlas {
  const outlines = readRows('outlines.txt')
  const ofKind = (kind: string) => outlines.filter(([label]) => label === kind)
  return {
    states: ofKind('state').map(area),
    counties: ofKind('counties').map(line),
    abroad: ofKind('abroad').map(area),
    lakes: readRows('lakes.txt').map((row) => ({ name: row[0], ...area(row) })),
    highways: readRows('highways.txt').map((row) => ({ name: row[0], ...line(row) })),
  }
}

function readRows(file: string): Row[] {
  const text = readFileSync(new URL(`../../../places/${file}`, import.meta.url), 'utf8')
  const lines = text.trimEnd().split('\n')
  return lines.map((each) => JSON.parse(each) as Row)
}

const area = ([, circle, rings]: Row) => outline({ type: 'Polygon', coordinates: rings }, circle)

const line = ([, circle, lines]: Row) => outline({ type: 'MultiLineString', coordinates: lines }, circle)

const outline = (shape: GeoGeometryObjects, [long, lat, radius]: Row[1]): Outline => ({
  shape,
  center: [long, lat],
  radius,
})
