import type { Dot } from './pins.ts'

/** The width of a map in its own units: about half a CSS pixel on a phone, so that whole numbers are precise enough. */
export const WIDTH = 720
export const TEXT = 25
/** The average width of a letter. */
const LETTER = 14

export interface Box {
  left: number
  top: number
  right: number
  bottom: number
}

/** A text by the center of its baseline. */
export type Label = Dot & { text: string }

export const boxAround = ({ x, y }: Dot, size: number): Box => ({
  left: x - size,
  top: y - size,
  right: x + size,
  bottom: y + size,
})

export function labelBox({ text, x, y }: Label): Box {
  const half = (text.length * LETTER) / 2
  return { left: x - half, right: x + half, top: y - TEXT, bottom: y + 6 }
}

/** Candidate positions beside a dot: above, below, right, left, and a little further off. */
export function labelsBeside({ x, y }: Dot, text: string, size = 4): Label[] {
  const aside = (text.length * LETTER) / 2 + size + 6
  return [
    { text, x, y: y - size - 8 },
    { text, x, y: y + TEXT + size + 2 },
    { text, x: x + aside, y: y + 7 },
    { text, x: x - aside, y: y + 7 },
    { text, x, y: y - size - 20 },
    { text, x, y: y + TEXT + size + 14 },
  ]
}

export const isOnMap = ({ left, top, right, bottom }: Box, height: number) =>
  left > 0 && right < WIDTH && top > 0 && bottom < height

export const isApart = (one: Box, used: readonly Box[]) =>
  used.every(
    (other) => one.right < other.left || one.left > other.right || one.bottom < other.top || one.top > other.bottom,
  )
