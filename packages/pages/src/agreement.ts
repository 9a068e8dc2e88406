import { html, type Html } from './html.ts'
import type { AgreementView } from './views-details.ts'
import type { Language } from './views.ts'

/** The paragraphs of a text; a blank line ends one. */
export const paragraphsOf = (text: string): string[] =>
  text
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
    .filter((paragraph) => paragraph !== '')

/** A text that may be in another language than the page. */
export const inItsLanguage = (
  { language: written }: Pick<AgreementView, 'language'>,
  language: Language,
): Html | null => (written === language ? null : html` lang="${written}"`)
