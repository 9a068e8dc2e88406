import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

const require = createRequire(import.meta.url)

/** Public Sans in all weights, with the Latin letters of English and Spanish. Other letters come from the system's font. */
const bytes = readFileSync(
  require.resolve('@fontsource-variable/public-sans/files/public-sans-latin-wght-normal.woff2'),
)
const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16)

/** The font as a file. Its name changes with its content, so browsers may keep it forever. */
export const FONT = { name: `public-sans-${hash}.woff2`, path: `/o/assets/public-sans-${hash}.woff2`, bytes }

/** Text appears at once in the system's font; the font replaces it if it arrives soon, else on the next page. */
export const FONT_FACE = `@font-face{font-family:"Public Sans";font-weight:100 900;font-display:swap;src:url(${FONT.path}) format("woff2")}`
