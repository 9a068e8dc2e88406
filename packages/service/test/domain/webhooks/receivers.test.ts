import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  afterFailure,
  FIRST_WINDOW,
  narrowed,
  tells,
  widened,
  type Health,
} from '../../../src/domain/webhooks/receivers.ts'

const WELL: Health = { failures: 0, openUntil: null, closedFor: 0 }
const NOW = new Date('2026-03-01T12:00:00Z')
const later = (seconds: number) => new Date(NOW.getTime() + seconds * 1000)

const failing = (times: number, health = WELL) => {
  let after: Health = health
  for (let i = 0; i < times; i++) after = afterFailure(after, NOW)
  return after
}

describe('the breaker (ruling 32)', () => {
  test('stays closed for four failures in a row and opens for 30 s at the fifth', () => {
    expect(failing(4)).toEqual({ failures: 4, openUntil: null, closedFor: 0 })
    expect(failing(5)).toEqual({ failures: 5, openUntil: later(30), closedFor: 30 })
  })

  test('opens for twice as long at each failed probe, up to ten minutes', () => {
    let health = failing(5)
    const breaks = Array.from({ length: 7 }, () => {
      const at = health.openUntil!
      health = afterFailure(health, at)
      return (health.openUntil!.getTime() - at.getTime()) / 1000
    })
    expect(breaks).toEqual([60, 120, 240, 480, 600, 600, 600])
  })

  test('is not prolonged by attempts that were under way when it opened', () => {
    expect(failing(20)).toEqual({ failures: 20, openUntil: later(30), closedFor: 30 })
  })

  test('never opens for less than 30 s or more than 10 min, whenever failures come', () => {
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 2_000 }), { minLength: 5, maxLength: 30 }), (gaps) => {
        let [health, seconds] = [WELL, 0]
        for (const gap of gaps) {
          seconds += gap
          const before = health
          health = afterFailure(health, later(seconds))
          if (health.openUntil === before.openUntil) continue
          const open = (health.openUntil!.getTime() - later(seconds).getTime()) / 1000
          expect(open).toBe(health.closedFor)
          expect(open).toBeGreaterThanOrEqual(30)
          expect(open).toBeLessThanOrEqual(600)
        }
        expect(health.openUntil).not.toBeNull()
      }),
    )
  })
})

describe('an attempt', () => {
  const answered = (status: number) => tells({ kind: 'answered', status, retryAfter: null })

  test.each([200, 204, 299, 410])('answered with %i tells that the receiver is well', (status) => {
    expect(answered(status)).toBe('well')
  })

  test.each([302, 400, 404, 429, 500, 503])('answered with %i tells that it is not', (status) => {
    expect(answered(status)).toBe('unwell')
  })

  test('without an answer tells so too, but not one that could not be written', () => {
    expect(tells({ kind: 'failed', error: 'timeout' })).toBe('unwell')
    expect(tells({ kind: 'failed', error: 'unsendable' })).toBe('nothing')
  })
})

test('requests at once start low, grow one by one up to 64 and halve down to one', () => {
  const grown = Array.from({ length: 100 }).reduce<number>(widened, FIRST_WINDOW)
  expect([FIRST_WINDOW, widened(FIRST_WINDOW), grown]).toEqual([2, 3, 64])
  expect([narrowed(64), narrowed(3), narrowed(1)]).toEqual([32, 1, 1])
})
