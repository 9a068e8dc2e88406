import { describe, expect, test } from 'vitest'
import { hasBrowser, openBrowser } from './browser.ts'
import { journeyService, moved, ordered, reported, type JourneyOrder } from './journey-given.ts'
import { momentIn, Person, type Form } from './journey-person.ts'
import {
  appointmentOf,
  chooseClinic,
  chooseTime,
  fillAddress,
  fillContact,
  fillYou,
  fromMail,
  newestMail,
} from './journey-walk.ts'

const FORMS: (Form & { clinic: string; result: string })[] = [
  {
    language: 'en',
    width: 390,
    scheme: 'light',
    hasScripts: false,
    clinic: 'Naperville Occupational Health',
    result: 'positive',
  },
  {
    language: 'es',
    width: 1280,
    scheme: 'dark',
    hasScripts: true,
    clinic: 'O’Hare Freight & Flight Medicine',
    result: 'negative',
  },
  {
    language: 'es',
    width: 390,
    scheme: 'dark',
    hasScripts: false,
    clinic: 'O’Hare Freight & Flight Medicine',
    result: 'positive',
  },
  {
    language: 'en',
    width: 1280,
    scheme: 'light',
    hasScripts: true,
    clinic: 'Naperville Occupational Health',
    result: 'negative',
  },
]
/** Axe looks at every page of a journey. */
const LONGEST_MS = 300_000
const WHO = ['Boxelder Fulfillment', 'Northfold Compliance Partners', '(630) 555-0101']

describe.skipIf(!hasBrowser)('a participant from the mail to the report', () => {
  const service = journeyService()
  const opened = openBrowser()

  test.each(FORMS)(
    'a participant books, changes the time and takes the test: $language, $width px, $scheme, scripts: $hasScripts',
    async ({ clinic, result, ...form }) => {
      expect.hasAssertions()
      const order = await ordered(service)
      const person = await Person.come(opened.browser, service, form)
      await fromMail(person, order)
      await details(person, order)
      await booking(person, order, clinic)
      await changing(person, order, clinic)
      await visiting(person, order, { clinic, result })
      await person.leave()
    },
    LONGEST_MS,
  )

  async function details(person: Person, order: JourneyOrder) {
    const { words } = person
    const due = momentIn(order.expiresAt, words.language)
    await person.sees('01-you', words.greeting, ...WHO, due, order.code)
    await person.press('button', words.goOn)
    await person.page.getByRole('heading', { name: words.fix }).waitFor()
    expect(await person.page.title()).toMatch(/^Error: /)
    await fillYou(person)
    await person.sees('02-contact', words.reach, ...WHO)
    await fillContact(person)
    await person.sees('03-address', words.look, ...WHO)
    await fillAddress(person)
    await person.sees(
      '04-check',
      words.check,
      ...WHO,
      'Maria Lopez',
      '•••4567',
      '(630) 555-0142',
      '1825 Brookdale Road',
    )
    expect(await person.reads()).not.toContain('L123')
    await person.press('button', words.agree)
    await person.page.getByRole('heading', { name: words.fix }).waitFor()
    await person.sees('05-check-error', words.check)
    await person.check(words.consent)
    await person.press('button', words.agree)
  }

  async function booking(person: Person, order: JourneyOrder, clinic: string) {
    const { words } = person
    const due = momentIn(order.expiresAt, words.language)
    await person.sees('06-clinics', words.clinics, ...WHO, due, clinic, '1240 Rickert Drive')
    await chooseClinic(person, clinic)
    await person.sees('07-time', words.when, due, clinic)
    await chooseTime(person, '10:30')
    await person.sees('08-time-chosen', words.when, due, clinic)
    await person.press('button', words.book)
    const at = await appointmentOf(person, order)
    await person.sees('09-pass', words.booked, ...WHO, momentIn(at, words.language), clinic, order.code, words.calendar)
    const mail = await newestMail(person, order)
    expect(mail.text.replaceAll(/\s+/g, ' ')).toMatch(momentIn(at, words.language))
    expect(mail.text).toContain(clinic)
    expect(mail.attachments.map(({ filename }) => filename)).toContain('appointment.ics')
  }

  async function changing(person: Person, order: JourneyOrder, clinic: string) {
    const { words } = person
    const before = await appointmentOf(person, order)
    await person.press('link', words.change)
    await person.sees('10-change', words.changeTitle, momentIn(before, words.language), clinic)
    await person.check(/^2:00\sp/i, 'radio')
    await person.press('button', words.review)
    await person.sees('11-confirm', words.confirm, momentIn(before, words.language), words.stays)
    expect(await person.page.locator('del').innerText()).toContain('10:30')
    expect(await person.page.locator('ins').innerText()).toMatch(/2\sp/i)
    expect(await appointmentOf(person, order)).toBe(before)
    await person.press('button', words.yes)
    const at = await appointmentOf(person, order)
    expect(Date.parse(at) - Date.parse(before)).toBe(3.5 * 3_600_000)
    await person.sees('12-pass-changed', words.booked, momentIn(at, words.language), clinic, order.code)
    const mail = await newestMail(person, order)
    expect(mail.text.replaceAll(/\s+/g, ' ')).toMatch(momentIn(at, words.language))
  }

  async function visiting(person: Person, order: JourneyOrder, { clinic, result }: { clinic: string; result: string }) {
    const { words } = person
    await moved(service, order, 'checkedIn')
    await person.again()
    await person.sees('13-checked-in', words.checkedIn, clinic, words.stay, order.code)
    await moved(service, order, 'collected')
    await person.again()
    await person.sees('14-collected', words.done, words.nothingElse, words.lab, ...WHO)
    await reported(service, order, result)
    await person.again()
    await person.sees('15-complete', words.complete, words.notShown, words.reported, ...WHO)
  }
})
