import ICAL from 'ical.js'
import { describe, expect, test } from 'vitest'
import type { Brand } from '@order-testing/pages'
import type { PersonKind } from '../../src/domain/notifications/plan.ts'
import { composeNotification, type Content } from '../../src/notify/compose.ts'
import { orderOf } from '../orders/given.ts'

const LINK = 'https://orders.example/o/secret'
const AT = new Date('2027-01-09T15:30:00Z')
const CLINIC = {
  id: 'naperville',
  name: 'Naperville; Health, \\ "Lab"',
  phone: '+16305550100',
  address: {
    line1: 'Calle del Árbol, 10, edificio de la esquina',
    line2: '',
    city: 'Naperville',
    state: 'IL',
    postalCode: '60540',
    country: 'US',
  },
}
const BRAND: Brand = {
  tenant: 'Northfold',
  company: 'Acme',
  logo: null,
  accent: null,
  privacyUrl: null,
  contacts: [{ name: 'Acme "HR"', phone: null, email: 'hr@acme.example' }],
}

type Given = Partial<Parameters<typeof composeNotification>[1]>

const composed = (kind: PersonKind, { order, ...given }: Given = {}): Content =>
  composeNotification(kind, {
    order: order ?? orderOf({ clinic: CLINIC, isBooked: true, appointmentAt: AT }),
    link: LINK,
    zone: 'America/Chicago',
    now: new Date('2027-01-08T15:30:00Z'),
    brand: BRAND,
    ...given,
  })

