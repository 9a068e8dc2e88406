import { describe, expect, test } from 'vitest'
import {
  readAppointmentTime,
  isOpenWithin,
  latestAppointment,
  readHours,
} from '../../../src/domain/bookings/clinic-hours.ts'
import { localTime } from '../../../src/domain/places/zones.ts'

const NOW = new Date('2027-03-01T12:00:00Z')
const CHICAGO = 'America/Chicago'
const WEEKDAYS = readHours({
  mon: [
    ['08:00', '12:00'],
    ['13:00', '17:00'],
  ],
  tue: [['00:00', '24:00']],
})
const at = (date: string, time: string, hours = WEEKDAYS, timezone = CHICAGO, expiresAt: Date | null = null) =>
  readAppointmentTime({ date, time }, { hours, timezone }, { now: NOW, expiresAt })
const utc = (found: ReturnType<typeof at>) => (found instanceof Date ? found.toISOString() : found)

describe('hours', () => {
  test('hours are read by day, and days without an entry are closed', () => {
    expect(readHours({ mon: [['08:00', '17:00']], Sunday: [] })).toEqual([[], [['08:00', '17:00']], [], [], [], [], []])
  })

  test.each([
    null,
    'Mo-Fr 8-17',
    [],
    {},
    { mon: '8-17' },
    { mon: [['8', '17']] },
    { mon: [['17:00', '08:00']] },
    { mon: [['08:00', '25:00']] },
    { holidays: [] },
  ])('hours in any other form are unknown: %j', (given) => {
    expect(readHours(given)).toBeNull()
  })
})

describe('an appointment', () => {
  test('an appointment is in the local time of the clinic', () => {
    expect(utc(at('2027-03-08', '09:30'))).toBe('2027-03-08T15:30:00.000Z')
    // Daylight saving time begins on the 14th.
    expect(utc(at('2027-03-15', '09:30'))).toBe('2027-03-15T14:30:00.000Z')
  })

  test('an appointment in a skipped hour is an hour later; in a repeated hour it is in the first one', () => {
    expect(utc(at('2027-03-14', '02:30', null))).toBe('2027-03-14T08:30:00.000Z')
    const now = new Date('2027-11-01T00:00:00Z')
    const found = readAppointmentTime(
      { date: '2027-11-07', time: '01:30' },
      { hours: null, timezone: CHICAGO },
      { now, expiresAt: null },
    )
    expect(utc(found)).toBe('2027-11-07T06:30:00.000Z')
  })

  test('an appointment is between opening and just before closing', () => {
    for (const time of ['08:00', '11:59', '13:00', '16:59']) expect(at('2027-03-08', time)).toBeInstanceOf(Date)
    for (const time of ['07:59', '12:00', '12:30', '17:00'])
      expect(at('2027-03-08', time)).toEqual([{ field: 'time', fault: 'closed' }])
    expect(at('2027-03-09', '23:59')).toBeInstanceOf(Date)
    expect(at('2027-03-10', '09:00')).toEqual([{ field: 'time', fault: 'closed' }])
    expect(at('2027-03-10', '03:00', null)).toBeInstanceOf(Date)
  })

  test('an appointment is not in the past, after the order expires, or too far ahead', () => {
    expect(at('2027-03-01', '05:59', null)).toEqual([{ field: 'date', fault: 'past' }])
    expect(at('2027-03-01', '06:01', null)).toBeInstanceOf(Date)
    const expiresAt = new Date('2027-03-02T15:00:00Z')
    expect(at('2027-03-02', '09:01', null, CHICAGO, expiresAt)).toEqual([{ field: 'date', fault: 'tooLate' }])
    expect(at('2027-03-02', '09:00', null, CHICAGO, expiresAt)).toEqual([{ field: 'date', fault: 'tooLate' }])
    expect(at('2027-03-02', '08:59', null, CHICAGO, expiresAt)).toBeInstanceOf(Date)
    expect(at('2027-08-01', '09:00', null)).toEqual([{ field: 'date', fault: 'tooFar' }])
    expect(at('2027-08-01', '09:00', null, CHICAGO, new Date('2027-07-01'))).toEqual([
      { field: 'date', fault: 'tooFar' },
    ])
    expect(latestAppointment(NOW, expiresAt)).toEqual(expiresAt)
  })

  test('an appointment can be made up to 90 days ahead, as the pages say', () => {
    expect(latestAppointment(NOW, null).getTime() - NOW.getTime()).toBe(90 * 86_400_000)
  })

  test('an appointment needs a valid date and a valid time', () => {
    expect(at('', '')).toEqual([
      { field: 'date', fault: 'missing' },
      { field: 'time', fault: 'missing' },
    ])
    for (const date of ['2027-02-30', '03/08/2027', '2027-13-01', 'soon'])
      expect(at(date, '09:00')).toEqual([{ field: 'date', fault: 'wrong' }])
    for (const time of ['24:00', '9:00', '09:60', '09:00:00'])
      expect(at('2027-03-08', time)).toEqual([{ field: 'time', fault: 'wrong' }])
  })

  test('an instant is formatted in local time', () => {
    expect(localTime(new Date('2027-03-08T04:30:00Z'), CHICAGO)).toEqual({ date: '2027-03-07', time: '22:30' })
    expect(localTime(new Date('2027-03-08T06:05:00Z'), CHICAGO)).toEqual({ date: '2027-03-08', time: '00:05' })
  })
})

describe('whether a clinic is open before an order expires', () => {
  /** From a Thursday noon in Chicago. */
  const within = (
    expiresAt: string | null,
    hours = WEEKDAYS,
    timezone: string | null = CHICAGO,
    from = '2027-03-04T18:00Z',
  ) =>
    isOpenWithin(
      { hours, timezone },
      { now: new Date(from), expiresAt: expiresAt === null ? null : new Date(expiresAt) },
    )

  test('a clinic is open if any of its hours are left, in local time', () => {
    expect(within('2027-03-08T13:59Z')).toBe(false)
    expect(within('2027-03-08T14:00Z')).toBe(false)
    expect(within('2027-03-08T14:01Z')).toBe(true)
    expect(within('2027-03-20T00:00Z')).toBe(true)
    expect(within(null)).toBe(true)
  })

  test('a clinic is open on the last day until it closes', () => {
    const midnight = '2027-03-09T05:59Z'
    expect(within(midnight, WEEKDAYS, CHICAGO, '2027-03-08T22:59Z')).toBe(true)
    expect(within(midnight, WEEKDAYS, CHICAGO, '2027-03-08T23:00Z')).toBe(false)
    // Between two spans of the same day.
    expect(within(midnight, WEEKDAYS, CHICAGO, '2027-03-08T18:30Z')).toBe(true)
  })

  test('a clinic with unknown hours or time zone is open, unless it never opens', () => {
    expect(within('2027-03-04T18:01Z', null)).toBe(true)
    expect(within('2027-03-04T18:01Z', WEEKDAYS, null)).toBe(true)
    expect(within(null, readHours({ mon: [] }))).toBe(false)
    expect(within('2027-03-20T00:00Z', readHours({ mon: [] }))).toBe(false)
  })
})
