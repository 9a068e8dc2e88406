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

/** A full date and time; in UTC, marked as such, if the time zone is unknown. */
export function formatDateTime(at: Date, language: Language, timezone: string | null): string {
  const options = { dateStyle: 'full', timeStyle: 'short', timeZone: timezone ?? 'UTC' } as const
  const text = keepTogether(new Intl.DateTimeFormat(LOCALE[language], options).format(at))
  return text + (timezone === null ? ' (UTC)' : '')
}

/** A short date and time without the year. */
export function formatShortDateTime(at: Date, language: Language, timezone: string | null): string {
  const time = { hour: 'numeric', minute: '2-digit', timeZone: timezone ?? 'UTC' } as const
  const options = { weekday: 'short', month: 'short', day: 'numeric', ...time } as const
  return new Intl.DateTimeFormat(LOCALE[language], options).format(at) + (timezone === null ? ' (UTC)' : '')
}

/** Formats a time of day such as 08:30. */
export function formatTime(time: string, language: Language): string {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const at = new Date(Date.UTC(2000, 0, 1, hours, minutes))
  return keepTogether(CLOCKS[language].format(at))
}

/** Keeps AM and PM on the line of their time. */
const keepTogether = (text: string) => text.replaceAll(/(?<=\d:\d\d) (?=[ap])/gi, '\u00a0')

/** For the start of a line: Spanish day names are in lower case. */
export const capitalize = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

export const formatNumber = (value: number, language: Language, digits: number) =>
  value.toLocaleString(LOCALE[language], { maximumFractionDigits: digits })

/** The name of a time zone, such as Central Time. */
export function zoneName(timezone: string, language: Language): string {
  const format = new Intl.DateTimeFormat(LOCALE[language], { timeZone: timezone, timeZoneName: 'longGeneric' })
  return format.formatToParts().find(({ type }) => type === 'timeZoneName')?.value ?? timezone
}

/** The days of the week, Sunday first. */
export function weekdays(language: Language): string[] {
  const name = new Intl.DateTimeFormat(LOCALE[language], { weekday: 'long', timeZone: 'UTC' })
  // January 2, 2000 was a Sunday.
  return Array.from({ length: 7 }, (_, day) => name.format(new Date(Date.UTC(2000, 0, 2 + day))))
}

/** Formats a list such as `2, 4 and 6`. */
export const formatList = (items: readonly (string | number)[], language: Language) =>
  new Intl.ListFormat(LOCALE[language]).format(items.map(String))

export const countryName = (code: string, language: Language) =>
  new Intl.DisplayNames(LOCALE[language], { type: 'region' }).of(code) ?? code

/** US Spanish, with its date formats. */
const LOCALE: Record<Language, string> = { en: 'en-US', es: 'es-US' }

const clock = (locale: string) => new Intl.DateTimeFormat(locale, { timeStyle: 'short', timeZone: 'UTC' })
/** Created once: a list of clinics formats hundreds of times, and creating a format is slower than all of them. */
const CLOCKS: Record<Language, Intl.DateTimeFormat> = { en: clock(LOCALE.en), es: clock(LOCALE.es) }

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
