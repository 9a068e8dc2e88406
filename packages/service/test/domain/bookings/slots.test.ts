import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readHours } from '../../../src/domain/bookings/clinic-hours.ts'
import { scheduleOf } from '../../../src/domain/bookings/schedule.ts'
import {
  arrivalsOn,
  closestFree,
  daysFrom,
  hasKnownHours,
  hasPlace,
  isSlot,
  slotsOn,
  slotTimes,
} from '../../../src/domain/bookings/slots.ts'
import { localTime } from '../../../src/domain/places/zones.ts'

const CHICAGO = 'America/Chicago'
const ALL_DAY = [['00:00', '24:00']]
const DAYS = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const weekdays = (spans: string[][]) => Object.fromEntries(DAYS.slice(1, 6).map((day) => [day, spans]))
const always = Object.fromEntries(DAYS.map((day) => [day, ALL_DAY]))
const HALF_HOURS = { minutes: 30, capacity: 2 }

function clinic(hours: object, slots: typeof HALF_HOURS | null = HALF_HOURS, zone = CHICAGO) {
  const schedule = scheduleOf({ hours, timezone: zone, point: null, address: null, walkIns: null, slots })
  if (!hasKnownHours(schedule)) throw new Error('The hours are unknown.')
  return schedule
}

/** From a Tuesday morning in Chicago. */
const NOW = new Date('2027-03-02T14:10:00Z')
const window = (expiresAt: string | null = null, now = NOW) => ({
  now,
  expiresAt: expiresAt ? new Date(expiresAt) : null,
})
const times = (date: string, schedule = clinic(weekdays([['08:00', '17:00']])), within = window()) =>
  slotTimes(date, schedule, schedule.slots!, within).map((at) => localTime(at, schedule.zone).time)
const utc = (dates: Date[]) => dates.map((at) => at.toISOString().slice(11, 16))

