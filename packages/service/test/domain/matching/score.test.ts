import { describe, expect, test } from 'vitest'
import { personKeys, type Purpose } from '../../../src/domain/matching/blocking-keys.ts'
import { scorePair, type Person, type Profile } from '../../../src/domain/matching/score.ts'

const maria: Person = { firstName: 'Maria', lastName: 'Lopez' }
const ssn = (value: string) => [{ type: 'ssn', value }]
const license = (value: string, issuingState: string) => [{ type: 'driverLicense', value, issuingState }]
const birthDate = '1990-03-07'
const contacts = { email: 'maria@example.com', phone: '+16305550142' }

const score = (a: Person, b: Person, profile: Profile = 'standard') => scorePair(a, b, profile).score

describe('Order matching: the worked examples score as in the table', () => {
  test('a request sent again with its phone spelled differently scores 100', () => {
    const sent = { ...maria, birthDate, ...contacts }
    expect(score({ ...sent, phone: '(630) 555-0142' }, sent)).toBe(100)
  })

  test('José Núñez-Ortiz and JOSE NUNEZ ORTIZ with the same birth date score 100', () => {
    const accented = { firstName: 'José', lastName: 'Núñez-Ortiz', birthDate }
    expect(score(accented, { firstName: 'JOSE', lastName: 'NUNEZ ORTIZ', birthDate })).toBe(100)
  })

  test('Bob and Robert with the same birth date and phone score 98.8', () => {
    const robert = { firstName: 'Robert', lastName: 'Lopez', birthDate, phone: contacts.phone }
    expect(score({ ...robert, firstName: 'Bob' }, robert)).toBe(98.8)
  })

  test('the twins Maria and Mario with a shared phone score 84', () => {
    const twin = { ...maria, birthDate, phone: contacts.phone }
    expect(score(twin, { ...twin, firstName: 'Mario' })).toBe(84)
  })

  test('a maiden name with the same birth date, SSN and contacts scores 89.4', () => {
    const married = { ...maria, birthDate, ...contacts, identifiers: ssn('536-22-8841') }
    expect(score(married, { ...married, lastName: 'Whitfield' })).toBe(89.4)
  })

  test('a maiden name with the same birth date and contacts but no identifier scores 60', () => {
    const married = { ...maria, birthDate, ...contacts }
    expect(score(married, { ...married, lastName: 'Whitfield' })).toBe(60)
  })

  test('Lopez and Lopez-Garcia with the same birth date and email score 97', () => {
    const person = { ...maria, birthDate, email: contacts.email }
    expect(score(person, { ...person, lastName: 'Lopez-Garcia' })).toBe(97)
  })

  test('Lopez and Lopez-Garcia with the same birth date, email and phone score 97.3', () => {
    const person = { ...maria, birthDate, ...contacts }
    expect(score(person, { ...person, lastName: 'Lopez-Garcia' })).toBe(97.3)
  })

  test('Campbell and Campos with the same first name, birth date, email and phone score 60', () => {
    const ann = { firstName: 'Ann', lastName: 'Campbell', birthDate, ...contacts }
    expect(score(ann, { ...ann, lastName: 'Campos' })).toBe(60)
  })

  test('the birth dates 03-07 and 07-03 with the same email and phone score 93.3', () => {
    const person = { ...maria, ...contacts }
    expect(score({ ...person, birthDate: '1990-03-07' }, { ...person, birthDate: '1990-07-03' })).toBe(93.3)
  })

  test('an equal SSN and birth date with different names score 56.2', () => {
    const person = { ...maria, birthDate, identifiers: ssn('536228841') }
    expect(score(person, { ...person, firstName: 'Quentin', lastName: 'Whitfield' })).toBe(56.2)
  })

  test('a different SSN with everything else equal scores 60', () => {
    const person = { ...maria, birthDate, ...contacts }
    expect(score({ ...person, identifiers: ssn('536228841') }, { ...person, identifiers: ssn('219447730') })).toBe(60)
  })
})

