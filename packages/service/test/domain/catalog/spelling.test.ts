import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { remnantsOf, MAX_SPELLINGS, findSpellings } from '../../../src/domain/catalog/spelling.ts'

const KNOWN = ['occupational', 'occupation', 'naperville', 'health', 'heath', 'katy', 'st', '60540', '60541', 'clinic']
const meant = (searched: string, known = KNOWN) => findSpellings(searched, known).map(({ word }) => word)

const word = (minLength: number, maxLength = 14) =>
  fc
    .array(fc.constantFrom(...Array.from('abcdefghijklmnopqrstuvwxyzéß')), { minLength, maxLength })
    .map((letters) => letters.join(''))
/** A word and a variant with one letter deleted, inserted, substituted, or swapped with its neighbour. */
const slip = fc
  .tuple(word(4), fc.nat(), fc.constantFrom('leave', 'add', 'change', 'swap'))
  .map(([right, where, kind]) => {
    const i = where % (right.length - 1)
    const [head, tail] = [right.slice(0, i), right.slice(i + 1)]
    if (kind === 'leave') return { right, wrong: head + tail }
    if (kind === 'add') return { right, wrong: `${head}q${right.slice(i)}` }
    if (kind === 'change') return { right, wrong: `${head}q${tail}` }
    return { right, wrong: `${head}${right[i + 1]}${right[i]}${tail.slice(1)}` }
  })

describe('Spellings of a searched word', () => {
  test.each([
    ['health', ['health', 'heath']],
    ['helth', ['heath', 'health']],
    ['haelth', ['health', 'heath']],
    ['ocupational', ['occupational', 'occupation']],
    ['okupatonal', ['occupational']],
    ['napervile', ['naperville']],
    ['occ', ['occupation', 'occupational']],
    ['ktay', ['katy']],
    ['xqzvw', []],
    ['zzzzzzzzzzzz', []],
  ])('%s finds %j', (searched, words) => {
    expect(meant(searched)).toEqual(words)
  })

  test('the word itself ranks first, then words it begins, then words by edit distance', () => {
    const found = findSpellings('marin', ['martin', 'marina', 'marin', 'maarrin'])
    expect(found.map((spelling) => spelling.word)).toEqual(['marin', 'marina', 'martin'])
    expect(found[0]?.closeness).toBe(1)
    expect(found.every(({ closeness }) => closeness > 0 && closeness <= 1)).toBe(true)
    expect(found.map(({ closeness }) => closeness)).toEqual(
      found.map(({ closeness }) => closeness).toSorted((a, b) => b - a),
    )
  })

  test('numbers and short words are not matched by edits', () => {
    expect(meant('60542')).toEqual([])
    expect(meant('6054')).toEqual(['60540', '60541'])
    expect(meant('ts')).toEqual([])
    expect(meant('kat')).toEqual(['katy'])
    expect(meant('kta')).toEqual([])
  })

  test('only a limited number of words is returned, the shortest first', () => {
    const many = Array.from({ length: 300 }, (_, i) => `san${'x'.repeat(299 - i)}`)
    const found = meant('san', many)
    expect(found.length).toBe(MAX_SPELLINGS)
    expect(found[0]).toBe('san')
    expect(found.at(-1)).toBe(`san${'x'.repeat(MAX_SPELLINGS - 1)}`)
  })

  test('one edit is tolerated in any word of four letters or more', () => {
    fc.assert(
      fc.property(slip, ({ right, wrong }) => {
        fc.pre(wrong.length >= 4)
        expect(meant(wrong, [right])).toEqual([right])
      }),
    )
  })

  test('a word finds itself and no unlike word', () => {
    fc.assert(
      fc.property(word(1), word(1), (a, b) => {
        expect(findSpellings(a, [a])).toEqual([{ word: a, closeness: 1 }])
        const unlike = Math.abs(a.length - b.length) > 3 && !b.startsWith(a)
        expect(unlike ? meant(a, [b]) : []).toEqual([])
      }),
    )
  })
})

describe('Remnants of words', () => {
  test('the remnants are the word and its variants without one letter', () => {
    expect(remnantsOf('katy')).toEqual(['katy', 'aty', 'kty', 'kay', 'kat'])
    expect(remnantsOf('aaaa')).toEqual(['aaaa', 'aaa'])
    expect(remnantsOf('60540')).toEqual([])
    expect(remnantsOf('st')).toEqual([])
  })

  test('two words one edit apart share a remnant', () => {
    fc.assert(
      fc.property(slip, ({ right, wrong }) => {
        fc.pre(wrong.length >= 4)
        const shared = new Set(remnantsOf(right))
        expect(remnantsOf(wrong).some((remnant) => shared.has(remnant))).toBe(true)
      }),
    )
  })
})
