import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { decideNext, type FailureClass, type Outcome, type Progress } from '../../../src/domain/webhooks/retry.ts'

const MINUTE = 60
const HOUR = 3600
/** As ruled: attempts after these waits. */
const SCHEDULE = [
  0,
  5,
  30,
  ...[2, 5, 10, 15, 25].map((minutes) => minutes * MINUTE),
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * HOUR),
]
const NOW = new Date('2026-03-01T12:00:00Z')
const BUSY = [429, 502, 503, 504]

const answered = (status: number, retryAfter: string | null = null): Outcome => ({
  kind: 'answered',
  status,
  retryAfter,
})
const failed = (error: FailureClass = 'timeout'): Outcome => ({ kind: 'failed', error })
const v2 = (attempts: number): Progress => ({ attempts, version: 'v2' })
const v1 = (attempts: number, secondsAgo?: number): Progress => ({
  attempts,
  version: 'v1',
  ...(secondsAgo === undefined ? {} : { since: new Date(NOW.getTime() - secondsAgo * 1000) }),
})

/** The seconds until the next attempt, or what became of the delivery instead. */
function wait(outcome: Outcome, tried: Progress, { schedule = SCHEDULE, jitter = 0 } = {}): number | string {
  const verdict = decideNext(outcome, tried, { schedule }, NOW, jitter)
  return verdict.state === 'retry' ? (verdict.at.getTime() - NOW.getTime()) / 1000 : verdict.state
}

describe('the outcome of an attempt', () => {
  test('any 2xx status delivers', () => {
    fc.assert(
      fc.property(fc.integer({ min: 200, max: 299 }), fc.integer({ min: 1, max: 14 }), (status, attempts) => {
        expect(wait(answered(status), v2(attempts))).toBe('delivered')
        expect(wait(answered(status), v1(attempts, 2 * HOUR))).toBe('delivered')
      }),
    )
  })

  test('status 410 ends the registration in both versions', () => {
    expect(wait(answered(410), v2(1))).toBe('gone')
    expect(wait(answered(410), v1(1))).toBe('gone')
  })

  test.each([301, 302, 303, 307, 308, 304, 400, 401, 404, 409, 422, 500, 501, 505])(
    'a delivery answered with %i is retried',
    (status) => {
      expect(wait(answered(status), v2(1))).toBe(5)
    },
  )

  test.each<FailureClass>(['dns', 'forbiddenAddress', 'connect', 'tls', 'timeout', 'reset', 'badAnswer', 'unsendable'])(
    'a delivery whose attempt failed with %s is retried',
    (error) => {
      expect(wait(failed(error), v2(1))).toBe(5)
    },
  )
})

describe('the retry schedule', () => {
  test('a v2 delivery follows the schedule to its end', () => {
    const waits = SCHEDULE.map((_, made) => wait(failed(), v2(made + 1)))
    expect(waits).toEqual([...SCHEDULE.slice(1), 'failed'])
  })

  test('a v1 delivery ends within the hour: after eight attempts, 57 m 35 s after the first', () => {
    const waits = SCHEDULE.map((_, made) => wait(failed(), v1(made + 1)))
    expect(waits.slice(0, 8)).toEqual([...SCHEDULE.slice(1, 8), 'failed'])
    expect(new Set(waits.slice(8))).toEqual(new Set(['failed']))
    expect(SCHEDULE.slice(0, 8).reduce((sum, seconds) => sum + seconds)).toBe(57 * MINUTE + 35)
  })

  test('the schedule is configurable down to fractions of a second', () => {
    expect(wait(failed(), v2(1), { schedule: [0, 0.1] })).toBe(0.1)
    expect(wait(failed(), v2(2), { schedule: [0, 0.1] })).toBe('failed')
    expect(wait(failed(), v1(1), { schedule: [0, HOUR] })).toBe(HOUR)
    expect(wait(failed(), v1(1), { schedule: [0, HOUR + 1] })).toBe('failed')
  })

  test('waits are lengthened by up to a tenth and never shortened', () => {
    expect(wait(failed(), v2(2), { jitter: 1 })).toBeCloseTo(33, 2)
    const jitters = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 13 }), jitters, jitters, (attempts, a, b) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)].map((jitter) => wait(failed(), v2(attempts), { jitter }))
        const planned = SCHEDULE[attempts]!
        expect(less).toBeGreaterThanOrEqual(planned)
        expect(more).toBeGreaterThanOrEqual(less as number)
        expect(more).toBeLessThanOrEqual(planned * 1.1 + 0.001)
      }),
    )
  })
})

