import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { editDistance } from '../../../src/domain/places/edit-distance.ts'
import { searchPlace } from '../../../src/domain/places/place-search.ts'

describe('the edit distance', () => {
  test.each([
    ['aurora', 'aurora', 0],
    ['aurroa', 'aurora', 1],
    ['arora', 'aurora', 1],
    ['aurorra', 'aurora', 1],
    ['autora', 'aurora', 1],
    ['napervile', 'naperville', 1],
    ['', 'ab', 2],
  ])('from %s to %s it is %i', (one, other, distance) => {
    expect(editDistance(one, other, 2)).toBe(distance)
  })

  test('it is symmetric, and more than the limit is only told as more', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', 'c'), maxLength: 8 })
    fc.assert(
      fc.property(word, word, (one, other) => {
        const distance = editDistance(one, other, 99)
        expect(editDistance(other, one, 99)).toBe(distance)
        expect(editDistance(one, other, 2)).toBe(Math.min(distance, 3))
      }),
    )
  })
})

describe('a place that somebody typed', () => {
  const named = (line: string, homes: string[] = ['IL']) => searchPlace(line, homes)?.name
  test.each([
    ['Napervile il', 'Naperville, IL'],
    ['naperville', 'Naperville, IL'],
    ['Arora', 'Aurora, IL'],
    ['Fort Wort TX', 'Fort Worth, TX'],
    ['12 Main St, Aurroa CO', 'Aurora, CO'],
    ['New Yrok', 'New York, NY'],
    ['Naperville, IL 60563', 'Naperville, IL'],
    ['60563', '60563'],
    ['Naperville TX', 'Naperville, IL'],
    ['1200 Ogden Avenue Naperville', 'Naperville, IL'],
    ['12 Main Street, Dallas', 'Dallas, TX'],
    // The postal code decides where it is, so the town is not named.
    ['Naperville IL 75201', 'Naperville IL 75201'],
  ])('%j is understood as %j', (line, name) => {
    expect(named(line)).toBe(name)
  })

  test('a town in a home state comes first, then the largest', () => {
    expect(searchPlace('Springfield', ['OR'])).toMatchObject({
      name: 'Springfield, OR',
      others: ['Springfield, MA', 'Springfield, MO', 'Springfield, IL', 'Springfield, OH'],
    })
    expect(named('Springfeild', [])).toBe('Springfield, MA')
    expect(searchPlace('Springfield MO', ['IL'])).toMatchObject({ name: 'Springfield, MO', others: [] })
  })

  test.each(['', 'x', '?', 'Atlantis ZZ', 'Qwertzuiop', 'near me', 'at my home', '12 Main Street', '00000'])(
    '%j is no place',
    (line) => {
      expect(searchPlace(line, ['IL'])).toBeNull()
    },
  )
})
