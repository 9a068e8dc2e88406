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

const ROUNDS = 400
/** Each pin that stands on another leaves by a direction of its own (the golden angle). */
const TURN = 2.399963

/** Moves pins apart until each can be read, and no further than that needs. */
export function movedApart(pins: Dot[], { width, height, size, kept }: Room): Dot[] {
  const edge = size / 2
  const inside = ({ x, y }: Dot): Dot => ({ x: clamped(x, edge, width - edge), y: clamped(y, edge, height - edge) })
  const places = pins.map((pin, i) =>
    inside({ x: pin.x + Math.cos(i * TURN) / 10, y: pin.y + Math.sin(i * TURN) / 10 }),
  )
  for (let round = 0, isCrowded = true; isCrowded && round < ROUNDS; round++) {
    isCrowded = false
    for (const [i, a] of places.entries()) {
      for (const [j, b] of [...places.slice(0, i), kept].entries()) {
        const way = Math.hypot(a.x - b.x, a.y - b.y)
        if (way >= size) continue
        isCrowded = true
        // The last one is no pin, and stays.
        const share = (size - way + 0.1) * (j === i ? 1 : 0.5)
        const [x, y] = [((a.x - b.x) / way) * share, ((a.y - b.y) / way) * share]
        places[i] = inside({ x: places[i]!.x + x, y: places[i]!.y + y })
        if (j < i) places[j] = inside({ x: b.x - x, y: b.y - y })
      }
    }
  }
  return places
}

const clamped = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most)
