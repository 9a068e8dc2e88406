import { html, trusted, type Html, type Part } from './html.ts'
import { ENGLISH, type Language } from './languages/index.ts'

/** Names of companies, clinics and tests stay English, and screen readers should say them so. */
export const properName = (name: string, language: Language): Html | string =>
  language === ENGLISH ? name : html`<span lang="${ENGLISH}">${name}</span>`

/** The attribute of an element that holds nothing but such names, or an address. */
export const inEnglish = (language: Language): Html | null => (language === ENGLISH ? null : html` lang="${ENGLISH}"`)

/** A text of the page with names in it, each marked as `mark` says. The text itself sees plain names, and so ends with one period. */
export function sentenceWith(
  names: readonly string[],
  language: Language,
  text: (...names: string[]) => string,
  mark = (name: string, _index: number): Part => properName(name, language),
): Part {
  const plain = text(...names)
  if (language === ENGLISH) return plain
  const marked = text(...names.map((_, i) => String.fromCodePoint(FIRST_MARK + i)))
  let length = 0
  const parts = Array.from(marked.matchAll(/([^\uE000-\uE0FF]*)([\uE000-\uE0FF])/g), ([, before = '', found = '']) => {
    const index = found.codePointAt(0)! - FIRST_MARK
    length += before.length + names[index]!.length
    return html`${before}${mark(names[index]!, index)}`.text
  })
  return html`${trusted(parts.join(''))}${plain.slice(length)}`
}

/** Of characters that no text has. */
const FIRST_MARK = 0xe000

/** A finished text in which names of companies and clinics are marked wherever they stand as whole words. */
export function markNames(text: string, names: readonly string[], language: Language): Part {
  const marked = names.filter((name) => name !== '').toSorted((a, b) => b.length - a.length)
  if (language === ENGLISH || marked.length === 0) return text
  const literal = marked.map((name) => name.replaceAll(/[[\]{}.?*+^$()|\\/-]/g, String.raw`\$&`))
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}])(${literal.join('|')})(?![\\p{L}\\p{N}])`, 'u')
  const parts = text
    .split(pattern)
    .map((part, i) => (i % 2 === 1 ? html`${properName(part, language)}` : html`${part}`))
  return trusted(parts.map((part) => part.text).join(''))
}

/** Formats North American numbers; others stay as they are. */
export function formatPhone(phone: string): string {
  const [, area, exchange, line] = /^\+1(\d{3})(\d{3})(\d{4})$/.exec(phone) ?? []
  return line === undefined ? phone : `(${area}) ${exchange}-${line}`
}
