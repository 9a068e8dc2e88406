import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fold, wordsOf } from '../../src/domain/text.ts'

describe('Text as filters and orders compare it', () => {
  test.each([
    ['Acme', 'acme'],
    ['ÉCLAIR', 'éclair'],
    ['E\u0301clair', 'éclair'],
    ['東京', '東京'],
    ['  A  ', '  a  '],
    // A letter that has a code of its own in lower case only.
    ['T\u0308', '\u1e97'],
  ])('%j is folded to %j', (text, folded) => {
    expect(fold(text)).toBe(folded)
  })

  test('folding keeps accents', () => {
    expect(fold('Clínica')).not.toBe(fold('Clinica'))
  })

  test('folding is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(fold(fold(text))).toBe(fold(text))
      }),
    )
  })

  test('folding ignores case', () => {
    const letters = fc.array(fc.constantFrom('a', 'B', 'é', 'É', 'ñ', 'Ø', 'ж', 'Ω', '1', ' '))
    fc.assert(
      fc.property(letters, (text) => {
        expect(fold(text.join('').toUpperCase())).toBe(fold(text.join('').toLowerCase()))
      }),
    )
  })
})

describe('Words as search compares them', () => {
  test.each([
    ['Naperville Occupational Health', ['naperville', 'occupational', 'health']],
    ['Clínica del Valle', ['clinica', 'del', 'valle']],
    ["O'Hare", ['ohare']],
    ['O’Hare', ['ohare']],
    ['Keʻehi', ['keehi']],
    ['St. Vrain, Work-Health (24h)', ['st', 'vrain', 'work', 'health', '24h']],
    ['60540-1234', ['60540', '1234']],
    ['Walla Walla', ['walla']],
    ['ﬁt', ['fit']],
    ['東京 クリニック', ['東京', 'クリニック']],
    [' -- ', []],
    ['', []],
  ])('the words of %j are %j', (text, words) => {
    expect(wordsOf(text)).toEqual(words)
  })

  test('words are distinct lower-case letters and digits, and splitting them again changes nothing', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const words = wordsOf(text)
        for (const word of words) expect(word).toMatch(/^[\p{L}\p{N}]+$/u)
        expect(new Set(words).size).toBe(words.length)
        expect(wordsOf(words.join(' '))).toEqual(words)
        expect(wordsOf(text.normalize('NFD'))).toEqual(wordsOf(text.normalize('NFC')))
      }),
    )
  })
})
