import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { languageFile } from '@order-testing/pages'
import { recipientOf, type PersonKind } from '../../src/domain/notifications/plan.ts'
import { composeNotification } from '../../src/notify/compose.ts'
import { toGsmText } from '../../src/domain/notifications/gsm-text.ts'
import { smtpTransport, type Transport } from '../../src/notify/transports.ts'
import { body, orderOf, post } from '../orders/given.ts'
import { staffed } from '../support/operator.ts'
import { startService } from '../support/service.ts'
import { headersOf, mailServer, plainText, type MailServer } from './mail-server.ts'

const LINK = 'https://orders.example/o/secret'
const CLINIC = {
  id: 'naperville',
  name: 'Naperville Occupational Health',
  phone: '+16305550100',
  address: { line1: '10 Main Street', line2: '', city: 'Naperville', state: 'IL', postalCode: '60540', country: 'US' },
}

/** An order with everything a notification could mention, and much that it must not. */
const full = (members: Parameters<typeof orderOf>[0] = {}) =>
  orderOf({
    participant: {
      firstName: 'María',
      birthDate: '1990-03-07',
      email: 'maria@home.example',
      phone: '+16305550142',
      address: { line1: '5 Elm Court', line2: '', city: 'Lisle', state: 'IL', postalCode: '60532', country: 'US' },
      identifiers: [{ type: 'ssn', value: '536-22-8841', issuingCountry: null, issuingState: null }],
    },
    clinic: CLINIC,
    isBooked: true,
    appointmentAt: new Date('2027-01-09T15:30:00Z'),
    expiresAt: new Date('2027-01-16T05:00:00Z'),
    testReason: 'postAccident',
    billingCode: 'BILL-77',
    ...members,
  })

const composed = (
  kind: PersonKind,
  members: Parameters<typeof orderOf>[0] = {},
  given: Partial<Parameters<typeof composeNotification>[1]> = {},
) =>
  composeNotification(kind, {
    order: full(members),
    link: kind === 'cancellation' ? null : LINK,
    zone: 'America/Chicago',
    now: new Date('2027-01-08T15:30:00Z'),
    ...given,
  })

const BEFORE_SEND = async () => {}
/** With plain spaces. */
const plain = (text: string) => text.replaceAll(/[\u00a0\u202f]/g, ' ')
/** Whether a mail of this kind names the participant. */
const hasName = (kind: PersonKind) =>
  ['link', 'linkAgain', 'booking'].includes(kind) || recipientOf(kind) === 'requester'
const KINDS = Object.keys(languageFile('en').notifications.kinds) as PersonKind[]

