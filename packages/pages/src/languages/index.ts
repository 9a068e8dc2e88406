import { en } from './en/index.ts'
import { es } from './es.ts'
import type { LanguageFile } from './language-file.ts'

/** The languages of pages and notifications, by their two-letter code. */
export const LANGUAGES = { en, es } satisfies Record<string, LanguageFile>

export type Language = keyof typeof LANGUAGES

/** The language of names in the catalog, of notices to clinics, and of everybody whose language is unknown. */
export const ENGLISH: Language = 'en'

export const languageCodes = (): Language[] => Object.keys(LANGUAGES) as Language[]

/** The language with this code, unless it is unknown. */
export const findLanguage = (code: unknown): Language | undefined =>
  languageCodes().find((language) => language === code)

export const languageFile = (language: Language): LanguageFile => LANGUAGES[language]
