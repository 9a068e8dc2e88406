import { EARLIEST_BIRTH } from '../orders/people.ts'
import type { DetailError, DetailValues } from './detail-fields.ts'

/** The birth date of the three boxes, or of the single field, as the API takes it; or what is wrong with it. */
export function readBirthDate(values: DetailValues, now: Date): { date?: string; errors: DetailError[] } {
  const [month, day, year] = BOXES.map((field) => values[field]?.trim() ?? '') as [string, string, string]
  const single = values.birthDate?.trim() ?? ''
  if (month + day + year === '') {
    if (single === '') return wrong('birthDate', 'missing')
    return /^\d{4}-\d\d-\d\d$/.test(single) ? checkDate(single, now) : wrong('birthDate', 'wrong')
  }
  const errors = [...checkMonth(month), ...checkDay(day), ...checkYear(year)]
  if (errors.length > 0) return { errors }
  return checkDate(`${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`, now)
}

const BOXES = ['birthMonth', 'birthDay', 'birthYear'] as const

const checkMonth = (month: string): DetailError[] =>
  /^(0?[1-9]|1[0-2])$/.test(month) ? [] : [{ field: 'birthMonth', fault: month === '' ? 'missing' : 'wrong' }]

const checkDay = (day: string): DetailError[] =>
  /^(0?[1-9]|[12]\d|3[01])$/.test(day) ? [] : [{ field: 'birthDay', fault: day === '' ? 'missing' : 'wrong' }]

function checkYear(year: string): DetailError[] {
  if (!/^\d{4}$/.test(year)) return [{ field: 'birthYear', fault: year === '' ? 'missing' : 'digits' }]
  return year < EARLIEST_BIRTH.slice(0, 4) ? [{ field: 'birthYear', fault: 'wrong' }] : []
}

/** Ruling 35, and the days that each month has. */
function checkDate(date: string, now: Date) {
  const at = new Date(`${date}T00:00:00Z`)
  const isDay = !Number.isNaN(at.getTime()) && at.toISOString().startsWith(date)
  if (!isDay) return wrong('birthDay', 'noSuchDay')
  if (date < EARLIEST_BIRTH) return wrong('birthYear', 'wrong')
  return date > now.toISOString().slice(0, 10) ? wrong('birthDate', 'future') : { date, errors: [] }
}

const wrong = (field: DetailError['field'], fault: DetailError['fault']) => ({ errors: [{ field, fault }] })
