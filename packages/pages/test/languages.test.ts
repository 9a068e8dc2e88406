import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { calendarFile } from '../src/calendar.ts'
import { findLanguage, LANGUAGES, type Language } from '../src/languages/index.ts'
import type { LanguageFile } from '../src/languages/language-file.ts'
import type { NotificationFacts } from '../src/languages/notification-texts.ts'
import { clinicsPage } from '../src/clinics-page.ts'
import { helpPage } from '../src/help-page.ts'
import { html } from '../src/html.ts'
import { markNames, sentenceWith } from '../src/names.ts'
import { noticePage } from '../src/notice-page.ts'
import { passPage } from '../src/pass-page.ts'
import { passPdf } from '../src/pass-pdf.ts'
import { negotiateLanguage } from '../src/texts.ts'
import { walletTexts } from '../src/wallet-texts.ts'
import { everyPage, passView } from './every-page.ts'
import { clinicCard, clinicsView, ORDER, service } from './given.ts'
import { madeUpLanguage, outsideBrackets } from './made-up-language.ts'

/** Every text by its path. Functions are called with numbers in words, and count as texts. */
function textsOf(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'function') return textsOf(Reflect.apply(value, undefined, ['12', '34']), `${path}()`)
  if (typeof value !== 'object' || value === null) return [[path, String(value)]]
  return Object.entries(value).flatMap(([name, member]) => textsOf(member, path === '' ? name : `${path}.${name}`))
}

const FACTS: NotificationFacts = {
  name: '1',
  code: '2',
  company: '3',
  participant: '4',
  by: ' 5',
  deadline: '6',
  byDay: ' 7',
  appointment: '8',
  isArrival: false,
  day: 'tomorrow',
  clinic: '10',
  choosesClinic: true,
  isBooked: false,
  needsBooking: true,
  isUnfinished: true,
}

/** With the wording of all notifications. Formats have tests of their own. */
const worded = ({ formats: _formats, notifications: { kinds, ...rest }, ...file }: LanguageFile) => ({
  ...file,
  ...rest,
  ...Object.fromEntries(Object.entries(kinds).map(([kind, word]) => [kind, word(FACTS)])),
})

describe('the texts of a language', () => {
  test('Spanish has every text of English, and no other', () => {
    // A language has as many keywords as people use.
    const paths = (file: LanguageFile) =>
      textsOf(worded(file)).flatMap(([path]) => (path.startsWith('replies.keywords') ? [] : [path]))
    expect(paths(LANGUAGES.es)).toEqual(paths(LANGUAGES.en))
  })

  test('no Spanish text equals its English one, but for a few', () => {
    const translated = new Map(textsOf(worded(LANGUAGES.es)))
    const same = textsOf(worded(LANGUAGES.en)).filter(
      ([path, text]) => /\p{L}/u.test(text) && translated.get(path) === text && !/\.(version|isSample)$/.test(path),
    )
    const names = same.map(([path]) => path.replaceAll(/^pages\.(participant|requester)\.|\(\)$/g, ''))
    expect([...new Set(names)].toSorted()).toEqual([
      'clinics.allDayShort',
      'clinics.hoursMinutes',
      'clinics.miles',
      'clinics.minutes',
      'clinics.north',
      'error',
    ])
  })
})

describe('names', () => {
  const marked = (...names: string[]) => names.map((name) => `<span lang="en">${name}</span>`)
  const { participant } = LANGUAGES.es.pages

  test('names in a Spanish sentence are marked as English, and the sentence ends with one period', () => {
    const ask = (name: string) => html`${sentenceWith([name], 'es', participant.askCompany)}`.text
    expect([ask('Acme'), ask('Acme Inc.'), ask('A & B')]).toEqual([
      `Pregunte a ${marked('Acme')[0]}.`,
      `Pregunte a ${marked('Acme Inc.')[0]}`,
      `Pregunte a ${marked('A &amp; B')[0]}.`,
    ])
    expect(sentenceWith(['Acme'], 'en', LANGUAGES.en.pages.participant.askCompany)).toBe('Ask Acme.')
  })

  test('in a finished Spanish text, names are marked as whole words, the longer of two first', () => {
    const shown = (text: string, ...names: string[]) => html`${markNames(text, names, 'es')}`.text
    expect(shown('Acme y Acme West: pida a Acme.', 'Acme', 'Acme West', '')).toBe(
      `${marked('Acme')[0]} y ${marked('Acme West')[0]}: pida a ${marked('Acme')[0]}.`,
    )
    expect(shown('Acmeda y C.O. <b>', 'Acme', 'C.O.')).toBe(`Acmeda y ${marked('C.O.')[0]} &lt;b&gt;`)
    expect(markNames('Ask Acme.', ['Acme'], 'en')).toBe('Ask Acme.')
  })

  test('on a Spanish page, a test without a translation, a clinic, its address, the tenant and an answer time are English', () => {
    const brand = { ...ORDER.brand, contacts: [], answerTime: '4 business hours' }
    const services = [service('Urine', { names: { es: 'Orina' } }), service('Hair')]
    const clinic = clinicCard({ name: 'North Clinic', address: ['10 Main Street', 'Naperville, IL'] })
    const order = { ...ORDER, brand, services }
    const at = { language: 'es', isChosen: true, path: '/o/s' } as const
    const asked = { order, sentAt: new Date(0), email: null, phone: null, canEdit: false, place: '' }
    const pages = [
      passPage(at, passView({ ...order, clinic })),
      clinicsPage(at, clinicsView({ order, near: 'search', values: { place: 'Mullen, NE' } })),
      helpPage(at, asked),
    ].join('')
    for (const name of marked('Hair', 'North Clinic', 'Northfold', 'Acme', 'Mullen, NE', '4 business hours'))
      expect(pages).toContain(name)
    expect(pages).toMatch(/<address[^>]* lang="en">\s*10 Main Street/)
    expect(pages).toContain('<li>Orina</li>')
    const read = pages
      .replaceAll(/<(style|script|title)[^>]*>.*?<\/\1>/gs, '')
      .replaceAll(/<[^>]* lang="en">[^<]*/g, '')
    expect(read).not.toMatch(/>[^<]*(Acme|Northfold|North Clinic|Mullen|business hours)/)
  })
})

