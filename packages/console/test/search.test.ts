import { describe, expect, test } from 'vitest'
import { joinWords, splitWords } from '../src/pages/orders/search.ts'

describe('a search for orders', () => {
  test.each(['p3@example.com', 'Dana Whitfield', '+1 303 555 0123', '1990-04-12'])(
    'keeps %s out of the address, and lists by it nevertheless',
    (q) => {
      const { address, words } = splitWords({ q, status: 'pending' })
      expect(JSON.stringify(address)).not.toContain(q)
      expect(address).toEqual({ status: 'pending' })
      expect(joinWords(address, words)).toEqual({ q, status: 'pending' })
    },
  )

  test('for a code stays in the address, as codes are written', () => {
    expect(splitWords({ q: 'k7m42qxd' })).toEqual({ address: { q: 'K7M4-2QXD' }, words: undefined })
  })

  test('by a code of the address wins over words that were searched before', () => {
    expect(joinWords({ q: 'K7M4-2QXD' }, 'Dana')).toEqual({ q: 'K7M4-2QXD' })
  })
})
