import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalOf } from '../http/answers.ts'
import { startService, type TestService } from '../support/service.ts'
import { body, contentOf, created, PERSON, post, world } from './given.ts'

const NOW = new Date('2026-03-02T15:04:05.678Z')

let service: TestService
beforeAll(async () => {
  service = await startService({ now: () => NOW })
  await service.apply(
    world({
      settings: { expiresIn: 10 },
      linked: ['strict'],
      locations: [
        { id: 'brief', name: 'Brief', settings: { expiresIn: 6, expiresInUnit: 'hours' } },
        { id: 'billed', name: 'Billed', settings: { billingCodeRequired: true } },
        { id: 'checked', name: 'Checked', settings: { backgroundProvider: 'checkr' } },
      ],
      companies: [
        {
          id: 'strict',
          name: 'Strict',
          packages: ['basic'],
          settings: { billingCodeRequired: true },
          locations: [
            { id: 'strict-hq', name: 'Strict HQ' },
            { id: 'lenient', name: 'Lenient', settings: { billingCodeRequired: false } },
          ],
        },
      ],
    }),
  )
})
afterAll(() => service.stop())

const link = (settings: object) => ({ settings: { schedulingOption: 'link', ...settings } })

describe('an order expires (Request body: settings)', () => {
  test.each([
    ['hq', { expiresIn: 5 }, '2026-03-07T15:04:05.678Z'],
    ['hq', { expiresIn: '1.5' }, '2026-03-04T03:04:05.678Z'],
    ['hq', { expiresIn: 2, expiresInUnit: 'hours' }, '2026-03-02T17:04:05.678Z'],
    ['brief', { expiresIn: 1 }, '2026-03-03T15:04:05.678Z'],
    ['brief', {}, '2026-03-02T21:04:05.678Z'],
    ['hq', {}, '2026-03-12T15:04:05.678Z'],
    ['strict-hq', { billingCode: 'x' }, null],
  ])('an order at %s with %j has its expiry', async (location, settings, expected) => {
    expect((await created(service, { location: { id: location }, ...link(settings) })).expiresAt).toBe(expected)
  })
})

describe('accepted spellings', () => {
  test.each([true, 1, '1', 'true'])('observedCollection %j is true', async (observedCollection) => {
    const { id } = await created(service, link({ observedCollection }))
    expect(await contentOf(service, id)).toMatchObject({ observed: true })
  })

  test.each([false, 0, '0', 'false'])('observedCollection %j is false', async (observedCollection) => {
    const { id } = await created(service, link({ observedCollection }))
    expect(await contentOf(service, id)).toMatchObject({ observed: false })
  })

  test.each([2, 'yes', 'TRUE', '', null])('observedCollection %j is refused', async (observedCollection) => {
    expect(refusalOf(await post(service, body(link({ observedCollection }))))).toBe(
      '400 invalidType /settings/observedCollection',
    )
  })

  test.each([
    { enabled: '1', matchScore: '99.5', lookBackPeriod: { unit: 'days', value: '3' }, profile: 'standard' },
    { enabled: 'false', matchScore: 0, lookBackPeriod: { unit: 'hours', value: 1 } },
    { enabled: 0, matchScore: '100' },
  ])('orderMatching %j is accepted', async (orderMatching) => {
    expect((await post(service, body({ orderMatching, testReason: 'sweep' }))).status).toBe(201)
  })

  test.each([
    [{}, 'required /orderMatching/enabled'],
    [{ enabled: true, lookBackPeriod: { unit: 'days' } }, 'required /orderMatching/lookBackPeriod/value'],
    [{ enabled: true, lookBackPeriod: { value: 1 } }, 'required /orderMatching/lookBackPeriod/unit'],
    [{ enabled: true, lookBackPeriod: { unit: 'days', value: 0 } }, 'tooSmall /orderMatching/lookBackPeriod/value'],
    [
      { enabled: true, lookBackPeriod: { unit: 'days', value: '1.5' } },
      'invalidType /orderMatching/lookBackPeriod/value',
    ],
    [{ enabled: true, matchScore: -1 }, 'tooSmall /orderMatching/matchScore'],
    [{ enabled: true, matchScore: 'high' }, 'invalidType /orderMatching/matchScore'],
  ])('orderMatching %j is refused', async (orderMatching, expected) => {
    expect(refusalOf(await post(service, body({ orderMatching })))).toBe(`400 ${expected}`)
  })

  test.each(['(630) 555-0142', '630.555.0142', '+1 630 555 0142', '+16305550142'])(
    'the phones of requester and delivery, %s, are kept as E.164',
    async (phone) => {
      const requester = { email: 'dana@acme.example', firstName: 'Dana', lastName: 'Reed', phone }
      const { id } = await created(service, { requester, deliveryMethods: [{ type: 'mobile', phone }] })
      expect(await contentOf(service, id)).toMatchObject({
        requester: { phone: '+16305550142' },
        delivery: { type: 'mobile', phone: '+16305550142' },
      })
    },
  )

  test('a delivery by e-mail keeps its copies', async () => {
    const deliveryMethods = [{ type: 'email', to: 'a@example.com', cc: ['b@example.com', 'c@example.com'] }]
    const { id } = await created(service, { deliveryMethods })
    expect(await contentOf(service, id)).toMatchObject({
      delivery: { type: 'email', to: 'a@example.com', cc: ['b@example.com', 'c@example.com'] },
    })
  })
})

