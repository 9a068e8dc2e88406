import { encode } from 'uqr'
import { html, trusted, type Html } from './html.ts'

/** Modules of white within the picture. The pass has as many around it, which makes four (ISO/IEC 18004). */
const BORDER = 2

/** A QR code in black on white in every scheme. A quarter of it may be dirty or hidden. */
export function qrCode(text: string, label: string): Html {
  const { data, size } = encode(text, { ecc: 'Q', border: BORDER })
  const runs = data.flatMap((row, y) => runsOf(row).map(([x, wide]) => `M${x} ${y}h${wide}v1h-${wide}z`))
  return html`<svg
    class="qr"
    role="img"
    aria-label="${label}"
    viewBox="0 0 ${size} ${size}"
    shape-rendering="crispEdges"
  >
    <rect width="100%" height="100%" fill="#fff" />
    <path fill="#000" d="${trusted(runs.join(''))}" />
  </svg>`
}

/** Where dark modules begin in a row, and how many there are. */
export function runsOf(row: readonly boolean[]): [from: number, wide: number][] {
  const runs: [number, number][] = []
  for (const [x, isDark] of row.entries()) {
    if (!isDark) continue
    if (x > 0 && row[x - 1]) runs.at(-1)![1]++
    else runs.push([x, 1])
  }
  return runs
}
