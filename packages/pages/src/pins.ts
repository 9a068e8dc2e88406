/** A place on a drawing. */
export interface Dot {
  x: number
  y: number
}

interface Room {
  width: number
  height: number
  /** From middle to middle of two pins that touch. */
  size: number
  /** Where no pin may be. */
  kept: Dot
}

/** How finely a free place is looked for. */
const STEP = 6

/** Puts each pin at its spot, or as near as there is room. Those that come first move least. */
export function movedApart(spots: Dot[], room: Room): Dot[] {
  const places: Dot[] = []
  for (const spot of spots) places.push(freePlace(spot, places, room))
  return places
}

function freePlace(spot: Dot, places: Dot[], { width, height, size, kept }: Room): Dot {
  const edge = size / 2
  const isFree = ({ x, y }: Dot) => [...places, kept].every((other) => Math.hypot(x - other.x, y - other.y) >= size)
  const start = { x: clamped(spot.x, edge, width - edge), y: clamped(spot.y, edge, height - edge) }
  for (let radius = 0; radius < width; radius += STEP) {
    const found = around(start, radius).find(
      (dot) => isFree(dot) && dot.x >= edge && dot.x <= width - edge && dot.y >= edge && dot.y <= height - edge,
    )
    if (found) return found
  }
  return start
}

/** Dots on a circle, a step from each other. */
function around({ x, y }: Dot, radius: number): Dot[] {
  const dots = Math.max(1, Math.round((2 * Math.PI * radius) / STEP))
  return Array.from({ length: dots }, (_, i) => {
    const angle = (2 * Math.PI * i) / dots
    return { x: x + radius * Math.cos(angle), y: y + radius * Math.sin(angle) }
  })
}

const clamped = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most)