describe('a third language', () => {
  const XX = 'xx' as Language
  const NAMES = { english: LANGUAGES.en.name, spanish: LANGUAGES.es.name }
  beforeAll(() => void Object.assign(LANGUAGES, { xx: madeUpLanguage(LANGUAGES.en) }))
  afterAll(() => void Reflect.deleteProperty(LANGUAGES, XX))

  /** What people read or hear of a page. */
  const readOf = (page: string): string => {
    const content = page.replaceAll(/<(style|script)[^>]*>.*?<\/\1>/gs, '')
    const attributes = content.matchAll(/ (?:aria-label|placeholder|alt|title)="([^"]*)"/g)
    return [content.replaceAll(/<[^>]*>/g, ' '), ...Array.from(attributes, ([, text]) => text)].join('\n')
  }
  /** Latin letters that no text of the language has. */
  const strayIn = (text: string): string[] =>
    outsideBrackets(text.replaceAll(/K7M4-2QXD|&\w+;|English|Español|UTC/g, '')).match(/[a-z]+/gi) ?? []

  test('all pages are in it, without a word of English', () => {
    const stray = everyPage(XX, '±1').map((page) => [/<title>(.*)<\/title>/.exec(page)?.[1], strayIn(readOf(page))])
    expect(stray.filter(([, words]) => words!.length > 0)).toEqual([])
  })

  test('calendar files and wallets are in it', () => {
    const entry = { id: '1', code: '2', clinic: { name: '±', address: [], phone: '3' }, isClinicOff: true }
    const at = { appointmentAt: new Date(0), updatedAt: new Date(0), link: '4', isArrival: false }
    const lines = calendarFile({ ...entry, ...at }, XX)
      .replaceAll('\r\n ', '')
      .split('\r\n')
    const said = lines.filter((line) => /^(SUMMARY|DESCRIPTION):/.test(line)).map((line) => line.replace(/^\w+:/, ''))
    expect(said.flatMap((line) => strayIn(line.replaceAll(String.raw`\n`, ' ')))).toEqual([])
    const { color: _color, ...texts } = walletTexts(passView({ clinic: null, expiresAt: new Date(0) }), XX)
    expect(strayIn(JSON.stringify(Object.values(texts)).replaceAll(/"(label|value)"/g, ''))).toEqual([])
  })

  test('the pass is printed in it', async () => {
    const pdf = await passPdf(passView({ brand: { ...passView().brand } }), XX, new Date(0))
    expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
  })

  test('a page links to the same page in each other language', () => {
    const links = (language: Language) =>
      Array.from(
        noticePage({ language, isChosen: false, path: '/o/s' }, { notice: 'finished' }).matchAll(
          /hreflang="(\w+)" href="([^"]*)">([^<]*)</g,
        ),
        ([, ...parts]) => parts,
      )
    expect(links('en')).toEqual([
      ['es', '/o/s?lang=es', NAMES.spanish],
      ['xx', '/o/s?lang=xx', '⟦English⟧'],
    ])
    expect(links(XX).map(([language]) => language)).toEqual(['en', 'es'])
  })

  test('browsers get it if they ask for it', () => {
    expect(negotiateLanguage('xx', 'es')).toEqual({ language: 'xx', isChosen: true })
    expect(negotiateLanguage(undefined, 'es;q=0.5, xx-YY;q=0.9, en;q=0.1').language).toBe('xx')
    expect([findLanguage('xx'), findLanguage('toString')]).toEqual(['xx', undefined])
  })
})
