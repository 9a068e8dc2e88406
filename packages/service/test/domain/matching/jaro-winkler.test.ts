import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jaroWinkler } from '../../../src/domain/matching/jaro-winkler.ts'

describe('ruling 58: the Jaro-Winkler similarity is the published one', () => {
  test.each([
    ['MARTHA', 'MARHTA', 0.961],
    ['DWAYNE', 'DUANE', 0.84],
    ['DIXON', 'DICKSONX', 0.813],
    ['SHACKLEFORD', 'SHACKELFORD', 0.982],
    ['MASSEY', 'MASSIE', 0.933],
    ['NICHLESON', 'NICHULSON', 0.956],
    // From the same table (Winkler 1994).
    ['JERALDINE', 'GERALDINE', 0.926],
    ['MICHELLE', 'MICHAEL', 0.921],
    ['JULIES', 'JULIUS', 0.933],
    ['TANYA', 'TONYA', 0.88],
    ['JONES', 'JOHNSON', 0.832],
    ['ABROMS', 'ABRAMS', 0.922],
    ['HARDIN', 'MARTINEZ', 0.722],
    ['ITMAN', 'SMITH', 0.467],
  ])('%s and %s have a similarity of %f', (a, b, similarity) => {
    expect(jaroWinkler(a, b)).toBeCloseTo(similarity, 3)
    expect(jaroWinkler(b, a)).toBeCloseTo(similarity, 3)
  })

  test('a common prefix of more than four letters counts as four', () => {
    // Jaro: (6/8 + 6/8 + 1) / 3 = .8333.
    expect(jaroWinkler('abcdefgh', 'abcdefxy')).toBeCloseTo(0.8333 + 4 * 0.1 * 0.1667, 3)
  })

  test('a common prefix counts below a similarity of .7 too', () => {
    // Jaro: (1/4 + 1/4 + 1) / 3 = .5.
    expect(jaroWinkler('abcd', 'axyz')).toBeCloseTo(0.55, 6)
  })

  test('letters further apart than half the longer text do not match', () => {
    expect(jaroWinkler('abcd', 'xyza')).toBe(0)
    expect(jaroWinkler('ab', 'ba')).toBe(0)
  })

  test('letters outside the basic multilingual plane count as one letter', () => {
    expect(jaroWinkler('𝒜', '𝒞')).toBe(0)
  })

  // Few letters, so that most pairs have some in common.
  const texts = fc.string({ unit: fc.constantFrom('a', 'b', 'c', 'd', 'é', '𝒜'), maxLength: 14 })

  test('equal texts, and only those, have a similarity of 1', () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        expect(jaroWinkler(a, a)).toBe(1)
        expect(jaroWinkler(a, b) === 1).toBe(a === b)
      }),
    )
  })

  test('a similarity is between 0 and 1 and symmetric', () => {
    fc.assert(
      fc.property(texts, texts, (a, b) => {
        const similarity = jaroWinkler(a, b)
        expect(similarity).toBeGreaterThanOrEqual(0)
        expect(similarity).toBeLessThanOrEqual(1)
        expect(jaroWinkler(b, a)).toBeCloseTo(similarity, 12)
      }),
      { numRuns: 2000 },
    )
  })
})