describe('the slots of a day', () => {
  test('slots follow the opening hours and end within them', () => {
    const split = clinic(
      weekdays([
        ['13:00', '13:50'],
        ['08:00', '09:00'],
      ]),
    )
    expect(times('2027-03-03', split)).toEqual(['08:00', '08:30', '13:00'])
    expect(times('2027-03-06', split)).toEqual([])
    expect(times('2027-03-03', clinic(weekdays([['08:00', '08:20']])))).toEqual([])
  })

  test('slots of 15 minutes are twice as many', () => {
    const quarters = clinic(weekdays([['08:00', '09:00']]), { minutes: 15, capacity: 1 })
    expect(times('2027-03-03', quarters)).toEqual(['08:00', '08:15', '08:30', '08:45'])
  })

  test('slots are not in the past, but may begin now', () => {
    expect(times('2027-03-02').at(0)).toBe('08:30')
    expect(times('2027-03-02', undefined, window(null, new Date('2027-03-02T14:30:00Z'))).at(0)).toBe('08:30')
    expect(times('2027-03-02', undefined, window(null, new Date('2027-03-02T14:30:01Z'))).at(0)).toBe('09:00')
    expect(times('2027-03-01')).toEqual([])
  })

  test('slots begin before the order expires, and at most 90 days ahead', () => {
    expect(times('2027-03-03', undefined, window('2027-03-03T15:00:00Z'))).toEqual(['08:00', '08:30'])
    expect(times('2027-03-03', undefined, window('2027-03-03T14:00:00Z'))).toEqual([])
    expect(times('2027-06-01').length).toBeLessThan(18)
    expect(times('2027-06-02')).toEqual([])
  })

  test('in spring no slot is in the hour that is skipped', () => {
    const found = times('2027-03-14', clinic({ sun: [['01:00', '04:00']] }))
    expect(found).toEqual(['01:00', '01:30', '03:00', '03:30'])
  })

  test('in autumn the hour that is repeated has its slots twice, an hour apart', () => {
    const schedule = clinic({ sun: [['00:30', '02:30']] })
    const found = slotTimes('2027-11-07', schedule, HALF_HOURS, window(null, new Date('2027-11-01T12:00:00Z')))
    expect(found.map((at) => localTime(at, CHICAGO).time)).toEqual([
      '00:30',
      '01:00',
      '01:30',
      '01:00',
      '01:30',
      '02:00',
    ])
    expect(utc(found)).toEqual(['05:30', '06:00', '06:30', '07:00', '07:30', '08:00'])
  })

  test('a day has 23 hours of slots in spring and 25 in autumn', () => {
    const open = clinic(always)
    expect(times('2027-03-14', open)).toHaveLength(46)
    expect(times('2027-11-07', open, window(null, new Date('2027-11-01T12:00:00Z')))).toHaveLength(50)
    expect(times('2027-03-14', clinic(always, HALF_HOURS, 'America/Phoenix'))).toHaveLength(48)
  })

  test('slots are in the zone of the clinic, not of the server', () => {
    const tokyo = clinic(weekdays([['09:00', '10:00']]), HALF_HOURS, 'Asia/Tokyo')
    expect(utc(slotTimes('2027-03-04', tokyo, HALF_HOURS, window()))).toEqual(['00:00', '00:30'])
  })

  test('slots are grouped by part of the day', () => {
    const long = clinic(weekdays([['11:30', '17:30']]))
    const parts = slotsOn('2027-03-03', long, HALF_HOURS, window(), []).map(({ time, part }) => `${time} ${part}`)
    expect(parts.slice(0, 2)).toEqual(['11:30 morning', '12:00 afternoon'])
    expect(parts.slice(-2)).toEqual(['16:30 afternoon', '17:00 evening'])
  })

  test('every slot lies within the hours of its day and before the deadline', () => {
    const minute = fc.integer({ min: 0, max: 1440 })
    const clock = (at: number) => `${String(Math.floor(at / 60)).padStart(2, '0')}:${String(at % 60).padStart(2, '0')}`
    const span = fc.tuple(minute, minute).filter(([a, b]) => a < b)
    const zone = fc.constantFrom(CHICAGO, 'America/St_Johns', 'America/Phoenix', 'Pacific/Honolulu')
    fc.assert(
      fc.property(fc.array(span, { maxLength: 3 }), zone, fc.integer({ min: 0, max: 250 }), (spans, where, days) => {
        const schedule = clinic(
          { ...always, mon: [], sun: spans.map(([a, b]) => [clock(a), clock(b)]) },
          HALF_HOURS,
          where,
        )
        const now = new Date(NOW.getTime() + days * 86_400_000)
        const expiresAt = new Date(now.getTime() + 20 * 86_400_000)
        for (let i = 0; i < 14; i++) {
          const date = new Date(now.getTime() + i * 86_400_000).toISOString().slice(0, 10)
          const found = slotTimes(date, schedule, HALF_HOURS, { now, expiresAt })
          expect(new Set(found.map(Number)).size).toBe(found.length)
          const first = found.slice(0, 1)
          expect(first.filter((at) => isSlot(at, schedule, HALF_HOURS, { now, expiresAt }))).toEqual(first)
          for (const at of found) {
            expect(localTime(at, where).date).toBe(date)
            expect(at >= now && at < expiresAt).toBe(true)
          }
        }
      }),
      { numRuns: 20 },
    )
  })
})

