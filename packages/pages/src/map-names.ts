import { html, type Html } from './html.ts'
import { isApart, isOnMap, labelBox, TEXT, WIDTH, type Box, type Label } from './map-labels.ts'
import type { Dot } from './pins.ts'
import type { MapView, NamedLines, Spot } from './views.ts'

/** What is on a map already. Names that are added to it are noted here, so that none covers another. */
export interface Paper {
  used: Box[]
  height: number
}

const MAX_SHIELDS = 6
/** How many rows and columns of places are tried for the name of a lake. */
const GRID = 15

/** The numbers of highways, each once, on the road where there is room. Main routes have two digits. */
export function shields(highways: readonly NamedLines[], toCanvas: (spot: Spot) => Dot, paper: Paper): Html[] {
  const byRank = highways.toSorted((a, b) => a.name.length - b.name.length)
  const shown: Label[] = []
  for (const { name, lines } of byRank) {
    if (shown.length === MAX_SHIELDS) break
    const label = fromTheMiddle(lines.flatMap((line) => alongOf(line.map(toCanvas))))
      .map(({ x, y }) => ({ text: name, x, y: y + 8 }))
      .find((each) => fits(shieldBox(each), paper))
    if (!label) continue
    paper.used.push(shieldBox(label))
    shown.push(label)
  }
  return shown.map((label) => {
    const { left, top, right, bottom } = shieldBox(label)
    return html`<rect
        class="shield"
        x="${round(left)}"
        y="${round(top)}"
        width="${round(right - left)}"
        height="${round(bottom - top)}"
        rx="7"
      /><text class="route" x="${round(label.x)}" y="${round(label.y)}">${label.text}</text>`
  })
}

/** The names of lakes, where they have room in the water. */
export function lakeNames({ lakes, states }: MapView, toCanvas: (spot: Spot) => Dot, paper: Paper): Html[] {
  const land = states.map((line) => line.map(toCanvas))
  const shown: Label[] = []
  for (const { name, lines } of lakes) {
    const shores = lines.map((line) => line.map(toCanvas))
    const isInWater = (label: Label) =>
      cornersOf(labelBox(label)).every((dot) => isWithin(dot, shores) && !isWithin(dot, land))
    const label = gridOver(paper)
      .map(({ x, y }) => ({ text: name, x, y }))
      .find((each) => fits(labelBox(each), paper) && isInWater(each))
    if (name === '' || !label) continue
    paper.used.push(labelBox(label))
    shown.push(label)
  }
  return shown.map(({ text, x, y }) => html`<text class="water" x="${round(x)}" y="${round(y)}">${text}</text>`)
}

/** Dots all over the map, those near its middle first. */
function gridOver({ height }: Paper): Dot[] {
  const dots = range(GRID).flatMap((column) =>
    range(GRID).map((row) => ({ x: (WIDTH * (column + 1)) / (GRID + 1), y: (height * (row + 1)) / (GRID + 1) })),
  )
  const fromMiddle = ({ x, y }: Dot) => Math.hypot(x - WIDTH / 2, y - height / 2)
  return dots.toSorted((a, b) => fromMiddle(a) - fromMiddle(b))
}

const range = (length: number) => Array.from({ length }, (_, i) => i)

const cornersOf = ({ left, top, right, bottom }: Box): Dot[] =>
  [left, right].flatMap((x) => [top, bottom].map((y) => ({ x, y })))

/** Whether a ray from the dot crosses the rings an odd number of times. */
function isWithin({ x, y }: Dot, rings: Dot[][]): boolean {
  const crossings = rings.flatMap((ring) =>
    ring.filter((to, i) => {
      const from = ring.at(i - 1)!
      return from.y > y !== to.y > y && x < from.x + ((y - from.y) / (to.y - from.y)) * (to.x - from.x)
    }),
  )
  return crossings.length % 2 === 1
}

const fits = (box: Box, { used, height }: Paper) => isOnMap(box, height) && isApart(box, used)

function shieldBox(label: Label): Box {
  const { left, right } = labelBox(label)
  return { left: left - 2, right: right + 2, top: label.y - TEXT, bottom: label.y + 9 }
}

/** The points of a line and those halfway between them. */
const alongOf = (line: Dot[]): Dot[] =>
  line.flatMap((dot, i) => {
    const before = line[i - 1]
    return before ? [{ x: (before.x + dot.x) / 2, y: (before.y + dot.y) / 2 }, dot] : [dot]
  })

/** Ordered from the middle outwards. */
function fromTheMiddle(dots: Dot[]): Dot[] {
  const middle = dots.length / 2
  const ranked = dots.map((dot, i) => ({ dot, rank: Math.abs(i - middle) }))
  return ranked.toSorted((a, b) => a.rank - b.rank).map(({ dot }) => dot)
}

const { round } = Math