describe('Order matching: similarities', () => {
  const known = { ...maria, birthDate, email: contacts.email, identifiers: ssn('536228841') }

  test('names are compared without generation suffixes and punctuation', () => {
    expect(score({ ...known, lastName: "O'Brien Jr." }, { ...known, lastName: 'O Brien' })).toBe(100)
    expect(score({ ...known, lastName: 'Lopez III' }, known)).toBe(100)
  })

  test('an initial, and going by the middle name, count for most of a first name', () => {
    expect(scorePair({ ...known, firstName: 'M' }, known, 'standard').parts[1]).toMatchObject({ similarity: 0.8 })
    const second = { ...known, firstName: 'Elena', middleName: 'Maria' }
    expect(scorePair(second, { ...known, middleName: 'Elena' }, 'standard').parts[1]).toMatchObject({
      similarity: 0.85,
    })
  })

  test('one edit in an identifier counts half and is not a conflict', () => {
    const { parts, caps } = scorePair({ ...known, identifiers: ssn('536228842') }, known, 'standard')
    expect(parts.find(({ field }) => field === 'identifiers')).toMatchObject({ similarity: 0.5 })
    expect(caps).toEqual([])
  })

  test('licences of different states are not compared', () => {
    const pair = scorePair(
      { ...maria, birthDate, identifiers: license('L1', 'IL') },
      { ...maria, birthDate, identifiers: license('Z9', 'TX') },
      'standard',
    )
    expect(pair.parts.map(({ field }) => field)).toEqual(['last', 'first', 'birthDate'])
  })

  test.each(['N/A', 'none', 'Unknown', 'not provided', 'XXX-XX-XXXX', 'xxx-xx-1234', '***-**-****', 'refused'])(
    'the placeholder %s counts as no identifier',
    (value) => {
      for (const type of ['ssn', 'driverLicense', 'employeeId']) {
        const vague = { ...maria, identifiers: [{ type, value }] }
        expect(score(vague, vague)).toBe(score(maria, maria))
      }
    },
  )

  test('passports of different countries are not compared', () => {
    const passport = (issuingCountry: string) => [{ type: 'passport', value: 'L8988901', issuingCountry }]
    const [us, ca] = [passport('US'), passport('CA')].map((identifiers) => ({ ...known, identifiers }))
    expect(score(us!, us!)).toBe(100)
    expect(scorePair(us!, ca!, 'standard').parts.some(({ field }) => field === 'identifiers')).toBe(false)
  })

  test('one equal identifier explains a changed name even if another is in conflict', () => {
    const identifiers = [...ssn('536-22-8841'), ...license('L1', 'IL')]
    const married = { ...known, lastName: 'Whitfield', identifiers: [...ssn('536-22-8841'), ...license('Z9', 'IL')] }
    const { parts, score: total } = scorePair({ ...known, identifiers }, married, 'standard')
    expect(parts.find(({ field }) => field === 'last')).toMatchObject({ similarity: 0.5, kind: 'renamed' })
    expect(total).toBeLessThanOrEqual(60)
  })

  test('one edit in a birth date counts .8, two are a conflict', () => {
    expect(score({ ...known, birthDate: '1990-03-08' }, known)).toBe(94.3)
    expect(score({ ...known, birthDate: '1991-03-08' }, known)).toBe(60)
  })
})

