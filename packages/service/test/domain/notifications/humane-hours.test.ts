import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { atHumaneHour } from '../../../src/domain/notifications/humane-hours.ts'
import { planNotifications } from '../../../src/domain/notifications/plan.ts'
import { localTime } from '../../../src/domain/places/zones.ts'
import { orderOf } from '../../support/orders.ts'

const CHICAGO = 'America/Chicago'
const NEVER = new Date('2099-01-01T00:00:00Z')
const moved = (dueAt: string, remindsOf = NEVER, zone: string | null = CHICAGO) =>
  atHumaneHour(new Date(dueAt), remindsOf, zone).toISOString().slice(0, 16)

describe('reminders at humane hours', () => {
  test('a reminder between 8:00 and 20:00 stays', () => {
    for (const at of ['2027-02-02T14:00', '2027-02-02T18:34', '2027-02-03T02:00']) expect(moved(`${at}:00Z`)).toBe(at)
  })

  test('a reminder at night moves to nine the next morning', () => {
    expect(moved('2027-02-02T13:59:00Z')).toBe('2027-02-02T15:00')
    expect(moved('2027-02-03T02:01:00Z')).toBe('2027-02-03T15:00')
    expect(moved('2027-02-03T08:00:00Z')).toBe('2027-02-03T15:00')
  })

  test('a reminder that would then be late moves to seven the evening before', () => {
    const early = new Date('2027-02-03T14:30:00Z')
    expect(moved('2027-02-03T03:00:00Z', early)).toBe('2027-02-03T01:00')
    expect(moved('2027-02-03T11:00:00Z', early)).toBe('2027-02-03T01:00')
    expect(moved('2027-02-03T11:00:00Z', new Date('2027-02-03T15:00:00Z'))).toBe('2027-02-03T01:00')
    expect(moved('2027-02-03T11:00:00Z', new Date('2027-02-03T15:01:00Z'))).toBe('2027-02-03T15:00')
  })

  test('nine in the morning is nine on days when the clocks change', () => {
    expect(moved('2027-03-14T07:30:00Z')).toBe('2027-03-14T14:00')
    expect(moved('2027-03-14T04:30:00Z')).toBe('2027-03-14T14:00')
    expect(moved('2027-11-07T06:30:00Z')).toBe('2027-11-07T15:00')
    expect(moved('2027-11-07T11:00:00Z', new Date('2027-11-07T14:30:00Z'))).toBe('2027-11-07T00:00')
  })

  test('a reminder stays if the zone is unknown', () => {
    expect(moved('2027-02-02T08:00:00Z', NEVER, null)).toBe('2027-02-02T08:00')
  })

  test('a reminder is never at night and never after what it reminds of', () => {
    const minutes = fc.integer({ min: 0, max: 60 * 24 * 730 })
    const zones = fc.constantFrom(CHICAGO, 'America/Phoenix', 'America/St_Johns', 'Pacific/Honolulu')
    fc.assert(
      fc.property(minutes, fc.integer({ min: 1, max: 60 * 24 * 3 }), zones, (start, lead, zone) => {
        const dueAt = new Date(Date.UTC(2027, 0, 1) + start * 60_000)
        const event = new Date(dueAt.getTime() + lead * 60_000)
        const at = atHumaneHour(dueAt, event, zone)
        const { time } = localTime(at, zone)
        expect(time >= '08:00' && time <= '20:00').toBe(true)
        expect(at < event).toBe(true)
      }),
      { numRuns: 300 },
    )
  })

  test('planned reminders move, other notifications do not', () => {
    const now = new Date('2027-02-01T06:00:00Z')
    const order = orderOf({ createdAt: now, expiresAt: new Date('2027-02-10T05:59:00Z') })
    const facts = { zone: CHICAGO, informsClinic: () => false }
    const planned = planNotifications(null, order, now, facts).map(
      ({ kind, dueAt }) => `${kind} ${dueAt.toISOString().slice(0, 16)}`,
    )
    expect(planned).toEqual(['link 2027-02-01T06:00', 'reminder 2027-02-07T15:00', 'reminder 2027-02-09T15:00'])
  })

  test('a reminder whose time has passed is not planned, even if the next morning is ahead', () => {
    const now = new Date('2027-02-01T08:00:00Z')
    const order = orderOf({ createdAt: now, expiresAt: new Date('2027-02-02T07:59:00Z') })
    const facts = { zone: CHICAGO, informsClinic: () => false }
    expect(planNotifications(null, order, now, facts).map(({ kind }) => kind)).toEqual(['link'])
  })
})
