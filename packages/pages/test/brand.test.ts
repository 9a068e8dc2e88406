import { describe, expect, test } from 'vitest'
import { clinicsPage } from '../src/clinics-page.ts'
import { detailsPage } from '../src/details-page.ts'
import { formatLongMoment, formatMoment, formatTime } from '../src/formats.ts'
import { noticePage } from '../src/notice-page.ts'
import { passPage } from '../src/pass-page.ts'
import { PAGE_STYLES } from '../src/layout.ts'
import type { Brand, Frame, OrderView } from '../src/views.ts'
import { BRAND, clinicCard, clinicsView, DETAILS_PAGE, ORDER, service } from './given.ts'

const frame = (language: 'en' | 'es' = 'en'): Frame => ({ language, isChosen: false, path: '/o/s' })
const FRIDAY = new Date('2026-11-20T23:00:00Z')
const wordsOf = (page: string) => page.replaceAll(/<style>.*?<\/style>|<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ')

function details(members: Partial<OrderView> = {}, language: 'en' | 'es' = 'en'): string {
  return detailsPage(frame(language), { ...ORDER, ...DETAILS_PAGE, values: {}, errors: [], ...members })
}
const branded = (members: Partial<Brand>) => details({ brand: { ...BRAND, ...members } })

describe('who asks', () => {
  test('a page starts with the company and the tenant, and ends with whom to call and the order code', () => {
    const page = branded({ privacyUrl: 'https://acme.example/privacy' })
    expect(wordsOf(page)).toMatch(
      /Acme with Northfold .* Questions\? Acme \(630\) 555-0101 help@acme\.example Order K7M4-2QXD Privacy/,
    )
    expect(page).toContain('href="tel:+16305550101"')
    expect(page).toContain('href="mailto:help@acme.example"')
    expect(page).toContain('href="https://acme.example/privacy"')
  })

  test('a company without a logo is shown by its initial, in the accent', () => {
    expect(branded({ company: '«acme»' })).toMatch(/<span class="tile" aria-hidden="true"\s*>A<\/span/)
    expect(branded({ company: '…' })).toMatch(/<span class="tile" aria-hidden="true"\s*><\/span/)
  })

  test('a logo has a fixed size, so that a missing one moves nothing', () => {
    expect(branded({ logo: 'https://cdn.acme.example/l.png' })).toMatch(
      /<img\s+src="https:\/\/cdn\.acme\.example\/l\.png" alt="" width="40" height="40"/,
    )
  })

  test('an accent has a style sheet of its own, and the common ones stay as they are', () => {
    const page = branded({ accent: '#33479B' })
    expect(page).toContain('<style>:root{--accent:#33479B')
    const styles = [...page.matchAll(/<style>(.*?)<\/style>/gs)].map(([, style]) => style!)
    expect(styles.filter((style) => !PAGE_STYLES.includes(style))).toHaveLength(1)
  })

  test('pages say whom to ask even if the catalog has no contact', () => {
    expect(wordsOf(branded({ contacts: [] }))).toContain('Questions? Ask Acme.')
  })

  test('a notice about an order says whom to contact; one about an unknown link names nobody', () => {
    const about = { brand: BRAND, expiresAt: FRIDAY, timezone: 'America/Chicago' }
    const expired = wordsOf(noticePage(frame(), { notice: 'expired', about }))
    expect(expired).toMatch(/You had until Fri, Nov.20, 5.PM.CT \. If you still need this test/)
    expect(expired).toContain('Who to contact Acme (630) 555-0101')
    const unknown = wordsOf(noticePage(frame(), { notice: 'wrongLink' }))
    expect(unknown).toContain('Workplace testing')
    expect(unknown).not.toMatch(/Acme|Northfold|Questions/)
  })
})

describe('what, by when, and what it costs', () => {
  test('the first page greets by the first name and says what, for whom, by when and at what cost', () => {
    const words = wordsOf(details({ expiresAt: FRIDAY, timezone: 'America/Chicago', isForNewJob: true }))
    expect(words).toContain('Hi Maria, let’s book your test')
    expect(words).toMatch(/Urine For your new job at Acme Go by Fri, Nov.20, 5.PM.CT .* No cost to you/)
    expect(wordsOf(details())).toContain('Acme asks you to take this test.')
  })

  test('tests have their Spanish names on Spanish pages, and English names are marked as English', () => {
    const services = [service('Urine', { names: { es: 'Orina' } }), service('Hair')]
    const page = details({ services }, 'es')
    expect(page).toContain('<b>Orina</b>')
    expect(page).toContain('<span lang="en">Hair</span>')
    expect(details({ services })).toContain('<b>Urine</b>')
  })

  test('the pass says what to expect of each kind of test', () => {
    const types = ['instantUrine', 'dotPhysical', 'breath', 'vaccination']
    const services = types.map((type) => service(type, { type }))
    const order = { ...ORDER, services, clinic: null, appointmentAt: null, isOpen: true }
    const rights = { choosesClinic: true, isCancellable: true, isClinicOff: false, isArrival: false }
    const words = wordsOf(passPage(frame(), { ...order, ...rights }))
    for (const part of ['urine sample', 'physical exam', 'blow into', 'No cost']) expect(words).toContain(part)
    expect(words).not.toMatch(/swab|lock of hair/)
  })

  test('only the nearest clinic has a filled button', () => {
    const clinics = ['a', 'b', 'c'].map((id) => clinicCard({ id, miles: 2 }))
    const page = clinicsPage(frame(), clinicsView({ clinics }))
    expect([...page.matchAll(/<button(\s+class="plain")?\s+name="clinic"/g)].map(([, plain]) => !plain)).toEqual([
      true,
      false,
      false,
    ])
  })
})

describe('times', () => {
  test.each([
    ['en', 'America/Chicago', 'Fri, Nov 20, 5 PM CT'],
    ['en', null, 'Fri, Nov 20, 11 PM UTC'],
    ['es', 'America/Chicago', 'vie 20 de nov, 5 p. m. (hora central)'],
    ['es', null, 'vie 20 de nov, 11 p. m. UTC'],
  ] as const)('in %s and the zone %s a deadline reads %s', (language, zone, text) => {
    expect(formatMoment(FRIDAY, language, zone).replaceAll('\u00a0', ' ')).toBe(text)
  })

  test.each([
    ['2027-11-07T05:30:00Z', '12:30 AM CT'],
    ['2027-11-07T06:30:00Z', '1:30 AM CDT'],
    ['2027-11-07T07:30:00Z', '1:30 AM CST'],
    ['2027-11-07T08:00:00Z', '2 AM CT'],
    ['2027-03-14T08:30:00Z', '3:30 AM CT'],
  ])('the time %s reads %s, so that both passes of a repeated hour differ', (at, text) => {
    const moment = formatMoment(new Date(at), 'en', 'America/Chicago').replaceAll('\u00a0', ' ')
    expect(moment.endsWith(`, ${text}`)).toBe(true)
  })

  test('times keep minutes that are not zero, and have a long form', () => {
    const at = new Date('2026-11-18T16:30:00Z')
    const plain = (text: string) => text.replaceAll('\u00a0', ' ')
    expect(plain(formatMoment(at, 'en', 'America/Chicago'))).toBe('Wed, Nov 18, 10:30 AM CT')
    expect(plain(formatLongMoment(at, 'en', 'America/Chicago'))).toBe('Wednesday, November 18 at 10:30 AM CT')
    expect(plain(formatLongMoment(at, 'es', 'America/Chicago'))).toBe(
      'Miércoles 18 de noviembre a las 10:30 a. m. (hora central)',
    )
    expect(plain(formatTime('08:00', 'es'))).toBe('8:00 a. m.')
  })
})
