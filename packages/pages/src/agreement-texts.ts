import { agreementsInEnglish } from './texts-agreements-en.ts'
import { agreementsInSpanish } from './texts-agreements-es.ts'
import type { Language } from './views.ts'

/** A built-in text. `{company}` and `{tenant}` stand for the names; a blank line ends a paragraph. */
export interface BuiltInText {
  version: string
  text: string
  /** Whether it is a placeholder that must not be used in production. */
  isSample: boolean
}

export type BuiltInAgreements = Record<'notice' | 'consent' | 'disclosure' | 'authorization', BuiltInText>

const TEXTS: Record<Language, BuiltInAgreements> = { en: agreementsInEnglish, es: agreementsInSpanish }

/** The texts for tenants that have none of their own. */
export const builtInAgreements = (language: Language): BuiltInAgreements => TEXTS[language]
