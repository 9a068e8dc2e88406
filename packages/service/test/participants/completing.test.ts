import { describe, expect, test } from 'vitest'
import { contentOf, PERSON } from '../orders/given.ts'
import { operate, OPERATOR } from '../support/operator.ts'
import {
  completed,
  DETAILS,
  eventsOf,
  followed,
  invited,
  open,
  participantService,
  readOrder,
  submitted,
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

  test('the page asks for what the option "order" requires, and corrects contact details but no names', async () => {
    const { secret } = await invited(service)
    const { text } = await open(service, secret)
    for (const field of Object.keys(DETAILS)) expect(text).toContain(`name="${field}"`)
    expect(text).toMatch(/name="email"[^>]*value="maria@example.com"/)
    expect(text).not.toContain('firstName')
  })

  test('the page neither asks for nor shows a known birth date and identifiers', async () => {
    const { secret } = await invited(service, { participant: PERSON })
    const { text } = await open(service, secret)
    for (const absent of ['name="birthDate"', 'name="identifier', '1990-03-07', '536-22-8841'])
      expect(text).not.toContain(absent)
    expect(text).toMatch(/name="line1"[^>]*value="1200 Ogden Avenue"/)
    expect(text).toMatch(/name="phone"[^>]*value="\+16305550142"/)
  })

  test('the page does not ask for a known licence', async () => {
    const identifiers = [{ type: 'driverLicense', value: 'D1' }]
    const { secret } = await invited(service, { ...FMCSA, participant: { ...PERSON, identifiers } })
    expect((await open(service, secret)).text).not.toContain('identifierValue')
  })

  test('the page is in Spanish by browser language or by choice, and links to the other language', async () => {
    const { secret } = await invited(service)
    const spanish = await open(service, secret, '', { 'accept-language': 'fr, es-MX;q=0.9, en;q=0.5' })
    expect(spanish.text).toContain('<html lang="es">')
    expect(wordsOf(spanish)).toContain('Acme le pide')
    expect((await open(service, secret, '?lang=en', { 'accept-language': 'es' })).text).toContain('<html lang="en">')
    const asked = await open(service, secret, '?lang=es')
    expect(asked.text).toContain(`action="/o/${secret}?lang=es"`)
    expect(asked.text).toContain(`href="/o/${secret}?lang=en"`)
  })

  test('reading the page changes nothing', async () => {
    const { order, secret } = await invited(service)
    await open(service, secret)
    expect(await eventsOf(service, order.id)).toEqual([])
    expect((await readOrder(service, order.id)).updatedAt).toBe(order.updatedAt)
  })
})

