import type * as contract from '@order-testing/contract'
import { AGENCIES } from '../../domain/catalog/agencies.ts'
import type { Order, OrderService, Participant } from '../../domain/orders/order.ts'
import { publicStateOf } from '../../domain/orders/service-life.ts'
import { hasOutcome, hasResult, SERVICE_STATUSES } from '../../domain/orders/statuses.ts'
import {
  addressOf,
  agencyReference,
  clinicReference,
  companyReference,
  jobCategoryReference,
  locationReference,
  orderPath,
  packageReference,
} from '../catalog/references.ts'

/** An order as every answer shows it, but for the participant, whom not every token may see. */
export function presentOrder(order: Order): Omit<contract.Order, 'participant' | 'matched'> {
  const agency = AGENCIES.find(({ id }) => id === order.agencyId) ?? null
  const jobCategory = agency?.jobCategories.find(({ id }) => id === order.jobCategoryId) ?? null
  return {
    agency: agency && agencyReference(agency),
    clinic: order.clinic && clinicReference(order.clinic),
    code: order.code,
    company: companyReference(order.company),
    createdAt: order.createdAt.toISOString(),
    expiresAt: order.expiresAt?.toISOString() ?? null,
    id: order.id,
    isFinal: hasOutcome(order.status),
    jobCategory: agency && jobCategory && jobCategoryReference(agency, jobCategory),
    location: locationReference(order.location),
    object: 'order',
    otherTestReason: order.otherTestReason,
    packages: order.packages.map((each) => packageReference(each)),
    services: order.services.map((service) => presentService(service)),
    status: order.status,
    statusUpdatedAt: order.statusUpdatedAt.toISOString(),
    testReason: order.testReason,
    updatedAt: order.updatedAt.toISOString(),
    url: orderPath(order.id),
  }
}

/** The participant without identifiers, which are kept apart. */
export function presentParticipant(
  participant: Participant,
): Omit<NonNullable<contract.Order['participant']>, 'identifiers'> {
  return {
    address: addressOf(participant.address),
    birthDate: participant.birthDate,
    email: participant.email,
    firstName: participant.firstName,
    lastName: participant.lastName,
    middleName: participant.middleName,
    phone: participant.phone,
  }
}

function presentService(service: OrderService): contract.Order['services'][number] {
  // Until the reviewer has spoken nobody may learn what the laboratory saw (49 CFR 40.97).
  const { status, statusUpdatedAt, history, screens } = publicStateOf(service)
  return {
    attributes: { category: service.category, type: service.type },
    courierServiceName: service.courierServiceName,
    id: service.id,
    isDot: service.isDot,
    isFinal: hasResult(status),
    lab: service.lab && { id: service.lab.id, name: service.lab.name, object: 'vendor', type: 'lab' },
    name: service.name,
    object: 'orderService',
    screenHistory: screens.map(({ type, at }) => ({
      object: 'orderServiceScreenHistory',
      occurredAt: at.toISOString(),
      type,
    })),
    specimenId: service.specimenId,
    status,
    statusHistory: history.map((entry) => ({
      groupType: SERVICE_STATUSES[entry.status],
      object: 'orderServiceStatusHistory',
      occurredAt: entry.at.toISOString(),
      status: entry.status,
    })),
    statusUpdatedAt: statusUpdatedAt.toISOString(),
    trackingNumber: service.trackingNumber,
  }
}
