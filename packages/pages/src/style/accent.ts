import { contrast, fromHsl, mix, toHsl } from './color.ts'
import { DARK, declare, LIGHT, type Tokens } from './tokens.ts'

type Accent = Pick<Tokens, 'accent' | 'accent-hover' | 'accent-soft'>

/** The contrast of text (WCAG 2.2 AA). */
const LEAST = 4.5
const STEP = 0.01
/** Brighter colors glare on a dark page. */
const MOST_SATURATED = 0.65

/** The accent of a company in both schemes: darker or lighter until it is legible on pages and under the text of buttons. */
export function adjustAccent(hex: string): { light: Accent; dark: Accent } {
  const known = adjusted.get(hex)
  if (known) return known
  const { saturation } = toHsl(hex)
  const muted = saturation > MOST_SATURATED ? fromHsl({ ...toHsl(hex), saturation: MOST_SATURATED }) : hex
  const both = isDefault(hex)
    ? { light: pick(LIGHT), dark: pick(DARK) }
    : { light: legible(hex, LIGHT, -STEP), dark: legible(muted, DARK, STEP) }
  if (adjusted.size >= MOST_KEPT) adjusted.clear()
  adjusted.set(hex, both)
  return both
}

/** A style sheet for an accent; null for the default. */
export function accentStyle(accent: string | null): string | null {
  if (accent === null || isDefault(accent)) return null
  const { light, dark } = adjustAccent(accent)
  return `:root{${declare(light)}}@media (prefers-color-scheme:dark){:root{${declare(dark)}}}`
}

/** Computed once: there are as many as companies with an accent. */
const adjusted = new Map<string, { light: Accent; dark: Accent }>()
const MOST_KEPT = 1_000

const isDefault = (hex: string) => hex.toUpperCase() === LIGHT.accent

const pick = (tokens: Tokens): Accent => ({
  accent: tokens.accent,
  'accent-hover': tokens['accent-hover'],
  'accent-soft': tokens['accent-soft'],
})

function legible(hex: string, tokens: Tokens, step: number): Accent {
  const { lightness, ...color } = toHsl(hex)
  const at = (lighter: number) => fromHsl({ ...color, lightness: Math.min(1, Math.max(0, lighter)) })
  let reached = lightness
  let accent = hex.toUpperCase()
  for (; !isLegible(accent, tokens) && reached >= 0 && reached <= 1; accent = at(reached)) reached += step
  return { accent, 'accent-hover': at(reached + 8 * step), 'accent-soft': softOf(accent, tokens) }
}

const softOf = (accent: string, { surface }: Tokens) => mix(accent, surface, 0.1)

const isLegible = (accent: string, tokens: Tokens) =>
  [tokens.bg, tokens.surface, tokens.sunken, tokens['on-accent'], softOf(accent, tokens)].every(
    (other) => contrast(accent, other) >= LEAST,
  )
