import { describe, expect, test } from 'vitest'
import {
  purposeKey,
  isWide,
  reasonsAgree,
  searchKeys,
  personKeys,
  type Purpose,
} from '../../../src/domain/matching/blocking-keys.ts'
import {
  conflictsWith,
  hasConflict,
  isIdentifying,
  lastTen,
  scorePair,
  type Person,
} from '../../../src/domain/matching/score.ts'
import { compareFirst, compareLast, compareMiddle, normaliseName } from '../../../src/domain/matching/names.ts'

const PURPOSE: Purpose = {
  locationId: 'hq',
  companyId: 'acme',
  packageIds: ['basic'],
  testReason: 'random',
  otherTestReason: null,
  agencyId: null,
  observed: false,
  services: [{ category: 'drug', type: 'urine', isDot: false }],
}
const MARIA: Person = { firstName: 'Maria', lastName: 'López' }

describe('Order matching: the purpose of two orders', () => {
  const isOther = (change: Partial<Purpose>, profile: 'standard' | 'appCollection') =>
    purposeKey({ ...PURPOSE, ...change }, profile) !== purposeKey(PURPOSE, profile)

  test.each<[string, Partial<Purpose>]>([
    ['location', { locationId: 'depot' }],
    ['package', { packageIds: ['dot'] }],
    ['reason', { testReason: 'sweep' }],
    ['other reason', { otherTestReason: 'personal' }],
    ['agency', { agencyId: 'fra' }],
    ['observed flag', { observed: true }],
  ])('standard orders of another %s are never compared, appCollection orders are', (_, change) => {
    expect([isOther(change, 'standard'), isOther(change, 'appCollection')]).toEqual([true, false])
  })

  test.each<[string, Partial<Purpose>]>([
    ['company', { companyId: 'globex' }],
    ['category', { services: [{ category: 'alcohol', type: 'urine', isDot: false }] }],
    ['type', { services: [{ category: 'drug', type: 'hair', isDot: false }] }],
    ['DOT flag', { services: [{ category: 'drug', type: 'urine', isDot: true }] }],
    ['number of kinds', { services: [...PURPOSE.services, { category: 'alcohol', type: 'breath', isDot: false }] }],
  ])('appCollection orders of another %s are never compared, standard orders are', (_, change) => {
    expect([isOther(change, 'standard'), isOther(change, 'appCollection')]).toEqual([false, true])
  })

  test('the purpose of appCollection compares kinds of services as a set', () => {
    const [urine, breath] = [PURPOSE.services[0]!, { category: 'alcohol', type: 'breath', isDot: false }]
    const word = (services: Purpose['services']) => purposeKey({ ...PURPOSE, services }, 'appCollection')
    expect(word([urine, breath])).toBe(word([breath, urine, urine]))
  })

  test('the purpose keys of the two profiles never collide', () => {
    expect(purposeKey(PURPOSE, 'standard')).not.toBe(purposeKey(PURPOSE, 'appCollection'))
    expect(purposeKey(PURPOSE, 'standard')).toMatch(/^standard /)
  })

  test('reasons agree if they are equal or one of them is unknown', () => {
    expect(reasonsAgree('random', 'random')).toBe(true)
    expect(reasonsAgree('random', 'unknown')).toBe(true)
    expect(reasonsAgree('unknown', 'random')).toBe(true)
    expect(reasonsAgree('random', 'sweep')).toBe(false)
  })
})

describe('blocking keys', () => {
  const keys = (person: Partial<Person>) =>
    personKeys(PURPOSE, { ...MARIA, ...person }, 'standard').map((key) =>
      key.replace(`${purposeKey(PURPOSE, 'standard')} `, ''),
    )

  test('a person is found by birth date and last name, e-mail, phone and last name, and identifiers', () => {
    expect(keys({})).toEqual([])
    expect(keys({ birthDate: '1990-03-07' })).toEqual(['born 1990-03-07 lopez'])
    expect(keys({ email: ' Maria@Example.com ' })).toEqual(['email maria@example.com'])
    expect(keys({ phone: '+1 (630) 555-0142' })).toEqual(['phone 6305550142 lopez'])
    expect(keys({ phone: 'no number' })).toEqual([])
    const identifiers = [
      { type: 'ssn', value: '536-22-8841' },
      { type: 'ssn', value: '8841' },
      { type: 'driverLicense', value: 'l4-00' },
      { type: 'employeeId', value: 'n/a' },
    ]
    expect(keys({ identifiers })).toEqual(['ssn 536228841', 'driverLicense L400'])
  })

  test('a minimum score up to 84.6 searches all orders with the purpose', () => {
    expect([isWide(84.6), isWide(84.7), isWide(0)]).toEqual([true, false, true])
    const person = { ...MARIA, email: 'a@b.example' }
    const [purpose, keyed] = [purposeKey(PURPOSE, 'standard'), personKeys(PURPOSE, person, 'standard')]
    expect(searchKeys(PURPOSE, person, 'standard', 85)).toEqual(keyed)
    expect(searchKeys(PURPOSE, person, 'standard', 84)).toEqual([purpose, ...keyed])
  })

  test('phones are compared by their last ten digits, without an extension', () => {
    expect(lastTen('+1 630 555 0142')).toBe('6305550142')
    expect(lastTen('+16305550142;ext=77')).toBe('6305550142')
    expect([lastTen(null), lastTen(undefined), lastTen('none')]).toEqual(['', '', ''])
  })

  test('an SSN of four digits is no blocking key; nine digits and other identifiers are', () => {
    expect(isIdentifying({ type: 'ssn', value: '8841' })).toBe(false)
    expect(isIdentifying({ type: 'ssn', value: '536228841' })).toBe(true)
    expect(isIdentifying({ type: 'employeeId', value: '8841' })).toBe(true)
    expect(isIdentifying({ type: 'employeeId', value: 'none' })).toBe(false)
  })
})

