import { randomInt } from 'node:crypto'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hashSecret, isDamaged, makeSecret, TOKEN_PREFIX } from '../../../src/domain/access/tokens.ts'

const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const VISIBLE = Array.from({ length: 94 }, (_, i) => String.fromCharCode(33 + i))
const secret = fc.array(fc.nat(61), { minLength: 32, maxLength: 32 }).map((numbers) => {
  const left = numbers.values()
  return makeSecret(() => left.next().value!)
})

describe('Secrets of issued tokens', () => {
  test('a secret is a prefix, 32 random characters and a checksum of 6', () => {
    fc.assert(
      fc.property(secret, (made) => {
        expect(made).toMatch(/^otsk_[0-9A-Za-z]{38}$/)
      }),
    )
  })

  test('secrets use the whole alphabet, each character drawn from its full range', () => {
    const limits = new Set<number>()
    const made = Array.from({ length: 200 }, () =>
      makeSecret((limit) => {
        limits.add(limit)
        return randomInt(limit)
      }),
    )
    expect([...limits]).toEqual([62])
    const chance = new Set(made.flatMap((each) => Array.from(each.slice(5, 37))))
    expect([...chance].toSorted().join('')).toBe(ALPHABET)
    expect(new Set(made).size).toBe(200)
  })

  test('a new secret is not damaged', () => {
    fc.assert(
      fc.property(secret, (made) => {
        expect(isDamaged(made)).toBe(false)
      }),
    )
  })

  test('a change of any single character after the prefix is detected', () => {
    fc.assert(
      fc.property(secret, (made) => {
        const places = Array.from({ length: 38 }, (_, i) => TOKEN_PREFIX.length + i)
        const changed = places.flatMap((i) =>
          VISIBLE.filter((other) => other !== made[i]).map((other) => made.slice(0, i) + other + made.slice(i + 1)),
        )
        expect(changed.length).toBe(38 * 93)
        expect(changed.filter((each) => !isDamaged(each))).toEqual([])
      }),
      { numRuns: 10 },
    )
  })

  test('a lost, doubled or swapped character is detected', () => {
    fc.assert(
      fc.property(secret, fc.integer({ min: TOKEN_PREFIX.length, max: 42 }), (made, i) => {
        expect(isDamaged(made.slice(0, i) + made.slice(i + 1))).toBe(true)
        expect(isDamaged(made.slice(0, i) + made[i] + made.slice(i))).toBe(true)
        const swapped = made.slice(0, i) + (made[i + 1] ?? '') + made[i] + made.slice(i + 2)
        expect(isDamaged(swapped)).toBe(swapped !== made)
      }),
    )
  })

  test('a truncated secret is detected', () => {
    fc.assert(
      fc.property(secret, (made) => {
        for (let length = TOKEN_PREFIX.length; length < made.length; length++)
          expect(isDamaged(made.slice(0, length))).toBe(true)
      }),
      { numRuns: 10 },
    )
  })

  test('a string without our prefix is never reported as damaged', () => {
    for (const other of ['', 'demo-token-full-scope-0001', 'OTSK_0', 'otsk-1234', ' otsk_'])
      expect(isDamaged(other)).toBe(false)
  })

  test('a secret is stored as its SHA-256 hash', () => {
    expect(hashSecret('abc').toString('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
  })
})
