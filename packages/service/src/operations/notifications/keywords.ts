import { languageCodes, languageFile, type KeywordAction, type Language } from '@order-testing/pages'

/** What an incoming text message asks for. The language is that of the word; null if it tells nothing. */
export interface Keyword {
  action: KeywordAction | 'other'
  language: Language | null
}

/** A word of two languages counts for the one named first. */
const KEYWORDS = new Map<string, Keyword>(
  languageCodes()
    .toReversed()
    .flatMap((language) =>
      Object.entries(languageFile(language).replies.keywords).flatMap(([action, words]) =>
        words.map((word): [string, Keyword] => [word, { action: action as KeywordAction, language }]),
      ),
    ),
)

/** The keyword that a message consists of, in any spelling: `Stop.` and `opt out` count, a sentence with the word does not. */
export const readKeyword = (text: string): Keyword =>
  KEYWORDS.get(text.normalize('NFKD').replaceAll(/\P{L}/gu, '').toUpperCase()) ?? { action: 'other', language: null }
