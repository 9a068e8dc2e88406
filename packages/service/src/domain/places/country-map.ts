import { geoAlbersUsa, geoStream, type GeoStream } from 'd3-geo'
import { atlas } from './atlas.ts'
import type { Point } from './postal-places.ts'

/** The map of the whole country, with Alaska and Hawaii below. In units of which one is about a pixel. */
export const COUNTRY = { width: 975, height: 610 }

/** Points closer than this to the one before are dropped, and so are smaller islands. */
const SHORTEST = 1.2
const SMALLEST_RING = 4

type Spot = [x: number, y: number]

const projection = geoAlbersUsa()
  .scale(1300)
  .translate([COUNTRY.width / 2, COUNTRY.height / 2])

let drawn: string | undefined

/** The borders of the states as path data of SVG, computed on first use. */
export function countryOutline(): string {
  drawn ??= draw()
  return drawn
}

/** Where a point is on the map; null for one outside of the states. */
export function onCountryMap({ lat, long }: Point): { x: number; y: number } | null {
  const spot = projection([long, lat])
  return spot && { x: round(spot[0]), y: round(spot[1]) }
}

function draw(): string {
  const rings: Spot[][] = []
  const collect: GeoStream = {
    lineStart: () => void rings.push([]),
    point: (x, y) => void rings.at(-1)!.push([x, y]),
    lineEnd: () => {},
    polygonStart: () => {},
    polygonEnd: () => {},
  }
  const stream = projection.stream(collect)
  for (const { shape } of atlas().states) geoStream(shape, stream)
  return rings
    .map((ring) => simplify(ring))
    .filter((ring) => ring.length >= SMALLEST_RING)
    .map((ring) => `M${ring.map(([x, y]) => `${round(x)} ${round(y)}`).join('L')}Z`)
    .join('')
}

function simplify(ring: Spot[]): Spot[] {
  const kept: Spot[] = []
  for (const spot of ring) {
    const last = kept.at(-1)
    if (!last || Math.hypot(spot[0] - last[0], spot[1] - last[1]) >= SHORTEST) kept.push(spot)
  }
  return kept
}

const round = (value: number) => Math.round(value * 10) / 10
