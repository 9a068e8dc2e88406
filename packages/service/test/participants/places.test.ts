import { describe, expect, test } from 'vitest'
import { refusalOf } from '../http/answers.ts'
import { operate } from '../support/operator.ts'
import { body, clinic, created, PERSON, post, SECRET } from '../orders/given.ts'
import { CLINICS, filledIn, invited, participantService, stepTo, wordsOf } from './given.ts'

const at = (id: string, city: string, state: string, postalCode: string, country: string) =>
  clinic(id, postalCode, { name: `${city} Clinic`, address: { line1: '1 King', city, state, postalCode, country } })
const others = [
  at('toronto', 'Toronto', 'ON', 'M5V 3L9', 'CA'),
  at('san-juan', 'San Juan', 'PR', '00901', 'PR'),
  at('hagatna', 'Hagatna', 'GU', '96910', 'GU'),
]
const service = participantService({ clinics: [...CLINICS.slice(0, 2), ...others] })

interface Address {
  city: string
  state: string
  postalCode: string
  country?: string
}
const toronto = (postalCode: string): Address => ({ city: 'Toronto', state: 'ON', postalCode, country: 'CA' })
const naperville = (postalCode: string): Address => ({ city: 'Naperville', state: 'IL', postalCode })

/** Addresses located by postal code, and the nearest clinic. */
const PLACED: [Address, string][] = [
  [toronto('M5V 3L9'), 'toronto'],
  [toronto('M5V3L9'), 'toronto'],
  [toronto('m5v 3l9'), 'toronto'],
  // Only the first three characters count.
  [toronto('M5V 9Z9'), 'toronto'],
  [naperville('60540'), 'naperville'],
  [naperville('60540-1234'), 'naperville'],
  // Post office boxes only.
  [naperville('60567'), 'naperville'],
  [{ city: 'San Juan', state: 'PR', postalCode: '00901', country: 'PR' }, 'san-juan'],
  [{ city: 'San Juan', state: 'PR', postalCode: '00936', country: 'US' }, 'san-juan'],
  [{ city: 'Hagatna', state: 'GU', postalCode: '96910', country: 'GU' }, 'hagatna'],
]
/** Postal codes that a search accepts and an order does not (ruling 38). */
const SEARCHED: [Address, string][] = [[toronto('m5v'), 'toronto']]
/** Addresses located only by city and state. */
const BY_CITY: [Address, string][] = [
  [naperville('00000'), 'naperville'],
  [toronto('X9X 9X9'), 'toronto'],
  [{ city: 'San Juan', state: 'Puerto Rico', postalCode: '00000', country: 'PR' }, 'san-juan'],
]
/** Addresses that cannot be located: military mail, and towns that are not in the tables. */
const NOWHERE: Address[] = [
  { city: 'APO', state: 'AE', postalCode: '09003' },
  { city: 'FPO', state: 'AP', postalCode: '96601' },
  { city: 'DPO', state: 'AA', postalCode: '34001' },
  { city: 'Atlantis', state: 'IL', postalCode: '00000' },
  { city: 'Berlin', state: 'BE', postalCode: '10115', country: 'DE' },
]

/** The list of clinics for a participant at the address. */
async function listFor(address: Address, language: 'en' | 'es' = 'en') {
  const { secret } = await invited(service)
  const { page } = await filledIn(service, secret, { country: 'US', ...address }, { query: `?lang=${language}` })
  expect(page.status).toBe(200)
  return { words: wordsOf(page), first: /name="clinic" value="([^"]+)"/.exec(page.text)?.[1] }
}

describe('the page of clinics', () => {
  test.each(PLACED)('the page of clinics locates %j by its postal code', async (address, nearest) => {
    expect(await listFor(address)).toMatchObject({
      first: nearest,
      words: expect.stringContaining('miles, nearest first'),
    })
  })

  test.each(BY_CITY)(
    'the page of clinics locates %j by its city and state, and says so in both languages',
    async (address, nearest) => {
      const english = await listFor(address)
      expect(english).toMatchObject({ first: nearest })
      expect(english.words).toContain(
        'We couldn’t find your postal code, so these are clinics within 50 miles of your city',
      )
      expect((await listFor(address, 'es')).words).toContain('No encontramos su código postal; estas son clínicas')
    },
  )

  test('the page of clinics says so too if no clinic is near the city', async () => {
    const boston = { city: 'Boston', state: 'MA', postalCode: '00000' }
    const { words } = await listFor(boston)
    expect(words).toContain(
      'No clinic within 50 miles We couldn’t find your postal code, so we looked around your city.',
    )
    expect((await listFor(boston, 'es')).words).toContain('así que buscamos alrededor de su ciudad')
  })

  test.each(NOWHERE)('the page of clinics asks where to search if the address is %j', async (address) => {
    const { words, first } = await listFor(address)
    expect(words).toContain('We couldn’t find your address on the map. Search by city and state below.')
    expect(first).toBeUndefined()
    expect((await listFor(address, 'es')).words).toContain('No encontramos su dirección en el mapa.')
  })

  test.each(['toronto on', 'Toronto, Ontario, Canada', 'm5v3l9', 'M5V', '1 King St, Toronto ON X9X 9X9'])(
    'the page of clinics finds the place %j',
    async (place) => {
      const { secret } = await invited(service)
      const page = await stepTo(service, secret, { step: 'clinics', place })
      expect(page.text).toMatch(/name="clinic" value="toronto"/)
    },
  )
})

describe('POST /clinics/search near an address', () => {
  const search = async (address: unknown) =>
    service.call(SECRET, { method: 'POST', path: '/api/v2/clinics/search', body: { near: { address } } })

  test.each([...PLACED, ...SEARCHED, ...BY_CITY])(
    'POST /clinics/search finds %j by its postal code, else by its city and state',
    async (address, nearest) => {
      const found = await search(address)
      expect(found.body.data[0]).toMatchObject({ id: nearest })
      const { city, state, postalCode } = address
      expect((await search(`1 King Street, ${city}, ${state} ${postalCode}`)).body.data[0]).toMatchObject({
        id: nearest,
      })
    },
  )

  test.each(NOWHERE)('POST /clinics/search cannot locate %j', async (address) => {
    expect(refusalOf(await search(address))).toBe('400 invalidValue /near/address')
  })
})

describe('an order to be scheduled close to its participant', () => {
  const scheduled = (address: Address) =>
    post(
      service,
      body({
        participant: { ...PERSON, address: { line1: '1 King', ...address } },
        settings: { schedulingOption: 'schedule' },
      }),
    )

  test.each(PLACED)('an order is scheduled by the postal code of %j', async (address, nearest) => {
    const { status, body: order } = await scheduled(address)
    expect([status, order.clinic?.id]).toEqual([201, nearest])
  })

  test.each([...BY_CITY.map(([address]) => address), ...NOWHERE])(
    'an order is refused if the postal code of %j is unknown, whatever its city',
    async (address) => {
      expect(refusalOf(await scheduled(address))).toBe('400 invalidValue /participant/address')
    },
  )
})

test('an operator may book any eligible clinic, wherever the participant lives', async () => {
  for (const address of NOWHERE.slice(0, 2)) {
    const participant = { ...PERSON, address: { line1: '1 King', ...address } }
    const order = await created(service, { participant, settings: { schedulingOption: 'order' } })
    const assigned = await operate(service, 'PUT', `/orders/${order.id}/clinic`, { clinicId: 'toronto' })
    expect(assigned.body.order.clinic).toMatchObject({ id: 'toronto' })
  }
})
