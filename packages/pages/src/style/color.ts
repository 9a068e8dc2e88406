/** Red, green and blue from 0 to 255. */
export type Rgb = readonly [number, number, number]

export const parseHex = (hex: string): Rgb => [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)) as never

export const toHex = (color: Rgb): string =>
  `#${color.map((part) => Math.round(part).toString(16).padStart(2, '0')).join('')}`.toUpperCase()

/** The contrast of two colors (WCAG 2.2), from 1 to 21. */
export function contrast(one: string, other: string): number {
  const [dark, light] = [luminance(parseHex(one)), luminance(parseHex(other))].toSorted((a, b) => a - b) as [
    number,
    number,
  ]
  return (light + 0.05) / (dark + 0.05)
}

/** A part of a color in another. */
export function mix(color: string, other: string, part: number): string {
  const [a, b] = [parseHex(color), parseHex(other)]
  return toHex(a.map((value, i) => value * part + b[i]! * (1 - part)) as never)
}

interface Hsl {
  hue: number
  saturation: number
  lightness: number
}

export function toHsl(hex: string): Hsl {
  const [red, green, blue] = parseHex(hex).map((part) => part / 255) as unknown as Rgb
  const [most, least] = [Math.max(red, green, blue), Math.min(red, green, blue)]
  const [lightness, range] = [(most + least) / 2, most - least]
  if (range === 0) return { hue: 0, saturation: 0, lightness }
  const sector =
    most === red ? (green - blue) / range : most === green ? 2 + (blue - red) / range : 4 + (red - green) / range
  return { hue: (sector * 60 + 360) % 360, saturation: range / (1 - Math.abs(2 * lightness - 1)), lightness }
}

export function fromHsl({ hue, saturation, lightness }: Hsl): string {
  const reach = saturation * Math.min(lightness, 1 - lightness)
  const part = (n: number) => {
    const k = (n + hue / 30) % 12
    return 255 * (lightness - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1)))
  }
  return toHex([part(0), part(8), part(4)])
}

function luminance(color: Rgb): number {
  const [red, green, blue] = color.map((part) => {
    const value = part / 255
    return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
  }) as unknown as Rgb
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}
