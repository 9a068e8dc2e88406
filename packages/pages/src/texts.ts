import { en, type Texts } from './texts-en.ts'
import { es } from './texts-es.ts'
import { enForRequester } from './texts-requester-en.ts'
import { esForRequester } from './texts-requester-es.ts'
import { LANGUAGES, type Language, type Reader } from './views.ts'

const TEXTS: Record<Reader, Record<Language, Texts>> = {
  participant: { en, es },
  requester: { en: enForRequester, es: esForRequester },
}

export const textsIn = (language: Language, reader: Reader = 'participant'): Texts => TEXTS[reader][language]

export const otherLanguage = (language: Language): Language => (language === 'en' ? 'es' : 'en')

/** The requested language, or else the browser's preference. */
export function negotiateLanguage(
  requested: unknown,
  accepted: string | undefined,
): { language: Language; isChosen: boolean } {
  const chosen = LANGUAGES.find((language) => language === requested)
  return { language: chosen ?? findPreferred(accepted ?? ''), isChosen: chosen !== undefined }
}

function findPreferred(accepted: string): Language {
  const ranges = accepted.split(',').map((range) => {
    const [tag = '', ...parameters] = range
      .trim()
      .toLowerCase()
      .split(/\s*;\s*/)
    const quality = parameters.find((parameter) => parameter.startsWith('q='))
    return { tag: tag.split('-')[0], quality: quality === undefined ? 1 : Number(quality.slice(2)) || 0 }
  })
  const known = ranges.filter(({ tag, quality }) => quality > 0 && LANGUAGES.some((language) => language === tag))
  const [best] = known.toSorted((a, b) => b.quality - a.quality)
  return (best?.tag ?? 'en') as Language
}