describe('a notification', () => {
  test('a notification is in English until the language is known, with a link to the Spanish page', () => {
    const { html, text, short, subject } = composed('link', { isBooked: false })
    expect(plain(subject)).toBe('Acme: book your test by Fri, Jan 15')
    expect(html).toContain('<html lang="en">')
    expect(html).toContain(`<p lang="es"`)
    expect(html).toContain(`href="${LINK}?lang=es"`)
    expect(text).toContain(`También en español:\n${LINK}?lang=es`)
    expect(short).toMatch(/Book here \(también en español\): https:\/\/orders\.example\/o\/secret$/)
  })

  test('a notification in a known language links to the page in that language only', () => {
    const spanish = composed('booking', { language: 'es' })
    expect(spanish.language).toBe('es')
    expect(plain(spanish.subject)).toBe('Su cita: sáb 9 de ene, 9:30 a. m. (hora central)')
    expect(spanish.html).toContain('<html lang="es">')
    expect(spanish.text).toContain(`Abrir mi pase:\n${LINK}?lang=es`)
    expect(spanish.text).not.toMatch(/También en español|Bring|pass\b/)
    const english = composed('booking', { language: 'en' })
    expect(english.text).toContain(`Open my pass:\n${LINK}?lang=en`)
    expect(english.text + english.html + english.short).not.toContain('español')
  })

  test('in every Spanish mail to a participant, the name of the company is marked as English wherever it stands', () => {
    for (const kind of KINDS.filter((each) => recipientOf(each) === 'participant')) {
      const parts = composed(kind, { language: 'es' }).html.split('<h1')[1]!.split('<span lang="en">Acme</span>')
      expect([kind, parts.length > 1, /(?<![\w/@.])Acme(?!\w)/.test(parts.join(''))]).toEqual([kind, true, false])
    }
  })

  test('a notification to the requester is in English, whatever the language of the participant', () => {
    const kinds = KINDS.filter((kind) => recipientOf(kind) === 'requester')
    expect(kinds).toHaveLength(6)
    for (const kind of kinds) {
      const { language, text, html } = composed(kind, { language: 'es' })
      expect([kind, language]).toEqual([kind, 'en'])
      expect(text).toMatch(/^(Hi Dana, |This order was canceled|María is booked)/)
      expect(html).toContain('<html lang="en">')
    }
  })

  test('times are in the time zone of the clinic, or in UTC and marked so if that is unknown', () => {
    expect(composed('booking', { language: 'en' }).text).toMatch(/When: Saturday, January 9 at 9:30\sAM\sCT/)
    expect(composed('booking', { language: 'es' }).text).toMatch(
      /Cuándo: Sábado 9 de enero a las 9:30\sa\.\s?m\. \(hora central\)/,
    )
    const nowhere = composeNotification('reminder', {
      order: full({ language: 'es', isBooked: false }),
      link: LINK,
      zone: 'UTC',
      now: new Date('2027-01-08T15:30:00Z'),
    })
    expect(nowhere.text).toMatch(/para la prueba de Acme antes del sáb 16 de ene, 5\sa\.\s?m\.\sUTC\./)
  })

  test('times follow the clocks when they change', () => {
    const at = (appointmentAt: string) => composed('booking', { appointmentAt: new Date(appointmentAt) }).text
    expect(at('2027-03-14T07:59:00Z')).toMatch(/Sunday, March 14 at 1:59\sAM/)
    expect(at('2027-03-14T08:00:00Z')).toMatch(/Sunday, March 14 at 3\sAM/)
    expect(at('2027-11-07T06:59:00Z')).toMatch(/Sunday, November 7 at 1:59\sAM/)
    expect(at('2027-11-07T08:00:00Z')).toMatch(/Sunday, November 7 at 2\sAM/)
  })

  test('a reminder of an appointment says whether it is today or tomorrow where the clinic is', () => {
    const subject = (now: string, language: 'en' | 'es' = 'en') =>
      plain(
        composeNotification('bookingReminder', {
          order: full({ language, appointmentAt: new Date('2027-01-10T04:00:00Z') }),
          link: LINK,
          zone: 'America/Chicago',
          now: new Date(now),
        }).subject,
      )
    expect(subject('2027-01-09T05:59:00Z')).toBe('Your appointment is tomorrow: Sat, Jan 9, 10 PM CT')
    expect(subject('2027-01-09T15:00:00Z')).toBe('Your appointment is today: Sat, Jan 9, 10 PM CT')
    expect(subject('2027-01-09T15:00:00Z', 'es')).toBe('Su cita es hoy: sáb 9 de ene, 10 p. m. (hora central)')
    expect(subject('2027-01-07T15:00:00Z')).toBe('Reminder: Sat, Jan 9, 10 PM CT')
  })

  test.each(KINDS.flatMap((kind) => (['en', 'es'] as const).map((language) => [kind, language] as const)))(
    '%s in %s mentions neither the tests nor anything of the person but the first name',
    (kind, language) => {
      const content = composed(kind, { language }, { goneAt: new Date('2027-01-09T15:30:00Z') })
      const { subject, text, html, short, attachments } = content
      const files = attachments.map((each) => Buffer.from(each.content, 'base64').toString())
      const said = [subject, text, html, short, ...files].join('\n')
      for (const secret of [
        'Urine',
        'drug',
        'alcohol',
        'accident',
        'Lopez',
        '1990',
        '8841',
        'home.example',
        '5550142',
        'BILL',
        'Elm Court',
      ])
        expect(said).not.toContain(secret)
      expect(text.includes('María')).toBe(hasName(kind))
      expect(/Mar[ií]a/.test(short)).toBe(recipientOf(kind) === 'requester')
      expect(said).not.toMatch(/undefined|null|\[object/)
      // Our own texts need only the GSM alphabet, and at most two parts.
      expect(short).toBe(toGsmText(short))
      expect(short).not.toMatch(/[áíóúÁÍÓÚ\u00A0\u202F]/)
      expect(short.length).toBeLessThanOrEqual(306)
    },
  )

  test('a reminder says where to go if a clinic is booked, and what to do if not', () => {
    expect(composed('reminder').text).toMatch(/When: Saturday[\s\S]*Where: Naperville[\s\S]*Open my pass/)
    expect(composed('reminder', { isBooked: false }).text).toMatch(
      /isn’t booked yet\n\nPlease book your test for Acme by[\s\S]*Book my test/,
    )
  })

  test('a link asks to book a test, or only for details if a clinic is already booked', () => {
    expect(composed('link', { isBooked: false }).text).toContain('Book my test')
    expect(plain(composed('link').subject)).toBe('Acme: fill in your details by Fri, Jan 15')
  })

  test('a booking links to the pass only if no details are missing', () => {
    const unknown = { firstName: 'María', birthDate: null }
    expect(composed('booking').text).toContain('Open my pass')
    expect(composed('booking', { participant: unknown }).text).toContain('Fill in my details')
    const placed = { participant: unknown, scheduling: { option: 'order', mode: null } }
    expect(composed('booking', placed).text).toContain('Open my pass')
  })

  test('a mail has a preview that is hidden in the opened mail', () => {
    const [, hidden] =
      /<div style="display:none[^"]*">([^<]*)<\/div>/.exec(composed('link', { isBooked: false }).html) ?? []
    expect(hidden).toMatch(/^Acme asks you to take a workplace test\..* Go by: Friday, January 15 at 11\sPM\sCT\./)
  })

  test('a mail loads nothing', () => {
    expect(composed('booking').html).not.toMatch(/<img|<link|src=|url\(|@import|<script/)
  })
})

describe('a sentence of a notification', () => {
  test.each(['en', 'es'] as const)(
    'a sentence that ends with a time or with Acme Inc. gets no second period (%s)',
    (language) => {
      for (const kind of KINDS) {
        const members = { language, appointmentAt: null, company: { id: 'acme', name: 'Acme Inc.' } }
        expect(composed(kind, members).text).not.toMatch(/\.\.(\s|$)/)
      }
    },
  )
})

describe('a text message', () => {
  test('a text message drops the accents of á, í, ó and ú, but keeps é and ñ', () => {
    expect(toGsmText('Clínica “Según” – mañana, café\u202F9')).toBe('Clinica "Segun" - mañana, café 9')
  })

  test('a text message keeps names in other scripts', () => {
    expect(composed('link', { company: { id: 'a', name: '東京 Logística' } }).short).toMatch(/^東京 Logistica: please/)
  })
})

describe('an e-mail', () => {
  let server: MailServer
  let transport: Transport
  beforeAll(async () => {
    server = await mailServer()
    transport = smtpTransport(server.url, 'orders.example')
  })
  afterAll(async () => {
    transport.close()
    await server.close()
  })

  const HEADERS = [
    'Auto-Submitted',
    'Content-Language',
    'Content-Type',
    'Date',
    'From',
    'MIME-Version',
    'Message-ID',
    'Subject',
    'To',
    'X-Auto-Response-Suppress',
  ]

  test('a mail has the headers of automatic mail, and its text in two formats', async () => {
    const to = 'maria@example.com'
    const content = composed('booking', { language: 'es' })
    await transport.send({ id: 'msg_1', to, content, cc: [], copy: null }, BEFORE_SEND)
    const { source } = server.mails.at(-1)!
    const headers = headersOf(source)
    expect(Object.keys(headers).toSorted()).toEqual(HEADERS)
    expect(headers).toMatchObject({
      'Auto-Submitted': 'auto-generated',
      'Content-Language': 'es',
      'Message-ID': '<msg_1@orders.example>',
      From: 'Acme <orders@service.example>',
      To: to,
    })
    expect(Math.abs(Date.parse(headers['Date']!) - Date.now())).toBeLessThan(60_000)
    expect(headers['Content-Type']).toContain('multipart/mixed')
    expect(source).toContain('multipart/alternative')
    expect(source.indexOf('text/plain')).toBeLessThan(source.indexOf('text/html'))
    expect(plainText(source)).toContain('Cuándo: Sábado 9 de enero')
  })

  const name = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc
      .array(
        fc.constantFrom(
          '\r',
          '\n',
          '\r\n',
          'Bcc: eve@evil.example',
          '\u0000',
          '\u202E',
          '\u2066',
          '\u2028',
          '=?',
          'A',
          '<i>',
          ', ',
        ),
      )
      .map((parts) => parts.join('')),
  )

  test('no name adds a header or a recipient to a mail', async () => {
    await fc.assert(
      fc.asyncProperty(name, name, name, async (company, clinic, firstName) => {
        const order = full({ company: { id: 'a', name: company }, clinic: { ...CLINIC, name: clinic } })
        order.participant.firstName = firstName
        for (const kind of ['link', 'booking'] as const) {
          const written = composeNotification(kind, { order, link: LINK, zone: 'UTC', now: new Date() })
          expect(written.subject).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069\u2028\u2029]/u)
          expect(written.html).not.toContain('<i>')
          expect(written.subject.length).toBeLessThan(250)
          const sent = await transport.send(
            { id: 'msg_1', to: 'maria@example.com', content: written, cc: ['hr@example.com'], copy: written },
            BEFORE_SEND,
          )
          expect(sent.outcome).toBe('accepted')
          const both = server.mails.splice(-2)
          expect(both.map(({ to }) => to)).toEqual([['maria@example.com'], ['hr@example.com']])
          for (const { source } of both) {
            expect(Object.keys(headersOf(source)).toSorted()).toEqual(HEADERS)
            expect(plainText(source)).toContain(order.code)
          }
        }
      }),
      { numRuns: 50 },
    )
  })

  test('no address adds another recipient to a mail', async () => {
    const before = server.mails.length
    const hostile = ['maria@example.com\r\nRCPT TO:<eve@evil.example>', 'maria@example.com, eve@evil.example']
    for (const to of hostile)
      await transport.send(
        { id: 'msg_1', to, content: composed('link'), cc: [to], copy: composed('link') },
        BEFORE_SEND,
      )
    expect(server.mails.slice(before).flatMap(({ to }) => to)).not.toContain('eve@evil.example')
    const to = "o'brien+orders@example.com"
    const content = composed('link')
    await transport.send({ id: 'msg_1', to, content, cc: ['hr@example.com'], copy: content }, BEFORE_SEND)
    expect(server.mails.slice(-2).map((mail) => mail.to)).toEqual([[to], ['hr@example.com']])
  })
})

test('creating an order refuses a copy address that could be several', async () => {
  const service = await startService()
  await service.apply(staffed())
  for (const cc of [
    'hr@example.com\r\nBcc: eve@evil.example',
    'hr@example.com, eve@evil.example',
    'HR <hr@example.com>',
  ]) {
    const answer = await post(
      service,
      body({ deliveryMethods: [{ type: 'email', to: 'maria@example.com', cc: [cc] }] }),
    )
    expect(answer.status).toBe(400)
  }
  await service.stop()
})
