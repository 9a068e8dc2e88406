interface Spot {
  x: number
  y: number
}

export const MOST_ZOOM = 4

/** The part of a map that is shown: each step halves it around a spot, without leaving the map. `scale` keeps dots as large as before. */
export function frameOf(
  { width, height }: { width: number; height: number },
  zoom: number,
  around: Spot | undefined,
): { viewBox: string; scale: number } {
  const scale = 1 / 2 ** zoom
  const [wide, high] = [width * scale, height * scale]
  const { x, y } = around ?? { x: width / 2, y: height / 2 }
  const left = Math.max(0, Math.min(width - wide, x - wide / 2))
  const top = Math.max(0, Math.min(height - high, y - high / 2))
  return { viewBox: `${left} ${top} ${wide} ${high}`, scale }
}
