import type { LanguageFile } from '../src/languages/language-file.ts'

/** A language that has every text of another in brackets, and Greek names of days, months and countries. */
export function madeUpLanguage(source: LanguageFile): LanguageFile {
  const file = inBrackets(source) as LanguageFile
  return { ...file, formats: { ...file.formats, locale: 'el', zones: 'inWords' } }
}

/** What is left without texts in brackets. */
export function outsideBrackets(text: string): string {
  const rest = text.replaceAll(/⟦[^⟦⟧]*⟧/g, ' ')
  return rest === text ? text : outsideBrackets(rest)
}

function inBrackets(value: unknown): unknown {
  if (typeof value === 'string') return value === '' ? '' : `⟦${value}⟧`
  if (typeof value === 'function') return (...given: unknown[]) => inBrackets(Reflect.apply(value, undefined, given))
  if (Array.isArray(value)) return value.map(inBrackets)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, inBrackets(member)]))
}
