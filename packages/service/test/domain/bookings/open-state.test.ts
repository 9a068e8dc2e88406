import { describe, expect, test } from 'vitest'
import { driveMinutes } from '../../../src/domain/bookings/drive-time.ts'
import { readHours, type WeekHours } from '../../../src/domain/bookings/clinic-hours.ts'
import {
  isReachable,
  nextOpening,
  openState,
  opensSaturdays,
  walkInToday,
} from '../../../src/domain/bookings/open-state.ts'

const CHICAGO = 'America/Chicago'
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const WEEKDAYS = readHours(
  Object.fromEntries(
    DAYS.slice(1, 6).map((day) => [
      day,
      [
        ['08:00', '12:00'],
        ['13:00', '17:00'],
      ],
    ]),
  ),
)
const ALWAYS = readHours(Object.fromEntries(DAYS.map((day) => [day, [['00:00', '24:00']]])))
const at = (text: string) => new Date(text)
const state = (
  now: string,
  deadline: string | null = null,
  hours: WeekHours | null = WEEKDAYS,
  zone: string | null = CHICAGO,
) => openState(hours, zone, at(now), deadline === null ? null : at(deadline))

describe('whether a clinic is open', () => {
  test('an open clinic is open until its next closing, local time', () => {
    expect(state('2027-03-02T14:00:00Z')).toEqual({ state: 'open', until: at('2027-03-02T18:00:00Z') })
    expect(state('2027-03-02T22:59:00Z')).toEqual({ state: 'open', until: at('2027-03-02T23:00:00Z') })
  })

  test('a closed clinic opens later the same day, the next day, or after the weekend', () => {
    expect(state('2027-03-02T18:00:00Z')).toEqual({ state: 'opens', at: at('2027-03-02T19:00:00Z') })
    expect(state('2027-03-02T23:00:00Z')).toEqual({ state: 'opens', at: at('2027-03-03T14:00:00Z') })
    expect(state('2027-03-05T23:00:00Z')).toEqual({ state: 'opens', at: at('2027-03-08T14:00:00Z') })
    expect(nextOpening(WEEKDAYS, CHICAGO, at('2027-03-05T23:00:00Z'))).toEqual(at('2027-03-08T14:00:00Z'))
    expect(nextOpening(WEEKDAYS, CHICAGO, at('2027-03-05T15:00:00Z'))).toBeNull()
  })

  test('a clinic that is closed until the deadline opens too late', () => {
    const opens = at('2027-03-08T14:00:00Z')
    expect(state('2027-03-05T23:00:00Z', '2027-03-08T14:00:00Z')).toEqual({ state: 'tooLate', at: opens })
    expect(state('2027-03-05T23:00:00Z', '2027-03-08T14:00:01Z')).toEqual({ state: 'opens', at: opens })
    expect(state('2027-03-05T22:00:00Z', '2027-03-08T14:00:00Z')).toMatchObject({ state: 'open' })
  })

  test('a clinic without any hours never opens, and unknown hours say nothing', () => {
    expect(state('2027-03-05T23:00:00Z', null, readHours({ mon: [] }))).toEqual({ state: 'tooLate', at: null })
    expect(state('2027-03-05T23:00:00Z', null, null)).toEqual({ state: 'unknown' })
    expect(state('2027-03-05T23:00:00Z', null, WEEKDAYS, null)).toEqual({ state: 'unknown' })
  })

  test('hours across midnight are one period, and a clinic that is always open does not close', () => {
    const night = readHours({ fri: [['20:00', '24:00']], sat: [['00:00', '03:00']] })
    expect(state('2027-03-06T04:00:00Z', null, night)).toEqual({ state: 'open', until: at('2027-03-06T09:00:00Z') })
    expect(state('2027-03-06T04:00:00Z', null, ALWAYS)).toEqual({ state: 'open', until: null })
  })

  test('opening times follow the clocks in spring and autumn', () => {
    expect(state('2027-03-13T15:00:00Z')).toEqual({ state: 'opens', at: at('2027-03-15T13:00:00Z') })
    expect(state('2027-11-06T15:00:00Z')).toEqual({ state: 'opens', at: at('2027-11-08T14:00:00Z') })
    const early = readHours({ sun: [['01:30', '03:30']] })
    // From the first 1:30 on, through the repeated hour.
    expect(state('2027-11-07T07:15:00Z', null, early)).toEqual({ state: 'open', until: at('2027-11-07T09:30:00Z') })
  })

  test('a clinic can be visited unless it opens too late', () => {
    const schedule = { hours: WEEKDAYS, zone: CHICAGO, slots: null, walkIns: true, appointments: false }
    const now = at('2027-03-05T23:00:00Z')
    expect(isReachable(schedule, { now, expiresAt: at('2027-03-08T14:00:00Z') })).toBe(false)
    expect(isReachable(schedule, { now, expiresAt: at('2027-03-08T15:00:00Z') })).toBe(true)
    expect(isReachable({ ...schedule, hours: null }, { now, expiresAt: at('2027-03-05T23:01:00Z') })).toBe(true)
  })

  test('a clinic opens on Saturdays if it has hours then', () => {
    expect(opensSaturdays(WEEKDAYS)).toBe(false)
    expect(opensSaturdays(ALWAYS)).toBe(true)
    expect(opensSaturdays(null)).toBe(false)
  })
})