describe('places in slots', () => {
  const at = (time: string) => new Date(`2027-03-03T${time}:00Z`)

  test('a slot has a place until its capacity is taken', () => {
    expect(hasPlace(at('15:00'), HALF_HOURS, [])).toBe(true)
    expect(hasPlace(at('15:00'), HALF_HOURS, [at('15:00')])).toBe(true)
    expect(hasPlace(at('15:00'), HALF_HOURS, [at('15:00'), at('15:00')])).toBe(false)
  })

  test('appointments between slots count in the slot during which they begin', () => {
    const taken = [at('15:00'), at('15:29'), at('15:30')]
    expect(hasPlace(at('15:00'), HALF_HOURS, taken)).toBe(false)
    expect(hasPlace(at('15:30'), HALF_HOURS, taken)).toBe(true)
    expect(hasPlace(at('14:30'), HALF_HOURS, taken)).toBe(true)
  })

  test('an overbooked slot is full', () => {
    expect(hasPlace(at('15:00'), { minutes: 15, capacity: 1 }, [at('15:00'), at('15:00'), at('15:00')])).toBe(false)
  })

  test('the closest free slot is offered, of two the later', () => {
    const schedule = clinic(weekdays([['08:00', '17:00']]))
    const taken = [at('15:00'), at('15:00'), at('15:30'), at('15:30')]
    const slots = slotsOn('2027-03-03', schedule, HALF_HOURS, window(), taken)
    expect(closestFree(at('15:00'), slots)?.time).toBe('08:30')
    expect(closestFree(at('15:30'), slots)?.time).toBe('10:00')
    expect(closestFree(at('16:00'), slots)?.time).toBe('10:00')
    const free = slots
      .filter(({ time }) => time === '08:00' || time === '09:00')
      .map((slot) => ({ ...slot, isFull: false }))
    expect(closestFree(at('14:30'), free)?.time).toBe('09:00')
    expect(closestFree(at('15:00'), [])).toBeNull()
  })
})

describe('the days with slots', () => {
  const open = clinic(weekdays([['08:00', '17:00']]))
  const dates = (expiresAt: string | null, week = 0, schedule = open) => daysFrom(schedule, window(expiresAt), week, [])

  test('days are listed up to the deadline, without those on which the clinic is closed', () => {
    const { days, ...rest } = dates('2027-03-08T16:00:00Z')
    expect(days.map(({ date }) => date)).toEqual(['2027-03-02', '2027-03-03', '2027-03-04', '2027-03-05', '2027-03-08'])
    expect(rest).toEqual({ week: 0, hasEarlier: false, hasLater: false, tooLate: '2027-03-09' })
    expect(days[0]).toEqual({
      date: '2027-03-02',
      isToday: true,
      hours: [['08:00', '17:00']],
      from: NOW,
      until: new Date('2027-03-02T23:00:00Z'),
      isFull: false,
    })
    expect(days.at(-1)).toMatchObject({ isToday: false, until: new Date('2027-03-08T16:00:00Z') })
  })

  test('at most 14 days are listed, and a week later the next ones', () => {
    const first = dates(null)
    expect(first.days.at(-1)?.date).toBe('2027-03-15')
    expect(first).toMatchObject({ hasEarlier: false, hasLater: true, tooLate: null })
    const second = dates(null, 1)
    expect(second.days.map(({ date }) => date).at(0)).toBe('2027-03-09')
    expect(second).toMatchObject({ week: 1, hasEarlier: true, hasLater: true })
    const last = dates(null, 99)
    expect(last).toMatchObject({ week: 11, hasLater: false })
    expect(last.days.at(-1)?.date).toBe('2027-05-31')
    expect(dates(null, -3).week).toBe(0)
  })

  test('a deadline of exactly two weeks needs one page, of a day more two', () => {
    expect(dates('2027-03-15T22:00:00Z')).toMatchObject({ hasLater: false })
    expect(dates('2027-03-16T22:00:00Z')).toMatchObject({ hasLater: true })
    expect(dates('2027-03-16T22:00:00Z', 5)).toMatchObject({ week: 1, hasLater: false })
  })

  test('a day is full if all its slots are, and left out if none is left', () => {
    const short = clinic(weekdays([['08:00', '09:00']]), { minutes: 30, capacity: 1 })
    const taken = [new Date('2027-03-03T14:00:00Z'), new Date('2027-03-03T14:30:00Z')]
    const { days } = daysFrom(short, window(null, new Date('2027-03-02T14:40:00Z')), 0, taken)
    expect(days.slice(0, 2).map(({ date, isFull }) => `${date} ${isFull}`)).toEqual([
      '2027-03-03 true',
      '2027-03-04 false',
    ])
  })

  test('a clinic that is never open before the deadline has no days', () => {
    expect(dates('2027-03-06T20:00:00Z', 0, clinic({ sat: [['18:00', '19:00']] }))).toMatchObject({
      days: [],
      tooLate: '2027-03-06',
    })
    expect(dates('2027-03-06T20:00:00Z', 0, clinic({ sat: [] }))).toMatchObject({ days: [], tooLate: null })
  })
})

