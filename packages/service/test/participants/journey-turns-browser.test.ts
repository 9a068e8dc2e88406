import { describe, expect, test } from 'vitest'
import { contentOf } from '../orders/given.ts'
import { operate } from '../support/operator.ts'
import { hasBrowser, openBrowser } from './browser.ts'
import { readOrder } from './given.ts'
import { journeyService, mailsOf, ordered, type JourneyOrder } from './journey-given.ts'
import { momentIn, Person, type Form } from './journey-person.ts'
import {
  appointmentOf,
  chooseClinic,
  chooseTime,
  FAR,
  fillDetails,
  fromMail,
  newestMail,
  toClinics,
} from './journey-walk.ts'

const PHONE: Form = { language: 'en', width: 390, scheme: 'light', hasScripts: false }
const NIGHT: Form = { ...PHONE, scheme: 'dark' }
const DESK: Form = { language: 'en', width: 1280, scheme: 'light', hasScripts: true }
const DUE = { schedulingOption: 'link', expiresIn: 5 }
const LONGEST_MS = 300_000

describe.skipIf(!hasBrowser)('journeys that take a turn', { timeout: LONGEST_MS }, () => {
  const service = journeyService()
  const opened = openBrowser()
  const come = (form: Form) => Person.come(opened.browser, service, form)
  const helpOf = async ({ id }: JourneyOrder) =>
    (await operate(service, 'GET', `/helpRequests?orderId=${id}`)).body.data as { reason: string; isOpen: boolean }[]

  test('a regulated test has a notice and asks for no consent', async () => {
    const order = await ordered(service, { package: { id: 'dot' }, agency: { code: 'PHMSA' }, settings: DUE })
    const person = await come(NIGHT)
    await fromMail(person, order)
    await fillDetails(person)
    await person.sees('20-check-regulated', 'Check your details', '49 CFR Part 40', /Ruth Calder, \(630\) 555-0101/)
    expect(await person.page.getByRole('checkbox').count()).toBe(0)
    expect(await person.reads()).not.toMatch(/consent to|I agree|don’t agree/)
    await person.press('button', 'My details are correct')
    await chooseClinic(person, 'O’Hare Freight & Flight Medicine')
    await chooseTime(person, '10:30')
    await person.press('button', 'Book this time')
    const at = await appointmentOf(person, order)
    await person.sees('21-pass-regulated', 'You’re booked, Maria', momentIn(at, 'en'), 'DOT urine drug test')
    const { body } = await operate(service, 'GET', `/orders/${order.id}`)
    expect(body.agreements).toMatchObject([{ kind: 'notice', version: expect.any(String) }])
    await person.leave()
  })

  test('somebody who does not agree reads what happens, and comes back later', async () => {
    const order = await ordered(service)
    const person = await come({ ...PHONE, language: 'es' })
    await fromMail(person, order)
    await fillDetails(person)
    await person.press('link', 'No acepto. ¿Y ahora?')
    await person.sees('22-decline', 'No tiene que aceptar', 'Su orden sigue abierta', '(630) 555-0101')
    await person.page.getByLabel('Dígales por qué').fill('Quiero preguntar antes.')
    await person.press('button', 'Decirles que no acepto')
    await person.sees('23-declined', 'Ya les avisamos', 'Boxelder Fulfillment verán que usted no acepta')
    expect(await helpOf(order)).toMatchObject([{ reason: 'declined', isOpen: true }])
    await person.press('link', 'Volver a mis datos')
    await person.sees('24-check-after-decline', 'Revise sus datos', 'Todavía puede aceptar aquí')
    await person.check(person.words.consent)
    await person.press('button', person.words.agree)
    await person.sees('25-clinics-after-decline', 'Elija una clínica')
    await chooseClinic(person, 'O’Hare Freight & Flight Medicine')
    await chooseTime(person, '10:30')
    await person.press('button', person.words.book)
    await person.page.getByRole('heading', { name: person.words.booked }).waitFor()
    expect(await helpOf(order)).toMatchObject([{ reason: 'declined', isOpen: false }])
    await person.leave()
  })

  test.each([{ ...DESK, scheme: 'dark' as const }, { ...PHONE }])(
    'a background check has a disclosure of its own, an authorization and a copy, $width px',
    async (form) => {
      const order = await ordered(service, { package: { id: 'records' }, settings: DUE })
      const person = await come(form)
      await person.openMail(order, 'Fill in my details')
      await person.sees('30-background-you', 'Hi Maria', 'Criminal record check')
      await fillDetails(person)
      await person.press('button', 'My details are correct')
      await person.sees('31-disclosure', 'Disclosure regarding a background check', 'consumer report')
      for (const role of ['link', 'textbox', 'checkbox', 'contentinfo'] as const)
        expect(await person.page.getByRole(role).count()).toBe(0)
      expect(await person.page.getByRole('button').allInnerTexts()).toEqual(['Continue'])
      await person.press('button', 'Continue')
      await person.sees('32-authorization', 'Authorize the background check', 'We’ll email you a copy', 'I don’t agree')
      await person.press('button', 'Sign and authorize')
      await person.sees(
        '33-authorization-error',
        'Authorize the background check',
        'Type your full legal name to sign.',
      )
      await person.page.getByLabel('Type your full legal name').fill('Maria Lopez')
      await person.press('button', 'Sign and authorize')
      await person.sees('34-background-done', 'Thanks, Maria. You’re all set.', 'no clinic to visit', 'Northfold')
      const copy = await newestMail(person, order)
      for (const part of ['consumer report', 'I have read the disclosure', 'Maria Lopez'])
        expect(copy.text).toContain(part)
      expect(copy.text).not.toContain('/o/')
      await person.leave()
    },
  )

  test('without a clinic in reach somebody asks for help, and gets a clinic from an operator', async () => {
    const order = await ordered(service)
    const person = await come({ ...NIGHT, language: 'es' })
    await fromMail(person, order)
    await toClinics(person, FAR)
    await person.sees('40-no-clinic', /No hay clínicas a menos de \d+ millas/, 'Naperville Occupational Health')
    await person.press('link', 'Pedir ayuda')
    await person.page.getByLabel('Todas las clínicas están muy lejos').check()
    await person.page.getByLabel('¿Algo que debamos saber?').fill('Trabajo de noche.')
    await person.sees('41-help', 'Pida ayuda para encontrar una clínica', '0142')
    expect(await person.reads()).not.toMatch(/\(630\) 555-0142|maria@/)
    await person.press('button', 'Enviar')
    const due = momentIn(order.expiresAt, 'es', 'America/Denver')
    await person.sees('42-help-sent', 'Estamos en eso', due, '4 business hours', '(630) 555-0101', order.code)
    expect(await helpOf(order)).toMatchObject([{ reason: 'tooFar', isOpen: true }])
    await operate(service, 'PUT', `/orders/${order.id}/clinic`, { clinicId: 'joliet' })
    expect(await helpOf(order)).toMatchObject([{ isOpen: false }])
    const mail = await newestMail(person, order)
    expect(mail.text).toContain('Des Plaines River Driver Clinic')
    await person.leave()
  })

  test('two people press the button for the last slot at once: one is booked, the other is offered the closest', async () => {
    const orders = [await ordered(service), await ordered(service)]
    const people = [await come(PHONE), await come(PHONE)]
    for (const [i, person] of people.entries()) {
      await fromMail(person, orders[i]!)
      await toClinics(person)
      await chooseClinic(person, 'Naperville Occupational Health')
      await chooseTime(person, '10:30', 3)
    }
    await Promise.all(people.map((person) => person.press('button', 'Book this time')))
    const isBooked = await Promise.all(
      orders.map(async ({ id }) => (await contentOf(service, id))['appointmentAt'] !== null),
    )
    expect(isBooked.filter(Boolean)).toHaveLength(1)
    const [late, order] = [people[isBooked.indexOf(false)]!, orders[isBooked.indexOf(false)]!]
    const first = people[isBooked.indexOf(true)]!
    await first.page.getByRole('heading', { name: 'You’re booked, Maria' }).waitFor()
    await late.sees('50-taken', 'When will you go?', 'That time was just taken', 'Nothing is booked for you yet.')
    expect(await late.page.getByRole('radio', { name: /^10:30/ }).isDisabled()).toBe(true)
    const offered = late.page.locator('input[name="slot"]:checked')
    expect(await offered.count()).toBe(1)
    const closest = await offered.getAttribute('value')
    await late.press('button', 'Book this time')
    await late.page.getByRole('heading', { name: 'You’re booked, Maria' }).waitFor()
    expect(await readOrder(service, order.id)).toMatchObject({ status: 'scheduled' })
    expect(await appointmentOf(late, order)).toBe(closest)
    expect(await mailsOf(service, order)).toHaveLength(2)
    for (const person of people) await person.leave()
  })
})
