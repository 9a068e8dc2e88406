import type { Order, OrderService, Participant } from '../../domain/orders/order.ts'
import type { presentParticipant } from '../../domain/orders/view.ts'

/**
 * An order as it is stored beside its view: lists of its members without their names, and times in milliseconds since it was
 * created. The participant is left out, because the view has it.
 *
 * Never move or remove a member: stored orders have it in this place. Add new ones at the end of a list, and read them as possibly
 * undefined: orders on file have nothing there.
 */
export function formatOrder(order: Order): string {
  return JSON.stringify(toLists(order))
}

/** The order with its participant as the view shows it. */
export function parseOrder(text: string, participant: string): Order {
  const lists = JSON.parse(text) as ReturnType<typeof toLists>
  const [identity, place, request, visit, people, life, services] = lists
  const [id, code, createdTime] = identity
  const [company, location, packages] = place
  const [testReason, otherTestReason, observed, source, agencyId, jobCategoryId, billingCode, externalId] = request
  const [option, mode, clinic, isBooked, appointmentTime, isArrival] = visit
  const [email, firstName, lastName, middleName, phone, to, language] = people
  const [status, ended, cancelReason, updatedTime, statusTime, expiresTime, history] = life
  const timeOf = (sinceCreated: number) => new Date(createdTime + sinceCreated)
  return {
    id,
    code,
    company,
    location,
    packages,
    agencyId,
    jobCategoryId,
    testReason,
    otherTestReason,
    observed: observed === 1,
    source,
    clinic,
    isBooked: isBooked === 1,
    appointmentAt: appointmentTime === null ? null : timeOf(appointmentTime),
    ...(isArrival === 1 && { isArrival: true }),
    services: services.map((service) => toService(service, timeOf)),
    participant: parseParticipant(participant),
    requester: { email, firstName, lastName, middleName, phone },
    delivery: Array.isArray(to) ? { type: 'email', to: to[0]!, cc: to.slice(1) } : { type: 'mobile', phone: to },
    scheduling: { option, mode },
    ...(language !== null && { language }),
    billingCode,
    externalId,
    ended,
    cancelReason,
    status,
    createdAt: timeOf(0),
    updatedAt: timeOf(updatedTime),
    statusUpdatedAt: timeOf(statusTime),
    expiresAt: expiresTime === null ? null : timeOf(expiresTime),
    history: history.map(([entered, at]) => ({ status: entered, at: timeOf(at) })),
  }
}

function toLists(order: Order) {
  const { company, location, requester, delivery, scheduling } = order
  const createdTime = order.createdAt.getTime()
  const sinceCreated = (at: Date) => at.getTime() - createdTime
  const to: string | string[] = delivery.type === 'email' ? [delivery.to, ...delivery.cc] : delivery.phone
  return [
    list(order.id, order.code, createdTime),
    list(company, location, order.packages),
    list(
      order.testReason,
      order.otherTestReason,
      bit(order.observed),
      order.source,
      order.agencyId,
      order.jobCategoryId,
      order.billingCode,
      order.externalId,
    ),
    list(
      scheduling.option,
      scheduling.mode,
      order.clinic,
      bit(order.isBooked),
      order.appointmentAt && sinceCreated(order.appointmentAt),
      bit(order.isArrival),
    ),
    list(
      requester.email,
      requester.firstName,
      requester.lastName,
      requester.middleName,
      requester.phone,
      to,
      order.language ?? null,
    ),
    list(
      order.status,
      order.ended,
      order.cancelReason,
      sinceCreated(order.updatedAt),
      sinceCreated(order.statusUpdatedAt),
      order.expiresAt && sinceCreated(order.expiresAt),
      order.history.map(({ status, at }) => list(status, sinceCreated(at))),
    ),
    order.services.map((service) => toServiceList(service, sinceCreated)),
  ] as const
}

const toServiceList = (service: OrderService, sinceCreated: (at: Date) => number) =>
  list(
    service.id,
    service.serviceId,
    service.name,
    service.category,
    service.type,
    bit(service.isDot),
    bit(service.requiresMro),
    service.lab,
    service.specimenId,
    service.courierServiceName,
    service.trackingNumber,
    service.status,
    sinceCreated(service.statusUpdatedAt),
    service.history.map(({ status, at }) => list(status, sinceCreated(at))),
    service.screens.map(({ type, at }) => list(type, sinceCreated(at))),
  )

function toService(stored: ReturnType<typeof toServiceList>, timeOf: (sinceCreated: number) => Date): OrderService {
  const [id, serviceId, name, category, type, isDot, requiresMro, lab, ...progress] = stored
  const [specimenId, courierServiceName, trackingNumber, status, statusTime, history, screens] = progress
  return {
    id,
    serviceId,
    name,
    category,
    type,
    isDot: isDot === 1,
    requiresMro: requiresMro === 1,
    lab,
    status,
    statusUpdatedAt: timeOf(statusTime),
    specimenId,
    courierServiceName,
    trackingNumber,
    history: history.map(([entered, at]) => ({ status: entered, at: timeOf(at) })),
    screens: screens.map(([shown, at]) => ({ type: shown, at: timeOf(at) })),
  }
}

function parseParticipant(text: string): Participant {
  const { address, identifiers, ...person } = JSON.parse(text) as ReturnType<typeof presentParticipant>
  return {
    firstName: person.firstName,
    lastName: person.lastName,
    middleName: person.middleName,
    address: address && {
      line1: address.line1,
      line2: address.line2,
      city: address.city,
      state: address.state,
      postalCode: address.postalCode,
      country: address.country,
    },
    birthDate: person.birthDate,
    email: person.email,
    phone: person.phone,
    identifiers: (identifiers ?? []).map(({ type, value, issuingCountry, issuingState }) => ({
      type,
      value,
      issuingCountry,
      issuingState,
    })),
  }
}

const bit = (is: boolean | undefined): 0 | 1 => (is ? 1 : 0)

/** A list with the type of each of its members. */
const list = <Members extends unknown[]>(...members: Members): Members => members
