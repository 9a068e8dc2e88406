import { describe, expect, test } from 'vitest'
import {
  readAppointmentTime,
  isOpenWithin,
  latestAppointment,
  localTime,
  readHours,
} from '../../../src/domain/bookings/clinic-hours.ts'

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
  test('are read as catalogs spell them, days that are not named being closed', () => {
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
  ])('in any other form are not known: %j', (given) => {
    expect(readHours(given)).toBeNull()
  })
})

describe('an appointment', () => {
  test('is at the time that the clocks of the clinic show', () => {
    expect(utc(at('2027-03-08', '09:30'))).toBe('2027-03-08T15:30:00.000Z')
    // Clocks are put forward on the 14th.
    expect(utc(at('2027-03-15', '09:30'))).toBe('2027-03-15T14:30:00.000Z')
  })

  test('in the hour that clocks skip is an hour later; in the one that they repeat, the first', () => {
    expect(utc(at('2027-03-14', '02:30', null))).toBe('2027-03-14T08:30:00.000Z')
    const now = new Date('2027-11-01T00:00:00Z')
    const found = readAppointmentTime(
      { date: '2027-11-07', time: '01:30' },
      { hours: null, timezone: CHICAGO },
      { now, expiresAt: null },
    )
    expect(utc(found)).toBe('2027-11-07T06:30:00.000Z')
  })

  test('is within the hours of the clinic: from opening until just before closing', () => {
    for (const time of ['08:00', '11:59', '13:00', '16:59']) expect(at('2027-03-08', time)).toBeInstanceOf(Date)
    for (const time of ['07:59', '12:00', '12:30', '17:00'])
      expect(at('2027-03-08', time)).toEqual([{ field: 'time', fault: 'closed' }])
    expect(at('2027-03-09', '23:59')).toBeInstanceOf(Date)
    expect(at('2027-03-10', '09:00')).toEqual([{ field: 'time', fault: 'closed' }])
    expect(at('2027-03-10', '03:00', null)).toBeInstanceOf(Date)
  })

  test('is neither in the past, nor after the order expires, nor in another season', () => {
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

  test('can be made 90 days ahead, as the pages say', () => {
    expect(latestAppointment(NOW, null).getTime() - NOW.getTime()).toBe(90 * 86_400_000)
  })

  test('is a date and a time', () => {
    expect(at('', '')).toEqual([
      { field: 'date', fault: 'missing' },
      { field: 'time', fault: 'missing' },
    ])
    for (const date of ['2027-02-30', '03/08/2027', '2027-13-01', 'soon'])
      expect(at(date, '09:00')).toEqual([{ field: 'date', fault: 'wrong' }])
    for (const time of ['24:00', '9:00', '09:60', '09:00:00'])
      expect(at('2027-03-08', time)).toEqual([{ field: 'time', fault: 'wrong' }])
  })

  test('is told in local time', () => {
    expect(localTime(new Date('2027-03-08T04:30:00Z'), CHICAGO)).toEqual({ date: '2027-03-07', time: '22:30' })
    expect(localTime(new Date('2027-03-08T06:05:00Z'), CHICAGO)).toEqual({ date: '2027-03-08', time: '00:05' })
  })
})

describe('a clinic is open before an order expires', () => {
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

  test('if there is a moment of its hours left, by its own clocks', () => {
    expect(within('2027-03-08T13:59Z')).toBe(false)
    expect(within('2027-03-08T14:00Z')).toBe(false)
    expect(within('2027-03-08T14:01Z')).toBe(true)
    expect(within('2027-03-20T00:00Z')).toBe(true)
    expect(within(null)).toBe(true)
  })

  test('on a last day until it closes', () => {
    const midnight = '2027-03-09T05:59Z'
    expect(within(midnight, WEEKDAYS, CHICAGO, '2027-03-08T22:59Z')).toBe(true)
    expect(within(midnight, WEEKDAYS, CHICAGO, '2027-03-08T23:00Z')).toBe(false)
    // Between its hours, of which some are still to come.
    expect(within(midnight, WEEKDAYS, CHICAGO, '2027-03-08T18:30Z')).toBe(true)
  })

  test('where hours or clocks are not known, unless it never opens', () => {
    expect(within('2027-03-04T18:01Z', null)).toBe(true)
    expect(within('2027-03-04T18:01Z', WEEKDAYS, null)).toBe(true)
    expect(within(null, readHours({ mon: [] }))).toBe(false)
    expect(within('2027-03-20T00:00Z', readHours({ mon: [] }))).toBe(false)
  })
})
