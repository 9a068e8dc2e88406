import { describe, expect, test } from 'vitest'
import { contentOf, PERSON } from '../orders/given.ts'
import { operate } from '../support/operator.ts'
import { hasBrowser, openBrowser } from './browser.ts'
import { linkTo } from './given.ts'
import { journeyService, mailsOf, ordered, type JourneyOrder } from './journey-given.ts'
import { momentIn, Person, TYPED, type Form } from './journey-person.ts'
import { appointmentOf, chooseClinic, chooseTime, fromMail, toClinics } from './journey-walk.ts'
import { atClinics, visitService } from './visit-given.ts'

const PHONE: Form = { language: 'en', width: 390, scheme: 'light', hasScripts: false }
const DESK: Form = { language: 'en', width: 1280, scheme: 'dark', hasScripts: true }
const LONGEST_MS = 300_000
const NAPERVILLE = 'Naperville Occupational Health'

describe.skipIf(!hasBrowser)('journeys with links', { timeout: LONGEST_MS }, () => {
  const service = journeyService()
  const opened = openBrowser()
  const come = (form: Form) => Person.come(opened.browser, service, form)
  const birth = async (person: Person, day: string) => {
    await person.type(person.words.month, '3')
    await person.type(person.words.day, day)
    await person.type(person.words.year, TYPED.year)
    await person.press('button', person.words.goOn)
  }

  test('a booking opened on another device asks for the birth date first', async () => {
    const order = await ordered(service)
    const person = await come(PHONE)
    await fromMail(person, order)
    await toClinics(person)
    await chooseClinic(person, NAPERVILLE)
    await chooseTime(person, '10:30')
    await person.press('button', 'Book this time')
    const other = await come(DESK)
    await other.openMail(order, 'Open my pass')
    await other.sees('60-new-device', 'Is it you, Maria?', '(630) 555-0101')
    for (const hidden of [order.code, NAPERVILLE, 'Lopez', 'drug']) expect(await other.reads()).not.toContain(hidden)
    await birth(other, '8')
    await other.sees('61-new-device-wrong', 'Is it you, Maria?', 'That doesn’t match what we have.')
    await birth(other, '7')
    const at = await appointmentOf(other, order)
    await other.sees('62-new-device-pass', 'You’re booked, Maria', momentIn(at, 'en'), order.code)
    await other.again()
    await other.page.getByRole('heading', { name: 'You’re booked, Maria' }).waitFor()
    await person.leave()
    await other.leave()
  })

  test.each(['revoked', 'expired'])('a link that was %s leads to a new one by mail', async (how) => {
    const order = await ordered(service)
    const person = await come(how === 'revoked' ? PHONE : DESK)
    await fromMail(person, order)
    const old =
      how === 'revoked'
        ? new URL(person.page.url()).pathname
        : `/o/${await linkTo(service, order.id, { expiresAt: new Date(0) })}`
    await operate(service, 'DELETE', `/orders/${order.id}/links`)
    await person.open(old)
    await person.sees('63-old-link', 'This link has expired', 'ask the people who sent it to you')
    expect(await person.reads()).not.toMatch(/Lopez|drug|Maria/)
    await person.press('button', 'Send me a new link')
    await person.sees('64-new-link-sent', 'Check your messages')
    await person.openMail(order, 'Book my test', (mail) => expect(mail).toContain('here’s your new link'))
    await person.page.getByRole('heading', { name: 'Hi Maria, let’s book your test' }).waitFor()
    expect(new URL(person.page.url()).pathname).not.toBe(old)
    await person.leave()
  })

  test('a requester with two orders chooses clinics for both from one mail', async () => {
    const requester = { email: 'dana@boxelder.example', firstName: 'Dana', lastName: 'Reed' }
    const settings = { schedulingOption: 'order', clinicSelectionMode: 'requesterSelects', expiresIn: 5 }
    const orders: JourneyOrder[] = []
    for (const firstName of ['Ana', 'Beto'])
      orders.push(await ordered(service, { requester, settings, participant: { ...PERSON, firstName } }))
    const person = await come(DESK)
    await person.openMail(orders[0]!, 'Choose a clinic')
    await person.sees('70-requester-clinics', 'Choose a clinic', 'Ana Lopez', momentIn(orders[0]!.expiresAt, 'en'))
    await chooseClinic(person, NAPERVILLE)
    await chooseTime(person, '10:30', 4)
    await person.sees('71-requester-time', 'When will the participant go?', 'Ana Lopez')
    await person.press('button', 'Book')
    const at = await appointmentOf(person, orders[0]!)
    await person.sees('72-requester-booked', 'A clinic is booked', momentIn(at, 'en'), NAPERVILLE)
    await person.press('link', 'All your open orders')
    await person.sees(
      '73-requester-orders',
      'Your open orders',
      '2 open orders',
      /Beto Lopez.*Needs a clinic.*Ana Lopez/,
    )
    await person.press('link', /Choose a clinic\s*: Beto Lopez/)
    await chooseClinic(person, 'O’Hare Freight & Flight Medicine')
    await chooseTime(person, '10:30')
    await person.press('button', 'Book')
    await person.page.getByRole('heading', { name: 'A clinic is booked' }).waitFor()
    expect(await contentOf(service, orders[1]!.id)).toMatchObject({ clinic: { id: 'ohare' } })
    await person.leave()
  })

  test('the copy of a mail has no link, and the mailbox shows both', async () => {
    const cc = [{ type: 'email', to: 'maria@example.com', cc: ['hr@boxelder.example'] }]
    const order = await ordered(service, { deliveryMethods: cc })
    const mails = await mailsOf(service, order)
    const copy = mails.find(({ isCopy }) => isCopy === true)!
    expect(copy).toMatchObject({ to: 'hr@boxelder.example', subject: expect.stringContaining('Copy: ') })
    expect(copy.text + copy.html).not.toContain('/o/')
    const person = await come(DESK)
    await person.open(`/sandbox/mailbox?order=${order.code}`)
    await person.sees('75-mailbox', 'Messages', 'hr@boxelder.example (copy)')
    await person.press('link', /\(copy\)/)
    const letter = person.page.frameLocator('iframe')
    await letter.getByText('Copy for your information').waitFor()
    expect(await letter.getByRole('link', { name: 'Book my test' }).count()).toBe(0)
    await person.leave()
  })
})

describe.skipIf(!hasBrowser)('the day on which clocks are set back', { timeout: LONGEST_MS }, () => {
  const visit = visitService(new Date('2027-11-03T18:00:00.000Z'))
  const opened = openBrowser()

  test('a participant tells the two passes of the repeated hour apart and books the second', async () => {
    const { order, secret } = await atClinics(visit, { expiresIn: 6 })
    const person = await Person.come(opened.browser, visit.service, PHONE)
    await person.open(`/o/${secret}`)
    await chooseClinic(person, 'O’Hare Freight & Flight Medicine')
    await person.press('link', /Sunday, November 7/)
    for (const name of ['1:30 AM CDT', '1:30 AM CST'])
      expect(await person.page.getByRole('radio', { name, exact: true }).count()).toBe(1)
    await person.check('1:30 AM CST', 'radio')
    await person.sees('80-repeated-hour', 'When will you go?', '2:00 AM')
    await person.press('button', 'Book this time')
    await person.sees('81-pass-repeated-hour', 'You’re booked, Maria', 'Sun, Nov 7, 1:30 AM CST')
    expect(await contentOf(visit.service, order.id)).toMatchObject({ appointmentAt: '2027-11-07T07:30:00.000Z' })
    await person.leave()
  })
})
