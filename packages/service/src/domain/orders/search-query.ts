import { wordsOf } from '../text.ts'
import { birthKey, emailKey, identifierText, nameKey, phoneKey, soundKeys, type PrefixedId } from './search-keys.ts'

/** What a search looked for. Only the kinds are recorded, never the text. */
export const SEARCH_KINDS = ['id', 'code', 'specimenId', 'externalId', 'name', 'birthDate', 'email', 'phone'] as const
export type SearchKind = (typeof SEARCH_KINDS)[number]

/** Kinds that say something about a person. */
const PERSONAL: ReadonlySet<SearchKind> = new Set(['name', 'birthDate', 'email', 'phone'])

/** One thing that a text may mean. */
export type Reading =
  | { kind: 'id'; text: string }
  | { kind: 'code'; text: string }
  | PrefixedId
  | { kind: 'name'; word: string }
  | { kind: 'birthDate'; date: string }
  | { kind: 'email'; email: string }
  | { kind: 'phone'; digits: string }

/** A part of a query, with everything it may mean. An order must fit one reading of every term. */
export type SearchTerm = Reading[]

/** Reads the text of a search box: e-mail addresses, dates, phone numbers, and words and numbers between them. */
export function parseQuery(query: string): SearchTerm[] {
  const whole = query.trim()
  if (/^ord_\w+$/.test(whole)) return [[{ kind: 'id', text: whole }]]
  const code = codePrefixIn(whole)
  const { rest, terms } = PATTERNS.reduce(extract, { rest: whole, terms: [] as SearchTerm[] })
  const tokens = rest.split(/[\s,]+/).filter((token) => /[\p{L}\p{N}]/u.test(token))
  // Among others, a word without digits is a name.
  const isAlone = tokens.length === 1 && terms.length === 0
  const words = tokens.flatMap((token) => readToken(token, isAlone))
  const found = [...terms, ...words].slice(0, MOST_TERMS)
  // Two short names look like a code with a space in it, but most codes have a digit.
  const isNames = found.length > 1 && /^[\p{L}\s]+$/u.test(whole)
  if (code === null || isNames) return found
  return found.length === 1 ? [[{ kind: 'code', text: code }, ...found[0]!]] : [[{ kind: 'code', text: code }]]
}

/**
 * The whole text as one identifier, if it was read as something else: an identifier may look like an e-mail address or a date, or
 * consist of words, with or without spaces between them. Null if it is rather about a person.
 */
export function wholeIdentifier(query: string, terms: readonly SearchTerm[]): SearchTerm | null {
  const whole = query.trim()
  const isOneWord = !/[\s,]/.test(whole)
  const hasIdentifier = terms.some((term) => term.some(({ kind }) => kind === 'externalId'))
  const isRead = terms.length === 1 && hasIdentifier
  return !isRead && (isOneWord || hasIdentifier) ? readIdentifier(whole) : null
}

/** Enough for a full name with birth date and contacts. */
const MOST_TERMS = 8

/** Leaves only the readings that say nothing about people; a term without any other becomes empty. */
export const withoutPersonalReadings = (terms: SearchTerm[]): SearchTerm[] =>
  terms.map((term) => term.filter(({ kind }) => !PERSONAL.has(kind)))

export const kindsOf = (terms: readonly SearchTerm[]): SearchKind[] => {
  const kinds = new Set(terms.flat().map(({ kind }) => kind))
  return SEARCH_KINDS.filter((kind) => kinds.has(kind))
}

/** The keys of a term: an order that fits has one of them, or fits another reading. `isLoose` adds names that sound alike. */
export const keysOf = (term: SearchTerm, { isLoose }: { isLoose: boolean }): string[] => [
  ...new Set(term.flatMap((reading) => keysOfReading(reading, isLoose))),
]

function keysOfReading(reading: Reading, isLoose: boolean): string[] {
  switch (reading.kind) {
    case 'name':
      return [nameKey(reading.word), ...(isLoose ? soundKeys(reading.word) : [])]
    case 'birthDate':
      return [birthKey(reading.date)]
    case 'email':
      return [emailKey(reading.email)]
    case 'phone':
      return [phoneKey(reading.digits)]
    default:
      return []
  }
}

interface Pattern {
  shape: RegExp
  read: (match: RegExpExecArray) => SearchTerm
}

interface Extracted {
  rest: string
  terms: SearchTerm[]
}