describe('walking in today', () => {
  const walkIn = (now: string, expiresAt: string | null = null, members: object = {}) =>
    walkInToday(
      { hours: WEEKDAYS, zone: CHICAGO, slots: null, walkIns: true, appointments: false, ...members },
      { now: at(now), expiresAt: expiresAt === null ? null : at(expiresAt) },
    )

  test('people can walk in until the clinic closes, and should arrive 45 minutes before', () => {
    expect(walkIn('2027-03-02T15:00:00Z')).toEqual({
      from: null,
      until: at('2027-03-02T23:00:00Z'),
      arriveBy: at('2027-03-02T22:15:00Z'),
    })
    expect(walkIn('2027-03-02T22:40:00Z')?.arriveBy).toEqual(at('2027-03-02T22:40:00Z'))
  })

  test('before the clinic opens, or in its break, people can walk in later', () => {
    expect(walkIn('2027-03-02T12:00:00Z')).toMatchObject({ from: at('2027-03-02T14:00:00Z') })
    expect(walkIn('2027-03-02T18:30:00Z')).toMatchObject({ from: at('2027-03-02T19:00:00Z') })
  })

  test('people cannot walk in on a closed day, after closing, or after the deadline', () => {
    expect(walkIn('2027-03-06T15:00:00Z')).toBeNull()
    expect(walkIn('2027-03-02T23:00:00Z')).toBeNull()
    expect(walkIn('2027-03-02T15:00:00Z', '2027-03-02T16:00:00Z')).toMatchObject({ until: at('2027-03-02T16:00:00Z') })
    expect(walkIn('2027-03-02T12:00:00Z', '2027-03-02T13:00:00Z')).toBeNull()
  })

  test('people cannot walk in where only appointments are taken, or hours are unknown', () => {
    expect(walkIn('2027-03-02T15:00:00Z', null, { walkIns: false })).toBeNull()
    expect(walkIn('2027-03-02T15:00:00Z', null, { hours: null })).toBeNull()
    expect(walkIn('2027-03-02T15:00:00Z', null, { zone: null })).toBeNull()
  })
})

test.each([
  [0, 2],
  [0.8, 3],
  [16, 29],
  [35, 60],
  [36, 60],
  [40, 70],
  [218, 250],
])('a drive of %d miles takes about %d minutes', (miles, minutes) => {
  expect(driveMinutes(miles)).toBe(minutes)
})
