import { dayAfter, instantOf, localTime } from '../places/zones.ts'

const MORNING = '08:00'
const EVENING = '20:00'

/**
 * Moves a reminder that is due before 8:00 or after 20:00 to 9:00 of the next morning, or, if what it reminds of has come by
 * then, to 19:00 of the evening before. Without a zone it stays.
 */
export function atHumaneHour(dueAt: Date, remindsOf: Date, zone: string | null): Date {
  if (zone === null) return dueAt
  const { date, time } = localTime(dueAt, zone)
  if (MORNING <= time && time <= EVENING) return dueAt
  const isLate = time > EVENING
  const morning = instantOf(zone, { date: isLate ? dayAfter(date) : date, time: '09:00' })
  return morning < remindsOf ? morning : instantOf(zone, { date: isLate ? date : dayAfter(date, -1), time: '19:00' })
}
