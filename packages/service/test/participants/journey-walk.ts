import { expect } from 'vitest'
import { contentOf } from '../orders/given.ts'
import { mailsOf, type JourneyOrder } from './journey-given.ts'
import { momentIn, TYPED, type Person } from './journey-person.ts'

/** From the mail to the first page. */
export async function fromMail(person: Person, order: JourneyOrder): Promise<void> {
  await person.openMail(order, person.words.mailLink, (mail) => {
    for (const part of ['Boxelder Fulfillment', 'Northfold', order.code]) expect(mail).toContain(part)
    expect(mail.replaceAll(/\s+/g, ' ')).toMatch(momentIn(order.expiresAt, 'en'))
    expect(mail).not.toMatch(/drug|alcohol|urine|Lopez/i)
  })
}

/** The page about the person, filled in. */
export async function fillYou(person: Person): Promise<void> {
  const { words } = person
  await person.type(words.month, '3')
  await person.type(words.day, '7')
  await person.type(words.year, TYPED.year)
  await person.select(words.idType, words.license)
  await person.type(words.idNumber, TYPED.number)
  await person.select(new RegExp(`^${words.idState}`), 'Illinois')
  await person.press('button', words.goOn)
}

export async function fillContact(person: Person): Promise<void> {
  await person.type(person.words.phone, TYPED.phone)
  await person.press('button', person.words.goOn)
}

const HOME = { street: TYPED.street, city: 'Naperville', state: 'Illinois', zip: TYPED.zip }
/** Far from every clinic. */
export const FAR = { ...HOME, city: 'Mullen', state: 'Nebraska', zip: '69152' }

export async function fillAddress(person: Person, { street, city, state, zip } = HOME): Promise<void> {
  const { words } = person
  await person.type(words.street, street)
  await person.type(words.city, city)
  await person.select(words.state, state)
  await person.type(words.zip, zip)
  await person.press('button', words.goOn)
}

/** All pages with details, up to the one that shows them once more. */
export async function fillDetails(person: Person, home = HOME): Promise<void> {
  await fillYou(person)
  await fillContact(person)
  await fillAddress(person, home)
}

/** From the first page to the list of clinics of a test that asks for consent. */
export async function toClinics(person: Person, home = HOME): Promise<void> {
  await fillDetails(person, home)
  await person.check(person.words.consent)
  await person.press('button', person.words.agree)
}

const TIMES = { '10:30': /^10:30\sa/i, '2:00': /^2:00\sp/i } as const

/** Chooses a day of the list by its place, and a time of it. */
export async function chooseTime(person: Person, time: keyof typeof TIMES, day = 2): Promise<void> {
  const days = person.page.getByRole('navigation', { name: person.words.dayList }).getByRole('link')
  const loaded = person.page.waitForEvent('load')
  await days.nth(day).click()
  await loaded
  await person.check(TIMES[time], 'radio')
}

/** The clinic by its name. */
export const chooseClinic = (person: Person, name: string): Promise<void> =>
  person.press('button', `${person.words.choose}: ${name}`)

export const appointmentOf = async (person: Person, { id }: JourneyOrder): Promise<string> =>
  String((await contentOf(person.service, id))['appointmentAt'])

/** The newest mail to the participant. */
export async function newestMail(person: Person, order: JourneyOrder) {
  const mails = await mailsOf(person.service, order)
  return mails.find(({ isCopy }) => isCopy !== true)!
}
