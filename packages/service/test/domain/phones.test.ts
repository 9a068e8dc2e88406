import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalisePhone } from '../../src/domain/phones.ts'

describe('Phones: national (region US) or E.164 spelling, stored as E.164', () => {
  test.each([
    ['(630) 555-0100', '+16305550100'],
    ['630.555.0100', '+16305550100'],
    ['6305550100', '+16305550100'],
    [' 1 (630) 555-0100 ', '+16305550100'],
    ['+16305550100', '+16305550100'],
    ['+1 630 555 0100', '+16305550100'],
    ['+1 555 123 4567', '+15551234567'],
    ['６３０５５５０１００', '+16305550100'],
    ['+44 20 7946 0958', '+442079460958'],
    ['+49 30 901820', '+4930901820'],
  ])('%j is %s', (text, e164) => {
    expect(normalisePhone(text)).toBe(e164)
  })

  test.each([
    [''],
    ['unknown'],
    ['555-0100'],
    ['12345'],
    ['1234567890'],
    ['0000000000'],
    ['+1 630 555 01'],
    ['+1 630 555 0100 0'],
    ['+1'],
    ['+999 123 456 789'],
    ['call 630 555 0100'],
    ['630 555 0100 or 630 555 0101'],
    ['630-555-0100 x12'],
    ['630-555-0100;ext=12'],
    ['6305550100;phone-context=+44'],
    ['1-800-FLOWERS'],
  ])('%j is none', (text) => {
    expect(normalisePhone(text)).toBeNull()
  })

  test('what was read is E.164, and read again it stays as it is', () => {
    const start = fc.constantFrom('', '1', '+1', '+44', '+49', '+52', '+81', '011 44')
    const rest = fc.stringMatching(/^[1-9][0-9. -]{6,13}$/)
    fc.assert(
      fc.property(start, rest, (country, number) => {
        const once = normalisePhone(country + number)
        if (once === null) return
        expect(once).toMatch(/^\+[1-9]\d{1,14}$/)
        expect(normalisePhone(once)).toBe(once)
      }),
      { numRuns: 1000 },
    )
  })

  test('no text makes it throw', () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 50 })
    expect(() => fc.assert(fc.property(anyText, (text) => void normalisePhone(text)))).not.toThrow()
  })
})
