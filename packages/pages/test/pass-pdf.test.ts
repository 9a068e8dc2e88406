import * as fc from 'fast-check'
import { writeFile } from 'node:fs/promises'
import { describe, expect, test } from 'vitest'
import { passPdf } from '../src/pass-pdf.ts'
import { toVisualOrder, breakLines, toPrintable } from '../src/typesetting.ts'
import type { CollectorView, PassView } from '../src/views.ts'
import { ORDER, service } from './given.ts'
import { printed, readPdf, scanned, scannedSquare, wordsOf } from './scanner.ts'

const NOW = new Date('2027-02-01T12:00:00Z')
const OPEN = [['08:00', '12:00'] as const, ['13:00', '17:00'] as const]
const CLINIC = {
  id: 'c',
  name: 'Naperville Occupational Health',
  address: ['10 Main Street', 'Naperville, IL 60540'],
  phone: '+16305550100',
  miles: null,
  at: null,
  hours: [[], OPEN, OPEN, OPEN, OPEN, OPEN, []],
  timezone: 'America/Chicago',
}
const pass = (members: Partial<PassView> = {}): PassView => ({
  ...ORDER,
  company: 'Acme Logistics',
  services: [service('Urine 5-panel', { names: { es: 'Orina, 5 paneles' } }), service('Breath alcohol')],
  expiresAt: new Date('2027-03-05T23:00:00Z'),
  clinic: CLINIC,
  appointmentAt: null,
  isOpen: true,
  choosesClinic: true,
  isCancellable: true,
  isArrival: false,
  isClinicOff: false,
  ...members,
})

const COLLECTOR: CollectorView = {
  identifier: { type: 'driverLicense', digits: '6789' },
  employer: { name: 'Acme Logistics', address: ['3350 Channahon Road', 'Joliet, IL 60436'], phone: '+18155550100' },
  representative: { name: 'Ruth Calder', address: [], phone: '+18155550101' },
  administrator: { name: 'Northfold', address: [], phone: '+13125550160' },
  reviewer: { name: 'Amara Osei, MD', address: ['55 E Monroe Street', 'Chicago, IL 60603'], phone: '+13125550190' },
  laboratories: ['Halvorsen Ridge Toxicology'],
  agency: 'FMCSA',
  reason: 'Pre-employment',
  isObserved: false,
  isRegulated: true,
}
const NOTHING: CollectorView = {
  ...COLLECTOR,
  identifier: null,
  employer: { name: 'Acme Logistics', address: [], phone: null },
  representative: null,
  reviewer: null,
  laboratories: [],
}

