import type { CatalogAddress, OrderStatus } from '@order-testing/contract'
import { refuse } from '../refusal.ts'
import { moveService, shownOf } from './service-life.ts'
import { isClosed, isOver, orderStatus, type ServiceStatus } from './statuses.ts'

interface Named {
  id: string
  name: string
}

/** An order as the rules see it. Names are those of the time it was placed: an order says what was ordered. */
export interface Order {
  id: string
  code: string
  company: Named
  location: Named
  packages: Named[]
  agencyId: string | null
  jobCategoryId: string | null
  testReason: string
  otherTestReason: string | null
  observed: boolean
  source: 'api' | 'portal' | 'app' | 'import'
  clinic: OrderClinic | null
  /** Whether the clinic expects the participant. */
  isBooked: boolean
  /** When the participant is expected there; null where no time was made out. */
  appointmentAt: Date | null
  services: OrderService[]
  participant: Participant
  requester: { email: string; firstName: string; lastName: string; middleName: string | null; phone: string | null }
  delivery: { type: 'email'; to: string; cc: string[] } | { type: 'mobile'; phone: string }
  scheduling: { option: string; mode: string | null }
  /** That the participant has used on the pages; absent until then. */
  language?: 'en' | 'es'
  billingCode: string | null
  /** Set when the order as a whole was ended, whatever its services are at. */
  ended: 'cancelled' | 'expired' | null
  cancelReason: string | null
  status: OrderStatus
  createdAt: Date
  updatedAt: Date
  statusUpdatedAt: Date
  expiresAt: Date | null
  /** Every status the order has had, the first at its creation. */
  history: { status: OrderStatus; at: Date }[]
}

/** Who is written to about an order: the person tested, or who placed it and chooses the clinic. */
export type Recipient = 'participant' | 'requester'

export interface OrderClinic extends Named {
  address: CatalogAddress | null
  phone: string | null
}

export interface OrderService {
  id: string
  serviceId: string
  name: string
  category: string
  type: string
  isDot: boolean
  requiresMro: boolean
  lab: Named | null
  status: ServiceStatus
  statusUpdatedAt: Date
  specimenId: string | null
  courierServiceName: string | null
  trackingNumber: string | null
  history: { status: ServiceStatus; at: Date }[]
  screens: { type: string; at: Date }[]
}

export interface Participant {
  firstName: string
  lastName: string
  middleName: string | null
  address: CatalogAddress | null
  birthDate: string | null
  email: string | null
  phone: string | null
  identifiers: { type: string; value: string; issuingCountry: string | null; issuingState: string | null }[]
}

/** Cancelling twice changes nothing; an outcome, an expired and a missed order cannot be cancelled. */
export function cancel(order: Order, reason: string | null, now: Date): Order {
  const at = changeTime(order, now)
  if (order.status === 'cancelled') return order
  if (isClosed(order.status)) throw refuse('invalidState', `Order ${order.code} is already ${order.status}.`)
  const services = order.services.map((service) =>
    isOver(service.status) ? service : moveService(service, 'cancelled', at),
  )
  const unbooked = { isBooked: false, appointmentAt: null }
  return restate({ ...order, ...unbooked, services, ended: 'cancelled', cancelReason: reason }, at)
}

/** Clocks of nodes differ by a little, but what is told of an order never goes back in time. */
export function changeTime({ updatedAt }: Order, now: Date): Date {
  return now > updatedAt ? now : updatedAt
}

/** The order after a change of its services or of itself: its status follows from what is shown of them. */
export function restate(order: Order, now: Date): Order {
  const status = orderStatus(
    order.services.map((service) => shownOf(service).status),
    order.ended,
  )
  const changed = status !== order.status
  return {
    ...order,
    status,
    updatedAt: now,
    statusUpdatedAt: changed ? now : order.statusUpdatedAt,
    history: changed ? [...order.history, { status, at: now }] : order.history,
  }
}
