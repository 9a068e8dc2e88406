import { expect, test } from 'vitest'
import { timePage } from '../src/time-page.ts'
import { clinicCard, ORDER, timeView } from './given.ts'

const EXPIRES = new Date('2026-11-17T14:20:00Z')
const DAY = {
  date: '2026-11-17',
  isToday: true,
  hours: [['00:00', '24:00']],
  from: new Date('2026-11-17T13:00:00Z'),
  until: EXPIRES,
  isFull: false,
} as const

const shown = (expiresAt: Date | null, isToday: boolean) => {
  const walkInToday = { from: null, until: EXPIRES, arriveBy: DAY.from }
  const clinic = clinicCard({ open: { state: 'open', until: null }, walkInToday })
  const days = { days: [{ ...DAY, isToday }], week: 0, hasEarlier: false, hasLater: false, tooLate: null }
  const order = { ...ORDER, expiresAt }
  const view = timeView({ order, clinic, choice: 'slots', days, day: DAY.date })
  return timePage({ language: 'en', isChosen: false, path: '/o/s' }, view).replaceAll(/<[^>]*>|\s+/g, ' ')
}

test('a clinic that never closes can be visited until the deadline', () => {
  expect(shown(EXPIRES, true)).toMatch(/Walk in today, until 8:20.AM/)
  expect(shown(EXPIRES, false)).toMatch(/until 8:20/)
  expect(shown(null, true)).toContain('any time')
})
