import { describe, expect, test } from 'vitest'
import { calendarFile } from '../src/calendar.ts'
import { formatDistance } from '../src/clinic.ts'
import { clinicsPage } from '../src/clinics-page.ts'
import { code128, encode } from '../src/code128.ts'
import { detailsPage } from '../src/details-page.ts'
import { html, trusted } from '../src/html.ts'
import { passPage } from '../src/pass-page.ts'
import { SHOW_SCRIPT } from '../src/show-script.ts'
import { STYLE } from '../src/style.ts'
import { LANGUAGES } from '../src/languages/index.ts'
import { negotiateLanguage } from '../src/texts.ts'
import { timePage } from '../src/time-page.ts'
import type { ClinicsView } from '../src/clinic-views.ts'
import type { ClinicView, Frame } from '../src/views.ts'
import { detailsView, everyPage, passView } from './every-page.ts'
import { clinicCard, clinicsView, ORDER, timeView } from './given.ts'

const frame = (members: Partial<Frame> = {}): Frame => ({ language: 'en', isChosen: false, path: '/o/s', ...members })
const { participant: en, requester: enForRequester } = LANGUAGES.en.pages
const { participant: es, requester: esForRequester } = LANGUAGES.es.pages
const HOSTILE = `<script>alert("x")</script>'&`
const order = ORDER
const details = detailsView
const clinic = clinicCard
const pass = passView

describe('markup', () => {
  test('the html tag escapes everything but markup, and leaves out null and booleans', () => {
    const markup = html`<p title="${'"'}">${HOSTILE}${null}${false}${[html`<b></b>`, 1]}</p>`
    expect(markup.text.replaceAll('\n', '')).toBe(
      '<p title="&quot;">&lt;script&gt;alert(&quot;x&quot;)&lt;/script&gt;&#39;&amp;<b></b>1</p>',
    )
    expect(html`${trusted('<i>')}`.text).toBe('<i>')
  })

  test.each(['en', 'es'] as const)('no page contains markup from its data (%s)', (language) => {
    for (const page of everyPage(language, HOSTILE)) {
      expect(page.replace(`<script>${SHOW_SCRIPT}</script>`, '')).not.toContain('<script')
      expect(page).not.toContain(HOSTILE)
      expect(page).toContain(`<html lang="${language}">`)
      expect(page).toContain(`<style>${STYLE}</style>`)
    }
  })

  test('ids are unique on every page, and every label has its field', () => {
    for (const page of everyPage('en', 'x')) {
      const ids = [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id)
      expect(ids).toHaveLength(new Set(ids).size)
      for (const [, named] of page.matchAll(/<label for="([^"]+)"/g)) expect(ids).toContain(named)
      for (const [, named] of page.matchAll(/aria-describedby="([^"]+)"/g))
        for (const id of named!.split(' ')) expect(ids).toContain(id)
    }
  })
})

describe('texts', () => {
  test('texts for the requester never address the participant, in either language', () => {
    const changed = (['nearCity', 'walkIn', 'book', 'passTitle', 'passHint'] as const).map((name) => [
      String(enForRequester[name]) === String(en[name]),
      String(esForRequester[name]) === String(es[name]),
    ])
    expect(changed.flat()).not.toContain(true)
    const page = clinicsPage(frame(), clinicsView({ order: { ...order, reader: 'requester' } }))
    expect(page).toContain('For Maria Lopez')
    expect(page).toContain('Step 1 of 2')
    expect(page).not.toMatch(/your (address|city|pass)/i)
  })

  test.each([
    ['es', undefined, 'es'],
    ['de', 'es', 'es'],
    [undefined, 'es-419,es;q=0.9,en;q=0.8', 'es'],
    [undefined, 'en;q=0.5, es;q=0.7', 'es'],
    [undefined, 'es;q=0, en', 'en'],
    [undefined, 'fr', 'en'],
    [['es'], '*', 'en'],
    [undefined, undefined, 'en'],
  ])('with ?lang=%s and Accept-Language %s, the language is %s', (asked, accepted, language) => {
    expect(negotiateLanguage(asked, accepted).language).toBe(language)
  })
})

describe('the bar code', () => {
  test('a barcode encodes start, text, check value and stop (ISO/IEC 15417)', () => {
    // The example of the standard's tables: PJJ123C has the check value 54 with start code A, one more with B.
    expect(encode('PJJ123C')).toEqual([104, 48, 42, 42, 17, 18, 19, 35, 55, 106])
    expect(() => encode('ñ')).toThrow('printable ASCII')
  })

  test('a barcode has eleven modules per letter, bars of an even sum, and quiet zones', () => {
    const { text } = code128('K7M4-2QXD', 'Code')
    const width = 10 + 11 * 11 + 13 + 10
    expect(text).toContain(`viewBox="0 0 ${width} 60"`)
    const bars = [...text.matchAll(/M(\d+) 0h(\d+)/g)].map(([, from, wide]) => [Number(from), Number(wide)] as const)
    expect(bars[0]).toEqual([10, 2])
    expect(bars.at(-1)![0] + bars.at(-1)![1]).toBe(width - 10)
    for (let letter = 0; letter < 11; letter++) {
      const own = bars.slice(letter * 3, letter * 3 + 3)
      expect(own[0]![0]).toBe(10 + letter * 11)
      expect(own.reduce((sum, [, wide]) => sum + wide, 0) % 2).toBe(0)
    }
  })
})

