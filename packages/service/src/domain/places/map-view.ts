import { atlas, straight, type Outline } from './atlas.ts'
import { milesOf, onSphere, radians, towns, type Point, type Vector } from './postal-places.ts'

/** Where something lies, seen from a place: miles along the ground, by the compass. */
export interface Spot {
  east: number
  north: number
}

/** What a map around a place shows. */
export interface Surroundings {
  /** How far the map reaches to the sides, and up and down. */
  reach: Spot
  /** Closed lines; their edges along the map's own lie outside of it. */
  states: Spot[][]
  counties: Spot[][]
  /** The largest first, with room between them. */
  towns: (Spot & { name: string })[]
}

/** A map is a little wider than high. */
const ASPECT = 1.2
/** Nothing that matters lies at the very edge. */
const MARGIN = 1.15
const LEAST_MILES = 3
/** County lines of a larger map would be a net. */
const MOST_MILES_WITH_COUNTIES = 80
/** Parts of the map's height: bends that hardly anybody could see, and the room a town has to itself. */
const FINEST = { near: 1 / 100, wide: 1 / 60 }
const APART = 1 / 5
const MOST_TOWNS = 16

/** Sees points from a place. Distances and directions from there are true (azimuthal equidistant), also across the date line. */
export function seenFrom(place: Point): (point: Vector) => Spot {
  const [phi, lambda] = [radians(place.lat), radians(place.long)]
  const middle = onSphere(place)
  const eastward: Vector = [-Math.sin(lambda), Math.cos(lambda), 0]
  const northward: Vector = [-Math.sin(phi) * Math.cos(lambda), -Math.sin(phi) * Math.sin(lambda), Math.cos(phi)]
  return (point) => {
    const [east, north] = [dot(point, eastward), dot(point, northward)]
    const length = Math.hypot(east, north)
    const scale = length === 0 ? 0 : milesOf(straight(point, middle)) / length
    return { east: east * scale, north: north * scale }
  }
}

/** What lies around a place, as far as the spots reach. */
export function surroundingsOf(place: Point, spots: Spot[]): Surroundings {
  const furthest = Math.max(...spots.map(({ east, north }) => Math.max(Math.abs(east) / ASPECT, Math.abs(north))))
  const north = Math.max(furthest * MARGIN, LEAST_MILES)
  const reach = { east: north * ASPECT, north }
  const see = seenFrom(place)
  const isNear = near(place, reach)
  const isWide = north > MOST_MILES_WITH_COUNTIES
  const finest = north * (isWide ? FINEST.wide : FINEST.near)
  const drawn = (outlines: Outline[]) =>
    outlines
      .filter(({ middle, radius }) => isNear(middle, radius))
      .map(({ points }) => thinned(points, finest).map(see))
  return {
    reach,
    states: drawn(atlas().states)
      .map((ring) => cut(ring, reach))
      .filter((ring) => ring.length > 2),
    counties: isWide ? [] : drawn(atlas().counties).flatMap((line) => within(line, reach)),
    towns: townsNear({ isNear, see, reach }),
  }
}

const dot = (a: Vector, b: Vector) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2]

/** Whether a ball may touch the map. A straight line is never longer than the way along the ground. */
function near(place: Point, { east, north }: Spot): (middle: Vector, radius: number) => boolean {
  const here = onSphere(place)
  const furthest = Math.hypot(east, north)
  return (middle, radius) => straight(middle, here) <= furthest + radius
}

/** A line without the bends that are too small to see. Its ends stay. */
function thinned(line: Vector[], finest: number): Vector[] {
  const kept: Vector[] = []
  for (const point of line) {
    const last = kept.at(-1)
    if (!last || straight(point, last) >= finest) kept.push(point)
  }
  const end = line.at(-1)!
  if (kept.at(-1) !== end) kept.push(end)
  return kept
}

/** The parts of a line that may be seen on the map. */
function within(line: Spot[], reach: Spot): Spot[][] {
  const parts: Spot[][] = []
  let isGoingOn = false
  for (const [i, to] of line.slice(1).entries()) {
    const from = line[i]!
    const isSeen = !isBeside(from.east, to.east, reach.east) && !isBeside(from.north, to.north, reach.north)
    if (isSeen && isGoingOn) parts.at(-1)!.push(to)
    else if (isSeen) parts.push([from, to])
    isGoingOn = isSeen
  }
  return parts
}

const isBeside = (a: number, b: number, edge: number) => Math.min(a, b) > edge || Math.max(a, b) < -edge

/** What of an area lies on the map and a little beyond, where its new edges cannot be seen (Sutherland and Hodgman). */
function cut(ring: Spot[], { east, north }: Spot): Spot[] {
  const sides = [
    { axis: 'east', sign: 1, edge: east * MARGIN },
    { axis: 'east', sign: -1, edge: east * MARGIN },
    { axis: 'north', sign: 1, edge: north * MARGIN },
    { axis: 'north', sign: -1, edge: north * MARGIN },
  ] as const
  return sides.reduce((area, { axis, sign, edge }) => {
    const over = (spot: Spot) => spot[axis] * sign - edge
    return area.flatMap((to, i) => {
      const from = area.at(i - 1)!
      const [before, after] = [over(from), over(to)]
      const crossing = before > 0 === after > 0 ? [] : [between(from, to, before / (before - after))]
      return after > 0 ? crossing : [...crossing, to]
    })
  }, ring)
}

const between = (from: Spot, to: Spot, part: number): Spot => ({
  east: from.east + (to.east - from.east) * part,
  north: from.north + (to.north - from.north) * part,
})

/** Towns to find one's way by: the largest, as far as they do not crowd each other. */
function townsNear({ isNear, see, reach }: Around): Surroundings['towns'] {
  const shown: Surroundings['towns'] = []
  for (const { name, at } of towns()) {
    if (shown.length === MOST_TOWNS) break
    if (!isNear(at, 0)) continue
    const { east, north } = see(at)
    const isInside = Math.abs(east) < reach.east && Math.abs(north) < reach.north
    const isFree = shown.every((other) => Math.hypot(other.east - east, other.north - north) > reach.north * APART)
    if (isInside && isFree) shown.push({ name, east, north })
  }
  return shown
}

interface Around {
  isNear: (middle: Vector, radius: number) => boolean
  see: (point: Vector) => Spot
  reach: Spot
}
