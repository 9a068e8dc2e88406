import { randomBytes, randomInt } from 'node:crypto'
import { makeId, serviceIdOf } from '../../src/domain/ids.ts'
import { makeCode } from '../../src/domain/orders/code.ts'
import type { Order, OrderService, Participant } from '../../src/domain/orders/order.ts'
import { orderStatus } from '../../src/domain/orders/statuses.ts'

export type GivenOrder = Partial<Omit<Order, 'services' | 'participant'>> & {
  services?: Partial<OrderService>[]
  participant?: Partial<Participant>
}

/** An order as it stands in the database, whatever brought it there. */
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
    participant: { ...NOBODY, ...participant },
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
    ...members,
    status,
    services,
  }
}

const NOBODY: Participant = {
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