describe('a billing code', () => {
  test.each(['billed', 'strict-hq'])(
    'a billing code is required where the location or its company says so: %s',
    async (id) => {
      expect(refusalOf(await post(service, body({ location: { id } })))).toBe('400 required /settings/billingCode')
      const order = await created(service, { location: { id }, ...link({ billingCode: 'PO-7' }) })
      expect(await contentOf(service, order.id)).toMatchObject({ billingCode: 'PO-7' })
    },
  )

  test.each(['hq', 'lenient'])('a billing code is optional elsewhere: %s', async (id) => {
    expect((await post(service, body({ location: { id } }))).status).toBe(201)
  })
})

describe('a package with a background check', () => {
  const checked = (location: string, schedulingOption: string) =>
    body({
      location: { id: location },
      package: { id: 'background' },
      participant: PERSON,
      settings: { schedulingOption },
    })

  test('a background check is ordered with link, at a company with a provider', async () => {
    expect((await post(service, checked('checked', 'link'))).status).toBe(201)
  })

  test.each([
    ['checked', 'order', 'linkRequiredBackground /settings/schedulingOption'],
    ['checked', 'schedule', 'linkRequiredBackground /settings/schedulingOption'],
    ['hq', 'link', 'backgroundCheckIntegrationNotConfigured /package'],
  ])('a background check at %s with %s answers %s', async (location, option, expected) => {
    expect(refusalOf(await post(service, checked(location, option)))).toBe(`400 ${expected}`)
  })

  test('both problems of a background check are reported', async () => {
    expect(refusalOf(await post(service, checked('hq', 'order')))).toBe(
      '400 linkRequiredBackground /settings/schedulingOption, backgroundCheckIntegrationNotConfigured /package',
    )
  })
})

describe('an observed collection', () => {
  const dot = (testReason: string, settings: object) =>
    body({ package: { id: 'dot' }, agency: { code: 'PHMSA' }, testReason, ...link(settings) })

  test.each(['returnToDuty', 'followUp'])(
    'an observed collection is required for %s with a DOT urine service',
    async (reason) => {
      const pointer = '/settings/observedCollection'
      expect(refusalOf(await post(service, dot(reason, {})))).toBe(`400 required ${pointer}`)
      expect(refusalOf(await post(service, dot(reason, { observedCollection: 0 })))).toBe(`400 invalidValue ${pointer}`)
      expect((await post(service, dot(reason, { observedCollection: 'true' }))).status).toBe(201)
    },
  )

  test('an observed collection is not required otherwise', async () => {
    expect((await post(service, dot('random', {}))).status).toBe(201)
    expect((await post(service, body({ testReason: 'returnToDuty' }))).status).toBe(201)
  })
})
