import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isWellFormedCode, makeCode, normaliseCode } from '../../../src/domain/orders/code.ts'

const LETTERS = '23456789ABCDEFGHJKMNPQRSTUVWXYZ'.split('')
const anyCode = fc.array(fc.nat(30), { minLength: 7, maxLength: 7 }).map((values) => makeCode(() => values.shift()!))
/** Where letters stand in a code; the dash is at 4. */
const PLACES = [0, 1, 2, 3, 5, 6, 7, 8]
const place = fc.constantFrom(...PLACES)

describe('Order code', () => {
  test('the code of the interface is one', () => {
    expect(isWellFormedCode('K7M4-2QXD')).toBe(true)
  })

  test('is two groups of four letters that cannot be misheard for each other', () => {
    fc.assert(
      fc.property(anyCode, (code) => {
        expect(code).toMatch(/^[2-9A-HJKMNP-Z]{4}-[2-9A-HJKMNP-Z]{4}$/)
        expect(isWellFormedCode(code)).toBe(true)
      }),
    )
  })

  test('asks for chance within the alphabet, once a letter', () => {
    const limits: number[] = []
    makeCode((limit) => {
      limits.push(limit)
      return limit - 1
    })
    expect(limits).toEqual(Array.from({ length: 7 }, () => 31))
  })

  test('one wrong letter is noticed', () => {
    fc.assert(
      fc.property(anyCode, place, fc.constantFrom(...LETTERS), (code, at, letter) => {
        fc.pre(code[at] !== letter)
        expect(isWellFormedCode(code.slice(0, at) + letter + code.slice(at + 1))).toBe(false)
      }),
    )
  })

  test('two letters swapped are noticed, whichever places they stand at', () => {
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
    '%j is not spelled as one',
    (text) => {
      expect(isWellFormedCode(text)).toBe(false)
    },
  )

  test.each(['K7M4-2QXD', 'k7m4-2qxd', 'K7M42QXD', ' k7m4 2qxd ', 'K7-M4-2Q-XD'])('%j is read as K7M4-2QXD', (text) => {
    expect(normaliseCode(text)).toBe('K7M4-2QXD')
  })

  test.each(['', 'K7M4', 'K7M4-2QX1', 'K7M4-2QXDD', 'K7M4_2QXD'])('%j is read as none', (text) => {
    expect(normaliseCode(text)).toBeNull()
  })
})