describe('a busy receiver (429, 502, 503, 504)', () => {
  test.each(BUSY)('status %i waits at least a minute, however short the schedule', (status) => {
    expect(wait(answered(status), v2(1))).toBe(60)
    expect(wait(answered(status), v2(1), { schedule: [0, 0.1] })).toBe(60)
    expect(wait(answered(status), v2(4))).toBe(5 * MINUTE)
  })

  test.each(BUSY)('status %i honours Retry-After in seconds or as a date', (status) => {
    expect(wait(answered(status, '90'), v2(1))).toBe(90)
    expect(wait(answered(status, 'Sun, 01 Mar 2026 12:02:00 GMT'), v2(1))).toBe(120)
    expect(wait(answered(status, 'Sunday, 01-Mar-26 12:02:00 GMT'), v2(1))).toBe(120)
  })

  test('Retry-After lengthens the wait and never shortens it', () => {
    expect(wait(answered(503, '5'), v2(1))).toBe(60)
    expect(wait(answered(503, '90'), v2(4))).toBe(5 * MINUTE)
  })

  test.each([
    '',
    '0',
    '-5',
    '1.5',
    'soon',
    '2026-03-01T12:05:00Z',
    'Sun, 01 Mar 2026 11:00:00 GMT',
    'never GMT',
    '1e9',
    '0x10',
  ])('an invalid Retry-After is ignored: %j', (retryAfter) => {
    expect(wait(answered(503, retryAfter), v2(1))).toBe(60)
  })

  test.each(['86401', '999999999999999999999999', 'Sun, 01 Mar 2099 12:00:00 GMT'])(
    'a Retry-After of more than a day waits a day: %s',
    (retryAfter) => {
      expect(wait(answered(503, retryAfter), v2(1))).toBe(24 * HOUR)
    },
  )

  test('Retry-After is ignored for other statuses', () => {
    expect(wait(answered(500, '600'), v2(1))).toBe(5)
    expect(wait(answered(302, '600'), v2(1))).toBe(5)
  })

  test('no Retry-After delays a retry beyond its scheduled wait or a day', () => {
    const anyText = fc.oneof(
      fc.string(),
      fc.nat().map(String),
      fc.date({ noInvalidDate: true }).map((d) => d.toUTCString()),
    )
    fc.assert(
      fc.property(
        fc.constantFrom(...BUSY),
        anyText,
        fc.integer({ min: 1, max: 13 }),
        (status, retryAfter, attempts) => {
          const seconds = wait(answered(status, retryAfter), v2(attempts))
          expect(seconds).toBeGreaterThanOrEqual(Math.max(60, SCHEDULE[attempts]!))
          expect(seconds).toBeLessThanOrEqual(Math.max(24 * HOUR, SCHEDULE[attempts]!))
        },
      ),
    )
  })
})

describe('the hour of v1', () => {
  test('Retry-After does not delay a v1 retry past the hour: the last attempt comes at its end', () => {
    expect(wait(answered(503, '3000'), v1(1, 1))).toBe(3000)
    expect(wait(answered(503, '3000'), v1(2, 3001))).toBe(HOUR - 3001)
    expect(wait(answered(429, '999999'), v1(1, 1), { jitter: 1 })).toBe(HOUR - 1)
    expect(wait(answered(503, '3000'), v1(3, HOUR))).toBe('failed')
  })

  test('a v1 delivery to a busy receiver ends when less than a minute of the hour is left', () => {
    expect(wait(answered(503), v1(7, HOUR - 60))).toBe(60)
    expect(wait(answered(503), v1(7, HOUR - 59))).toBe('failed')
    expect(wait(answered(503, '3000'), v1(2, HOUR - 59))).toBe('failed')
  })

  test('no v1 retry is scheduled after the hour', () => {
    expect(wait(failed(), v1(1, HOUR))).toBe('failed')
    expect(wait(failed(), v1(1, 5 * HOUR))).toBe('failed')
  })

  test('jitter does not cost the last v1 attempt of the hour', () => {
    expect(wait(failed(), v1(7, 2150), { jitter: 1 })).toBe(HOUR - 2150)
  })

  test('no v1 retry passes the hour for any response, schedule and jitter', () => {
    const busy = fc.tuple(fc.constantFrom(...BUSY, 500, 302), fc.nat({ max: 5000 }))
    const outcomes = fc.oneof(
      fc.constant(failed()),
      busy.map(([status, seconds]) => answered(status, `${seconds}`)),
    )
    const schedules = fc.array(fc.nat({ max: 3000 }), { minLength: 1, maxLength: 20 }).map((rest) => [0, ...rest])
    const jitters = fc.double({ min: 0, max: 1, noNaN: true })
    fc.assert(
      fc.property(fc.array(outcomes, { minLength: 20 }), schedules, jitters, (answers, schedule, jitter) => {
        let now = NOW
        for (const [made, answer] of answers.entries()) {
          const verdict = decideNext(
            answer,
            { attempts: made + 1, version: 'v1', since: NOW },
            { schedule },
            now,
            jitter,
          )
          if (verdict.state !== 'retry') return
          expect(verdict.at.getTime()).toBeGreaterThanOrEqual(now.getTime())
          expect(verdict.at.getTime()).toBeLessThanOrEqual(NOW.getTime() + HOUR * 1000)
          now = verdict.at
        }
      }),
    )
  })
})
