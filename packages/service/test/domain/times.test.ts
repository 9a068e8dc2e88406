import { expect, test } from 'vitest'
import { isoOf } from '../../src/domain/times.ts'

const DAY_MS = 86_400_000

test('a time has the text that toISOString gives it', () => {
  const times = [0, -1, 1, 999, 1_000, 59_999, 3_599_999, DAY_MS - 1, DAY_MS, -DAY_MS, 8.64e15, -8.64e15]
  for (let n = 0; n < 3_000; n++) times.push(Date.UTC(1890, 0, 1) + n * 1_618_033_989)
  for (const time of times) expect(isoOf(new Date(time))).toBe(new Date(time).toISOString())
})

test('an invalid date throws a RangeError', () => {
  expect(() => isoOf(new Date(Number.NaN))).toThrow(RangeError)
})