/** The only entry of the attached calendar file. */
function entryOf({ attachments }: Content) {
  const [file, ...others] = attachments.filter(({ filename }) => filename === 'appointment.ics')
  expect(others).toEqual([])
  const source = Buffer.from(file!.content, 'base64').toString()
  // RFC 5545: lines end with CRLF and have at most 75 octets.
  for (const line of source.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
  expect(source.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/)
  const calendar = new ICAL.Component(ICAL.parse(source) as [])
  const [entry, ...more] = calendar.getAllSubcomponents('vevent')
  expect(more).toEqual([])
  return {
    type: file!.contentType,
    method: calendar.getFirstPropertyValue('method'),
    event: new ICAL.Event(entry),
    entry: entry!,
    alarms: entry!.getAllSubcomponents('valarm'),
  }
}

describe('the calendar file of a booking', () => {
  test('the file has time, place, link and an alarm, and calendars understand it', () => {
    const { type, method, event, entry, alarms } = entryOf(composed('booking'))
    expect(type).toBe('text/calendar; charset=utf-8; method=PUBLISH')
    expect(method).toBe('PUBLISH')
    expect(event.startDate.toJSDate()).toEqual(AT)
    expect(event.endDate.toJSDate()).toEqual(new Date('2027-01-09T16:00:00Z'))
    expect(event.location).toBe(`${CLINIC.name}, ${CLINIC.address.line1}, Naperville, IL 60540`)
    expect(event.description).toContain(LINK)
    expect(entry.getFirstPropertyValue('url')).toBe(LINK)
    expect(entry.getFirstPropertyValue('status')).toBe('CONFIRMED')
    expect(event.organizer).toBe('mailto:hr@acme.example')
    expect(alarms.map((alarm) => String(alarm.getFirstPropertyValue('trigger')))).toEqual(['-PT2H'])
  })

  test('a later booking replaces the entry, and its cancellation removes it', () => {
    const order = orderOf({ clinic: CLINIC, isBooked: true, appointmentAt: AT })
    const later = { ...order, appointmentAt: new Date('2027-01-10T15:30:00Z') }
    const booked = entryOf(composed('booking', { order }))
    const moved = entryOf(composed('bookingChanged', { order: later, now: new Date('2027-01-08T15:30:05Z') }))
    const gone = { ...later, clinic: null, isBooked: false, appointmentAt: null }
    const now = new Date('2027-01-08T15:31:00Z')
    const removed = entryOf(composed('bookingWithdrawn', { order: gone, goneAt: later.appointmentAt, now }))
    expect(new Set([booked, moved, removed].map(({ event }) => event.uid))).toEqual(new Set([order.id]))
    const sequences = [booked, moved, removed].map(({ event }) => event.sequence)
    expect(sequences).toEqual(sequences.toSorted((a, b) => a - b))
    expect(new Set(sequences).size).toBe(3)
    expect(removed).toMatchObject({ method: 'CANCEL', type: expect.stringContaining('method=CANCEL') })
    expect(removed.entry.getFirstPropertyValue('status')).toBe('CANCELLED')
    expect(removed.alarms).toEqual([])
  })

  test('the requester gets an entry that names the participant, and a cancelled order removes it', () => {
    expect(entryOf(composed('clinicChosen')).event.summary).toMatch(/^Maria: Appointment at Naperville/)
    const order = orderOf({ ended: 'cancelled', clinic: CLINIC })
    const removed = entryOf(composed('clinicNotNeeded', { order, link: null, goneAt: AT }))
    expect(removed).toMatchObject({ method: 'CANCEL' })
  })

  test('there is no file without a time, and none in a copy', () => {
    const walkIn = orderOf({ clinic: CLINIC, isBooked: true, appointmentAt: null })
    expect(composed('booking', { order: walkIn }).attachments).toEqual([])
    expect(composed('link', { order: orderOf() }).attachments).toEqual([])
    expect(composed('booking', { isCopy: true }).attachments).toEqual([])
  })
})

describe('the logo of a mail', () => {
  const PNG = 'iVBORw0KGgo='
  const shown = (logo: string) => composed('link', { brand: { ...BRAND, logo } })

  test('a hosted logo is linked, and an embedded one travels with the mail', () => {
    expect(shown('https://acme.example/logo.png').html).toContain('<img src="https://acme.example/logo.png" alt=""')
    const embedded = shown(`data:image/png;base64,${PNG}`)
    expect(embedded.html).toContain('<img src="cid:logo@order-testing"')
    expect(embedded.attachments).toContainEqual({
      filename: 'logo.png',
      contentType: 'image/png',
      content: PNG,
      cid: 'logo@order-testing',
    })
  })

  test('a logo that mail clients do not show is left out', () => {
    for (const type of ['svg+xml', 'webp']) {
      const mail = shown(`data:image/${type};base64,${PNG}`)
      expect(mail.html).not.toContain('<img')
      expect(mail.attachments.map(({ filename }) => filename)).not.toContain('logo')
    }
  })
})

describe('a copy', () => {
  test('a copy has no link, and says that it is for information only', () => {
    for (const kind of ['link', 'booking', 'reminder'] as const) {
      const copy = composed(kind, { isCopy: true })
      const { subject, text, html } = copy
      expect(subject).toMatch(/^Copy: /)
      expect(text).toMatch(/^Copy for your information\. You don’t need to do anything: Maria got this message/)
      expect(text + html).not.toContain('/o/')
      expect(text + html).not.toMatch(/español|yours alone/)
    }
  })
})

describe('what a mail says about whom to ask', () => {
  test('a mail names the contact of the company with phone and address, in both formats', () => {
    const contacts = [{ name: 'Acme HR', phone: '+16305550101', email: 'hr@acme.example' }]
    const { text, html } = composed('link', { brand: { ...BRAND, contacts }, order: orderOf() })
    expect(text).toContain('Northfold books tests for Acme.')
    expect(text).toMatch(/Contact Acme HR, \(630\) 555-0101, hr@acme\.example, and mention order /)
    expect(html).toContain('href="tel:+16305550101"')
    expect(html).toContain('href="mailto:hr@acme.example"')
  })

  test('the plain text has every address that the page has', () => {
    const { text, html } = composed('booking')
    const addresses = [...html.matchAll(/href="(https:[^"]+)"/g)].map(([, href]) => href!.replaceAll('&amp;', '&'))
    expect(addresses.length).toBeGreaterThan(2)
    for (const address of addresses) expect(text).toContain(address)
  })
})

describe('the first text message', () => {
  test('the first text message says who sends it and how to stop, with one link', () => {
    const order = orderOf({ expiresAt: new Date('2027-01-16T05:00:00Z') })
    const first = composed('link', { order, isFirst: true }).short
    expect(first).toBe(
      `Acme: please book your test by Fri, Jan 15, 11 PM CT. It takes about 3 minutes. Book here (también en español): ${LINK} Reply HELP for help, STOP to opt out.`,
    )
    expect(first.match(/https:/g)).toHaveLength(1)
    expect(composed('booking').short).not.toContain('STOP')
    const spanish = composed('link', { order: { ...order, language: 'es' }, isFirst: true }).short
    expect(spanish).toMatch(/^Acme: haga la cita para su prueba antes del vie 15 de ene, 11 p\. m\. \(hora central\)\./)
    expect(spanish).toMatch(/Responda AYUDA si necesita ayuda, ALTO para no recibir mas\.$/)
  })
})
