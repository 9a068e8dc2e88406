import * as fc from 'fast-check'
import { ORDER_STATUSES } from '@order-testing/contract'
import { describe, expect, test } from 'vitest'
import type { Order, OrderClinic, OrderService, Participant } from '../../src/domain/orders/order.ts'
import type { ServiceStatus } from '../../src/domain/orders/statuses.ts'
import { presentParticipant } from '../../src/domain/orders/view.ts'
import { formatOrder, parseOrder } from '../../src/store/orders/order-text.ts'
import { orderOf } from './given.ts'

/** An order with all members that it and its parts may have. */
type Complete = Required<Omit<Order, 'clinic' | 'participant' | 'requester'>> & {
  clinic: Required<OrderClinic> | null
  participant: Required<Participant>
  requester: Required<Order['requester']>
}

const text = fc.string({ unit: 'binary', maxLength: 12 })
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: null })
const time = fc.date({ noInvalidDate: true, min: new Date('2000-01-01'), max: new Date('2100-01-01') })
const named = fc.record({ id: text, name: text })
const status = fc.constantFrom<ServiceStatus[]>('ordered', 'scheduled', 'nonNegative', 'mroReview', 'negative')
const address = fc.record({ line1: text, line2: text, city: text, state: text, postalCode: text, country: text })

/** A new member of orders or services does not compile until it is listed here. */
const service: fc.Arbitrary<Required<OrderService>> = fc.record({
  id: text,
  serviceId: text,
  name: text,
  category: text,
  type: text,
  isDot: fc.boolean(),
  requiresMro: fc.boolean(),
  lab: maybe(named),
  status,
  statusUpdatedAt: time,
  specimenId: maybe(text),
  courierServiceName: maybe(text),
  trackingNumber: maybe(text),
  history: fc.array(fc.record({ status, at: time }), { maxLength: 3 }),
  screens: fc.array(fc.record({ type: text, at: time }), { maxLength: 2 }),
})

const complete: fc.Arbitrary<Complete> = fc.record({
  id: text,
  code: text,
  company: named,
  location: named,
  packages: fc.array(named, { maxLength: 2 }),
  agencyId: maybe(text),
  jobCategoryId: maybe(text),
  testReason: text,
  otherTestReason: maybe(text),
  observed: fc.boolean(),
  source: fc.constantFrom('api', 'portal', 'app', 'import'),
  clinic: maybe(fc.record({ id: text, name: text, address: maybe(address), phone: maybe(text) })),
  isBooked: fc.boolean(),
  appointmentAt: maybe(time),
  isArrival: fc.constant(true as const),
  services: fc.array(service, { maxLength: 3 }),
  participant: fc.record({
    firstName: text,
    lastName: text,
    middleName: maybe(text),
    address: maybe(address),
    birthDate: maybe(text),
    email: maybe(text),
    phone: maybe(text),
    identifiers: fc.array(
      fc.record({ type: text, value: text, issuingCountry: maybe(text), issuingState: maybe(text) }),
      { maxLength: 2 },
    ),
  }),
  requester: fc.record({
    email: text,
    firstName: text,
    lastName: text,
    middleName: maybe(text),
    phone: maybe(text),
  }),
  delivery: fc.oneof(
    fc.record({ type: fc.constant('email' as const), to: text, cc: fc.array(text, { maxLength: 2 }) }),
    fc.record({ type: fc.constant('mobile' as const), phone: text }),
  ),
  language: text,
  scheduling: fc.record({ option: text, mode: maybe(text) }),
  billingCode: maybe(text),
  externalId: maybe(text),
  ended: fc.constantFrom('cancelled', 'expired', null),
  cancelReason: maybe(text),
  status: fc.constantFrom(...ORDER_STATUSES),
  createdAt: time,
  updatedAt: time,
  statusUpdatedAt: time,
  expiresAt: maybe(time),
  history: fc.array(fc.record({ status: fc.constantFrom(...ORDER_STATUSES), at: time }), { maxLength: 3 }),
})

