import { describe, expect, test } from 'vitest'
import { contentOf, PERSON } from '../orders/given.ts'
import { operate } from '../support/operator.ts'
import {
  completed,
  draftIn,
  eventsOf,
  fieldsOf,
  filledIn,
  followed,
  invited,
  open,
  participantService,
  readOrder,
  submit,
  tomorrow,
  wordsOf,
} from './given.ts'

const packages = [{ id: 'records', name: 'Records', services: ['criminal'] }]
const service = participantService({ packages, offered: ['records'] })

const FMCSA = { package: { id: 'dot' }, agency: { code: 'FMCSA' } }

describe('the page of an open order', () => {
  test('the page names the company, the deadline, the services and the participant', async () => {
    const { secret } = await invited(service, {
      package: { id: 'several' },
      settings: { schedulingOption: 'link', expiresIn: 3 },
    })
    const page = await open(service, secret)
    expect(page.status).toBe(200)
    const words = wordsOf(page)
    for (const part of ['Acme asks you', 'Go by', 'Maria Lopez', 'Urine', 'Hair', 'Audiogram', 'Step 1 of 3'])
      expect(words).toContain(part)
    expect(words).not.toContain('random')
  })

  test('the pages ask for what the option "order" requires and is missing, page by page', async () => {
    const { secret } = await invited(service)
    const asked: Record<string, string[]> = {}
    for (const step of ['you', 'contact', 'address']) {
      const { page } = await filledIn(service, secret, {}, { until: step })
      expect(wordsOf(page)).toContain(`Details ${Object.keys(asked).length + 1} of 3`)
      asked[step] = fieldsOf(page)
    }
    expect(asked).toEqual({
      you: ['birthMonth', 'birthDay', 'birthYear', 'identifierType', 'identifierValue', 'identifierState'],
      // The e-mail address that the link was sent to is known.
      contact: ['phone'],
      address: ['line1', 'line2', 'city', 'state', 'postalCode', 'country'],
    })
  })

  test('pages with nothing missing are skipped, and details on file are only shown masked', async () => {
    const { secret } = await invited(service, { participant: PERSON })
    const page = await open(service, secret)
    expect(fieldsOf(page)).toEqual(['consent'])
    const words = wordsOf(page)
    for (const masked of ['ma•••@example.com', 'Phone ending 0142', 'On file.']) expect(words).toContain(masked)
    for (const hidden of ['maria@', '1990', '536', '555-0142', '5550142', '8841', 'Naperville', '1200 Ogden', '60540'])
      expect(page.text).not.toContain(hidden)
  })

  test('a detail on file can be changed without being shown, and the rest stays as it is', async () => {
    const { order, secret } = await invited(service, { participant: PERSON })
    const page = await open(service, secret, '?step=contact&edit=phone')
    expect(fieldsOf(page)).toEqual(['phone'])
    expect(page.text).not.toContain('555')
    const answer = await submit(service, secret, { step: 'contact', phone: '(630) 555-0199' })
    expect(answer.headers.get('location')).toContain('step=check')
    expect(wordsOf(await followed(service, answer))).toContain('(630) 555-0199')
    const { draft } = await filledIn(service, secret, {}, { draft: draftIn(answer) })
    await submit(service, secret, { step: 'book', clinic: 'naperville', way: 'walkIn' }, '', draft)
    expect((await readOrder(service, order.id)).participant).toMatchObject({
      phone: '+16305550199',
      email: 'maria@example.com',
      birthDate: '1990-03-07',
    })
  })

  test('the page does not ask for a known licence', async () => {
    const identifiers = [{ type: 'driverLicense', value: 'D1' }]
    const { secret } = await invited(service, { ...FMCSA, participant: { ...PERSON, identifiers } })
    expect((await open(service, secret)).text).not.toContain('identifierValue')
  })

  test('the page is in Spanish by browser language or by choice, and switches to the other language', async () => {
    const { secret } = await invited(service)
    const spanish = await open(service, secret, '', { 'accept-language': 'fr, es-MX;q=0.9, en;q=0.5' })
    expect(spanish.text).toContain('<html lang="es">')
    expect(wordsOf(spanish)).toContain('Acme le pide')
    expect((await open(service, secret, '?lang=en', { 'accept-language': 'es' })).text).toContain('<html lang="en">')
    const asked = await open(service, secret, '?lang=es')
    expect(asked.text).toContain(`action="/o/${secret}?lang=es"`)
    expect(asked.text).toMatch(/<button class="link" form="fill" name="lang" value="en"/)
  })

  test('reading the page changes nothing', async () => {
    const { order, secret } = await invited(service)
    await open(service, secret)
    expect(await eventsOf(service, order.id)).toEqual([])
    expect((await readOrder(service, order.id)).updatedAt).toBe(order.updatedAt)
  })
})

