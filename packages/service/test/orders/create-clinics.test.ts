import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalOf } from '../http/answers.ts'
import { startService, type TestService } from '../support/service.ts'
import { ADDRESS, body, clinic, PERSON, post, world } from './given.ts'

/** Naperville, its neighbour Aurora (9 miles), Chicago (28), Rockford (67) and Springfield (160). */
const NAPERVILLE = '60540'
const AURORA = '60505'
const CHICAGO = '60601'
const ROCKFORD = '61101'
const SPRINGFIELD = '62701'

const at = (id: string, settings: object) => ({ id, name: id, settings })

let service: TestService
beforeAll(async () => {
  service = await startService()
  const rival = { tenant: { id: 'rival', name: 'Rival' }, services: [], packages: [], companies: [], tokens: [] }
  await service.apply(
    { ...rival, clinics: [clinic('rivals-own', NAPERVILLE, { services: [] })] },
    world({
      clinics: [
        clinic('closed', NAPERVILLE, { isActive: false }),
        clinic('hair-only', NAPERVILLE, { services: ['hair'] }),
        clinic('aurora-b', AURORA, { name: 'Beta', fee: 40 }),
        clinic('aurora-a', AURORA, { name: 'Alpha', fee: 60 }),
        clinic('aurora-c', AURORA, { name: 'Gamma', fee: 20, services: ['urine', 'hair', 'audiogram'] }),
        clinic('chicago', CHICAGO, { fee: 10.5 }),
        clinic('springfield', SPRINGFIELD),
        { id: 'nowhere', name: 'Nowhere', services: ['urine'] },
      ],
      settings: { configuredClinic: 'springfield' },
      locations: [
        at('narrow', { clinicRadiusMiles: 5 }),
        at('middling', { clinicRadiusMiles: 20 }),
        at('wide', { clinicRadiusMiles: 200 }),
        at('cap-40', { clinicFeeCap: 40 }),
        at('cap-10.5', { clinicFeeCap: 10.5 }),
        at('cap-0', { clinicFeeCap: 0 }),
        at('cap-0-wide', { clinicFeeCap: 0, clinicRadiusMiles: 200 }),
        at('set-to-chicago', { configuredClinic: 'chicago' }),
        at('set-to-closed', { configuredClinic: 'closed' }),
        at('set-to-hair-only', { configuredClinic: 'hair-only' }),
        at('set-too-dear', { configuredClinic: 'aurora-a', clinicFeeCap: 59 }),
        at('set-to-nowhere', { configuredClinic: 'nowhere' }),
      ],
      companies: [
        {
          id: 'unset',
          name: 'Unset',
          packages: ['basic'],
          locations: [{ id: 'unset-hq', name: 'Unset HQ' }],
        },
      ],
      tokens: [],
    }),
  )
})
afterAll(() => service.stop())

const scheduled = (location: string, members: object = {}, address: object | null = {}) => {
  const { address: _, ...nameless } = PERSON
  return body({
    location: { id: location },
    participant: address === null ? nameless : { ...PERSON, address: { ...ADDRESS, ...address } },
    settings: { schedulingOption: 'schedule' },
    ...members,
  })
}

const CONFIGURED = { settings: { schedulingOption: 'schedule', clinicSelectionMode: 'configured' } }

const clinicOf = async (sent: object) => {
  const answer = await post(service, sent)
  return answer.status === 201 ? answer.body.clinic?.id : refusalOf(answer)
}

