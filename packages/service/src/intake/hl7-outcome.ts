import type { SenderKind } from '@order-testing/contract'
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

/** Who says "positive" of a test when saying it of what was looked for: what they read is the outcome. */
const READS_OUTCOMES: ReadonlySet<SenderKind> = new Set(['mro', 'bat'])

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

/** What came of a test by its observations: told by one that speaks for all, or by every one of them. Never guessed. */
export function decide(observations: Segment[], kind: SenderKind): Decision {
  const found = observations.flatMap((obx, i) => (holdsResult(obx) ? [{ obx, number: i + 1, says: judge(obx) }] : []))
  const overall = found.filter(({ obx }) => isOverall(obx))
  const decisive = overall.length > 0 ? overall : found
  const unclear = decisive.find(({ says }) => says === undefined)
  if (unclear) {
    const said = `"${shownValue(unclear.obx).slice(0, 60)}"`
    return { at: `OBX(${unclear.number})-5`, why: `${said} does not tell what came of the test. ${ADVICE}` }
  }
  const said = new Set(decisive.map(({ says }) => says!))
  const outcomes = [...said].filter((meaning) => meaning !== 'fine' && meaning !== 'dilute')
  // One bad result among good ones is what came of the test; what speaks for all of it must say one thing.
  const grave = overall.length > 0 ? outcomes : outcomes.filter((outcome) => outcome !== 'negative')
  if (grave.length > 1) return { at: 'OBX-5', why: `This says ${grave.join(' and ')} of one test. ${ADVICE}` }
  const result = grave[0] ?? outcomes[0]
  if (result === undefined) return { at: 'OBX-5', why: `No observation tells what came of the test. ${ADVICE}` }
  const isDilute = found.some(({ says }) => says === 'dilute' || says === 'negativeDilute')
  if (result === 'negative' && isDilute) return { result: 'negativeDilute' }
  const isConclusion = overall.length === 0 && !READS_OUTCOMES.has(kind)
  return { result: result === 'positive' && isConclusion ? 'nonNegative' : result }
}

const ADVICE = 'Send one observation OVERALL RESULT that does.'

const isOverall = (obx: Segment) => [1, 2, 4, 5].some((part) => OVERALL.has(worded(obx.at(3, part))))

/** What one observation says by its value, else by its flags; undefined where that is unknown, contradictory or not settled. */
function judge(obx: Segment): Meaning | undefined {
  if (!SETTLED.has(obx.at(11).toUpperCase())) return undefined
  const values = typeOf(obx) === 'NM' || typeOf(obx) === 'SN' ? [] : obx.values(5).map((value) => meaningOf(value, obx))
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