describe('completing an order', () => {
  test('completing saves the participant and the clinic, schedules the services and creates one event', async () => {
    const { order, secret } = await invited(service, { package: { id: 'several' } })
    const page = await completed(service, secret)
    expect(page.status).toBe(303)
    expect(page.headers.get('location')).toBe(`/o/${secret}`)
    const after = await readOrder(service, order.id)
    expect(after).toMatchObject({
      status: 'scheduled',
      clinic: { id: 'naperville' },
      participant: {
        firstName: 'Maria',
        birthDate: '1990-03-07',
        email: 'maria@example.com',
        phone: '+16305550142',
        address: { line1: '1200 Ogden Avenue', postalCode: '60540' },
        identifiers: [{ type: 'driverLicense', value: 'L123-4567', issuingState: 'IL' }],
      },
    })
    expect(after.services.map(({ status }: { status: string }) => status)).toEqual(Array(3).fill('scheduled'))
    expect(await eventsOf(service, order.id)).toHaveLength(1)
    expect(await contentOf(service, order.id)).toMatchObject({ isBooked: true, appointmentAt: null })
  })

  test('completing with a time makes an appointment in the clinic’s local time', async () => {
    const { order, secret } = await invited(service)
    const { date, time } = tomorrow('09:30', 2)
    await completed(service, secret, { way: 'appointment', date, time })
    const { appointmentAt } = await contentOf(service, order.id)
    const shown = new Intl.DateTimeFormat('sv-SE', {
      timeZone: 'America/Chicago',
      dateStyle: 'short',
      timeStyle: 'short',
    }).format(new Date(appointmentAt as string))
    expect(shown).toBe(`${date} ${time}`)
  })

  test('completing twice, even concurrently, completes the order once', async () => {
    const { order, secret } = await invited(service)
    const pages = await Promise.all([1, 2, 3, 4].map(() => completed(service, secret)))
    expect(pages.map(({ status }) => status)).toEqual([303, 303, 303, 303])
    await completed(service, secret, { clinic: 'aurora' })
    expect(await eventsOf(service, order.id)).toHaveLength(1)
    expect((await readOrder(service, order.id)).clinic.id).toBe('naperville')
  })

  test('completing starts a background check and schedules the other services', async () => {
    const { order, secret } = await invited(service, { package: { id: 'background' } })
    await completed(service, secret)
    const { services } = await readOrder(service, order.id)
    expect(services.map(({ status }: { status: string }) => status)).toEqual(['inProgress', 'scheduled'])
    expect(await eventsOf(service, order.id)).toHaveLength(1)
  })

  test('details come before the pass if a background check needs consent, even if a clinic was booked meanwhile', async () => {
    const { order, secret } = await invited(service, { package: { id: 'background' } })
    const appointmentAt = new Date(Date.now() + 86_400_000).toISOString()
    await operate(service, 'PUT', `/orders/${order.id}/clinic`, { clinicId: 'naperville', appointmentAt })
    expect(wordsOf(await open(service, secret))).toContain('A clinic is already chosen')
    await completed(service, secret)
    const { services } = await readOrder(service, order.id)
    expect(services.map(({ status }: { status: string }) => status)).toEqual(['inProgress', 'scheduled'])
    expect(wordsOf(await open(service, secret))).toContain('Your pass')
  })

  test('details come before the pass if an operator has booked meanwhile, and that booking stays', async () => {
    const { order, secret } = await invited(service)
    const appointmentAt = new Date(Date.now() + 3 * 86_400_000).toISOString()
    const sent = { clinicId: 'aurora', appointmentAt, override: true, reason: 'Agreed by telephone.' }
    expect((await operate(service, 'PUT', `/orders/${order.id}/clinic`, sent)).status).toBe(200)
    const booked = await readOrder(service, order.id)
    expect(wordsOf(await open(service, secret))).toContain('A clinic is already chosen')
    expect((await completed(service, secret, { clinic: 'naperville' })).status).toBe(303)
    const after = await readOrder(service, order.id)
    expect(after).toMatchObject({ clinic: { id: 'aurora' }, participant: { birthDate: '1990-03-07' } })
    expect(after.services).toEqual(booked.services)
    expect(await contentOf(service, order.id)).toMatchObject({ isBooked: true, appointmentAt })
    expect(await eventsOf(service, order.id)).toHaveLength(2)
    expect(wordsOf(await open(service, secret))).toContain('Your pass')
  })
})

describe('an order without in-person services', () => {
  test('an order without in-person services needs no clinic', async () => {
    const { order, secret } = await invited(service, { package: { id: 'records' } })
    expect(wordsOf(await open(service, secret))).toContain('You don’t need to go anywhere.')
    await filledIn(service, secret)
    expect(wordsOf(await open(service, secret))).toContain('Thanks, Maria. You’re all set.')
    const after = await readOrder(service, order.id)
    expect(after).toMatchObject({ status: 'pending', clinic: null, services: [{ status: 'inProgress' }] })
    expect(await eventsOf(service, order.id)).toHaveLength(1)
  })
})
