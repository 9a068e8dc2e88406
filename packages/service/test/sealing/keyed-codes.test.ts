import { createCipheriv, createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { hashWith, prefixCodeWith } from '../../src/store/sealing/keyed-codes.ts'

const KEY = Buffer.from('0123456789abcdef0123456789abcdef')

// Longer and shorter texts in turn: nothing of one may remain for the next.
const TEXTS = [
  '',
  'a',
  'HR4471',
  'é'.repeat(40),
  '536-22-8841',
  '日本'.repeat(200),
  '\uD800',
  '😀😀',
  'x'.repeat(400),
  'b',
]

describe('keyed codes', () => {
  test('a hash is the beginning of HMAC-SHA-256', () => {
    const hash = hashWith(KEY)
    for (const text of [...TEXTS, ...TEXTS])
      expect(hash(text)).toBe(createHmac('sha256', KEY).update(text).digest().readBigUInt64BE() >> 1n)
  })

  test('a code has two bytes of each block in CBC mode, with the salt as initialization vector', () => {
    const code = prefixCodeWith(KEY)
    for (const salt of [0n, 1n, 2n ** 62n + 12_345n])
      for (const text of [...TEXTS, ...TEXTS]) expect(code(text, salt)).toEqual(codeOf(text, salt))
  })
})

function codeOf(text: string, salt: bigint): Buffer {
  const characters = Array.from(text).slice(0, 32)
  const blocks = characters.map((character) =>
    Buffer.concat([Buffer.from(character), Buffer.alloc(16)]).subarray(0, 16),
  )
  const iv = Buffer.alloc(16)
  iv.writeBigInt64BE(salt)
  const encrypted = createCipheriv('aes-256-cbc', KEY, iv).setAutoPadding(false).update(Buffer.concat(blocks))
  return Buffer.concat(characters.map((_, i) => encrypted.subarray(i * 16, i * 16 + 2)))
}
