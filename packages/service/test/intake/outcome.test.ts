import { describe, expect, test } from 'vitest'
import { decideOutcome } from '../../src/intake/hl7-outcome.ts'
import { readSegments } from '../../src/intake/hl7.ts'
import { header } from './given.ts'

/** The decision for these observations. */
function decided(lines: string[]): string {
  const [, ...observations] = readSegments(Buffer.from([header('1'), ...lines].join('\r')))
  const decision = decideOutcome(observations)
  return 'result' in decision ? decision.result : `${decision.at} ${decision.why}`
}

const overall = (value: string, status = 'F') => `OBX|1|ST|OVERALL^Overall result||${value}||||||${status}`
const drug = (value: string, flag = '', status = 'F') => `OBX|1|ST|THC||${value}|||${flag}|||${status}`

describe('an overall observation', () => {
  test.each([
    ['NEG', 'negative'],
    ['Negative', 'negative'],
    ['none detected', 'negative'],
    ['NEGATIVE-DILUTE', 'negativeDilute'],
    ['Neg., dilute', 'negativeDilute'],
    ['POSITIVE', 'positive'],
    ['Non-Negative', 'nonNegative'],
    ['ADULTERATED', 'adulterated'],
    ['Substituted', 'substituted'],
    ['CANCELED', 'testCancelled'],
    ['Rejected for testing', 'testCancelled'],
    ['INVALID', 'testCancelled'],
    ['Test not performed', 'testNotPerformed'],
    ['PASS', 'pass'],
    ['Fit for duty', 'fitForDuty'],
    ['NOT FIT FOR DUTY', 'notFitForDuty'],
  ])('an overall observation is %s: %s', (value, result) => {
    expect(decided([overall(value)])).toBe(result)
  })

  test.each(['260385009^Negative^SCT', 'X-1^Negative^L', 'NEG', 'X^unknown^L^260415000^Not detected^SCT'])(
    'an overall observation is identified by codes and texts: %s',
    (value) => {
      expect(decided([`OBX|1|CWE|MRO RESULT||${value}||||||F`])).toBe('negative')
    },
  )

  test('an overall observation decides, whatever single observations say', () => {
    expect(decided([drug('POSITIVE'), drug('see note'), overall('NEGATIVE')])).toBe('negative')
    expect(decided([drug('NEGATIVE'), 'OBX|2|ST|VALIDITY||Dilute||||||F', overall('NEGATIVE')])).toBe('negativeDilute')
  })

  test.each([
    [[overall('see note')], 'OBX(1)-5 "see note" does not give the outcome of the test.'],
    [[overall('')], 'OBX(1)-5 "" does not give the outcome of the test.'],
    [[overall('POSITIVE', 'P')], 'OBX(1)-5 "POSITIVE" does not give'],
    [
      [overall('NEGATIVE'), overall('POSITIVE')],
      'OBX-5 The observations contradict each other: negative and positive.',
    ],
    [['OBX|1|CWE|OVERALL||260385009^Positive^SCT||||||F'], 'OBX(1)-5 "Positive" does not give'],
    [['OBX|1|ST|OVERALL||NEGATIVE|||POS|||F'], 'OBX(1)-5 "NEGATIVE" does not give'],
    [['OBX|1|ST|OVERALL||NEGATIVE~POSITIVE||||||F'], 'OBX(1)-5 "NEGATIVE, POSITIVE" does not give'],
    [[overall('NEGATIVE?')], 'OBX(1)-5 "NEGATIVE?" does not give'],
  ])('an unclear overall observation is not guessed: %j', (lines, why) => {
    expect(decided(lines)).toContain(why)
  })
})

