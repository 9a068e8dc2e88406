import { randomBytes, randomInt } from 'node:crypto'
import { CreateOrder, parsePartly, type CatalogSettings, type Problem } from '@order-testing/contract'
import { makeId, serviceIdOf } from '../../src/domain/ids.ts'
import { makeCode } from '../../src/domain/orders/code.ts'
import { checkOrder } from '../../src/domain/orders/create.ts'
import type { Order, OrderService, Participant } from '../../src/domain/orders/order.ts'
import type { OrderFacts, ServiceFacts } from '../../src/domain/orders/references.ts'
import { orderStatus } from '../../src/domain/orders/statuses.ts'

export type GivenOrder = Partial<Omit<Order, 'services' | 'participant'>> & {
  services?: Partial<OrderService>[]
  participant?: Partial<Participant>
}

/** An order in the form of the rules and the database. */
export function orderOf({ services: parts = [{}], participant, ...members }: GivenOrder = {}): Order {
  const at = members.createdAt ?? new Date()
  const id = members.id ?? makeId('ord', at, randomBytes)
  const services = parts.map((part, i) => serviceOf({ id: serviceIdOf(id, i + 1), ...part }, at))
  const statuses = services.map(({ status }) => status)
  const status = members.status ?? orderStatus(statuses, members.ended ?? null)
  return {
    id,
    code: makeCode((limit) => randomInt(limit)),
    company: { id: 'acme', name: 'Acme' },
    location: { id: 'hq', name: 'Headquarters' },
    packages: [{ id: 'basic', name: 'Basic' }],
    agencyId: null,
    jobCategoryId: null,
    testReason: 'random',
    otherTestReason: null,
    observed: false,
    source: 'api',
    clinic: null,
    isBooked: false,
    appointmentAt: null,
    participant: { ...PARTICIPANT, ...participant },
    requester: { email: 'dana@acme.example', firstName: 'Dana', lastName: 'Reed', middleName: null, phone: null },
    delivery: { type: 'email', to: 'maria@example.com', cc: [] },
    scheduling: { option: 'link', mode: null },
    billingCode: null,
    ended: null,
    cancelReason: null,
    createdAt: at,
    updatedAt: at,
    statusUpdatedAt: at,
    expiresAt: null,
    history: [{ status, at }],
    externalId: null,
    ...members,
    status,
    services,
  }
}

const PARTICIPANT: Participant = {
  firstName: 'Maria',
  lastName: 'Lopez',
  middleName: null,
  address: null,
  birthDate: null,
  email: null,
  phone: null,
  identifiers: [],
}

function serviceOf(members: Partial<OrderService> & { id: string }, at: Date): OrderService {
  const status = members.status ?? 'linkSent'
  return {
    serviceId: 'urine',
    name: 'Urine',
    category: 'drug',
    type: 'urine',
    isDot: false,
    requiresMro: false,
    lab: null,
    statusUpdatedAt: at,
    specimenId: null,
    courierServiceName: null,
    trackingNumber: null,
    history: [{ status, at }],
    screens: [],
    ...members,
    status,
  }
}

const BODY = {
  deliveryMethods: [{ type: 'email', to: 'maria@example.com' }],
  location: { id: 'hq' },
  package: { id: 'basic' },
  participant: { firstName: 'Maria', lastName: 'Lopez' },
  requester: { email: 'dana@acme.example', firstName: 'Dana', lastName: 'Reed' },
  settings: { schedulingOption: 'link' },
  testReason: 'random',
}

/** A valid body of `POST /orders` for a link order of one urine test, with the given members. */
export const body = (members: object = {}) => ({ ...BODY, ...members })

export const ADDRESS = { line1: '1200 Ogden Avenue', city: 'Naperville', state: 'IL', postalCode: '60540' }

/** A participant with everything that the scheduling option `order` requires. */
export const PERSON = {
  ...BODY.participant,
  address: ADDRESS,
  birthDate: '1990-03-07',
  email: 'maria@example.com',
  phone: '(630) 555-0142',
  identifiers: [{ type: 'ssn', value: '536-22-8841' }],
}

/** The time at which tests check orders. */
export const NOW = new Date('2026-03-02T15:04:05.678Z')

export const POLICY = { production: true, callbackAllow: [] as string[] }

export const service = (members: Partial<ServiceFacts> = {}): ServiceFacts => ({
  id: 'srv_1',
  name: 'Urine',
  category: 'drug',
  type: 'urine',
  isDot: false,
  requiresMro: false,
  lab: null,
  ...members,
})

export const URINE = service()
export const DOT_URINE = service({ id: 'srv_2', isDot: true })
export const DOT_BREATH = service({ id: 'srv_3', category: 'alcohol', type: 'breath', isDot: true })
export const DOT_PHYSICAL = service({ id: 'srv_4', category: 'occupationalHealth', type: 'dotPhysical', isDot: true })
export const DOT_RECORD = service({ id: 'srv_5', category: 'background', type: 'motorVehicleRecord', isDot: true })
export const BACKGROUND = service({ id: 'srv_6', category: 'background', type: 'criminal' })

interface GivenFacts {
  services?: ServiceFacts[]
  settings?: CatalogSettings
  location?: OrderFacts['location']
  package?: OrderFacts['package']
  policy?: typeof POLICY
}

/** What the references of a body refer to: a location and a package of one urine test, unless given otherwise. */
export function facts({ services = [URINE], settings = {}, ...found }: GivenFacts = {}): OrderFacts {
  const location = { id: 'loc_1', name: 'Naperville', companyId: 'cmp_1', companyName: 'Prairie Rail', settings }
  return {
    location: found.location ?? { kind: 'one', value: location },
    package: found.package ?? { kind: 'one', value: { id: 'pkg_1', name: 'Standard', services } },
  }
}

/** All problems of a body, as `POST /orders` reports them. */
export function problems(sent: object, given: GivenFacts = {}): Problem[] {
  const parsed = parsePartly(CreateOrder, sent)
  const { policy = POLICY } = given
  return [
    ...parsed.problems,
    ...checkOrder(parsed.partial, facts(given), { policy, now: NOW, faults: parsed.problems }),
  ]
}

/** The same, each as its code and pointer. */
export const problemCodes = (sent: object, given: GivenFacts = {}) =>
  problems(sent, given).map(({ code, pointer }) => `${code} ${pointer}`)
