import type { RESULTS } from '@order-testing/contract/operator'
import type { Segment, Value } from './hl7.ts'

export type Outcome = (typeof RESULTS)[number]

/** The outcome of a test, or why the message does not tell it. */
export type Decision = { result: Outcome } | { at: string; why: string }

/** Words and codes (SNOMED CT, HL7 table 0078) for outcomes. */
const WORDS: Record<Outcome, readonly string[]> = {
  negative: ['NEG', 'NEGATIVE', 'ND', 'NOT DETECTED', 'NONE DETECTED', '260385009', '260415000'],
  negativeDilute: ['NEGATIVE DILUTE', 'NEG DILUTE', 'DILUTE NEGATIVE', 'NEGATIVE AND DILUTE'],
  positive: ['POS', 'POSITIVE', 'DET', 'DETECTED', '10828004', '260373001'],
  nonNegative: ['NON NEGATIVE', 'NONNEGATIVE', 'PRESUMPTIVE POSITIVE'],
  adulterated: ['ADULTERATED'],
  substituted: ['SUBSTITUTED'],
  testCancelled: [
    'CANCELLED',
    'CANCELED',
    'TEST CANCELLED',
    'TEST CANCELED',
    'REJECTED',
    'REJECTED FOR TESTING',
    'INVALID',
    'INVALID RESULT',
  ],
  testNotPerformed: ['NOT PERFORMED', 'TEST NOT PERFORMED'],
  unobtainable: ['UNOBTAINABLE'],
  pass: ['PASS', 'PASSED'],
  fail: ['FAIL', 'FAILED'],
  complete: ['COMPLETE', 'COMPLETED'],
  fitForDuty: ['FIT FOR DUTY'],
  notFitForDuty: ['NOT FIT FOR DUTY', 'UNFIT FOR DUTY'],
  released: ['RELEASED'],
}

/** Words about the specimen rather than about a substance. */
const ASIDES: Record<Aside, readonly string[]> = { fine: ['N', 'NORMAL', 'VALID', 'ACCEPTABLE'], dilute: ['DILUTE'] }
type Aside = 'fine' | 'dilute'
type Meaning = Outcome | Aside

const MEANINGS = new Map(
  Object.entries({ ...WORDS, ...ASIDES }).flatMap(([meaning, words]) =>
    words.map((word) => [word, meaning as Meaning] as const),
  ),
)

/** Names (OBX-3) of observations that give the outcome of the whole test. */
const OVERALL = new Set([
  'OVERALL',
  'OVERALL RESULT',
  'OVERALL INTERPRETATION',
  'FINAL RESULT',
  'FINAL INTERPRETATION',
  'TEST RESULT',
  'MRO RESULT',
  'MRO DETERMINATION',
  'MRO INTERPRETATION',
  'VERIFIED RESULT',
])

/** Types of OBX-5 (table 0125) that contain results. */
const CODED = new Set(['CE', 'CWE', 'CNE', 'CF'])
const PLAIN = new Set(['', 'ST', 'TX', 'FT', 'ID', 'IS', 'NM', 'SN'])

/** OBX-11 (table 0085): deleted, wrong, not asked for and only ordered observations are no results. */
const NO_RESULT = new Set(['D', 'W', 'N', 'O'])
const SETTLED = new Set(['', 'F', 'C', 'U'])

export const holdsResult = (obx: Segment) =>
  (CODED.has(valueTypeOf(obx)) || PLAIN.has(valueTypeOf(obx))) && !NO_RESULT.has(obx.at(11).toUpperCase())

export const valueTypeOf = (obx: Segment) => obx.at(2).toUpperCase()

/** The value of OBX-5 as text for people. */
export function formatValue(obx: Segment): string {
  const values = obx.values(5).map((value) => {
    if (CODED.has(valueTypeOf(obx))) return value.at(2) || value.at(1)
    return valueTypeOf(obx) === 'SN' ? [1, 2, 3, 4].map((part) => value.at(part)).join('') : value.text
  })
  return values.filter((value) => value !== '').join(', ')
}

interface Finding {
  obx: Segment
  number: number
  meaning: Meaning | undefined
}

/** Decides the outcome of a test: by an overall observation, else by all of them together. It is never guessed. */
export function decideOutcome(observations: Segment[]): Decision {
  const all = observations.flatMap((obx, i) =>
    holdsResult(obx) ? [{ obx, number: i + 1, meaning: readMeaning(obx) }] : [],
  )
  const overall = all.filter(({ obx }) => isOverall(obx))
  const isMeasured = ({ obx, meaning }: Finding) => meaning === undefined && isNumber(obx)
  const qualitative = all.filter((finding) => !isMeasured(finding))
  const decisive = overall.length > 0 ? overall : qualitative.length > 0 ? qualitative : all
  const unclear = decisive.find(({ meaning }) => meaning === undefined)
  if (unclear) return undecided(unclear)
  const outcomes = new Set(decisive.map(({ meaning }) => meaning!).filter((meaning) => !isAside(meaning)))
  // One bad result decides among good ones; overall observations must agree.
  const decisiveOutcomes = [...outcomes].filter((outcome) => overall.length > 0 || outcome !== 'negative')
  if (decisiveOutcomes.length > 1) {
    const why = `The observations contradict each other: ${decisiveOutcomes.join(' and ')}. ${ADVICE}`
    return { at: 'OBX-5', why }
  }
  const [result = [...outcomes][0]] = decisiveOutcomes
  if (result === undefined) return { at: 'OBX-5', why: `No observation gives the outcome of the test. ${ADVICE}` }
  if (result !== 'negative') return { result }
  const contradicting =
    overall.length > 0 ? undefined : all.find((each) => isMeasured(each) && contradicts(each, qualitative))
  if (contradicting) return undecided(contradicting)
  return {
    result: all.some(({ meaning }) => meaning === 'dilute' || meaning === 'negativeDilute') ? 'negativeDilute' : result,
  }
}