describe('the pass on paper', () => {
  test('the lower half has what 49 CFR 40.14 lists, in English on a Spanish pass too', async () => {
    for (const language of ['en', 'es'] as const) {
      const pdf = await readPdf(await passPdf(pass(), language, NOW, COLLECTOR))
      expect(pdf.numPages).toBe(1)
      const words = await wordsOf(pdf)
      for (const part of [
        'For the collector',
        '49 CFR 40.14',
        'Employer Acme Logistics 3350 Channahon Road Joliet, IL 60436 (815) 555-0100',
        'Employer representative (DER) Ruth Calder (815) 555-0101',
        'Administrator (C/TPA) Northfold',
        'Reason for test Pre-employment',
        'DOT agency FMCSA',
        'Directly observed No',
        'Laboratory Halvorsen Ridge Toxicology',
        'Medical review officer Amara Osei, MD 55 E Monroe Street Chicago, IL 60603 (312) 555-0190',
        'Maria Lopez ID ending in 6789 Urine 5-panel',
      ])
        expect(words).toContain(part)
      const tree = JSON.stringify(await (await pdf.getPage(1)).getStructTree())
      expect(tree).toContain('"lang":"en"')
    }
  })

  test('a Spanish pass is Spanish, and marks the names and addresses in it as English', async () => {
    const services = [service('Urine', { names: { es: 'Orina' } }), service('Hair')]
    const view = pass({ services, isClinicOff: false })
    const pdf = await readPdf(await passPdf(view, 'es', NOW))
    expect((await pdf.getMetadata()).info).toMatchObject({ Language: 'es' })
    const page = await pdf.getPage(1)
    const { items } = await page.getTextContent({ includeMarkedContent: true })
    const texts = new Map<string, string>()
    let open = ''
    for (const item of items) {
      if ('str' in item) texts.set(open, (texts.get(open) ?? '') + item.str)
      else if (item.id) open = item.id
    }
    const marked: string[] = []
    const collect = (node: object, lang?: string) => {
      const { children = [], id, lang: own = lang } = node as { children?: object[]; id?: string; lang?: string }
      if (id !== undefined && own === 'en') marked.push(texts.get(id) ?? '')
      for (const child of children) collect(child, own)
    }
    collect(await page.getStructTree())
    const english = [view.brand.company, view.clinic!.name, ...view.clinic!.address, 'Hair']
    expect(marked).toEqual(expect.arrayContaining(english))
    expect(marked).not.toContain('Orina')
    expect(marked.join(' ')).not.toMatch(/Dónde|Prueba/)
  })

  test('what is not known is left blank, with a line to fill in', async () => {
    const words = await wordsOf(await readPdf(await passPdf(pass(), 'en', NOW, NOTHING)))
    const blank = '_____________________________'
    for (const part of [
      `Employer Acme Logistics ${blank} ${blank}`,
      `Employer representative (DER) ${blank} ${blank}`,
      `Laboratory ${blank}`,
      `Medical review officer ${blank} ${blank} ${blank}`,
      `Maria Lopez ${blank}`,
    ])
      expect(words).toContain(part)
  })

  test('an unregulated order says so, and names no regulation', async () => {
    const facts = { ...COLLECTOR, isRegulated: false, agency: null }
    const words = await wordsOf(await readPdf(await passPdf(pass(), 'en', NOW, facts)))
    expect(words).toContain('DOT agency Not regulated')
    expect(words).not.toContain('49 CFR')
  })

  test('scanners can read the QR code of the PDF', async () => {
    const pdf = await readPdf(await passPdf(pass(), 'en', NOW, COLLECTOR))
    const png = await printed(pdf, 200)
    if (process.env['SCREENSHOTS']) await writeFile(`${process.env['SCREENSHOTS']}/pass-pdf.png`, png)
    expect(await scannedSquare(png)).toBe('K7M4-2QXD')
  })

  test('the PDF says first if the clinic is no longer available, and what to do', async () => {
    const words = async (members: Partial<PassView>) => wordsOf(await readPdf(await passPdf(pass(members), 'en', NOW)))
    expect(await words({ isClinicOff: true })).toContain('Please choose another one')
    expect(await words({ isClinicOff: true, choosesClinic: false })).toContain('ask Acme Logistics')
    expect(await words({})).not.toContain('no longer available')
  })

  test('the PDF says who asks, for whom, where, when, what to bring, and the order code', async () => {
    const pdf = await readPdf(await passPdf(pass(), 'en', NOW))
    const words = await wordsOf(pdf)
    for (const part of [
      'Testing pass',
      'K7M4-2QXD',
      'Any time the clinic is open, by Fri, Mar 5, 5 PM CT; no appointment needed',
      'Naperville Occupational Health',
      '10 Main Street',
      '(630) 555-0100',
      'Monday – Friday: 8:00 AM – 12:00 PM, 1:00 PM – 5:00 PM',
      'Saturday – Sunday: closed',
      'Breath alcohol',
      'Maria Lopez',
      'Photo ID, not expired',
      'come with a full bladder',
      'No cost to you',
      'Urine 5-panel',
      'Acme with Northfold',
    ])
      expect(words).toContain(part)
  })

  test('the PDF is one US Letter page with a title, tags for screen readers, and a language', async () => {
    const pdf = await readPdf(await passPdf(pass({ appointmentAt: new Date('2027-03-02T15:30:00Z') }), 'es', NOW))
    expect(pdf.numPages).toBe(1)
    const page = await pdf.getPage(1)
    expect(page.view).toEqual([0, 0, 612, 792])
    const { info } = await pdf.getMetadata()
    expect(info).toMatchObject({ Title: 'Su pase K7M4-2QXD', Language: 'es' })
    expect(await pdf.getMarkInfo()).toMatchObject({ Marked: true })
    const tree = JSON.stringify(await page.getStructTree())
    for (const role of ['H1', 'H2', 'Figure']) expect(tree).toContain(`"role":"${role}"`)
    expect(tree).toContain('"alt":"Código de barras de la orden K7M4-2QXD"')
    expect(await wordsOf(pdf)).toContain('Martes, 2 de marzo de 2027 a las 9:30 a. m. (hora central)')
    expect(await wordsOf(pdf)).toContain('Orina, 5 paneles Breath alcohol')
  })

  test('the PDF works without a clinic, hours and a deadline', async () => {
    const bare = { ...CLINIC, address: [], phone: null, hours: null, timezone: null }
    for (const view of [pass({ clinic: null, expiresAt: null }), pass({ clinic: bare })])
      expect((await readPdf(await passPdf(view, 'en', NOW))).numPages).toBe(1)
  })

  test.each(['K7M4-2QXD', '2222-2222', 'WXYZ-7H9J'])('scanners can read the barcode of the PDF: %s', async (code) => {
    const pdf = await readPdf(await passPdf(pass({ code }), 'en', NOW))
    expect(await scanned(await printed(pdf, 150))).toBe(code)
  })
})

