export interface Dot {
  x: number
  y: number
}

export interface Room {
  width: number
  height: number
  /** The smallest distance between the centers of two pins. */
  size: number
  /** The marker that no pin may cover. */
  reserved: Dot
}

/** The step of the search for a free position. */
const STEP = 6

/** Moves pins apart until none overlap, each as little as possible. Earlier pins take precedence. */
export function spreadPins(spots: Dot[], room: Room): Dot[] {
  const places: Dot[] = []
  for (const spot of spots) places.push(freePlace(spot, places, room))
  return places
}

function freePlace(spot: Dot, places: Dot[], { width, height, size, reserved }: Room): Dot {
  const edge = size / 2
  const isFree = ({ x, y }: Dot) => [...places, reserved].every((other) => Math.hypot(x - other.x, y - other.y) >= size)
  const start = { x: clamp(spot.x, edge, width - edge), y: clamp(spot.y, edge, height - edge) }
  for (let radius = 0; radius < width; radius += STEP) {
    const found = around(start, radius).find(
      (dot) => isFree(dot) && dot.x >= edge && dot.x <= width - edge && dot.y >= edge && dot.y <= height - edge,
    )
    if (found) return found
  }
  return start
}

/** Points on a circle, one step apart. */
function around({ x, y }: Dot, radius: number): Dot[] {
  const dots = Math.max(1, Math.round((2 * Math.PI * radius) / STEP))
  return Array.from({ length: dots }, (_, i) => {
    const angle = (2 * Math.PI * i) / dots
    return { x: x + radius * Math.cos(angle), y: y + radius * Math.sin(angle) }
  })
}

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most)
