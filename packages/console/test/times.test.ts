import { describe, expect, test } from 'vitest'
import { en } from '../src/languages/en.ts'
import { duration, toInstant, toLocal } from '../src/parts/times.ts'

describe('times of a zone', () => {
  test.each([
    ['2026-11-19T09:15', 'America/Chicago', '2026-11-19T15:15:00.000Z'],
    ['2026-07-19T09:15', 'America/Chicago', '2026-07-19T14:15:00.000Z'],
    ['2026-11-19T09:15', 'Pacific/Honolulu', '2026-11-19T19:15:00.000Z'],
    // The day on which summer time ends, before and after the change.
    ['2026-11-01T00:30', 'America/Chicago', '2026-11-01T05:30:00.000Z'],
    ['2026-11-01T12:00', 'America/Chicago', '2026-11-01T18:00:00.000Z'],
  ])('%s in %s is %s, and back', (local, zone, instant) => {
    expect(toInstant(local, zone)).toBe(instant)
    expect(toLocal(new Date(instant), zone)).toBe(local)
  })
})

test.each([
  [30_000, 'now'],
  [38 * 60_000, '38 min'],
  [3 * 3_600_000 + 2 * 60_000, '3 h 2 m'],
  [98 * 3_600_000, '4 d 2 h'],
])('%d ms read %s', (ms, text) => {
  expect(duration(en, ms)).toBe(text)
})
