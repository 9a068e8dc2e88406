import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recipientOf, type MessageKind } from '../../src/domain/notifications/plan.ts'
import { letterTextsIn } from '../../src/notify/letters.ts'
import { letterOf } from '../../src/notify/letters.ts'
import { inPlainLetters } from '../../src/notify/plain-letters.ts'
import { emailBy, type Transport } from '../../src/notify/transports.ts'
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

/** An order that has everything a letter could tell, and much that it must not. */
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

const letter = (kind: MessageKind, members: Parameters<typeof orderOf>[0] = {}) =>
  letterOf(kind, {
    order: full(members),
    link: kind === 'cancellation' ? null : LINK,
    timezone: 'America/Chicago',
  })

const LEAVING = async () => {}
const KINDS = Object.keys(letterTextsIn('en').says) as MessageKind[]

describe('A letter', () => {
  test('is in English until the participant has shown a language, and says in Spanish that the page is too', () => {
    const { html, text, short, subject } = letter('link')
    expect(subject).toBe('Acme asks you to complete an order')
    expect(html).toContain('<html lang="en">')
    expect(html).toContain(`<p lang="es"`)
    expect(html).toContain(`href="${LINK}?lang=es"`)
    expect(text).toContain(`También en español:\n${LINK}?lang=es`)
    expect(short).toMatch(/También en español: https:\/\/orders\.example\/o\/secret$/)
  })

  test('speaks the language that was shown, leads to the page in it, and names no other', () => {
    const spanish = letter('booking', { language: 'es' })
    expect(spanish).toMatchObject({ language: 'es', subject: 'Su reserva' })
    expect(spanish.html).toContain('<html lang="es">')
    expect(spanish.text).toContain(`Ver su pase:\n${LINK}?lang=es`)
    expect(spanish.text).not.toMatch(/También en español|Bring|pass\b/)
    const english = letter('booking', { language: 'en' })
    expect(english.text).toContain(`See your pass:\n${LINK}?lang=en`)
    expect(english.text + english.html + english.short).not.toContain('español')
  })

  test('a letter to the requester is in English, whatever language the participant has shown', () => {
    const kinds = ['clinicRequest', 'clinicRequestAgain', 'clinicReminder', 'clinicNotNeeded'] as const
    for (const kind of kinds) {
      const { language, text, html } = letter(kind, { language: 'es' })
      expect([kind, language]).toEqual([kind, 'en'])
      expect(text).toMatch(/^Hello Dana,/)
      expect(html).toContain('<html lang="en">')
    }
  })

  test('tells times by the clocks of the clinic, in its language, and says so where they are not known', () => {
    expect(letter('booking', { language: 'en' }).text).toMatch(/Saturday, January 9, 2027 at 9:30\sAM/)
    expect(letter('booking', { language: 'es' }).text).toMatch(/sábado, 9 de enero de 2027, 9:30\sa\.\s?m\./)
    const nowhere = letterOf('reminder', {
      order: full({ language: 'es', isBooked: false }),
      link: LINK,
      timezone: undefined,
    })
    expect(nowhere.text).toMatch(/termina el sábado, 16 de enero de 2027, 5:00\sa\.\s?m\. \(UTC\)\./)
  })

  test.each(KINDS.flatMap((kind) => (['en', 'es'] as const).map((language) => [kind, language] as const)))(
    '%s in %s says nothing of what is tested, nor of the person but the first name',
    (kind, language) => {
      const { subject, text, html, short } = letter(kind, { language })
      const said = [subject, text, html, short].join('\n')
      for (const secret of [
        'Urine',
        'drug',
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
      expect(text).toContain('María')
      expect(/Mar[ií]a/.test(short)).toBe(recipientOf(kind) === 'requester')
      expect(said).not.toMatch(/undefined|null|\[object/)
      // A text message of ours alone never needs the wide alphabet, and two parts at most.
      expect(short).toBe(inPlainLetters(short))
      expect(short).not.toMatch(/[áíóúÁÍÓÚ\u00A0\u202F]/)
      expect(short.length).toBeLessThanOrEqual(306)
    },
  )

  test('reminds whoever is booked of where to go, and others of what is to be done', () => {
    expect(letter('reminder').text).toMatch(/you are expected on Saturday.*Naperville[\s\S]*See your pass/)
    expect(letter('reminder', { isBooked: false }).text).toMatch(/is still open, and ends[\s\S]*Complete the order/)
  })

  test('leads to the pass only where nothing is asked for before', () => {
    const unknown = { firstName: 'María', birthDate: null }
    expect(letter('booking').text).toContain('See your pass')
    expect(letter('booking', { participant: unknown }).text).toContain('Complete the order')
    const placed = { participant: unknown, scheduling: { option: 'order', mode: null } }
    expect(letter('booking', placed).text).toContain('See your pass')
  })

  test('shows lists of mails what matters, and hides that from whoever opens it', () => {
    const [, hidden] = /<div style="display:none[^"]*">([^<]*)<\/div>/.exec(letter('link').html) ?? []
    expect(hidden).toMatch(/^Acme asks you to complete an order by /)
  })

  test('loads nothing', () => {
    expect(letter('booking').html).not.toMatch(/<img|<link|src=|url\(|@import|<script/)
  })
})

describe('A sentence of a letter', () => {
  test.each(['en', 'es'] as const)(
    'ends once, also with a time or with a company such as Acme Inc. (%s)',
    (language) => {
      for (const kind of KINDS) {
        const members = { language, appointmentAt: null, company: { id: 'acme', name: 'Acme Inc.' } }
        expect(letter(kind, members).text).not.toMatch(/\.\.(\s|$)/)
      }
    },
  )
})

describe('A text message', () => {
  test('goes without the accents that cost: á, í, ó, ú; é and ñ it keeps', () => {
    expect(inPlainLetters('Clínica “Según” – mañana, café\u202F9')).toBe('Clinica "Segun" - mañana, café 9')
  })

  test('keeps a name that has no likeness, and is paid for', () => {
    expect(letter('link', { company: { id: 'a', name: '東京 Logística' } }).short).toMatch(/^東京 Logistica asks you/)
  })
})

describe('A mail', () => {
  let server: MailServer
  let transport: Transport
  beforeAll(async () => {
    server = await mailServer()
    transport = emailBy(server.url, 'orders.example')
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

  test('has what a mail that nobody typed should have, and two versions of its text', async () => {
    const to = 'maria@example.com'
    await transport.send({ id: 'msg_1', to, cc: [], letter: letter('booking', { language: 'es' }) }, LEAVING)
    const { source } = server.mails.at(-1)!
    const headers = headersOf(source)
    expect(Object.keys(headers).toSorted()).toEqual(HEADERS)
    expect(headers).toMatchObject({
      'Auto-Submitted': 'auto-generated',
      'Content-Language': 'es',
      'Message-ID': '<msg_1@orders.example>',
      From: 'orders@service.example',
      To: to,
    })
    expect(Math.abs(Date.parse(headers['Date']!) - Date.now())).toBeLessThan(60_000)
    expect(headers['Content-Type']).toContain('multipart/alternative')
    expect(source.indexOf('text/plain')).toBeLessThan(source.indexOf('text/html'))
    expect(plainText(source)).toContain('Le esperan el sábado')
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
          '<b>',
          ', ',
        ),
      )
      .map((parts) => parts.join('')),
  )

  test('survives any name, and is sent to nobody else and with no header more', async () => {
    await fc.assert(
      fc.asyncProperty(name, name, name, async (company, clinic, firstName) => {
        const order = full({ company: { id: 'a', name: company }, clinic: { ...CLINIC, name: clinic } })
        order.participant.firstName = firstName
        for (const kind of ['link', 'booking'] as const) {
          const written = letterOf(kind, { order, link: LINK, timezone: undefined })
          expect(written.subject).not.toMatch(/[\p{Cc}\u202A-\u202E\u2066-\u2069\u2028\u2029]/u)
          expect(written.html).not.toContain('<b>')
          expect(written.subject.length).toBeLessThan(250)
          const sent = await transport.send({ id: 'msg_1', to: 'maria@example.com', cc: [], letter: written }, LEAVING)
          expect(sent.outcome).toBe('accepted')
          const { to, source } = server.mails.pop()!
          expect(to).toEqual(['maria@example.com'])
          expect(Object.keys(headersOf(source)).toSorted()).toEqual(HEADERS)
          expect(plainText(source)).toContain(order.code)
        }
      }),
      { numRuns: 50 },
    )
  })

  test('goes to its addresses and no others, whatever is in them', async () => {
    const before = server.mails.length
    const hostile = ['maria@example.com\r\nRCPT TO:<eve@evil.example>', 'maria@example.com, eve@evil.example']
    for (const to of hostile) await transport.send({ id: 'msg_1', to, cc: [to], letter: letter('link') }, LEAVING)
    expect(server.mails.slice(before).flatMap(({ to }) => to)).not.toContain('eve@evil.example')
    const to = "o'brien+orders@example.com"
    await transport.send({ id: 'msg_1', to, cc: ['hr@example.com'], letter: letter('link') }, LEAVING)
    expect(server.mails.slice(-2).map((mail) => mail.to)).toEqual([[to], ['hr@example.com']])
  })
})

test('addresses that could be several are refused when the order is placed', async () => {
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
