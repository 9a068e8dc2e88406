import type { CatalogAddress, OrderStatus } from '@order-testing/contract'
import type { Named } from '@order-testing/contract/agencies'
import type { ServiceStatus } from './statuses.ts'

/** An order as the rules see it. Names are copied when the order is placed, so later catalog changes do not alter it. */
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
  /** Null if the booking has no time. */
  appointmentAt: Date | null
  /** Set if the time is only when the participant plans to walk in: nothing is missed then. Kept when it is cancelled. */
  isArrival?: true
  services: OrderService[]
  participant: Participant
  requester: { email: string; firstName: string; lastName: string; middleName: string | null; phone: string | null }
  delivery: { type: 'email'; to: string; cc: string[] } | { type: 'mobile'; phone: string }
  scheduling: { option: string; mode: string | null }
  /** The language the participant last used on the pages; absent until then. */
  language?: string
  billingCode: string | null
  /** The integrator's own identifier. */
  externalId: string | null
  /** Set when the order as a whole ended, whatever the statuses of its services. */
  ended: 'cancelled' | 'expired' | null
  cancelReason: string | null
  status: OrderStatus
  createdAt: Date
  updatedAt: Date
  statusUpdatedAt: Date
  expiresAt: Date | null
  /** Every status since creation, oldest first. */
  history: { status: OrderStatus; at: Date }[]
}

/** Who receives notifications and links: the person tested, or the requester who chooses the clinic. */
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