/**
 * A number that is abnormal, preliminary or of unknown meaning contradicts a negative, unless another observation names an
 * outcome for the same substance. Validity markers of the specimen need no range.
 */
function contradicts({ obx }: Finding, qualitative: Finding[]): boolean {
  const isUnknown = obx.text(7) === '' ? !isValidityMarker(obx) : !isWithinRange(obx)
  const isNotable = obx.text(8) !== '' || !isSettled(obx) || isUnknown
  const names = namesOf(obx)
  return isNotable && !qualitative.some((other) => namesOf(other.obx).some((name) => names.includes(name)))
}

/** Whether a number lies in its range (OBX-7: `20-400`, `<50`, `>20`) or below its cutoff (`50`). */
function isWithinRange(obx: Segment): boolean {
  const range = obx.text(7).replaceAll(',', '.')
  const value = Number.parseFloat(formatValue(obx).replace(/^[<>=≤≥ ]+/, ''))
  const [, sign = '', from, to] = /^\s*([<>]?)=?\s*(\d+(?:\.\d+)?)(?:\s*-\s*(\d+(?:\.\d+)?))?/.exec(range) ?? []
  if (from === undefined || Number.isNaN(value)) return false
  if (to !== undefined) return value >= Number(from) && value <= Number(to)
  return sign === '>' ? value > Number(from) : value < Number(from)
}

function undecided({ obx, number }: Finding): Decision {
  const value = `"${formatValue(obx).slice(0, 60)}"`
  return { at: `OBX(${number})-5`, why: `${value} does not give the outcome of the test. ${ADVICE}` }
}

const ADVICE = 'Send an observation OVERALL RESULT.'

const isAside = (meaning: Meaning): meaning is Aside => meaning === 'fine' || meaning === 'dilute'

const isOverall = (obx: Segment) => namesOf(obx).some((name) => OVERALL.has(name))

/** The names of an observation, by codes and texts. */
const namesOf = (obx: Segment) => [1, 2, 4, 5].map((part) => normalise(obx.at(3, part))).filter((name) => name !== '')

/** An observation that only the medical reviewer makes. */
export const isReviewerObservation = (obx: Segment) => namesOf(obx).some((name) => name.startsWith('MRO '))

/** Measures of the specimen alone. The ratio of a substance to one of them is not among them. */
const VALIDITY =
  /^(URINE |SPECIMEN )?(CREAT(ININE)?|PH|SPECIFIC GRAVITY|SP GR(AVITY)?|SG|OXIDANTS?|TEMP(ERATURE)?)( \[[^\]]*\])?(( OF| IN)? (URINE|SPECIMEN))?$/

const isValidityMarker = (obx: Segment) => namesOf(obx).some((name) => VALIDITY.test(name))

const isSettled = (obx: Segment) => SETTLED.has(obx.at(11).toUpperCase())

/** A measured value, with or without a unit. */
const NUMBER = /^[<>=≤≥]{0,2} ?\d+([.,]\d+)? ?(%|[a-zµμ]{1,10}(\/[a-z]{1,10})?)?$/i

const isNumeric = (text: string) => NUMBER.test(text.slice(0, 100)) && !MEANINGS.has(normalise(text))

const isNumber = (obx: Segment) =>
  ['NM', 'SN'].includes(valueTypeOf(obx)) ||
  (PLAIN.has(valueTypeOf(obx)) && obx.values(5).length > 0 && obx.values(5).every(({ text }) => isNumeric(text)))

/**
 * The meaning of one observation by its value, else by its flags; undefined if unknown, contradictory or preliminary.
 * Numbers beside words are ignored.
 */
function readMeaning(obx: Segment): Meaning | undefined {
  if (!isSettled(obx)) return undefined
  const isCoded = CODED.has(valueTypeOf(obx))
  const words = isNumber(obx) ? [] : obx.values(5).filter(({ text }) => isCoded || !isNumeric(text))
  const values = words.map((value) => meaningOf(value, obx))
  const flags = obx.values(8).map((value) => MEANINGS.get(normalise(value.at(1))))
  const value = findAgreement(values)
  if (values.length > 0 && value === undefined && values.some((each) => each !== undefined)) return undefined
  return findAgreement([value, ...flags].filter((each) => each !== undefined))
}

/** One known code or text is enough for a coded value. */
function meaningOf(value: Value, obx: Segment): Meaning | undefined {
  const words = CODED.has(valueTypeOf(obx)) ? [1, 2, 4, 5].map((part) => value.at(part)) : [value.text]
  return findAgreement(words.map((word) => MEANINGS.get(normalise(word))).filter((meaning) => meaning !== undefined))
}

/** The common meaning of all, where "negative" covers "normal". */
function findAgreement(meanings: (Meaning | undefined)[]): Meaning | undefined {
  const different = new Set(meanings)
  if (different.has('negative')) different.delete('fine')
  return different.size === 1 ? [...different][0] : undefined
}

/** Ignores case and punctuation. */
const normalise = (text: string) =>
  text
    .slice(0, 100)
    .toUpperCase()
    .replaceAll(/[\s\-_,./]+/g, ' ')
    .trim()
