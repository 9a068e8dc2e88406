import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { normalisePhone, participantPhone, withoutExtension } from '../../src/domain/phones.ts'

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
    ['123-456-7890', '+11234567890'],
    ['000 000 0000', '+10000000000'],
  ])('%j is parsed as %s', (text, e164) => {
    expect(normalisePhone(text)).toBe(e164)
  })

  test('ten North American digits are parsed without tables as with them', () => {
    const digits = fc.stringMatching(/^[2-9]\d{9}$/)
    fc.assert(
      fc.property(digits, (ten) => {
        // With a blank they are read by the tables.
        const [written, spaced] = [`+1${ten}`, `+1 ${ten}`]
        expect([normalisePhone(ten), normalisePhone(written)]).toEqual([normalisePhone(spaced), normalisePhone(spaced)])
      }),
      { numRuns: 2_000 },
    )
  })

  test.each([
    [''],
    ['unknown'],
    ['555-0100'],
    ['12345'],
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
  ])('%j is not a phone number', (text) => {
    expect(normalisePhone(text)).toBeNull()
  })

  test('a parsed number is E.164 and parses to itself', () => {
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

  test('no text makes the parser throw', () => {
    const anyText = fc.string({ unit: 'binary', maxLength: 50 })
    expect(() => fc.assert(fc.property(anyText, (text) => void normalisePhone(text)))).not.toThrow()
  })
})

describe('ruling 36: the phone of a participant', () => {
  test.each([
    ['(630) 555-0142', '+16305550142'],
    ['+44 20 7946 0958', '+442079460958'],
    ['630-555-0142 x12', '+16305550142;ext=12'],
    ['(630) 555-0142 ext. 007', '+16305550142;ext=007'],
    ['+16305550142;ext=12', '+16305550142;ext=12'],
    ['000 000 0000', '+10000000000'],
    ['ask at the front desk', 'ask at the front desk'],
    ['555-0142', '555-0142'],
    ['6305550142;phone-context=+44', '6305550142;phone-context=+44'],
    [' ', ' '],
  ])('%j is stored as %j', (sent, stored) => {
    expect(participantPhone(sent)).toBe(stored)
  })

  test('a stored phone parses to itself', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[+]?[0-9 ().x-]{1,30}$/), (sent) => {
        const stored = participantPhone(sent)
        expect(participantPhone(stored)).toBe(stored)
      }),
      { numRuns: 1000 },
    )
  })

  test('the extension is not part of the compared number', () => {
    expect(withoutExtension('+16305550142;ext=12')).toBe('+16305550142')
    expect(withoutExtension('ask at the front desk')).toBe('ask at the front desk')
  })
})
