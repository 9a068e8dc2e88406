import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Order } from '@order-testing/contract'
import { isWellFormedCode } from '../../src/domain/orders/code.ts'
import { startService, type TestService } from '../support/service.ts'
import { ADDRESS, body, clinic, created, DISCREET, LAB, PERSON, post, SECRET, world } from './given.ts'

const NOW = new Date('2026-03-02T15:04:05.678Z')
const AT = NOW.toISOString()

let service: TestService
beforeAll(async () => {
  service = await startService({ now: () => NOW })
  await service.apply(world({ clinics: [clinic('naperville', '60540', { phone: '+16305550100' })] }))
})
afterAll(() => service.stop())

const reference = (kind: string, object: string, id: string, name: string) => ({
  id,
  name,
  object,
  url: `/api/v2/${kind}/${id}`,
})

describe('Resources: the order that a create answers with', () => {
  test('a created order has every field of the table and no other', async () => {
    const answer = await post(service, body())
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      agency: null,
      clinic: null,
      code: expect.stringMatching(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/),
      company: reference('companies', 'company', 'acme', 'Acme'),
      createdAt: AT,
      expiresAt: null,
      externalId: null,
      id: expect.stringMatching(/^ord_[0-9a-z]{26}$/),
      isFinal: false,
      jobCategory: null,
      location: reference('locations', 'location', 'hq', 'Headquarters'),
      object: 'order',
      otherTestReason: null,
      packages: [reference('packages', 'package', 'basic', 'Basic')],
      participant: {
        address: null,
        birthDate: null,
        email: null,
        firstName: 'Maria',
        identifiers: [],
        lastName: 'Lopez',
        middleName: null,
        phone: null,
      },
      services: [
        {
          attributes: { category: 'drug', type: 'urine' },
          courierServiceName: null,
          id: expect.stringMatching(/^osv_[0-9a-z]{26}_1$/),
          isDot: false,
          isFinal: false,
          lab: { ...LAB, object: 'vendor', type: 'lab' },
          name: 'Urine',
          object: 'orderService',
          screenHistory: [],
          specimenId: null,
          status: 'linkSent',
          statusHistory: [
            { groupType: 'ordered', object: 'orderServiceStatusHistory', occurredAt: AT, status: 'linkSent' },
          ],
          statusUpdatedAt: AT,
          trackingNumber: null,
        },
      ],
      status: 'ordered',
      statusUpdatedAt: AT,
      testReason: 'random',
      updatedAt: AT,
      url: `/api/v2/orders/${answer.body.id}`,
    })
  })

  test('a created order conforms to the contract', async () => {
    const order = await created(service, { participant: PERSON })
    expect(Order.parse(order)).toEqual(order)
  })

  test('a created order is found at its url with the same bytes', async () => {
    const answer = await post(service, body({ participant: PERSON }))
    const read = await service.call(SECRET, answer.body.url)
    expect(read).toMatchObject({ status: 200, text: answer.text })
  })

  test('a created order has the participant of the request, with the phone in E.164', async () => {
    const participant = {
      ...PERSON,
      middleName: 'José',
      identifiers: [
        { type: 'ssn', value: '536-22-8841' },
        { type: 'driverLicense', value: 'L-100', issuingCountry: 'US', issuingState: 'IL' },
      ],
    }
    expect((await created(service, { participant })).participant).toEqual({
      address: { ...ADDRESS, line2: '', country: 'US', object: 'address' },
      birthDate: '1990-03-07',
      email: 'maria@example.com',
      firstName: 'Maria',
      identifiers: [
        {
          issuingCountry: null,
          issuingState: null,
          object: 'participantIdentifier',
          type: 'ssn',
          value: '536-22-8841',
        },
        {
          issuingCountry: 'US',
          issuingState: 'IL',
          object: 'participantIdentifier',
          type: 'driverLicense',
          value: 'L-100',
        },
      ],
      lastName: 'Lopez',
      middleName: 'José',
      phone: '+16305550142',
    })
  })

  test('the address and identifiers of a read order are accepted in a create', async () => {
    const { address, identifiers } = (await created(service, { participant: PERSON })).participant
    const again = await created(service, { participant: { ...PERSON, address, identifiers } })
    expect(again.participant).toMatchObject({ address, identifiers })
  })

  test('Authentication 4: a create shows the participant always, identifiers only with order.participant.read', async () => {
    const { participant } = await created(service, { participant: PERSON }, { secret: DISCREET })
    expect(participant).toMatchObject({ firstName: 'Maria', birthDate: '1990-03-07' })
    expect(participant).not.toHaveProperty('identifiers')
  })

  test('a created order has its services in the order of the package', async () => {
    const order = await created(service, { package: { id: 'several' } })
    expect(order.services.map(({ name }: { name: string }) => name)).toEqual(['Urine', 'Hair', 'Audiogram'])
  })

  test('a regulated order names its agency and job category', async () => {
    const order = await created(service, {
      package: { id: 'dot' },
      agency: { code: 'FRA' },
      jobCategory: { name: 'Engine Service' },
    })
    expect(order.agency).toEqual({ code: 'FRA', id: 'fra', object: 'agency', url: '/api/v2/agencies/fra' })
    expect(order.jobCategory).toEqual({
      id: 'engine-service',
      name: 'Engine Service',
      object: 'jobCategory',
      url: '/api/v2/agencies/fra/jobCategories/engine-service',
    })
    expect((await service.call(SECRET, order.jobCategory.url)).status).toBe(200)
  })

  test('a created order keeps otherTestReason', async () => {
    const order = await created(service, { testReason: 'other', otherTestReason: 'courtOrdered' })
    expect(order).toMatchObject({ testReason: 'other', otherTestReason: 'courtOrdered' })
    expect(await created(service, { testReason: 'other' })).toMatchObject({ otherTestReason: null })
  })

  test('each order has a unique code with a valid check letter', async () => {
    const orders = await Promise.all(Array.from({ length: 20 }, () => created(service)))
    expect(new Set(orders.map(({ code }) => code)).size).toBe(20)
    for (const { code } of orders) expect({ code, fits: isWellFormedCode(code) }).toEqual({ code, fits: true })
  })

  test('a created order has no member matched', async () => {
    const order = await created(service, { orderMatching: { enabled: true } })
    expect(order).not.toHaveProperty('matched')
  })
})

