import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isWellFormedCode, makeCode, normaliseCode } from '../../../src/domain/orders/code.ts'

const LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'.split('')
const anyCode = fc.array(fc.nat(30), { minLength: 7, maxLength: 7 }).map((values) => makeCode(() => values.shift()!))
/** Where letters stand in a code; the dash is at 4. */
const PLACES = [0, 1, 2, 3, 5, 6, 7, 8]
const place = fc.constantFrom(...PLACES)

describe('Order code', () => {
  test('the example code of the interface is well-formed', () => {
    expect(isWellFormedCode('K7M4-2QXD')).toBe(true)
  })

  test('a code is two groups of four letters of the alphabet', () => {
    fc.assert(
      fc.property(anyCode, (code) => {
        expect(code).toMatch(/^[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$/)
        expect(isWellFormedCode(code)).toBe(true)
      }),
    )
  })

  test('a code takes one random number per letter', () => {
    const limits: number[] = []
    makeCode((limit) => {
      limits.push(limit)
      return limit - 1
    })
    expect(limits).toEqual(Array.from({ length: 7 }, () => 31))
  })

  test('a code with one wrong letter is not well-formed', () => {
    fc.assert(
      fc.property(anyCode, place, fc.constantFrom(...LETTERS), (code, at, letter) => {
        fc.pre(code[at] !== letter)
        expect(isWellFormedCode(code.slice(0, at) + letter + code.slice(at + 1))).toBe(false)
      }),
    )
  })

  test('a code with any two letters swapped is not well-formed', () => {
    const pairs = PLACES.flatMap((one) => PLACES.filter((other) => other > one).map((other) => [one, other] as const))
    expect(pairs).toHaveLength(28)
    fc.assert(
      fc.property(anyCode, (code) => {
        for (const [one, other] of pairs) {
          if (code[one] === code[other]) continue
          const letters = code.split('')
          letters[one] = code[other]!
          letters[other] = code[one]!
          const swapped = letters.join('')
          expect([swapped, isWellFormedCode(swapped)]).toEqual([swapped, false])
        }
      }),
    )
  })

  test.each(['', 'K7M4', 'K7M42QXD', 'k7m4-2qxd', 'K7M4-2QX0', 'K7M4-2QXDD', ' K7M4-2QXD'])(
    '%j is not a well-formed code',
    (text) => {
      expect(isWellFormedCode(text)).toBe(false)
    },
  )

  test.each(['K7M4-2QXD', 'k7m4-2qxd', 'K7M42QXD', ' k7m4 2qxd ', 'K7-M4-2Q-XD'])(
    '%j is normalised to K7M4-2QXD',
    (text) => {
      expect(normaliseCode(text)).toBe('K7M4-2QXD')
    },
  )

  test.each(['', 'K7M4', 'K7M4-2QX1', 'K7M4-2QXDD', 'K7M4_2QXD'])('%j is not normalised to a code', (text) => {
    expect(normaliseCode(text)).toBeNull()
  })
})