describe('the calendar file', () => {
  const entry = {
    id: 'ord_1',
    code: 'K7M4-2QXD',
    clinic: { name: 'Clinic; Health, Inc', address: ['1 Main Street', 'Naperville, IL 60540'], phone: '+16305550100' },
    isClinicOff: false,
    isArrival: false,
    appointmentAt: new Date('2027-03-02T15:30:00.000Z'),
    updatedAt: new Date('2027-02-28T00:00:00.000Z'),
  }

  test('the calendar file has time and place, escaped and folded', () => {
    const text = calendarFile(entry, 'en')
    expect(text.split('\r\n').every((line) => Buffer.byteLength(line) <= 75)).toBe(true)
    const whole = text.replaceAll('\r\n ', '')
    expect(whole).toContain('DTSTART:20270302T153000Z\r\nDTEND:20270302T160000Z')
    expect(whole).toContain(String.raw`SUMMARY:Appointment at Clinic\; Health\, Inc`)
    expect(whole).toContain(String.raw`Naperville\, IL 60540`)
  })

  test('the calendar file says if the clinic is no longer available', () => {
    expect(calendarFile({ ...entry, isClinicOff: true }, 'en').replaceAll('\r\n ', '')).toContain('no longer available')
    expect(calendarFile(entry, 'en')).not.toContain('no longer')
  })

  test('a clinic name cannot add lines to the calendar file', () => {
    const text = calendarFile({ ...entry, clinic: { ...entry.clinic, name: 'A\r\nATTENDEE:x' } }, 'es')
    expect(text).not.toMatch(/^ATTENDEE/m)
  })
})

describe('pages', () => {
  test('the details page asks only for missing details', () => {
    const page = detailsPage(frame(), details({ asks: ['identifier'], identifier: 'driverLicense' }))
    expect(page).not.toContain('birthMonth')
    expect(page).not.toContain('name="identifierType"')
    expect(page).toContain('license number')
    expect(page).toContain('name="identifierValue"')
  })

  test('pages show opening hours in the format of the language', () => {
    const hours = [[], [['08:00', '17:30']], [['00:00', '24:00']], [], [], [], []] as ClinicView['hours']
    const page = passPage(frame(), pass({ clinic: clinic({ hours }) }))
    expect(page.replaceAll(/<[^>]+>|\s+/g, ' ')).toMatch(
      /Monday\s+8:00.AM – 5:30.PM\s+Tuesday\s+open 24 hours\s+Wednesday\s+closed/,
    )
  })

  test('sentences that end with p.m. or Inc. get no second period', () => {
    const sentences = [
      es.comeBy('5:00 p.m.'),
      esForRequester.comeBy('5:00 p.m.'),
      es.byWhen('5:00 p.m.'),
      en.form.whoText('Acme Inc.'),
      es.form.whoText('Acme Inc.'),
    ]
    for (const text of sentences) expect(text).toMatch(/[^.]\.$/)
  })

  test('pages show distances in miles and name the US time zone', () => {
    expect(timePage(frame({ language: 'es' }), timeView())).toContain('(hora central)')
    expect([formatDistance(0.4, 'en'), formatDistance(1.01, 'en'), formatDistance(3.14, 'es')]).toEqual([
      'less than a mile away',
      '1 mile away',
      'a 3.1 millas',
    ])
  })

  test('a general error message names its field', () => {
    const page = detailsPage(frame(), details({ step: 'address', errors: [{ field: 'city', fault: 'tooLong' }] }))
    expect(page).toContain('City: this is too long.')
  })

  test('the pass of a closed order offers no actions', () => {
    expect(passPage(frame(), pass({ isOpen: false, isCancellable: false, appointmentAt: new Date() }))).not.toMatch(
      /step=|\.ics/,
    )
  })
})

describe('a place that was not understood', () => {
  const at = { isChosen: true, path: '/o/s' }
  const unknown = (members: Partial<ClinicsView>) =>
    clinicsView({ values: { place: 'Qwxyz' }, errors: [{ field: 'place', fault: 'wrong' }], ...members })
  const pages = [
    unknown({}),
    unknown({ near: 'nowhere' }),
    unknown({ filters: { openNow: true, walkIns: false, openSaturday: false } }),
  ]

  test('the page says so with an example, and not that there is no clinic', () => {
    for (const view of pages) {
      const page = clinicsPage({ ...at, language: 'en' }, view)
      expect(page).toContain(
        'We didn’t understand this place. Enter a city and its state, like Naperville, IL, or a ZIP code, like 60540.',
      )
      expect(page).toContain('<title>Error: Choose a clinic</title>')
      expect(page).not.toMatch(/No clinic|None near|find your address/)
      const spanish = clinicsPage({ ...at, language: 'es' }, view)
      expect(spanish).toContain('No entendimos este lugar.')
      expect(spanish).not.toMatch(/Ninguna clínica|No hay (ninguna )?clínica|No encontramos su dirección/)
    }
  })

  test('clinics near home are listed meanwhile, and said to be there', () => {
    const page = clinicsPage({ ...at, language: 'en' }, unknown({ clinics: [clinicCard()] }))
    expect(page).toContain('These are near your address.')
    expect(clinicsPage({ ...at, language: 'en' }, clinicsView({ clinics: [clinicCard()] }))).not.toContain(
      'These are near',
    )
  })

  test('a place that is known, but has no clinic in reach, gets its own message', () => {
    const found = { name: 'Mullen, NE', others: [] }
    const page = clinicsPage(
      { ...at, language: 'en' },
      clinicsView({ near: 'search', found, values: { place: 'Mullen, NE' } }),
    )
    expect(page).toContain('No clinic within 50 miles')
    expect(page).not.toContain('understand')
  })
})
