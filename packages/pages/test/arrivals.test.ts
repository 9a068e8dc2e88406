import { describe, expect, test } from 'vitest'
import { bookingPage } from '../src/booking-page.ts'
import { calendarFile } from '../src/calendar.ts'
import { cancelPage } from '../src/cancel-page.ts'
import { changePage } from '../src/change-page.ts'
import { clinicsPage } from '../src/clinics-page.ts'
import { passPage } from '../src/pass-page.ts'
import { requestsPage } from '../src/requests-page.ts'
import { timePage } from '../src/time-page.ts'
import { walletTexts } from '../src/wallet-texts.ts'
import type { LifeView, Reader } from '../src/views.ts'
import { passView } from './every-page.ts'
import { BRAND, clinicCard, clinicsView, ORDER, timeView } from './given.ts'

const AT = new Date('2026-11-17T23:00:00.000Z')
const LIFE: LifeView = {
  stage: 'checkedIn',
  bookedAt: AT,
  checkedInAt: AT,
  collectedAt: null,
  completeAt: null,
  hasSample: true,
  goesToLaboratory: true,
  isReviewed: false,
  stages: ['checkedIn'],
  reviewer: null,
  representative: null,
}

/** What people read of a page. */
const wordsOf = (page: string) =>
  page
    .replaceAll(/<(style|script)[^>]*>.*?<\/\1>/gs, '')
    .replaceAll(/<[^>]*>/g, ' ')
    .replaceAll(/\s+/g, ' ')

/** Every page that shows a planned arrival, and the files made from it. */
function shown(language: 'en' | 'es', reader: Reader): Record<string, string> {
  const frame = { language, isChosen: true, path: '/o/s' } as const
  const zone = 'America/Chicago'
  const clinic = clinicCard({ walkIns: true, appointments: false })
  const order = { ...ORDER, reader }
  const pass = passView({ ...order, clinic, appointmentAt: AT, isArrival: true })
  const booked = { clinicId: 'c', clinic: 'Clinic', appointmentAt: AT, zone, isArrival: true }
  const change = { order, booked, next: { clinic: 'Other', appointmentAt: AT, zone, isArrival: true } }
  const fields = { fields: {}, back: {} }
  const request = { ...order, clinic: 'Clinic', appointmentAt: AT, isArrival: true, timezone: zone }
  const entry = {
    id: 'o',
    code: 'c',
    isClinicOff: false,
    appointmentAt: AT,
    isArrival: true,
    updatedAt: AT,
    link: '/o/s',
  }
  const pages =
    reader === 'requester'
      ? {
          booking: bookingPage(frame, pass),
          requests: requestsPage(frame, { brand: BRAND, orders: [request], count: 1 }),
        }
      : { pass: passPage(frame, pass), life: passPage(frame, { ...pass, life: LIFE }) }
  const arrivals = [{ part: 'morning', from: AT, until: AT, arriveBy: AT }] as const
  const times = timeView({ order, booked, clinic, choice: 'arrival', arrivals: [...arrivals] })
  return {
    ...Object.fromEntries(
      Object.entries({
        ...pages,
        cancel: cancelPage(frame, pass),
        change: changePage(frame, { ...change, ...fields, isChange: true }),
        again: changePage(frame, { ...change, ...fields, isChange: false }),
        clinics: clinicsPage(frame, clinicsView({ order, booked, clinics: [clinic] })),
        times: timePage(frame, times),
      }).map(([name, page]) => [name, wordsOf(page)]),
    ),
    calendar: calendarFile({ ...entry, clinic }, language).replaceAll('\r\n ', ''),
    wallet: JSON.stringify(walletTexts(pass, language)),
  }
}

describe('a planned arrival', () => {
  test.each(['participant', 'requester'] as const)(
    'to the %s, it is never called a booking or an appointment',
    (reader) => {
      for (const [name, words] of Object.entries(shown('en', reader))) {
        expect([name, words]).toEqual([
          name,
          expect.not.stringMatching(/\b(book|an? appointment|appointments? (was|is))/i),
        ])
        expect([name, words]).toEqual([name, expect.stringMatching(/planned|plan to arrive/i)])
      }
    },
  )

  test.each(['participant', 'requester'] as const)('to the %s, it is called so in Spanish too', (reader) => {
    for (const [name, words] of Object.entries(shown('es', reader))) {
      const said = words.replaceAll(/sin cita|no hay una hora reservada|no reserva una hora/gi, '')
      expect([name, said]).toEqual([name, expect.not.stringMatching(/\b(citas?|reserv(ada|ar|ó))\b/i)])
      expect([name, words]).toEqual([name, expect.stringMatching(/previst|piensa llegar/i)])
    }
  })

  test('nobody is asked to come early for it, and a canceled one is called so in the calendar', () => {
    expect(shown('en', 'participant')['pass']).not.toContain('5 minutes early')
    const gone = {
      id: 'o',
      code: 'c',
      clinic: null,
      isClinicOff: false,
      appointmentAt: AT,
      isArrival: true,
      updatedAt: AT,
    }
    expect(calendarFile(gone, 'en')).toContain('SUMMARY:Planned arrival canceled')
    expect(calendarFile(gone, 'es')).toContain('SUMMARY:Llegada prevista cancelada')
  })
})
