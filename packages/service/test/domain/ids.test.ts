import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeId, orderIdOf, serviceIdOf } from '../../src/domain/ids.ts'

const zeros = (bytes: number) => Buffer.alloc(bytes)
const ones = (bytes: number) => Buffer.alloc(bytes, 0xff)
const moment = fc.date({ min: new Date(0), max: new Date(2 ** 48 - 1), noInvalidDate: true })
const chance = fc.uint8Array({ minLength: 16, maxLength: 16, max: 31 }).map((bytes) => () => Buffer.from(bytes))

describe('Order ids', () => {
  test('an id has a prefix, the time and random bits', () => {
    expect(makeId('ord', new Date(0), zeros)).toBe('ord_00000000000000000000000000')
    expect(makeId('evt', new Date(1), zeros)).toBe('evt_00000000010000000000000000')
    expect(makeId('cbk', new Date(0), ones)).toBe('cbk_0000000000zzzzzzzzzzzzzzzz')
    expect(makeId('dlv', new Date(2 ** 48 - 1), ones)).toBe('dlv_7zzzzzzzzzzzzzzzzzzzzzzzzz')
  })

  test('the id of an order is derived from the ids of its services', () => {
    const order = makeId('ord', new Date(), zeros)
    expect(orderIdOf(serviceIdOf(order, 1))).toBe(order)
    expect(orderIdOf(serviceIdOf(order, 12))).toBe(order)
    for (const other of ['', order, 'osv_1', `osv_${order}_1`, `${serviceIdOf(order, 1)}x`]) {
      expect(orderIdOf(other)).toBeUndefined()
    }
  })

  test('an id encodes the time like a ULID', () => {
    expect(makeId('cbk', new Date(1_469_918_176_385), zeros)).toBe('cbk_01aryz6s410000000000000000')
  })

  test('an id has 26 characters of Crockford base 32, which are not confusable', () => {
    fc.assert(
      fc.property(moment, chance, (now, random) => {
        expect(makeId('ord', now, random)).toMatch(/^ord_[0-7][0-9a-hjkmnp-tv-z]{25}$/)
      }),
    )
  })

  test('ids sort by time, whatever the random bits', () => {
    fc.assert(
      fc.property(moment, moment, chance, chance, (a, b, one, other) => {
        fc.pre(a.getTime() !== b.getTime())
        expect(makeId('ord', a, one) < makeId('ord', b, other)).toBe(a.getTime() < b.getTime())
      }),
    )
  })

  test('ids of the same moment differ in their random bits', () => {
    fc.assert(
      fc.property(moment, chance, chance, (now, one, other) => {
        expect(makeId('ord', now, one) === makeId('ord', now, other)).toBe(one().equals(other()))
      }),
    )
  })
})