describe('names of any length and script', () => {
  test.each([
    ['José Ñandú-Łukasz', 'José Ñandú-Łukasz'],
    ['Дмитрий Ελένη', 'Дмитрий Ελένη'],
    ['王小明', '□□□'],
    ['Ann\u0000\u200b\nMarie', 'Ann Marie'],
    ['\ud800x', 'x'],
  ])('the PDF prints the name %j as %j', async (name, shown) => {
    const words = await wordsOf(await readPdf(await passPdf(pass({ name }), 'en', NOW)))
    expect(words).toContain(`Name ${shown}`)
  })

  test('the PDF shows Hebrew and Arabic from right to left and keeps their reading order', async () => {
    expect(toVisualOrder('a דוד בן b محمد')).toEqual(['a', 'בן', 'דוד', 'b', 'محمد'])
    const pdf = await readPdf(await passPdf(pass({ name: 'דוד כהן محمد علي' }), 'en', NOW))
    expect(await wordsOf(pdf)).toContain('דוד כהן محمد علي')
  })

  test('long texts get a smaller font, are then cut, and leave the barcode in place', async () => {
    const long = pass({
      name: 'Wolfeschlegelsteinhausen '.repeat(40),
      company: 'W'.repeat(5000),
      services: Array.from({ length: 200 }, (_, i) => service(`Service ${i} with a rather long name`)),
      clinic: { ...CLINIC, name: 'Ω'.repeat(900), address: Array.from({ length: 50 }, () => 'Long Street '.repeat(9)) },
    })
    const pdf = await readPdf(await passPdf(long, 'es', NOW, COLLECTOR))
    expect(pdf.numPages).toBe(1)
    expect(await wordsOf(pdf)).toContain('…')
    expect(await lowestOf(pdf)).toBeGreaterThan(50)
    expect(await scanned(await printed(pdf, 150))).toBe(long.code)
  })

  test('no name breaks the PDF', { timeout: 60_000 }, async () => {
    const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 60 }), fc.string({ unit: 'grapheme', maxLength: 60 }))
    await fc.assert(
      fc.asyncProperty(text, text, fc.constantFrom('en', 'es'), async (name, company, language) => {
        const view = pass({
          name,
          company,
          services: [service(name)],
          clinic: { ...CLINIC, name: company, address: [name] },
        })
        const pdf = await readPdf(await passPdf(view, language, NOW, COLLECTOR))
        expect(pdf.numPages).toBe(1)
        expect(await wordsOf(pdf)).toContain(view.code)
        expect(await lowestOf(pdf)).toBeGreaterThan(50)
      }),
      { numRuns: 15 },
    )
  })

  test('broken lines keep all letters of a text, and none is too long', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), fc.integer({ min: 1, max: 30 }), (text, most) => {
        const set = toPrintable(text)
        const lines = breakLines(set, (line) => Array.from(line).length <= most)
        expect(lines.every((line) => Array.from(line).length <= most)).toBe(true)
        expect(lines.join('').replaceAll(' ', '')).toBe(set.replaceAll(' ', ''))
      }),
    )
  })
})

/** The distance of the last line from the lower edge, in points. */
async function lowestOf(pdf: Awaited<ReturnType<typeof readPdf>>): Promise<number> {
  const { items } = await (await pdf.getPage(1)).getTextContent()
  return Math.min(...items.flatMap((item) => ('str' in item && item.str.trim() ? [item.transform[5] as number] : [])))
}
