import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  recordFailure,
  FIRST_WINDOW,
  narrowWindow,
  readSignal,
  widenWindow,
  type Breaker,
} from '../../../src/domain/webhooks/receivers.ts'

const CLOSED: Breaker = { failures: 0, openUntil: null, breakSeconds: 0 }
const NOW = new Date('2026-03-01T12:00:00Z')
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)

const failing = (times: number, breaker = CLOSED) => {
  let after: Breaker = breaker
  for (let i = 0; i < times; i++) after = recordFailure(after, NOW)
  return after
}

describe('the breaker (ruling 32)', () => {
  test('the breaker stays closed for four failures in a row and opens for 30 s at the fifth', () => {
    expect(failing(4)).toEqual({ failures: 4, openUntil: null, breakSeconds: 0 })
    expect(failing(5)).toEqual({ failures: 5, openUntil: later(30), breakSeconds: 30 })
  })

  test('the breaker opens for twice as long at each failed probe, up to ten minutes', () => {
    let breaker = failing(5)
    const breaks = Array.from({ length: 7 }, () => {
      const at = breaker.openUntil!
      breaker = recordFailure(breaker, at)
      return (breaker.openUntil!.getTime() - at.getTime()) / 1000
    })
    expect(breaks).toEqual([60, 120, 240, 480, 600, 600, 600])
  })

  test('a break is not prolonged by attempts in flight when the breaker opened', () => {
    expect(failing(20)).toEqual({ failures: 20, openUntil: later(30), breakSeconds: 30 })
  })

  test('the breaker never opens for less than 30 s or more than 10 min, whenever failures come', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 2_000 }), { minLength: 5, maxLength: 30 }), (gaps) => {
        let [breaker, seconds] = [CLOSED, 0]
        for (const gap of gaps) {
          seconds += gap
          const before = breaker
          breaker = recordFailure(breaker, later(seconds))
          if (breaker.openUntil === before.openUntil) continue
          const open = (breaker.openUntil!.getTime() - later(seconds).getTime()) / 1000
          expect(open).toBe(breaker.breakSeconds)
          expect(open).toBeGreaterThanOrEqual(30)
          expect(open).toBeLessThanOrEqual(600)
        }
        expect(breaker.openUntil).not.toBeNull()
      }),
    )
  })
})

describe('the signal of an attempt', () => {
  const answered = (status: number) => readSignal({ kind: 'answered', status, retryAfter: null })

  test.each([200, 204, 299, 410])('an attempt answered with %i is a success of the receiver', (status) => {
    expect(answered(status)).toBe('success')
  })

  test.each([302, 400, 404, 429, 500, 503])('an attempt answered with %i is a failure of the receiver', (status) => {
    expect(answered(status)).toBe('failure')
  })

  test('an attempt without a response is a failure, and one that could not be written is neither', () => {
    expect(readSignal({ kind: 'failed', error: 'timeout' })).toBe('failure')
    expect(readSignal({ kind: 'failed', error: 'unsendable' })).toBe('none')
  })
})

test('the window starts low, grows one by one up to 64 and halves down to one', () => {
  const grown = Array.from({ length: 100 }).reduce<number>(widenWindow, FIRST_WINDOW)
  expect([FIRST_WINDOW, widenWindow(FIRST_WINDOW), grown]).toEqual([2, 3, 64])
  expect([narrowWindow(64), narrowWindow(3), narrowWindow(1)]).toEqual([32, 1, 1])
})
