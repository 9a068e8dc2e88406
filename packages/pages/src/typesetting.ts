import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { create, type Font } from 'fontkit'

const require = createRequire(import.meta.url)

export type Face = 'plain' | 'bold'

let loaded: Record<Face, Font> | undefined

/** DejaVu, which covers Latin, Greek, Cyrillic, Hebrew, Arabic and more. Read on first use. */
export function fonts(): Record<Face, Font> {
  loaded ??= {
    plain: read(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed.ttf')),
    bold: read(require.resolve('dejavu-fonts-ttf/ttf/DejaVuSansCondensed-Bold.ttf')),
  }
  return loaded
}

const read = (path: string) => create(readFileSync(path)) as Font

/** The width of a text at a font size. Adds single glyphs without shaping, which would take a hundred times as long. */
export function widthOf(text: string, face: Face, size: number): number {
  const units = Array.from(text, (letter) => advanceOf(letter.codePointAt(0)!, face))
  return (units.reduce((sum, each) => sum + each, 0) * size) / fonts()[face].unitsPerEm
}

const advances: Record<Face, Map<number, number>> = { plain: new Map(), bold: new Map() }

const MAX_LENGTH = 400
const BOX = '□'
const MORE = '…'

/** Replaces characters that the fonts lack by boxes, and removes invisible ones. */
export function toPrintable(text: string): string {
  const { plain, bold } = coverage()
  const spaced = text
    .normalize('NFC')
    .replaceAll('\u202f', '\u00a0')
    .replaceAll(/[^\S\u00a0]+/g, ' ')
  const letters = Array.from(spaced.trim())
    .filter((letter) => !/[\p{C}\u{fe00}-\u{fe0f}]/u.test(letter))
    .map((letter) => (plain.has(letter.codePointAt(0)!) && bold.has(letter.codePointAt(0)!) ? letter : BOX))
  return letters.length > MAX_LENGTH ? `${letters.slice(0, MAX_LENGTH).join('')}${MORE}` : letters.join('')
}

/** Breaks a text into lines that fit, between words or within words longer than a line. */
export function breakLines(text: string, fits: (line: string) => boolean): string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const longer = lines.at(-1) === '' ? word : `${lines.at(-1)} ${word}`
    if (fits(longer)) lines[lines.length - 1] = longer
    else lines.push(...breakWord(word, fits))
  }
  return lines.filter((line) => line !== '')
}

/** Ends a line with an ellipsis, within the available width. */
export function truncateLine(line: string, fits: (line: string) => boolean): string {
  const letters = Array.from(line)
  while (letters.length > 0 && !fits(letters.join('') + MORE)) letters.pop()
  return letters.join('') + MORE
}

/** Words in visual order: runs of right-to-left words are reversed. */
export function toVisualOrder(line: string): string[] {
  const ordered: string[] = []
  let reversed: string[] = []
  for (const word of line.split(' ')) {
    if (RIGHT_TO_LEFT.test(word)) reversed.unshift(word)
    else {
      ordered.push(...reversed, word)
      reversed = []
    }
  }
  return [...ordered, ...reversed]
}

export const isRightToLeft = (line: string) => RIGHT_TO_LEFT.test(line)

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

function advanceOf(codePoint: number, face: Face): number {
  const known = advances[face].get(codePoint)
  if (known !== undefined) return known
  const { advanceWidth } = fonts()[face].glyphForCodePoint(codePoint)
  advances[face].set(codePoint, advanceWidth)
  return advanceWidth
}

function breakWord(word: string, fits: (line: string) => boolean): string[] {
  const parts = ['']
  for (const letter of word) {
    if (parts.at(-1) !== '' && !fits(parts.at(-1)! + letter)) parts.push('')
    parts[parts.length - 1] += letter
  }
  return parts
}

let covered: Record<Face, Set<number>> | undefined

function coverage(): Record<Face, Set<number>> {
  covered ??= { plain: new Set(fonts().plain.characterSet), bold: new Set(fonts().bold.characterSet) }
  return covered
}