describe('ruling 37: social security numbers', () => {
  const known = { ...maria, birthDate, ...contacts }
  const parts = (mine: string, theirs: string) =>
    scorePair({ ...known, identifiers: ssn(mine) }, { ...known, identifiers: ssn(theirs) }, 'standard')
  const part = (mine: string, theirs: string) =>
    parts(mine, theirs).parts.find(({ field }) => field === 'identifiers') ?? null

  test.each([
    ['8841', '536-22-8841'],
    ['536228841', '8841'],
    ['8841', ' 88 41 '],
  ])('the SSNs %s and %s have the same last four digits and count .5', (mine, theirs) => {
    expect(part(mine, theirs)).toMatchObject({ similarity: 0.5, kind: 'lastFour' })
    // (20 + 15 + 25 + 8 + 7 + .5 * 20) / 95
    expect(parts(mine, theirs)).toMatchObject({ score: 89.4, caps: [] })
  })

  test.each([
    ['8842', '536-22-8841'],
    ['536228841', '8814'],
    ['8841', '8842'],
    ['1111', '8841'],
  ])('the SSNs %s and %s have different last four digits and are in conflict', (mine, theirs) => {
    expect(part(mine, theirs)).toMatchObject({ similarity: 0, kind: 'different' })
    expect(parts(mine, theirs).score).toBe(60)
  })

  test('two SSNs of nine digits are compared as a whole', () => {
    expect(part('536228841', '401558841')).toMatchObject({ similarity: 0, kind: 'different' })
    expect(part('536228841', '536-22-8841')).toMatchObject({ similarity: 1, kind: 'equal' })
    expect(part('536228841', '536228842')).toMatchObject({ similarity: 0.5, kind: 'alike' })
  })

  test('equal last four digits neither explain a changed name nor corroborate a mismatch', () => {
    const pair = (mine: Person, theirs: Person) =>
      scorePair({ ...mine, identifiers: ssn('8841') }, { ...theirs, identifiers: ssn('8841') }, 'standard')
    expect(pair(known, { ...known, lastName: 'Whitfield' }).score).toBe(60)
    const alone = { ...maria, birthDate }
    expect(pair(alone, { ...alone, lastName: 'Lopes' }).caps).toContainEqual({ reason: 'mismatch', limit: 84 })
  })

  test.each([
    '22-8841',
    '5362288411',
    '88410',
    '884',
    'A36228841',
    'XXX-XX-8841',
    '***-**-8841',
    '0000',
    '123-45-6789',
  ])('the SSN %s is never compared', (value) => {
    for (const other of ['536228841', '8841', '401559213', value]) {
      expect([part(value, other), part(other, value)]).toEqual([null, null])
    }
    expect(parts(value, value).score).toBe(100)
  })

  test('an SSN of four digits is no blocking key, one of nine digits is', () => {
    const purpose: Purpose = {
      locationId: 'l',
      companyId: 'c',
      packageIds: [],
      testReason: 'random',
      otherTestReason: null,
      agencyId: null,
      observed: false,
      services: [],
    }
    const keys = (value: string) => personKeys(purpose, { ...maria, identifiers: ssn(value) }, 'standard')
    expect(['8841', '22-8841', '123-45-6789'].map((value) => keys(value))).toEqual([[], [], []])
    expect(keys('536-22-8841')).toHaveLength(1)
    expect(keys('536-22-8841')).toEqual(keys('536228841'))
  })
})

describe('Order matching: caps', () => {
  test('names alone never reach the standard score', () => {
    expect(score(maria, maria)).toBe(70)
  })

  test('two mismatches cap the score at 70, or at 84 with an equal identifier', () => {
    const person = { ...maria, birthDate, ...contacts }
    const other = { ...person, lastName: 'Lopes', birthDate: '1990-07-03' }
    expect(score(person, other)).toBe(70)
    expect(score({ ...person, identifiers: ssn('536228841') }, { ...other, identifiers: ssn('536228841') })).toBe(84)
  })

  test('an equal e-mail corroborates a misspelt last name but not another first name', () => {
    const person = { ...maria, birthDate, email: contacts.email }
    expect(score(person, { ...person, lastName: 'Lopes' })).toBeGreaterThan(90)
    expect(score(person, { ...person, firstName: 'Mario' })).toBe(84)
  })

  test('a score is not exact if the candidate lacks something of the request', () => {
    const person = { ...maria, birthDate, phone: contacts.phone }
    expect(score({ ...person, email: contacts.email }, person)).toBe(99)
    expect(score(person, { ...person, email: contacts.email })).toBe(100)
  })

  test('the parts and caps explain the score', () => {
    const pair = scorePair({ ...maria, birthDate }, { ...maria, firstName: 'Mario', birthDate }, 'appCollection')
    expect(pair).toEqual({
      score: 84,
      parts: [
        { field: 'last', weight: 20, similarity: 1, kind: 'equal' },
        { field: 'first', weight: 20, similarity: expect.closeTo(0.92, 6) as number, kind: 'alike' },
        { field: 'birthDate', weight: 30, similarity: 1, kind: 'equal' },
      ],
      caps: [{ reason: 'mismatch', limit: 84 }],
    })
  })
})
