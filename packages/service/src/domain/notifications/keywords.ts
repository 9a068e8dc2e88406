type Action = 'stop' | 'start' | 'help'

/** What an incoming text message asks for. The language is that of the word; null if it tells nothing. */
export interface Keyword {
  action: Action | 'other'
  language: 'en' | 'es' | null
}

const WORDS: Record<Action, Record<'en' | 'es', string[]>> = {
  stop: {
    en: ['STOP', 'STOPALL', 'UNSUBSCRIBE', 'CANCEL', 'END', 'QUIT', 'REVOKE', 'OPTOUT'],
    es: ['ALTO', 'BAJA', 'PARAR'],
  },
  start: { en: ['START', 'UNSTOP'], es: ['ALTA'] },
  help: { en: ['HELP', 'INFO'], es: ['AYUDA'] },
}

const KEYWORDS = new Map<string, Keyword>(
  Object.entries(WORDS).flatMap(([action, languages]) =>
    Object.entries(languages).flatMap(([language, words]) =>
      words.map((word): [string, Keyword] => [word, { action: action as Action, language: language as 'en' | 'es' }]),
    ),
  ),
)

/** The keyword that a message consists of, in any spelling: `Stop.` and `opt out` count, a sentence with the word does not. */
export const readKeyword = (text: string): Keyword =>
  KEYWORDS.get(text.normalize('NFKD').replaceAll(/\P{L}/gu, '').toUpperCase()) ?? { action: 'other', language: null }
