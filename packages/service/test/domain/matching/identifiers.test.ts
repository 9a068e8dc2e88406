import { describe, expect, test } from 'vitest'
import { scorePair, type Identifier, type Person } from '../../../src/domain/matching/score.ts'

const MARIA: Person = {
  firstName: 'Maria',
  lastName: 'Lopez',
  birthDate: '1990-03-07',
  email: 'maria@example.com',
  phone: '+16305550142',
}
const withIdentifiers = (...identifiers: Identifier[]): Person => ({ ...MARIA, identifiers })
const compared = (a: Person, b: Person) => scorePair(a, b, 'standard')
const partOf = (a: Person, b: Person, field = 'identifiers') =>
  compared(a, b).parts.find((part) => part.field === field)
const reasons = (a: Person, b: Person) => compared(a, b).caps.map(({ reason, limit }) => `${reason} ${limit}`)

describe('comparison of identifiers', () => {
  const employee = (value: string) => withIdentifiers({ type: 'employeeId', value })

  test.each([
    ['AB1234', 'AB1235'],
    ['AB1234', 'AB123'],
    ['AB123', 'AB1234'],
    ['AB1234', 'A1234'],
    ['B1234', 'AB1234'],
  ])('the identifiers %s and %s are one edit apart and count .5', (mine, theirs) => {
    expect(partOf(employee(mine), employee(theirs))).toMatchObject({ similarity: 0.5, kind: 'alike' })
  })

  test.each([
    ['AB1234', 'AB1245'],
    ['AB1234', 'AB12'],
    ['AB12', 'AB1234'],
    ['AB1234', 'BA1234'],
    ['AB1234', 'B12345'],
    ['AB1234', 'B1235'],
  ])('the identifiers %s and %s are more than one edit apart and in conflict', (mine, theirs) => {
    expect(partOf(employee(mine), employee(theirs))).toMatchObject({ similarity: 0, kind: 'different' })
    expect(reasons(employee(mine), employee(theirs))).toEqual(['conflict 60'])
  })

  test('identifiers are compared without spacing, punctuation, case and width', () => {
    expect(partOf(employee('ab-12 34'), employee('AB１２34'))).toMatchObject({ kind: 'equal' })
  })

  test('only identifiers of the same type are compared', () => {
    const [badge, passport] = [employee('AB1234'), withIdentifiers({ type: 'passport', value: 'ZZ9999' })]
    expect(partOf(badge, passport)).toBeUndefined()
    expect(reasons(badge, passport)).toEqual(['lessKnown 99'])
    const both = withIdentifiers({ type: 'passport', value: 'ZZ9999' }, { type: 'employeeId', value: 'AB1234' })
    expect(partOf(badge, both)).toMatchObject({ kind: 'equal' })
    expect(reasons(badge, both)).toEqual([])
    expect(reasons(both, badge)).toEqual(['lessKnown 99'])
  })

  test('licences are compared only if their states agree or one is unknown; other identifiers ignore the state', () => {
    const license = (value: string, issuingState?: string): Identifier => ({
      type: 'driverLicense',
      value,
      ...(issuingState && { issuingState }),
    })
    const kind = (a: Identifier, b: Identifier) => partOf(withIdentifiers(a), withIdentifiers(b))?.kind
    expect(kind(license('L1', 'IL'), license('L1', 'il'))).toBe('equal')
    expect(kind(license('L1', 'IL'), license('L1'))).toBe('equal')
    expect(kind(license('L1'), license('L1', 'IL'))).toBe('equal')
    expect(kind(license('L1', 'IL'), license('L1', 'TX'))).toBeUndefined()
    expect(reasons(withIdentifiers(license('L1', 'IL')), withIdentifiers(license('L1', 'TX')))).toEqual([
      'lessKnown 99',
    ])
    const stateId = (issuingState: string) => ({ ...license('L1', issuingState), type: 'stateId' })
    expect(kind(stateId('IL'), stateId('TX'))).toBe('equal')
  })

  test('identifiers of different countries are not compared', () => {
    const passport = (issuingCountry: string | null) => ({ type: 'passport', value: 'L8988901', issuingCountry })
    const kind = (a: string | null, b: string | null) =>
      partOf(withIdentifiers(passport(a)), withIdentifiers(passport(b)))?.kind
    expect([kind('US', 'us'), kind('US', null), kind(null, 'CA'), kind('US', 'CA')]).toEqual([
      'equal',
      'equal',
      'equal',
      undefined,
    ])
  })

  test('an SSN of nine characters with a letter is not compared', () => {
    const ssn = (value: string) => withIdentifiers({ type: 'ssn', value })
    expect(partOf(ssn('53622884X'), ssn('53622884X'))).toBeUndefined()
    expect(partOf(ssn('X36228841'), ssn('X36228841'))).toBeUndefined()
  })
})

describe('comparison of the other fields', () => {
  const ssn = { identifiers: [{ type: 'ssn', value: '536228841' }] }

  test('e-mail addresses are compared without case and surrounding space', () => {
    const spelled = { ...MARIA, email: ' MARIA@example.com ' }
    expect(partOf(MARIA, spelled, 'email')).toMatchObject({ kind: 'equal' })
    expect(partOf(spelled, MARIA, 'email')).toMatchObject({ kind: 'equal' })
    expect(partOf(MARIA, { ...MARIA, email: 'mary@example.com' }, 'email')).toMatchObject({ kind: 'different' })
  })

  test('a different first name is a conflict even if all else is equal', () => {
    const other = { ...MARIA, ...ssn, firstName: 'Quentin' }
    expect(compared({ ...MARIA, ...ssn }, other)).toMatchObject({ score: 60, caps: [{ reason: 'conflict' }] })
  })

  test('a different last name counts as changed only with an equal birth date and an equal identifier', () => {
    const married = { ...MARIA, ...ssn, lastName: 'Whitfield' }
    expect(partOf({ ...MARIA, ...ssn }, married, 'last')).toMatchObject({ kind: 'renamed', similarity: 0.5 })
    for (const birthDate of ['1990-07-03', null])
      expect(partOf({ ...MARIA, ...ssn }, { ...married, birthDate }, 'last')).toMatchObject({ kind: 'different' })
    expect(partOf(MARIA, { ...MARIA, lastName: 'Whitfield' }, 'last')).toMatchObject({ kind: 'different' })
  })

  test('a changed last name does not count as a mismatch', () => {
    const married = { ...MARIA, ...ssn, firstName: 'M', lastName: 'Whitfield' }
    expect(reasons({ ...MARIA, ...ssn }, married)).toEqual([])
    const misspelt = { ...married, lastName: 'Lopes' }
    expect(reasons({ ...MARIA, ...ssn }, misspelt)).toEqual(['twoMismatchesSameIdentifier 84'])
  })

  test('a similar birth date has the kind alike', () => {
    expect(partOf(MARIA, { ...MARIA, birthDate: '1990-03-17' }, 'birthDate')).toEqual({
      field: 'birthDate',
      weight: 25,
      similarity: 0.8,
      kind: 'alike',
    })
  })
})
