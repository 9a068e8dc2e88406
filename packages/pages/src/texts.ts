import type { Texts } from './languages/en/participant.ts'
import { ENGLISH, findLanguage, languageFile, type Language } from './languages/index.ts'
import type { BuiltInAgreements } from './languages/language-file.ts'
import type { Reader } from './views.ts'

export const textsIn = (language: Language, reader: Reader = 'participant'): Texts =>
  languageFile(language).pages[reader]

/** The texts about a booking, or about a planned arrival, for which nothing is reserved. */
export function bookingTexts({ isArrival }: { isArrival: boolean }, language: Language, reader?: Reader): Texts {
  const texts = textsIn(language, reader)
  if (!isArrival) return texts
  return { ...texts, ...texts.arrival, clinics: { ...texts.clinics, ...texts.clinics.arrival } }
}

/** The texts for tenants that have none of their own. */
export const builtInAgreements = (language: Language): BuiltInAgreements => languageFile(language).agreements

/** The requested language, or else the browser's preference. */
export function negotiateLanguage(
  requested: unknown,
  accepted: string | undefined,
): { language: Language; isChosen: boolean } {
  const chosen = findLanguage(requested)
  return { language: chosen ?? findPreferred(accepted ?? ''), isChosen: chosen !== undefined }
}

function findPreferred(accepted: string): Language {
  const ranges = accepted.split(',').map((range) => {
    const [tag = '', ...parameters] = range
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/)
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    const language = findLanguage(tag.split('-')[0])
    return { language, quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 }
  })
  const known = ranges.filter(({ language, quality }) => quality > 0 && language !== undefined)
  const [best] = known.toSorted((a, b) => b.quality - a.quality)
  return best?.language ?? ENGLISH
}
