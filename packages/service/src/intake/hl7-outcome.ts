import type { RESULTS } from '@order-testing/contract/operator'
import type { Segment, Value } from './hl7.ts'

export type Outcome = (typeof RESULTS)[number]

/** What came of a test, or why a message does not say it. */
export type Decision = { result: Outcome } | { at: string; why: string }

/** Words and codes (SNOMED CT, HL7 table 0078) that say what came of a test. */
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

/** What is said of the specimen and not of what was looked for in it. */
const ASIDES: Record<Aside, readonly string[]> = { fine: ['N', 'NORMAL', 'VALID', 'ACCEPTABLE'], dilute: ['DILUTE'] }
type Aside = 'fine' | 'dilute'
type Meaning = Outcome | Aside

const MEANINGS = new Map(
  Object.entries({ ...WORDS, ...ASIDES }).flatMap(([meaning, words]) =>
    words.map((word) => [word, meaning as Meaning] as const),
  ),
)

/** How an observation is called, in OBX-3, that speaks for the whole test. */
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

/** Types of OBX-5 (table 0125) that hold results. */
const CODED = new Set(['CE', 'CWE', 'CNE', 'CF'])
const PLAIN = new Set(['', 'ST', 'TX', 'FT', 'ID', 'IS', 'NM', 'SN'])

/** Statuses of OBX-11 (table 0085): what was deleted, wrong, not asked for or only ordered is no result. */
const NO_RESULT = new Set(['D', 'W', 'N', 'O'])
const SETTLED = new Set(['', 'F', 'C', 'U'])

export const holdsResult = (obx: Segment) =>
  (CODED.has(typeOf(obx)) || PLAIN.has(typeOf(obx))) && !NO_RESULT.has(obx.at(11).toUpperCase())

export const typeOf = (obx: Segment) => obx.at(2).toUpperCase()

/** What OBX-5 says, as people read it. */
export function shownValue(obx: Segment): string {
  const values = obx.values(5).map((value) => {
    if (CODED.has(typeOf(obx))) return value.at(2) || value.at(1)
    return typeOf(obx) === 'SN' ? [1, 2, 3, 4].map((part) => value.at(part)).join('') : value.text
  })
  return values.filter((value) => value !== '').join(', ')
}

/** An observation, and what it says of the test. */
interface Finding {
  obx: Segment
  number: number
  says: Meaning | undefined
}

/** What came of a test: told by an observation that speaks for all of it, or by every one of them. Never guessed. */
export function decide(observations: Segment[]): Decision {
  const all = observations.flatMap((obx, i) => (holdsResult(obx) ? [{ obx, number: i + 1, says: judge(obx) }] : []))
  const overall = all.filter(({ obx }) => isOverall(obx))
  const isMeasured = ({ obx, says }: Finding) => says === undefined && isNumber(obx)
  const qualitative = all.filter((finding) => !isMeasured(finding))
  const decisive = overall.length > 0 ? overall : qualitative.length > 0 ? qualitative : all
  const unclear = decisive.find(({ says }) => says === undefined)
  if (unclear) return undecided(unclear)
  const outcomes = new Set(decisive.map(({ says }) => says!).filter((meaning) => !isAside(meaning)))
  // One bad result among good ones is what came of the test; what speaks for all of it must say one thing.
  const grave = [...outcomes].filter((outcome) => overall.length > 0 || outcome !== 'negative')
  if (grave.length > 1) return { at: 'OBX-5', why: `This says ${grave.join(' and ')} of one test. ${ADVICE}` }
  const [result = [...outcomes][0]] = grave
  if (result === undefined) return { at: 'OBX-5', why: `No observation tells what came of the test. ${ADVICE}` }
  if (result !== 'negative') return { result }
  const contradicting =
    overall.length > 0 ? undefined : all.find((each) => isMeasured(each) && contradicts(each, qualitative))
  if (contradicting) return undecided(contradicting)
  return { result: all.some(({ says }) => says === 'dilute' || says === 'negativeDilute') ? 'negativeDilute' : result }
}

