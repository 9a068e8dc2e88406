import { describe, expect, test } from 'vitest'
import {
  browserWith,
  completed,
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
  submit,
  submitted,
  wordsOf,
} from './given.ts'

const service = participantService()

const SSN = { identifierType: 'ssn' }

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
    const { page } = await filledIn(service, secret, fields)
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