/** Takes everything out of the text that fits the pattern and can be read. */
function extract({ rest, terms }: Extracted, { shape, read }: Pattern): Extracted {
  const found: SearchTerm[] = []
  const left = rest.replaceAll(shape, (text) => {
    const term = read(new RegExp(shape.source, 'iu').exec(text)!)
    if (term.length === 0) return text
    found.push(term)
    return ' '
  })
  return { rest: left, terms: [...terms, ...found] }
}

const MONTHS = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']
const MONTH = `(${MONTHS.join('|')})[a-z]*\\.?`

/** In the order in which they are looked for: digits of a date are not those of a phone number. */
const PATTERNS: Pattern[] = [
  { shape: /[^\s,;<>]+@[^\s,;<>]+/giu, read: ([email]) => [{ kind: 'email', email }] },
  { shape: /(?<!\S)(\d{4})-(\d{1,2})-(\d{1,2})(?!\S)/giu, read: ([, y, m, d]) => dates([[y, m, d]]) },
  // Month first, as in the United States, or day first.
  {
    shape: /(?<!\S)(\d{1,2})([/.-])(\d{1,2})\2(\d{4}|\d{2})(?![^\s,])/giu,
    read: ([, a, , b, y]) =>
      dates(
        yearsOf(y!).flatMap((year) => [
          [year, a, b],
          [year, b, a],
        ]),
      ),
  },
  {
    shape: new RegExp(`(?<!\\S)${MONTH} +(\\d{1,2}),? +(\\d{4})(?!\\S)`, 'giu'),
    read: ([, month, d, y]) => dates([[y, monthNumber(month!), d]]),
  },
  {
    shape: new RegExp(`(?<!\\S)(\\d{1,2})\\.? +${MONTH},? +(\\d{4})(?!\\S)`, 'giu'),
    read: ([, d, month, y]) => dates([[y, monthNumber(month!), d]]),
  },
  // With spaces or punctuation; digits alone may be an identifier as well, and are read as words are.
  { shape: /(?<!\S)\+?[\d(][\d ().\-/]{8,}\d(?!\S)/giu, read: ([text]) => readPhone(text) },
]

const monthNumber = (name: string) => String(MONTHS.indexOf(name.slice(0, 3).toLowerCase()) + 1)

/** Two digits may stand for either century. */
const yearsOf = (year: string) => (year.length === 4 ? [year] : [`19${year}`, `20${year}`])

/** The days that exist, once each. */
function dates(given: (string | undefined)[][]): SearchTerm {
  const days = given.map(([y, m, d]) => `${y}-${m!.padStart(2, '0')}-${d!.padStart(2, '0')}`)
  return [...new Set(days)].filter((day) => isDay(day)).map((date) => ({ kind: 'birthDate', date }))
}

function isDay(date: string): boolean {
  const at = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(date)
}

const SHORTEST_PHONE = 10

function readPhone(text: string): SearchTerm {
  const digits = text.replaceAll(/\D/g, '')
  const isPunctuated = /\D/.test(text)
  return isPunctuated && digits.length >= SHORTEST_PHONE && digits.length <= 15
    ? [{ kind: 'phone', digits }, ...readIdentifier(text)]
    : []
}

/** A word may be a name or an identifier, one with digits only an identifier or a number. */
function readToken(token: string, isAlone: boolean): SearchTerm[] {
  if (/\d/.test(token)) return [readNumber(token)]
  // A name with a hyphen has several words, each of which must fit.
  const names = wordsOf(token).map((word): SearchTerm => [{ kind: 'name', word }])
  return isAlone && names.length === 1 ? [[...names[0]!, ...readIdentifier(token)]] : names
}

function readNumber(token: string): SearchTerm {
  const digits = /^\d+$/.test(token) ? token : ''
  const day = /^((?:19|20)\d\d)(\d\d)(\d\d)$/.exec(token)
  return [
    ...readIdentifier(token),
    ...(digits.length >= SHORTEST_PHONE && digits.length <= 15 ? [{ kind: 'phone', digits } as const] : []),
    ...(day ? dates([day.slice(1)]) : []),
  ]
}

const readIdentifier = (token: string): SearchTerm => {
  const text = identifierText(token)
  return [
    { kind: 'specimenId', text },
    { kind: 'externalId', text },
  ]
}

const CODE_PREFIX = /^[2-9A-HJKMNP-Z]{4}-?[2-9A-HJKMNP-Z]{0,4}$/

/** The beginning of a code, at least its first group; null if the text cannot be one. */
function codePrefixIn(text: string): string | null {
  const letters = text.toUpperCase().replaceAll(/[\s-]/g, '')
  if (!CODE_PREFIX.test(letters)) return null
  return letters.length === 4 ? letters : `${letters.slice(0, 4)}-${letters.slice(4)}`
}
