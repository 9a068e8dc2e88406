import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { accentStyle, adjustAccent } from '../src/style/accent.ts'
import { contrast, fromHsl, toHsl } from '../src/style/color.ts'
import { DARK, LIGHT, type Tokens } from '../src/style/tokens.ts'

const GROUNDS = ['bg', 'surface', 'sunken'] as const

/** Texts and the grounds they stand on. */
const TEXTS: [keyof Tokens, readonly (keyof Tokens)[]][] = [
  ['text', [...GROUNDS, 'accent-soft', 'ok-soft', 'warn-soft', 'bad-soft', 'info-soft', 'land']],
  ['muted', [...GROUNDS, 'accent-soft', 'land']],
  ['accent', [...GROUNDS, 'accent-soft']],
  ['accent-hover', [...GROUNDS, 'accent-soft']],
  ['on-accent', ['accent', 'accent-hover']],
  ['on-bad', ['bad']],
  ['ok', ['surface', 'ok-soft']],
  ['warn', ['surface', 'warn-soft']],
  ['bad', [...GROUNDS, 'bad-soft']],
  ['info', ['surface', 'info-soft']],
]

/** Borders and marks that show what can be used. */
const CONTROLS: [keyof Tokens, readonly (keyof Tokens)[]][] = [
  ['control', ['bg', 'surface', 'accent-soft']],
  ['accent', ['bg', 'surface', 'track', 'land']],
  ['bad', ['bg', 'surface']],
]

describe.each([
  ['light', LIGHT],
  ['dark', DARK],
] as const)('the %s colors', (_, tokens) => {
  test.each(TEXTS)('text in %s has a contrast of 4.5:1 on every ground it stands on', (name, grounds) => {
    const low = grounds.filter((ground) => contrast(tokens[name], tokens[ground]) < 4.5)
    expect(low).toEqual([])
  })

  test.each(CONTROLS)('controls in %s have a contrast of 3:1', (name, grounds) => {
    const low = grounds.filter((ground) => contrast(tokens[name], tokens[ground]) < 3)
    expect(low).toEqual([])
  })
})

describe('the accent of a company', () => {
  const color = fc.integer({ min: 0, max: 0xff_ff_ff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)

  test('every accent becomes legible on all grounds and under the text of buttons, in both schemes', () => {
    fc.assert(
      fc.property(color, (hex) => {
        const { light, dark } = adjustAccent(hex)
        for (const [accent, tokens] of [
          [light, LIGHT],
          [dark, DARK],
        ] as const) {
          for (const other of [tokens.bg, tokens.surface, tokens['on-accent'], accent['accent-soft']])
            expect(contrast(accent.accent, other)).toBeGreaterThanOrEqual(4.5)
          expect(contrast(accent['accent-hover'], tokens['on-accent'])).toBeGreaterThanOrEqual(4.5)
        }
      }),
    )
  })

  test('a legible accent stays as it is, and a dark one gets lighter on dark pages only', () => {
    const { light, dark } = adjustAccent('#33479B')
    expect(light.accent).toBe('#33479B')
    expect(toHsl(dark.accent).lightness).toBeGreaterThan(toHsl('#33479B').lightness)
    expect(toHsl(dark.accent).hue).toBeCloseTo(toHsl('#33479B').hue, -1)
  })

  test('black and white are valid accents', () => {
    for (const hex of ['#000000', '#FFFFFF', '#ffffff', '#808080'])
      expect(contrast(adjustAccent(hex).light.accent, '#FFFFFF')).toBeGreaterThanOrEqual(4.5)
  })

  test('the default accent needs no style sheet of its own', () => {
    expect(accentStyle(null)).toBeNull()
    expect(accentStyle('#0b5d5b')).toBeNull()
    expect(accentStyle('#33479B')).toMatch(/^:root\{--accent:#33479B;/)
  })

  test('colors keep their value through hue, saturation and lightness', () => {
    fc.assert(
      fc.property(color, (hex) => {
        expect(fromHsl(toHsl(hex))).toBe(hex.toUpperCase())
      }),
    )
  })

  test('contrast is that of WCAG', () => {
    expect(contrast('#000000', '#FFFFFF')).toBeCloseTo(21)
    expect(contrast('#777777', '#FFFFFF')).toBeCloseTo(4.48, 2)
  })
})