/**
 * A number that is abnormal, not settled yet or of unknown meaning contradicts a negative unless a word is said of the same
 * substance. What tells only whether the specimen is good needs no range.
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
  const value = Number.parseFloat(shownValue(obx).replace(/^[<>=≤≥ ]+/, ''))
  const [, sign = '', from, to] = /^\s*([<>]?)=?\s*(\d+(?:\.\d+)?)(?:\s*-\s*(\d+(?:\.\d+)?))?/.exec(range) ?? []
  if (from === undefined || Number.isNaN(value)) return false
  if (to !== undefined) return value >= Number(from) && value <= Number(to)
  return sign === '>' ? value > Number(from) : value < Number(from)
}

function undecided({ obx, number }: Finding): Decision {
  const said = `"${shownValue(obx).slice(0, 60)}"`
  return { at: `OBX(${number})-5`, why: `${said} does not tell what came of the test. ${ADVICE}` }
}

const ADVICE = 'Send one observation OVERALL RESULT that does.'

const isAside = (meaning: Meaning): meaning is Aside => meaning === 'fine' || meaning === 'dilute'

const isOverall = (obx: Segment) => namesOf(obx).some((name) => OVERALL.has(name))

/** What an observation is called, by codes and texts. */
const namesOf = (obx: Segment) => [1, 2, 4, 5].map((part) => worded(obx.at(3, part))).filter((name) => name !== '')

/** An observation that only the medical reviewer makes. */
export const isReviewers = (obx: Segment) => namesOf(obx).some((name) => name.startsWith('MRO '))

/** Measures of the specimen alone; a ratio of a substance to one of them is none. */
const VALIDITY =
  /^(URINE |SPECIMEN )?(CREAT(ININE)?|PH|SPECIFIC GRAVITY|SP GR(AVITY)?|SG|OXIDANTS?|TEMP(ERATURE)?)( \[[^\]]*\])?(( OF| IN)? (URINE|SPECIMEN))?$/

const isValidityMarker = (obx: Segment) => namesOf(obx).some((name) => VALIDITY.test(name))

const isSettled = (obx: Segment) => SETTLED.has(obx.at(11).toUpperCase())

/** A measured value, with a unit or without. */
const NUMBER = /^[<>=≤≥]{0,2} ?\d+([.,]\d+)? ?(%|[a-zµμ]{1,10}(\/[a-z]{1,10})?)?$/i

const isNumeric = (text: string) => NUMBER.test(text.slice(0, 100)) && !MEANINGS.has(worded(text))

const isNumber = (obx: Segment) =>
  ['NM', 'SN'].includes(typeOf(obx)) ||
  (PLAIN.has(typeOf(obx)) && obx.values(5).length > 0 && obx.values(5).every(({ text }) => isNumeric(text)))

/**
 * What one observation says by its value, else by its flags; undefined where that is unknown, contradictory or not settled.
 * A number beside a word takes nothing from it.
 */
function judge(obx: Segment): Meaning | undefined {
  if (!isSettled(obx)) return undefined
  const isCoded = CODED.has(typeOf(obx))
  const said = isNumber(obx) ? [] : obx.values(5).filter(({ text }) => isCoded || !isNumeric(text))
  const values = said.map((value) => meaningOf(value, obx))
  const flags = obx.values(8).map((value) => MEANINGS.get(worded(value.at(1))))
  const value = agreed(values)
  if (values.length > 0 && value === undefined && values.some((each) => each !== undefined)) return undefined
  return agreed([value, ...flags].filter((each) => each !== undefined))
}

/** A coded value is known by its codes and its texts, of which one is enough. */
function meaningOf(value: Value, obx: Segment): Meaning | undefined {
  const words = CODED.has(typeOf(obx)) ? [1, 2, 4, 5].map((part) => value.at(part)) : [value.text]
  return agreed(words.map((word) => MEANINGS.get(worded(word))).filter((meaning) => meaning !== undefined))
}

/** The one meaning of all; "normal" beside "negative" takes nothing from it. */
function agreed(meanings: (Meaning | undefined)[]): Meaning | undefined {
  const different = new Set(meanings)
  if (different.has('negative')) different.delete('fine')
  return different.size === 1 ? [...different][0] : undefined
}

/** Spelled alike whatever the case, hyphens and full stops. */
const worded = (text: string) =>
  text
    .slice(0, 100)
    .toUpperCase()
    .replaceAll(/[\s\-_,./]+/g, ' ')
    .trim()
