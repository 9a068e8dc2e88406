import type { CreateOrder } from '@order-testing/contract'
import { canReadParticipant } from '../../domain/access/caller.ts'
import { makeId, serviceIdOf } from '../../domain/ids.ts'
import { makeCode } from '../../domain/orders/code.ts'
import type { ResolvedOrder } from '../../domain/orders/create.ts'
import type { Order, OrderClinic, OrderService, Participant } from '../../domain/orders/order.ts'
import type { ServiceFacts } from '../../domain/orders/references.ts'
import { orderStatus } from '../../domain/orders/statuses.ts'
import { participantPhone } from '../../domain/phones.ts'
import { normaliseAddress } from '../../domain/places/addresses.ts'
import { canonicalAddress } from '../../domain/webhooks/callbacks.ts'
import type { CallbackVersion } from '../../store/webhooks/callbacks.ts'
import type { Registration } from '../../store/webhooks/outbox.ts'
import type { Context } from '../operation.ts'

export interface OrderRequest {
  request: CreateOrder
  resolved: ResolvedOrder
  clinic: OrderClinic | null
  source: Order['source']
}

/** The order that a request asks for, in its initial state. */
export function newOrder({ request, resolved, clinic, source }: OrderRequest, { now, random }: Context): Order {
  const at = now()
  const id = makeId('ord', at, random.bytes)
  const services = resolved.package.services.map((service, i) =>
    newService(service, { id: serviceIdOf(id, i + 1), status: resolved.serviceStatus, at }),
  )
  const statuses = services.map((service) => service.status)
  const status = orderStatus(statuses, null)
  return {
    id,
    code: makeCode(random.below),
    company: { id: resolved.location.companyId, name: resolved.location.companyName },
    location: { id: resolved.location.id, name: resolved.location.name },
    packages: [{ id: resolved.package.id, name: resolved.package.name }],
    agencyId: resolved.agency?.id ?? null,
    jobCategoryId: resolved.jobCategory?.id ?? null,
    testReason: resolved.testReason,
    otherTestReason: resolved.otherTestReason,
    observed: resolved.observed,
    source,
    clinic,
    isBooked: clinic !== null,
    appointmentAt: null,
    services,
    participant: participantOf(request.participant),
    requester: {
      email: resolved.requester.email,
      firstName: resolved.requester.firstName,
      lastName: resolved.requester.lastName,
      middleName: resolved.requester.middleName ?? null,
      phone: resolved.requester.phone ?? null,
    },
    delivery:
      resolved.deliveryMethod.type === 'email'
        ? { type: 'email', to: resolved.deliveryMethod.to, cc: resolved.deliveryMethod.cc ?? [] }
        : { type: 'mobile', phone: resolved.deliveryMethod.phone },
    scheduling: resolved.scheduling,
    billingCode: request.settings.billingCode ?? null,
    ended: null,
    cancelReason: null,
    status,
    createdAt: at,
    updatedAt: at,
    statusUpdatedAt: at,
    expiresAt: resolved.expiresAt,
    history: [{ status, at }],
    externalId: request.externalId ?? null,
  }
}

/** The registration of the request's callback, if it has one. */
export function newRegistration(
  { request, version }: Pick<OrderRequest, 'request'> & { version: CallbackVersion },
  order: Order,
  { caller, now, random }: Context,
): Registration | undefined {
  if (!request.callback) return undefined
  const at = now()
  return {
    id: makeId('cbk', at, random.bytes),
    orderId: order.id,
    version,
    callback: { ...request.callback, url: canonicalAddress(request.callback.url) },
    tokenId: caller.tokenId,
    showsParticipant: canReadParticipant(caller),
    at,
  }
}

function newService(
  { id: serviceId, name, category, type, isDot, requiresMro, lab }: ServiceFacts,
  { id, status, at }: { id: string; status: OrderService['status']; at: Date },
): OrderService {
  return {
    id,
    serviceId,
    name,
    category,
    type,
    isDot,
    requiresMro,
    lab,
    status,
    statusUpdatedAt: at,
    specimenId: null,
    courierServiceName: null,
    trackingNumber: null,
    history: [{ status, at }],
    screens: [],
  }
}

export function participantOf(input: CreateOrder['participant']): Participant {
  return {
    firstName: input.firstName,
    lastName: input.lastName,
    middleName: input.middleName ?? null,
    address: input.address ? normaliseAddress(input.address) : null,
    birthDate: input.birthDate ?? null,
    email: input.email ?? null,
    phone: input.phone === undefined ? null : participantPhone(input.phone),
    identifiers: (input.identifiers ?? []).map(({ type, value, issuingCountry, issuingState }) => ({
      type,
      value,
      issuingCountry: issuingCountry ?? null,
      issuingState: issuingState ?? null,
    })),
  }
}
