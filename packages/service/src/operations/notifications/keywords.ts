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

/** Longer messages are sentences, in which the word may mean something else. */
const MOST_WORDS = 4

/** The keyword of a short message in any spelling: `Stop.`, `opt out` and `please stop` count, a sentence does not. */
export function readKeyword(text: string): Keyword {
  const plain = text.normalize('NFKD').replaceAll(/\p{M}/gu, '').toUpperCase()
  const words = plain
    .split(/[^\p{L}\p{Cf}]+/u)
    .map((word) => word.replaceAll(/\P{L}/gu, ''))
    .filter((word) => word !== '')
  const found = [plain.replaceAll(/\P{L}/gu, ''), ...(words.length <= MOST_WORDS ? words : [])]
    .map((word) => KEYWORDS.get(word))
    .filter((keyword) => keyword !== undefined)
  // Who writes several words wants to stop, if one of them says so.
  return found.find(({ action }) => action === 'stop') ?? found[0] ?? { action: 'other', language: null }
}
