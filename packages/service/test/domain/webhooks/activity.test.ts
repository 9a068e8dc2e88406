import { expect, test } from 'vitest'
import { firstHalfHour, halfHourOf, spreadDay } from '../../../src/domain/webhooks/activity.ts'

const NOW = new Date('2026-03-02T15:47:12.345Z')

test('half hours begin at full and half hours', () => {
  expect(halfHourOf(NOW).toISOString()).toBe('2026-03-02T15:30:00.000Z')
  expect(halfHourOf(new Date('2026-03-02T15:29:59.999Z')).toISOString()).toBe('2026-03-02T15:00:00.000Z')
  expect(firstHalfHour(NOW, 48).toISOString()).toBe('2026-03-01T16:00:00.000Z')
})

test('a day has a zero for every half hour without attempts, and leaves out what is older', () => {
  const halfHours = [
    { beganAt: new Date('2026-03-02T14:00:00Z'), delivered: 9, failed: 9 },
    { beganAt: new Date('2026-03-02T14:30:00Z'), delivered: 3, failed: 0 },
    { beganAt: new Date('2026-03-02T15:30:00Z'), delivered: 1, failed: 2 },
  ]
  expect(spreadDay(halfHours, { now: NOW, count: 3 })).toEqual({
    from: new Date('2026-03-02T14:30:00Z'),
    delivered: [3, 0, 1],
    failed: [0, 0, 2],
  })
})
