import { BASE } from './style/base.ts'
import { CLINICS } from './style/clinics.ts'
import { FORMS } from './style/forms.ts'
import { MAP } from './style/map.ts'
import { PARTS } from './style/parts.ts'
import { PASS } from './style/pass.ts'
import { TIMES } from './style/times.ts'
import { TOKENS } from './style/tokens.ts'
import { FONT_FACE } from './font.ts'

/** The style sheet of all pages. The other sheets are for the pages that need them, so that pages stay small. */
export const STYLE = FONT_FACE + pack(TOKENS + BASE + PARTS)

export const SHEETS = {
  forms: pack(FORMS),
  clinics: pack(CLINICS + MAP),
  times: pack(TIMES),
  pass: pack(PASS),
}

export type Sheet = keyof typeof SHEETS

/** One line for each rule is for readers of the source. */
function pack(css: string): string {
  return css.replaceAll('\n', '')
}