describe('the option schedule with the mode closestToParticipant', () => {
  test('the closest active clinic with the services is booked, the first by name of several at one place', async () => {
    expect(await clinicOf(scheduled('hq'))).toBe('aurora-a')
  })

  test('the closest clinic is booked with and without the mode', async () => {
    const settings = { schedulingOption: 'schedule', clinicSelectionMode: 'closestToParticipant' }
    expect(await clinicOf(scheduled('hq', { settings }))).toBe('aurora-a')
  })

  test('the clinic closest to the address of the participant is booked', async () => {
    expect(await clinicOf(scheduled('hq', {}, { city: 'Chicago', postalCode: CHICAGO }))).toBe('chicago')
  })

  test('an unknown postal code is not replaced by the city', async () => {
    const sent = scheduled('hq', {}, { city: 'Chicago', postalCode: '00000' })
    expect(await clinicOf(sent)).toBe('400 invalidValue /participant/address')
  })

  test('the closest clinic with every service of the package is booked', async () => {
    expect(await clinicOf(scheduled('cap-40', { package: { id: 'several' } }))).toBe('aurora-b')
    const package_ = { package: { id: 'dot' }, agency: { code: 'PHMSA' } }
    expect(await clinicOf(scheduled('hq', package_))).toBe('aurora-a')
  })

  test.each([
    ['narrow', '400 invalidValue /participant/address'],
    ['middling', 'aurora-a'],
  ])('a clinic is booked only within the radius of the location: %s', async (location, expected) => {
    expect(await clinicOf(scheduled(location))).toBe(expected)
  })

  test('the default radius is 50 miles', async () => {
    const rockford = { city: 'Rockford', postalCode: ROCKFORD }
    expect(await clinicOf(scheduled('hq', {}, rockford))).toBe('400 invalidValue /participant/address')
    expect(await clinicOf(scheduled('wide', {}, rockford))).toBe('aurora-a')
  })

  test('the closest clinic within the fee cap of the location is booked', async () => {
    expect(await clinicOf(scheduled('cap-40'))).toBe('aurora-b')
    expect(await clinicOf(scheduled('cap-10.5'))).toBe('chicago')
  })

  test('an order with all clinics in range above the fee cap is refused', async () => {
    expect(await clinicOf(scheduled('cap-0'))).toBe('400 scheduleClinicExcludedByFeeCap')
  })

  test('a clinic without a fee is within every cap', async () => {
    expect(await clinicOf(scheduled('cap-0-wide'))).toBe('springfield')
  })

  test.each([
    { postalCode: '00000', city: 'Nowhere', state: 'IL' },
    { postalCode: '10115', city: 'Berlin', state: 'BE', country: 'DE' },
  ])('an address that cannot be located is refused', async (address) => {
    expect(await clinicOf(scheduled('hq', {}, address))).toBe('400 invalidValue /participant/address')
  })

  test('the mode closestToParticipant requires an address', async () => {
    expect(await clinicOf(scheduled('hq', {}, null))).toBe('400 required /participant/address')
  })
})

describe('the option schedule with the mode configured', () => {
  test.each([
    ['set-to-chicago', 'chicago'],
    ['hq', 'springfield'],
  ])('the clinic of the location, else of the company, is booked: %s', async (location, expected) => {
    expect(await clinicOf(scheduled(location, CONFIGURED, null))).toBe(expected)
  })

  test('a configured clinic without a position can be booked', async () => {
    expect(await clinicOf(scheduled('set-to-nowhere', CONFIGURED, null))).toBe('nowhere')
  })

  test.each(['set-to-closed', 'set-to-hair-only', 'set-too-dear'])(
    'an order without a usable configured clinic is refused: %s',
    async (location) => {
      expect(await clinicOf(scheduled(location, CONFIGURED))).toBe(
        '400 scheduleConfiguredClinicUnavailable /settings/clinicSelectionMode',
      )
    },
  )
})

describe('scheduling option and clinic selection mode', () => {
  test.each([
    ['link', 'closestToParticipant'],
    ['link', 'requesterSelects'],
    ['order', 'configured'],
    ['order', 'closestToParticipant'],
    ['schedule', 'requesterSelects'],
  ])('the option %s refuses the mode %s', async (schedulingOption, clinicSelectionMode) => {
    const sent = body({ participant: PERSON, settings: { schedulingOption, clinicSelectionMode } })
    expect(refusalOf(await post(service, sent))).toBe('400 invalidScheduleStrategy /settings/clinicSelectionMode')
  })

  test('a missing clinic in range is reported beside other problems', async () => {
    const sent = { ...scheduled('narrow'), testReason: 'whim' }
    expect(refusalOf(await post(service, sent))).toBe('400 invalidValue /testReason, invalidValue /participant/address')
  })
})