const order: fc.Arbitrary<Order> = fc
  .tuple(complete, fc.boolean(), fc.boolean())
  .map(([{ isArrival, language, ...members }, hasArrival, hasLanguage]) => ({
    ...members,
    ...(hasArrival && { isArrival }),
    ...(hasLanguage && { language }),
  }))

describe('the stored text of an order', () => {
  test('every order is read as it was written', () => {
    fc.assert(
      fc.property(order, (written) => {
        const participant = JSON.stringify(presentParticipant(written.participant))
        expect(parseOrder(formatOrder(written), participant)).toEqual(written)
      }),
    )
  })

  test('the places of stored members have not changed', () => {
    const stored =
      '[["ord_1","K7M4-2QXD",1767225600000],[{"id":"acme","name":"Acme"},{"id":"hq","name":"HQ"},[{"id":"basic","name":"Basic"}]],' +
      '["other","A reason",1,"import","fmcsa","driver","B-1","REQ-1"],' +
      '["schedule","fixed",{"id":"c","name":"Clinic","address":null,"phone":null},1,86400000,1],' +
      '["hr@acme.example","Robin","Doe","M","+16305550100",["maria@example.com","cc@acme.example"],"es"],' +
      '["cancelled","cancelled","No longer needed",3000,2000,-1000,[["ordered",0],["cancelled",2000]]],' +
      '[["osv_1","urine","Urine","drug","urine",1,1,{"id":"lab","name":"Lab"},"S-1","UPS","1Z","negative",1500,' +
      '[["ordered",0],["negative",1500]],[["initial",1200]]]]]'
    const participant = { ...PARTICIPANT, identifiers: [{ ...IDENTIFIER, object: 'participantIdentifier' }] }
    const at = (ms: number) => new Date(1_767_225_600_000 + ms)
    expect(parseOrder(stored, JSON.stringify(participant))).toStrictEqual({
      id: 'ord_1',
      code: 'K7M4-2QXD',
      company: { id: 'acme', name: 'Acme' },
      location: { id: 'hq', name: 'HQ' },
      packages: [{ id: 'basic', name: 'Basic' }],
      testReason: 'other',
      otherTestReason: 'A reason',
      observed: true,
      source: 'import',
      agencyId: 'fmcsa',
      jobCategoryId: 'driver',
      billingCode: 'B-1',
      externalId: 'REQ-1',
      scheduling: { option: 'schedule', mode: 'fixed' },
      clinic: { id: 'c', name: 'Clinic', address: null, phone: null },
      isBooked: true,
      appointmentAt: at(86_400_000),
      isArrival: true,
      requester: {
        email: 'hr@acme.example',
        firstName: 'Robin',
        lastName: 'Doe',
        middleName: 'M',
        phone: '+16305550100',
      },
      delivery: { type: 'email', to: 'maria@example.com', cc: ['cc@acme.example'] },
      language: 'es',
      participant: { ...PARTICIPANT, identifiers: [IDENTIFIER] },
      ended: 'cancelled',
      cancelReason: 'No longer needed',
      status: 'cancelled',
      createdAt: at(0),
      updatedAt: at(3_000),
      statusUpdatedAt: at(2_000),
      expiresAt: at(-1_000),
      history: [
        { status: 'ordered', at: at(0) },
        { status: 'cancelled', at: at(2_000) },
      ],
      services: [
        {
          id: 'osv_1',
          serviceId: 'urine',
          name: 'Urine',
          category: 'drug',
          type: 'urine',
          isDot: true,
          requiresMro: true,
          lab: { id: 'lab', name: 'Lab' },
          specimenId: 'S-1',
          courierServiceName: 'UPS',
          trackingNumber: '1Z',
          status: 'negative',
          statusUpdatedAt: at(1_500),
          history: [
            { status: 'ordered', at: at(0) },
            { status: 'negative', at: at(1_500) },
          ],
          screens: [{ type: 'initial', at: at(1_200) }],
        },
      ],
    })
  })
})

const { participant: PARTICIPANT } = orderOf()
const IDENTIFIER = { type: 'ssn', value: '123-45-6789', issuingCountry: 'US', issuingState: null }