describe('details', () => {
  test('invalid details get an error per field, and keep all values', async () => {
    const { order, secret } = await invited(service)
    const typed = {
      ...DETAILS,
      line1: '<b>"1 Main" & Co</b>',
      city: '',
      email: 'maria@',
      phone: 'call\u0007me',
      birthDate: '2990-01-01',
      identifierValue: 'x'.repeat(256),
      consent: '',
    }
    const answer = await submit(service, secret, { step: 'details', ...typed })
    expect(answer.status).toBe(303)
    const page = await followed(service, answer)
    expect(page.status).toBe(200)
    for (const field of ['city', 'email', 'phone', 'birthDate', 'identifierValue', 'consent']) {
      expect(page.text).toContain(`<a href="#${field}">`)
      expect(page.text).toContain(`id="${field}-error"`)
      expect(page.text).toMatch(
        new RegExp(`id="${field}"[^>]*aria-invalid="true"[^>]*aria-describedby="${field}-error"`),
      )
    }
    expect(page.text).not.toContain('id="state-error"')
    expect(page.text).toContain('value="&lt;b&gt;&quot;1 Main&quot; &amp; Co&lt;/b&gt;"')
    expect(page.text).toContain('value="maria@"')
    expect(page.text).toContain('value="call\u0007me"')
    expect(page.text).toMatch(/<option value="driverLicense"\s+selected>/)
    expect((await readOrder(service, order.id)).updatedAt).toBe(order.updatedAt)
    expect(await eventsOf(service, order.id)).toEqual([])
  })

  test.each([
    ['ruling 35: a birth date before 1900', { birthDate: '1899-12-31' }, 'birthDate'],
    ['ruling 35: a birth date after today', { birthDate: '2990-01-01' }, 'birthDate'],
    ['ruling 36: a phone of more than 64 characters', { phone: '5'.repeat(65) }, 'phone'],
    ['ruling 38: a state that does not exist', { state: 'ZZ' }, 'state'],
    ['ruling 38: a ZIP code of four digits', { postalCode: '6054' }, 'postalCode'],
    ['ruling 38: a province with a ZIP code', { country: 'CA', state: 'ON' }, 'postalCode'],
  ])('%s is refused, as in the API', async (_, fields, field) => {
    const { secret } = await invited(service)
    const { text } = await submitted(service, secret, { step: 'details', ...DETAILS, ...fields })
    expect([...text.matchAll(/<li><a href="#(\w+)">/g)].map(([, named]) => named)).toEqual([field])
  })

  test('rulings 36 and 38: a phone and an address are stored as the API stores them', async () => {
    const { order, secret } = await invited(service)
    await completed(service, secret, { phone: '630-555-0142 ext. 7', state: 'illinois' })
    expect((await readOrder(service, order.id)).participant).toMatchObject({
      phone: '+16305550142;ext=7',
      address: { state: 'IL' },
    })
  })

  test('missing details get one error each', async () => {
    const { secret } = await invited(service)
    const { text } = await submitted(service, secret, { step: 'details' })
    const named = [...text.matchAll(/<li><a href="#(\w+)">/g)].map(([, field]) => field)
    expect(named).toEqual([
      'birthDate',
      'identifierType',
      'identifierValue',
      'email',
      'phone',
      'line1',
      'city',
      'state',
      'postalCode',
      'consent',
    ])
  })

  test('details are checked again at the last step', async () => {
    const { order, secret } = await invited(service)
    const page = await followed(service, await completed(service, secret, { consent: '' }))
    expect(wordsOf(page)).toContain('We can only continue if you agree.')
    expect((await readOrder(service, order.id)).status).toBe('ordered')
  })

  test('valid details lead to the clinics, and are sent along but not saved yet', async () => {
    const { order, secret } = await invited(service)
    const page = await submitted(service, secret, { step: 'details', ...DETAILS })
    expect(page.status).toBe(200)
    expect(wordsOf(page)).toContain('Step 2 of 3')
    expect(page.text).toMatch(/<input type="hidden" name="draft" value="[\w-]{100,}" \/>/)
    expect(page.text).not.toContain('1990-03-07')
    expect(await eventsOf(service, order.id)).toEqual([])
    expect((await readOrder(service, order.id)).participant.birthDate).toBeNull()
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
    expect(wordsOf(await open(service, secret))).toContain('I authorize the background check')
    await completed(service, secret)
    const { services } = await readOrder(service, order.id)
    expect(services.map(({ status }: { status: string }) => status)).toEqual(['inProgress', 'scheduled'])
    expect(await eventsOf(service, order.id)).toHaveLength(1)
  })

  test('details come before the pass if a background check needs consent, even if a clinic was booked meanwhile', async () => {
    const { order, secret } = await invited(service, { package: { id: 'background' } })
    const appointmentAt = new Date(Date.now() + 86_400_000).toISOString()
    await operate(service, 'PUT', `/orders/${order.id}/clinic`, { clinicId: 'aurora', appointmentAt })
    expect(wordsOf(await open(service, secret))).toContain('I authorize the background check')
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
    expect(wordsOf(await open(service, secret))).toContain('A clinic is already booked')
    expect((await completed(service, secret, { clinic: 'naperville' })).status).toBe(303)
    const after = await readOrder(service, order.id)
    expect(after).toMatchObject({ clinic: { id: 'aurora' }, participant: { birthDate: '1990-03-07' } })
    expect(after.services).toEqual(booked.services)
    expect(await contentOf(service, order.id)).toMatchObject({ isBooked: true, appointmentAt })
    expect(await eventsOf(service, order.id)).toHaveLength(2)
    expect(wordsOf(await open(service, secret))).toContain('Your pass')
  })

  test('completing records the participant’s consent in the audit log', async () => {
    const { order, secret } = await invited(service)
    await completed(service, secret)
    const { body } = await service.call(OPERATOR, `/api/operator/v1/audit?subjectId=${order.id}`)
    expect(body.data).toMatchObject([
      { action: 'participant.complete', tokenId: 'participant', after: { consent: true } },
    ])
    expect(JSON.stringify(body.data)).not.toContain('1990-03-07')
  })
})

describe('an order without in-person services', () => {
  test('an order without in-person services is completed by details alone', async () => {
    const { order, secret } = await invited(service, { package: { id: 'records' } })
    expect(wordsOf(await open(service, secret))).toContain('you don’t need to go anywhere')
    expect((await submit(service, secret, { step: 'details', ...DETAILS })).status).toBe(303)
    expect(wordsOf(await open(service, secret))).toContain('All done, thank you')
    const after = await readOrder(service, order.id)
    expect(after).toMatchObject({ status: 'pending', clinic: null, services: [{ status: 'inProgress' }] })
    expect(await eventsOf(service, order.id)).toHaveLength(1)
  })
})
