import { html, trusted, type Html } from './html.ts'

/** Alternating widths of bars and spaces by value (ISO/IEC 15417). 103 to 105 are start codes, 106 is the stop code. */
const PATTERNS = `
  212222 222122 222221 121223 121322 131222 122213 122312 132212 221213 221312 231212 112232 122132 122231 113222
  123122 123221 223211 221132 221231 213212 223112 312131 311222 321122 321221 312212 322112 322211 212123 212321
  232121 111323 131123 131321 112313 132113 132311 211313 231113 231311 112133 112331 132131 113123 113321 133121
  313121 211331 231131 213113 213311 213131 311123 311321 331121 312113 312311 332111 314111 221411 431111 111224
  111422 121124 121421 141122 141221 112214 112412 122114 122411 142112 142211 241211 221114 413111 241112 134111
  111242 121142 121241 114212 124112 124211 411212 421112 421211 212141 214121 412121 111143 111341 131141 114113
  114311 411113 411311 113141 114131 311141 411131 211412 211214 211232 2331112`
  .trim()
  .split(/\s+/)

const START_B = 104
const STOP = 106
const CHECK_MODULUS = 103
/** The quiet zone on both sides, in modules. */
const QUIET = 10
const HEIGHT = 60

/** Encodes printable ASCII in code set B, with start, check value and stop. */
export function encode(text: string): number[] {
  const values = Array.from(text, (character) => character.charCodeAt(0) - 32)
  if (values.some((value) => value < 0 || value > 94)) throw new Error('Code 128 B holds printable ASCII only.')
  const sum = values.reduce((total, value, i) => total + value * (i + 1), START_B)
  return [START_B, ...values, sum % CHECK_MODULUS, STOP]
}

/** The bars of a text and the total width with quiet zones, in modules. */
export function barsOf(text: string): { bars: { from: number; wide: number }[]; modules: number } {
  const widths = encode(text).flatMap((value) => Array.from(PATTERNS[value]!, Number))
  let at = QUIET
  const bars = widths.flatMap((wide, i) => {
    const from = at
    at += wide
    return i % 2 === 0 ? [{ from, wide }] : []
  })
  return { bars, modules: at + QUIET }
}

/** A barcode in black on white in every theme, because scanners need the contrast. */
export function code128(text: string, label: string): Html {
  const { bars, modules } = barsOf(text)
  const drawn = bars.map(({ from, wide }) => `M${from} 0h${wide}v${HEIGHT}h-${wide}z`)
  const box = `0 0 ${modules} ${HEIGHT}`
  return html`<svg class="barcode" role="img" aria-label="${label}" viewBox="${box}" preserveAspectRatio="none">
    <rect width="100%" height="100%" fill="#fff" />
    <path fill="#000" d="${trusted(drawn.join(''))}" />
  </svg>`
}