describe('observations without an overall one', () => {
  test('the outcome is negative if every observation is', () => {
    expect(decided([drug('NEG'), drug('Not Detected', 'N'), 'OBX|3|NM|COC||3|||NEG|||F'])).toBe('negative')
    expect(decided([drug('NEG'), 'OBX|2|NM|CREAT||120|||N|||F', 'OBX|3|ST|TEMP||Normal||||||F'])).toBe('negative')
  })

  test('ruling 62: the outcome is positive if one observation is', () => {
    expect(decided([drug('NEG'), drug('POSITIVE')])).toBe('positive')
    expect(decided([drug('NEG'), drug('Presumptive positive')])).toBe('nonNegative')
  })

  test('the outcome is adulterated, substituted, dilute or cancelled if one observation is', () => {
    expect(decided([drug('NEG'), drug('ADULTERATED')])).toBe('adulterated')
    expect(decided([drug('NEG'), drug('Dilute')])).toBe('negativeDilute')
    expect(decided([drug('NEG'), drug('INVALID')])).toBe('testCancelled')
  })

  test.each([
    [[], 'OBX-5 No observation gives the outcome of the test.'],
    [['OBX|1|ST|THC||POSITIVE||||||W'], 'OBX-5 No observation gives the outcome of the test.'],
    [['OBX|1|ST|TEMP||Normal||||||F'], 'OBX-5 No observation gives'],
    [[drug('Dilute')], 'OBX-5 No observation gives'],
    [[drug('NEG'), 'OBX|2|NM|COC||312|||H|||F'], 'OBX(2)-5 "312" does not give'],
    [[drug('NEG'), drug('POSITIVE', '', 'P')], 'OBX(2)-5 "POSITIVE" does not give'],
    [[drug('NEG'), 'OBX|2|TX|COMMENT||Looks odd||||||F'], 'OBX(2)-5 "Looks odd" does not give'],
    [
      [drug('POSITIVE'), drug('ADULTERATED')],
      'OBX-5 The observations contradict each other: positive and adulterated.',
    ],
    [[drug('POSITIVE', 'N')], 'OBX(1)-5 "POSITIVE" does not give'],
  ])('unclear observations are not guessed: %j', (lines, why) => {
    expect(decided(lines)).toContain(why)
  })
})

describe('ruling 62: numbers beside words', () => {
  const measured = (name: string, value: string, { type = 'NM', range = '', flag = '', status = 'F' } = {}) =>
    `OBX|2|${type}|${name}||${value}|ng/mL|${range}|${flag}|||${status}`

  test('a number of the same substance contradicts nothing, whatever its flags', () => {
    expect(decided([drug('NEG'), measured('THC', '12')])).toBe('negative')
    expect(decided([drug('NEG'), measured('THC', '12', { flag: 'L' })])).toBe('negative')
    expect(decided([drug('POSITIVE'), measured('THC', '212', { flag: 'H' })])).toBe('positive')
    expect(decided([drug('POSITIVE'), measured('THC', '>^500', { type: 'SN', flag: 'HH' })])).toBe('positive')
  })

  test('a number of another substance contradicts nothing if it is normal or the test is positive', () => {
    expect(decided([drug('NEG'), measured('CREAT', '120', { range: '20-400' })])).toBe('negative')
    expect(decided([drug('NEG'), measured('CREAT', '120', { range: '>20' })])).toBe('negative')
    expect(decided([drug('NEG'), measured('COC', '3', { range: '150' })])).toBe('negative')
    expect(decided([drug('POSITIVE'), measured('COC', '312', { flag: 'H' })])).toBe('positive')
  })

  test.each([
    'CREAT',
    'C1^Creatinine, Urine^L',
    '2161-8^Creatinine [Mass/volume] in Urine^LN',
    'pH',
    'SG^Specific gravity^L',
    'OX^Oxidants^L',
    'T^Specimen temperature^L',
  ])('a validity marker of the specimen needs no range: %s', (name) => {
    expect(decided([drug('NEG'), measured(name, '7')])).toBe('negative')
  })

  test('a number in the same observation, or written as text, contradicts nothing', () => {
    expect(decided(['OBX|1|ST|THC||POSITIVE~212|ng/mL|||||F'])).toBe('positive')
    expect(decided(['OBX|1|ST|THC||NEGATIVE~<5 ng/mL||||||F'])).toBe('negative')
    expect(decided([drug('NEG'), measured('THC', '12 ng/mL', { type: 'ST' })])).toBe('negative')
  })

  test('a number beside an overall observation contradicts nothing', () => {
    expect(decided([overall('NEGATIVE'), measured('COC', '312', { flag: 'H' })])).toBe('negative')
    expect(decided([overall('POSITIVE'), measured('COC', '312')])).toBe('positive')
  })

  test.each([
    ['that is flagged', measured('COC', '312', { flag: 'H' })],
    ['above its cutoff', measured('COC', '312', { range: '150' })],
    ['outside its range', measured('CREAT', '2', { range: '20-400' })],
    ['that is preliminary', measured('COC', '3', { status: 'P' })],
    ['without range or flag', measured('COC', '250')],
    ['that is a ratio to creatinine', measured('THC/Creatinine', '250')],
  ])('a number of another substance %s contradicts a negative', (_, line) => {
    expect(decided([drug('NEG'), line])).toMatch(/^OBX\(2\)-5 .* does not give/)
  })

  test('numbers alone give no outcome', () => {
    expect(decided([measured('COC', '312')])).toBe(
      'OBX(1)-5 "312" does not give the outcome of the test. Send an observation OVERALL RESULT.',
    )
  })
})