describe('conflicts in names and birth date', () => {
  const known = { ...MARIA, birthDate: '1990-03-07' }
  const isInConflict = (other: Partial<Person>, mine: Partial<Person> = {}) =>
    conflictsWith({ ...known, ...mine })({ ...known, ...other })

  test('a different first name or birth date is a conflict, whatever else is known', () => {
    expect(isInConflict({})).toBe(false)
    expect(isInConflict({ firstName: 'Quentin' })).toBe(true)
    expect(isInConflict({ birthDate: '1961-11-20' })).toBe(true)
    expect(isInConflict({ birthDate: '1990-07-03' })).toBe(false)
    expect(isInConflict({ birthDate: null })).toBe(false)
  })

  test('a different last name is a conflict only if the birth dates are not equal', () => {
    expect(isInConflict({ lastName: 'Whitfield' })).toBe(false)
    expect(isInConflict({ lastName: 'Whitfield', birthDate: '1990-07-03' })).toBe(true)
    expect(isInConflict({ lastName: 'Whitfield' }, { birthDate: null })).toBe(true)
  })

  test('ruling 40: people in conflict are never equivalent', () => {
    expect(hasConflict(scorePair(known, { ...known, firstName: 'Quentin' }, 'standard'))).toBe(true)
    expect(hasConflict(scorePair(known, { ...known, firstName: 'Mario' }, 'standard'))).toBe(false)
    expect(hasConflict(scorePair(known, known, 'standard'))).toBe(false)
  })
})

describe('comparison of names', () => {
  test.each([
    ['José', 'jose'],
    ['O’Brien', 'o brien'],
    ['Núñez-Ortiz', 'nunez ortiz'],
    ['  Anna   Lena ', 'anna lena'],
    ['Lopez Jr.', 'lopez'],
    ['Lopez SR', 'lopez'],
    ['Lopez II', 'lopez'],
    ['Lopez III', 'lopez'],
    ['Lopez IV', 'lopez'],
    ['Lopez V', 'lopez v'],
    // A suffix alone is a name.
    ['Jr', 'jr'],
    ['Ⅳ', 'iv'],
    ['ﬁona', 'fiona'],
    [' *** ', '***'],
  ])('the name %j is compared as %j', (name, plain) => {
    expect(normaliseName(name)).toBe(plain)
    expect(normaliseName(name)).toBe(plain)
  })

  test('a name is normalised the same way after thousands of others', () => {
    for (let i = 0; i < 5_100; i++) normaliseName(`Name ${i}`)
    expect(normaliseName('López')).toBe('lopez')
  })

  const first = (a: string, b: string, middle = '', other = '') =>
    compareFirst({ first: a, middle }, { first: b, middle: other })

  test('first names are equal, nicknames, initials, middle names, alike or different', () => {
    expect(first('maria', 'maria')).toEqual({ similarity: 1, kind: 'equal' })
    expect(first('bob', 'robert')).toEqual({ similarity: 0.95, kind: 'nickname' })
    expect(first('robert', 'bob')).toEqual({ similarity: 0.95, kind: 'nickname' })
    expect(first('m', 'maria')).toEqual({ similarity: 0.8, kind: 'initial' })
    expect(first('maria', 'm')).toEqual({ similarity: 0.8, kind: 'initial' })
    expect(first('x', 'maria').kind).toBe('different')
    expect(first('elena', 'maria', '', 'elena')).toEqual({ similarity: 0.85, kind: 'middle' })
    expect(first('elena', 'maria', 'maria')).toEqual({ similarity: 0.85, kind: 'middle' })
    expect(first('maria', 'mario')).toMatchObject({ kind: 'alike', similarity: expect.closeTo(0.92, 5) })
    expect(first('maria', 'quentin')).toEqual({ similarity: 0, kind: 'different' })
  })

  test('last names are equal, a subset, alike or different', () => {
    expect(compareLast('lopez', 'lopez')).toEqual({ similarity: 1, kind: 'equal' })
    expect(compareLast('lopez', 'lopez garcia')).toEqual({ similarity: 0.9, kind: 'subset' })
    expect(compareLast('garcia lopez', 'lopez')).toEqual({ similarity: 0.9, kind: 'subset' })
    expect(compareLast('garcia lopez', 'lopez garcia')).toEqual({ similarity: 0.9, kind: 'subset' })
    expect(compareLast('lopez diaz', 'lopez garcia').kind).not.toBe('subset')
    expect(compareLast('lopez', 'lopes')).toMatchObject({ kind: 'alike', similarity: expect.closeTo(0.92, 5) })
    expect(compareLast('campbell', 'campos')).toEqual({ similarity: 0, kind: 'different' })
  })

  test('middle names are equal, initials of each other, or different', () => {
    expect(compareMiddle('elena', 'elena')).toEqual({ similarity: 1, kind: 'equal' })
    expect(compareMiddle('e', 'elena')).toEqual({ similarity: 0.8, kind: 'initial' })
    expect(compareMiddle('elena', 'elene')).toEqual({ similarity: 0, kind: 'different' })
  })

  test('names of more than 64 letters are equal or different', () => {
    const long = 'a'.repeat(64)
    expect(compareLast(long, `${'a'.repeat(63)}b`).kind).toBe('alike')
    expect(compareLast(`${long}a`, long).kind).toBe('different')
    expect(compareLast(long, `${long}a`).kind).toBe('different')
  })
})
