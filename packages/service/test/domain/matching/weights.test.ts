import { describe, expect, test } from 'vitest'
import { scorePair, type Person, type Profile } from '../../../src/domain/matching/score.ts'

/** Everything that two orders can have in common. */
const FULL: Person = {
  firstName: 'Maria',
  lastName: 'Lopez',
  middleName: 'Elena',
  birthDate: '1990-03-07',
  email: 'maria@example.com',
  phone: '+16305550142',
  identifiers: [{ type: 'ssn', value: '536228841' }],
}

const weightsIn = (profile: Profile) =>
  Object.fromEntries(scorePair(FULL, FULL, profile).parts.map(({ field, weight }) => [field, weight]))

describe('Order matching: the table of weights', () => {
  test('the profile standard weighs each field as the table says', () => {
    expect(weightsIn('standard')).toEqual({
      last: 20,
      first: 15,
      middle: 5,
      birthDate: 25,
      identifiers: 20,
      email: 8,
      phone: 7,
    })
  })

  test('the profile appCollection weighs each field as the table says', () => {
    expect(weightsIn('appCollection')).toEqual({
      last: 20,
      first: 20,
      middle: 5,
      birthDate: 30,
      identifiers: 20,
      email: 3,
      phone: 2,
    })
  })

  const NAMES = { firstName: 'Maria', lastName: 'Lopez' }
  const { birthDate } = FULL

  test.each<[what: string, known: Person, profile: Profile, score: number]>([
    // 100 · (20 + 15) / 50
    ['names alone', NAMES, 'standard', 70],
    // 100 · (20 + 20) / 60, floored to 0.1
    ['names alone', NAMES, 'appCollection', 66.6],
    // 100 · (20 + 15 + 7) / 50
    ['names and phone', { ...NAMES, phone: FULL.phone }, 'standard', 84],
    // 100 · (20 + 20 + 3 + 2) / 60
    ['names and contacts', { ...NAMES, email: FULL.email, phone: FULL.phone }, 'appCollection', 75],
    // 20 + 15 + 15 of 50: enough is known
    ['names and contacts', { ...NAMES, email: FULL.email, phone: FULL.phone }, 'standard', 100],
    // 20 + 20 + 20 of 60: enough is known
    ['names and identifier', { ...NAMES, identifiers: FULL.identifiers }, 'appCollection', 100],
    ['names and birth date', { ...NAMES, birthDate }, 'appCollection', 100],
  ])('equal %s score by the sum of their weights: %j, %s, %d', (_, known, profile, score) => {
    expect(scorePair(known, known, profile).score).toBe(score)
  })

  test.each<[what: string, other: Partial<Person>, standard: number, appCollection: number]>([
    // Of 100 in both profiles: what differs costs its weight.
    ['another e-mail address', { email: 'lopez@example.com' }, 92, 97],
    ['another phone', { phone: '+16305550199' }, 93, 98],
    ['another middle name', { middleName: 'Sofia' }, 95, 95],
    ['the initial of the middle name', { middleName: 'E' }, 99, 99],
    // A nickname has .95 of the first name: 15 and 20 of 100.
    ['a nickname', { firstName: 'Mia' }, 99, 99],
    // Birth date 0.8: 5 of 25 and 6 of 30 are lost; the equal identifier corroborates it.
    ['a birth date with day and month swapped', { birthDate: '1990-07-03' }, 95, 94],
    // Last name 0.9: 2 of 20 are lost.
    ['a double last name', { lastName: 'Lopez-Garcia' }, 98, 98],
    // An identifier that is one edit away: 10 of 20 are lost.
    ['an identifier with one digit more', { identifiers: [{ type: 'ssn', value: '536228842' }] }, 90, 90],
  ])('a difference in %s costs its share of the weight', (_, other, standard, appCollection) => {
    const candidate = { ...FULL, ...other }
    expect([scorePair(FULL, candidate, 'standard').score, scorePair(FULL, candidate, 'appCollection').score]).toEqual([
      standard,
      appCollection,
    ])
  })
})

describe('Order matching, ruling 37: placeholder SSNs', () => {
  const withSsn = (value: string): Person => ({ ...FULL, identifiers: [{ type: 'ssn', value }] })
  const isCompared = (one: string, other: string) =>
    scorePair(withSsn(one), withSsn(other), 'standard').parts.some(({ field }) => field === 'identifiers')

  test.each([
    '123-45-6789',
    '987-65-4321',
    '078-05-1120',
    '219-09-9999',
    '123-12-1234',
    '000-00-0000',
    '111-11-1111',
    '222-22-2222',
    '333-33-3333',
    '444-44-4444',
    '555-55-5555',
    '666-66-6666',
    '777-77-7777',
    '888-88-8888',
    '999-99-9999',
    '000-12-3456',
    '0000',
  ])('the placeholder %s is never compared, in any spelling', (value) => {
    const digits = value.replaceAll('-', '')
    for (const spelled of [value, digits, value.replaceAll('-', ' ')]) {
      expect([spelled, isCompared(spelled, digits)]).toEqual([spelled, false])
      expect([spelled, isCompared(spelled, '536-22-8841')]).toEqual([spelled, false])
      expect([spelled, isCompared('536-22-8841', spelled)]).toEqual([spelled, false])
    }
  })

  test.each(['53622884', '5362288410', '536-22-884', 'A36-22-8841', '***-**-8841', '88 41a'])(
    'the SSN %s has neither nine nor four digits and is not compared',
    (value) => {
      expect([isCompared(value, value), isCompared(value, '536-22-8841')]).toEqual([false, false])
    },
  )

  test.each(['536-22-8841', '536 22 8841', '536228841', '8841', '100-00-0000', '111-11-1112', '123-45-6780'])(
    'the SSN %s is compared',
    (value) => {
      expect(isCompared(value, value)).toBe(true)
    },
  )
})