describe('planned arrivals', () => {
  const open = clinic(weekdays([['07:00', '19:00']]), null)
  const arrivals = (date: string, at: Date, expiresAt: string | null = null) =>
    arrivalsOn(date, open, window(expiresAt, at)).map(
      ({ part, from, until }) => `${part} ${localTime(from, CHICAGO).time} ${localTime(until, CHICAGO).time}`,
    )

  test('today people can come in the next hour or in a later part of the day', () => {
    expect(arrivals('2027-03-02', new Date('2027-03-02T19:40:00Z'))).toEqual([
      'nextHour 13:45 14:40',
      'afternoon 15:00 17:00',
      'evening 17:00 19:00',
    ])
  })

  test('another day has a morning, an afternoon and an evening', () => {
    expect(arrivals('2027-03-03', NOW)).toEqual(['morning 07:00 12:00', 'afternoon 12:00 17:00', 'evening 17:00 19:00'])
    expect(arrivals('2027-03-03', NOW, '2027-03-03T20:30:00Z')).toEqual([
      'morning 07:00 12:00',
      'afternoon 12:00 14:30',
    ])
    expect(arrivals('2027-03-06', NOW)).toEqual([])
  })

  test('just before closing only the next hour is left, and after closing nothing', () => {
    expect(arrivals('2027-03-03', new Date('2027-03-04T00:20:00Z'))).toEqual(['nextHour 18:30 19:00'])
    expect(arrivals('2027-03-03', new Date('2027-03-04T01:00:00Z'))).toEqual([])
  })

  test('an arrival leaves 45 minutes for the collection', () => {
    const [morning] = arrivalsOn('2027-03-03', open, window())
    expect(localTime(morning!.arriveBy, CHICAGO).time).toBe('11:15')
  })
})

describe('the schedule of a catalog entry', () => {
  const entry = {
    hours: weekdays([['08:00', '17:00']]),
    timezone: null,
    point: null,
    address: null,
    walkIns: null,
    slots: null,
  }

  test('a clinic takes walk-ins unless it says otherwise or has slots', () => {
    const slots = HALF_HOURS
    const timezone = CHICAGO
    expect(scheduleOf(entry).walkIns).toBe(true)
    expect(scheduleOf({ ...entry, walkIns: false }).walkIns).toBe(false)
    expect(scheduleOf({ ...entry, timezone, slots }).walkIns).toBe(false)
    expect(scheduleOf({ ...entry, timezone, slots, walkIns: true }).walkIns).toBe(true)
  })

  test('slots need known hours and a known zone', () => {
    expect(scheduleOf({ ...entry, slots: HALF_HOURS }).slots).toBeNull()
    expect(scheduleOf({ ...entry, slots: HALF_HOURS, timezone: CHICAGO, hours: 'weekdays' }).slots).toBeNull()
    expect(scheduleOf({ ...entry, slots: HALF_HOURS, point: { lat: 41.76, long: -88.14 } })).toEqual({
      hours: readHours(entry.hours),
      zone: CHICAGO,
      slots: HALF_HOURS,
      walkIns: false,
      appointments: true,
    })
  })
})
