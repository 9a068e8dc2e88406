import { geoAzimuthalEquidistant, geoDistance, geoStream, type GeoProjection, type GeoStream } from 'd3-geo'
import { atlas, type NamedOutline, type Outline } from './atlas.ts'
import { EARTH_RADIUS_MILES, towns, type Point } from './postal-places.ts'

/** A position relative to a place, in miles along the ground. */
export interface Spot {
  east: number
  north: number
}

/** Width to height. */
const ASPECT = 0.9
/** Keeps clinics off the edge of the map, and the cut edges of states beyond it. */
const MARGIN = 1.15
const MIN_MILES = 3
/** On larger maps county borders would be clutter. */
const MAX_MILES_WITH_COUNTIES = 80
/** The shortest line segment and the smallest distance between towns, as parts of the map's height. */
const SHORTEST_SEGMENT = { near: 1 / 100, wide: 1 / 60 }
const TOWN_SPACING = 1 / 5
const MAX_TOWNS = 16
const MILES_PER_DEGREE = (EARTH_RADIUS_MILES * Math.PI) / 180

/** Projects points to miles east and north of a place. Distances and directions from the place are true. */
export function projectFrom(place: Point): (point: Point) => Spot {
  const projection = projectionFrom(place)
  return ({ lat, long }) => {
    const [east, north] = projection([long, lat])!
    return { east, north }
  }
}

/** The map around a place that shows all the spots. */
export function mapAround(place: Point, spots: Spot[]) {
  const furthest = Math.max(...spots.map(({ east, north }) => Math.max(Math.abs(east) / ASPECT, Math.abs(north))))
  const north = Math.max(furthest * MARGIN, MIN_MILES)
  const reach = { east: north * ASPECT, north }
  const isWide = north > MAX_MILES_WITH_COUNTIES
  const draw = (outlines: Outline[]) =>
    linesOf(outlines, { place, reach, shortest: north * SHORTEST_SEGMENT[isWide ? 'wide' : 'near'] })
  const drawAreas = (outlines: Outline[]) => draw(outlines).filter((ring) => ring.length > 2)
  const drawNamed = (outlines: NamedOutline[], drawn: (parts: Outline[]) => Spot[][]) => {
    const near = nearTo(place, reach, outlines)
    const names = [...new Set(near.map(({ name }) => name))]
    const shapes = names.map((name) => ({ name, lines: drawn(near.filter((each) => each.name === name)) }))
    return shapes.filter(({ lines }) => lines.length > 0)
  }
  return {
    /** Half the width and half the height of the map. */
    reach,
    /** Closed lines. Where they follow the edge of the map they lie outside of it. */
    states: drawAreas(atlas().states),
    counties: isWide ? [] : draw(atlas().counties),
    abroad: drawAreas(atlas().abroad),
    lakes: drawNamed(atlas().lakes, drawAreas),
    highways: drawNamed(atlas().highways, draw),
    towns: townsAround(place, reach),
  }
}

const projectionFrom = ({ lat, long }: Point): GeoProjection =>
  geoAzimuthalEquidistant()
    .rotate([-long, -lat])
    .scale(EARTH_RADIUS_MILES)
    .translate([0, 0])
    .reflectY(true)
    .precision(0)

/** The outlines as projected lines, clipped a little beyond the map. */
function linesOf(
  outlines: Outline[],
  { place, reach, shortest }: { place: Point; reach: Spot; shortest: number },
): Spot[][] {
  const [width, height] = [reach.east * MARGIN, reach.north * MARGIN]
  const clipped = projectionFrom(place).clipExtent([
    [-width, -height],
    [width, height],
  ])
  const lines: Spot[][] = []
  const stream = clipped.stream(collectInto(lines))
  for (const { shape } of nearTo(place, reach, outlines)) geoStream(shape, stream)
  return lines.map((line) => simplify(line, shortest))
}

/** The outlines whose bounding circles touch the map's. */
function nearTo<T extends Outline>({ long, lat }: Point, reach: Spot, outlines: T[]): T[] {
  const radius = (Math.hypot(reach.east, reach.north) * MARGIN) / EARTH_RADIUS_MILES
  return outlines.filter((outline) => geoDistance(outline.center, [long, lat]) <= radius + outline.radius)
}

const collectInto = (lines: Spot[][]): GeoStream => ({
  lineStart: () => void lines.push([]),
  point: (east, north) => void lines.at(-1)!.push({ east, north }),
  lineEnd: () => {},
  polygonStart: () => {},
  polygonEnd: () => {},
})

/** Drops points that are too close to the one before. The ends stay, so that borders still meet. */
function simplify(line: Spot[], shortest: number): Spot[] {
  const kept: Spot[] = []
  for (const spot of line) {
    const last = kept.at(-1)
    if (!last || spot === line.at(-1) || distance(spot, last) >= shortest) kept.push(spot)
  }
  return kept
}

/** The largest towns that do not crowd each other. */
function townsAround(place: Point, reach: Spot) {
  const shown: (Spot & { name: string })[] = []
  const project = projectFrom(place)
  const maxDegrees = Math.hypot(reach.east, reach.north) / MILES_PER_DEGREE
  for (const { name, at } of towns()) {
    if (shown.length === MAX_TOWNS) break
    // Most towns are skipped by latitude alone, which is cheaper than projecting them.
    if (Math.abs(at.lat - place.lat) > maxDegrees) continue
    const spot = project(at)
    const isInside = Math.abs(spot.east) < reach.east && Math.abs(spot.north) < reach.north
    if (isInside && shown.every((other) => distance(other, spot) > reach.north * TOWN_SPACING))
      shown.push({ name, ...spot })
  }
  return shown
}

const distance = (a: Spot, b: Spot) => Math.hypot(a.east - b.east, a.north - b.north)
