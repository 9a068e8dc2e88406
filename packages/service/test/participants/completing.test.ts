import { describe, expect, test } from 'vitest'
import { contentOf, PERSON } from '../orders/given.ts'
import { operate } from '../support/operator.ts'
import {
  completed,
  browserWith,
  draftIn,
  errorsIn,
  eventsOf,
  fieldsOf,
  filledIn,
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

const SSN = { identifierType: 'ssn' }
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
    for (const masked of ['m•••@example.com', 'Phone ending 0142', '•••8841', 'Naperville', 'On file.'])
      expect(words).toContain(masked)
    for (const hidden of ['maria@', '1990', '536', '555-0142', '5550142', '1200 Ogden', '60540'])
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

describe('details', () => {
  test('invalid details get an error per field, and keep all values but the identifier', async () => {
    const { order, secret } = await invited(service)
    const typed = { birthMonth: '4', birthDay: '17', birthYear: '90', identifierType: 'ssn', identifierValue: '123-45' }
    const answer = await submit(service, secret, { step: 'you', ...typed })
    expect(answer.status).toBe(303)
    const page = await followed(service, answer)
    expect(page.status).toBe(200)
    expect(page.text).toContain('<title>Error: About you</title>')
    expect(errorsIn(page)).toEqual(['birthYear', 'identifierValue'])
    expect(wordsOf(page)).toContain('Enter your birth year with 4 digits, like 1990.')
    expect(wordsOf(page)).toContain('Enter all 9 digits, or just the last 4. You entered 5.')
    for (const field of ['birthYear', 'identifierValue'])
      expect(page.text).toMatch(
        new RegExp(`id="${field}"[^>]*aria-invalid="true"[^>]*aria-describedby="${field}-error`),
      )
    expect(page.text).toMatch(/id="birthYear"[^>]*value="90"/)
    expect(page.text).toMatch(/<option value="ssn"\s+selected>/)
    expect(page.text).not.toContain('123-45')
    expect(page.text).toMatch(/class="summary" role="alert" tabindex="-1" autofocus/)
    expect((await readOrder(service, order.id)).updatedAt).toBe(order.updatedAt)
    expect(await eventsOf(service, order.id)).toEqual([])
  })

  test('values that were entered wrongly are shown as they were typed', async () => {
    const { secret } = await invited(service, { participant: { firstName: 'Maria', lastName: 'Lopez' } })
    const { draft } = await filledIn(service, secret, {}, { until: 'address' })
    const typed = { line1: '<b>"1 Main" & Co</b>', city: '', state: 'IL', postalCode: 'call\u0007me' }
    const { text } = await submitted(service, secret, { step: 'address', ...typed }, '', draft)
    expect(text).toContain('value="&lt;b&gt;&quot;1 Main&quot; &amp; Co&lt;/b&gt;"')
    expect(text).toContain('value="call\u0007me"')
  })

  test.each([
    ['ruling 35: a birth date before 1900', { birthDate: '1899-12-31' }, 'birthYear', 'of 1900 or later'],
    ['ruling 35: a birth date after today', { birthDate: '2990-01-01' }, 'birthMonth', 'in the future'],
    ['a birth date that does not exist', { birthDate: '1990-02-30' }, 'birthDay', 'that month doesn’t have it'],
    ['ruling 36: a phone of more than 64 characters', { phone: '5'.repeat(65) }, 'phone', 'at most 64 characters'],
    ['ruling 36: a phone with control characters', { phone: 'call\u0007me' }, 'phone', 'like (630)'],
    ['ruling 37: an SSN of eight digits', { ...SSN, identifierValue: '12345678' }, 'identifierValue', 'You entered 8.'],
    ['ruling 38: a state that does not exist', { state: 'ZZ' }, 'state', 'Choose your state'],
    ['ruling 38: a ZIP code of four digits', { postalCode: '6054' }, 'postalCode', 'like 60540'],
    ['ruling 38: a province with a ZIP code', { country: 'CA', state: 'ON' }, 'postalCode', 'K1A'],
  ])('%s is refused, as in the API, in friendly words', async (_, fields, field, words) => {
    const { secret } = await invited(service)
    const { page } = await filledIn(service, secret, fields as Record<string, string>)
    expect(errorsIn(page)).toEqual([field])
    expect(wordsOf(page)).toContain(words)
  })

  test('the three boxes of the birth date name the wrong one', async () => {
    const { secret } = await invited(service)
    const date = { birthDate: '', birthMonth: '13', birthDay: '32', birthYear: '' }
    expect(errorsIn((await filledIn(service, secret, date)).page)).toEqual(['birthMonth', 'birthDay', 'birthYear'])
    const right = await filledIn(service, secret, { birthDate: '', birthMonth: '3', birthDay: '07', birthYear: '1990' })
    expect(wordsOf(right.page)).toContain('Step 2 of 3')
  })

  test('state and province are lists in the United States and Canada, and free text elsewhere', async () => {
    const { secret } = await invited(service)
    const { draft } = await filledIn(service, secret, {}, { until: 'address' })
    const inCountry = (country: string) =>
      submitted(service, secret, { step: 'address', line1: '7 Elm', edit: 'country', country }, '', draft)
    expect((await inCountry('US')).text).toMatch(/<select\s+id="state"[\s\S]*?>Illinois<\/option/)
    expect((await inCountry('CA')).text).toMatch(/<select\s+id="state"[\s\S]*?>Ontario<\/option/)
    const abroad = await inCountry('MX')
    expect(abroad.text).toMatch(/<input\s+id="state"/)
    // Choosing a country checks nothing and loses nothing.
    expect(abroad.text).toContain('value="7 Elm"')
    expect(errorsIn(abroad)).toEqual([])
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
    const { secret } = await invited(service, { participant: { firstName: 'Maria', lastName: 'Lopez' } })
    const { draft } = await filledIn(service, secret, {}, { until: 'address' })
    expect(errorsIn(await submitted(service, secret, { step: 'you' }))).toEqual([
      'birthMonth',
      'identifierType',
      'identifierValue',
    ])
    expect(errorsIn(await submitted(service, secret, { step: 'contact', phone: '' }, '', draft))).toEqual(['phone'])
    expect(errorsIn(await submitted(service, secret, { step: 'address' }, '', draft))).toEqual([
      'line1',
      'city',
      'state',
      'postalCode',
    ])
  })

  test('an identifier that was entered is never shown again, and can be changed', async () => {
    const { order, secret } = await invited(service)
    const { page: check, draft } = await filledIn(service, secret, {}, { until: 'check' })
    expect(wordsOf(check)).toContain('Illinois •••4567')
    for (const path of ['', '?step=you', '?step=check'])
      expect((await open(service, secret, path, browserWith(draft))).text).not.toContain('L123')
    const again = await open(service, secret, '?step=you', browserWith(draft))
    expect(wordsOf(again)).toContain('•••4567')
    expect(fieldsOf(again)).toEqual(['birthMonth', 'birthDay', 'birthYear'])
    // Continuing keeps it.
    const kept = await submitted(service, secret, { step: 'you', birthDate: '1990-03-07' }, '', draft)
    expect(wordsOf(kept)).toContain('Illinois •••4567')
    // Its button asks for another, and keeps the rest of the page.
    const other = await submitted(service, secret, { step: 'you', birthYear: '1991', edit: 'identifier' }, '', draft)
    expect(fieldsOf(other)).toContain('identifierValue')
    expect(other.text).toMatch(/id="birthYear"[^>]*value="1991"/)
    const changed = await submit(service, secret, { step: 'you', ...SSN, identifierValue: '8841' }, '', draft)
    const { draft: last } = await filledIn(
      service,
      secret,
      { ...SSN, identifierValue: '8841' },
      { draft: draftIn(changed) },
    )
    await submit(service, secret, { step: 'book', clinic: 'naperville', way: 'walkIn' }, '', last)
    expect((await readOrder(service, order.id)).participant.identifiers).toMatchObject([{ type: 'ssn', value: '8841' }])
  })

  test('details are checked again at the last step', async () => {
    const { order, secret } = await invited(service)
    const { draft } = await filledIn(service, secret, { consent: '' })
    const book = { step: 'book', clinic: 'naperville', way: 'walkIn' }
    const page = await submitted(service, secret, book, '', draft)
    expect(wordsOf(page)).toContain('Check your details')
    expect((await readOrder(service, order.id)).status).toBe('ordered')
  })

  test('valid details lead to the clinics, and are kept but not saved yet', async () => {
    const { order, secret } = await invited(service)
    const { page, draft } = await filledIn(service, secret)
    expect(page.status).toBe(200)
    expect(wordsOf(page)).toContain('Step 2 of 3')
    expect(draft).toMatch(/^[\w-]{100,}$/)
    expect(page.text).not.toContain('1990-03-07')
    expect(await eventsOf(service, order.id)).toEqual([])
    expect((await readOrder(service, order.id)).participant.birthDate).toBeNull()
  })

  test('switching the language keeps what was typed, without checking it', async () => {
    const { secret } = await invited(service)
    const page = await submitted(service, secret, { step: 'you', birthMonth: '13', birthYear: '19', lang: 'es' })
    expect(page.text).toContain('<html lang="es">')
    expect(page.text).toMatch(/id="birthMonth"[^>]*value="13"/)
    expect(page.text).toMatch(/id="birthYear"[^>]*value="19"/)
    expect(errorsIn(page)).toEqual([])
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
    expect(wordsOf(await open(service, secret))).toContain('A clinic is already booked')
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
})

describe('an order without in-person services', () => {
  test('an order without in-person services needs no clinic', async () => {
    const { order, secret } = await invited(service, { package: { id: 'records' } })
    expect(wordsOf(await open(service, secret))).toContain('You don’t need to go anywhere.')
    await filledIn(service, secret)
    expect(wordsOf(await open(service, secret))).toContain('All done, thank you')
    const after = await readOrder(service, order.id)
    expect(after).toMatchObject({ status: 'pending', clinic: null, services: [{ status: 'inProgress' }] })
    expect(await eventsOf(service, order.id)).toHaveLength(1)
  })
})