describe('Request body: the scheduling option sets the initial status', () => {
  test.each([
    { option: 'link', status: 'ordered', services: 'linkSent' },
    { option: 'order', status: 'ordered', services: 'ordered' },
    { option: 'schedule', status: 'scheduled', services: 'scheduled' },
  ])('an order with the option $option starts as $status', async ({ option, status, services }) => {
    const order = await created(service, {
      package: { id: 'several' },
      participant: PERSON,
      settings: { schedulingOption: option },
    })
    expect(order).toMatchObject({ status, isFinal: false, statusUpdatedAt: AT })
    expect(new Set(order.services.map((each: { status: string }) => each.status))).toEqual(new Set([services]))
  })

  test('an order with the option schedule shows its clinic, which can be read at its url', async () => {
    const order = await created(service, { participant: PERSON, settings: { schedulingOption: 'schedule' } })
    expect(order.clinic).toEqual({
      address: {
        city: '',
        country: 'US',
        line1: '1 Main Street',
        line2: '',
        object: 'address',
        postalCode: '60540',
        state: 'IL',
      },
      id: 'naperville',
      name: 'naperville',
      object: 'clinic',
      phone: '+16305550100',
      url: '/api/v2/clinics/naperville',
    })
    expect((await service.call(SECRET, order.clinic.url)).status).toBe(200)
  })

  test('an order with the option order has no clinic yet, even if the requester selects one', async () => {
    for (const clinicSelectionMode of [undefined, 'requesterSelects']) {
      const settings = { schedulingOption: 'order', clinicSelectionMode }
      expect(await created(service, { participant: PERSON, settings })).toMatchObject({ clinic: null })
    }
  })
})

test('ids sort by the time their orders were created', async () => {
  const times = ['2026-03-02T15:04:05.678Z', '2026-03-02T15:04:05.679Z', '2026-11-01T00:00:00Z', '2031-01-01T00:00:00Z']
  const clock = { now: new Date(0) }
  const later = await startService({ now: () => clock.now })
  await later.apply(world())
  const ids: string[] = []
  for (const time of times) {
    clock.now = new Date(time)
    ids.push((await created(later)).id)
  }
  await later.stop()
  expect(ids.toSorted()).toEqual(ids)
})
