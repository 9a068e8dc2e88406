import type * as contract from '@order-testing/contract'
import { AGENCIES } from '@order-testing/contract/agencies'
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
import { isoOf } from '../times.ts'
import type { Order, OrderService, Participant } from './order.ts'
import { publicStateOf } from './service-life.ts'
import { hasOutcome, hasResult, SERVICE_STATUSES } from './statuses.ts'

/**
 * The representation of an order, as it is stored and sent: two JSON objects, serialised when the order is written, so that a
 * read sends them without parsing. That is twice as fast as building them for each read (`npm run bench -- read`).
 *
 * The seam: `order` has every member but `matched` and `participant`, which `renderView` appends after its last member.
 * Members always come in the same order, so equal representations are equal texts.
 */
export interface OrderView {
  order: string
  /** Null for readers without `order.participant.read`. */
  participant: string | null
}

/** A view with everything in it, as it is stored. */
export interface FullView extends OrderView {
  participant: string
}

type PresentedOrder = Omit<contract.Order, 'participant' | 'matched'>
type PresentedParticipant = NonNullable<contract.Order['participant']>

export const composeView = (order: Order): FullView => ({
  order: JSON.stringify(presentOrder(order)),
  participant: JSON.stringify(presentParticipant(order.participant)),
})

/** The view of a changed order; null if a reader sees no difference besides `updatedAt`. */
export function changedView(before: Order, after: Order): FullView | null {
  const view = composeView(after)
  // Most changes change a status. The others need both views, and composing one takes as long as sealing an order.
  if (shownStatuses(before) !== shownStatuses(after)) return view
  const old = composeView({ ...before, updatedAt: after.updatedAt })
  return old.order === view.order && old.participant === view.participant ? null : view
}

const shownStatuses = ({ status, services }: Order): string =>
  [status, ...services.map((service) => publicStateOf(service).status)].join(' ')

/** Adds the `externalId` that views of earlier builds do not have. */
export const withExternalId = (order: string): string =>
  order.includes('"externalId":') ? order : order.replace(/"expiresAt":(?:null|"[^"]*"),/, '$&"externalId":null,')

export const withoutParticipant = ({ order }: OrderView): OrderView => ({ order, participant: null })

export const withoutIdentifiers = ({ order, participant }: FullView): FullView => ({
  order,
  participant: JSON.stringify(omitIdentifiers(JSON.parse(participant) as PresentedParticipant)),
})

/** Removes the identifiers from a view that is already rendered. */
export function removeRenderedIdentifiers(rendered: string): string {
  const order = JSON.parse(rendered) as contract.Order
  return JSON.stringify(order.participant ? { ...order, participant: omitIdentifiers(order.participant) } : order)
}

/** The JSON text to send. */
export function renderView({ order, participant }: OrderView, matched?: contract.Order['matched']): string {
  let appended = ''
  if (matched) appended += `,"matched":${JSON.stringify(matched)}`
  if (participant !== null) appended += `,"participant":${participant}`
  return `${order.slice(0, -1)}${appended}}`
}

/** The view with further members of the order. */
export const withMembers = ({ order, participant }: OrderView, members: object): OrderView => ({
  order: `${order.slice(0, -1)},${JSON.stringify(members).slice(1)}`,
  participant,
})

/** The JSON text of one page of a list, or of the orders after a cursor. */
export function renderPage(
  { rows, total }: { rows: readonly { view: OrderView }[]; total: number },
  { limit, page, nextCursor }: { limit: number; page: number; nextCursor?: string },
): string {
  const data = rows.map(({ view }) => renderView(view)).join(',')
  const next = nextCursor === undefined ? '' : `,"nextCursor":${JSON.stringify(nextCursor)}`
  return `{"data":[${data}],"limit":${limit},"page":${page},"total":${total}${next}}`
}

/** The identifier values in a rendered view, or in any other JSON body, which has none. */
export function findIdentifierValues(body: Buffer): string[] {
  if (!body.includes('"identifiers":[{')) return []
  const { participant } = JSON.parse(body.toString()) as contract.Order
  return (participant?.identifiers ?? []).map(({ value }) => value)
}

export function presentOrder(order: Order): PresentedOrder {
  const agency = AGENCIES.find(({ id }) => id === order.agencyId) ?? null
  const jobCategory = agency?.jobCategories.find(({ id }) => id === order.jobCategoryId) ?? null
  return {
    agency: agency && agencyReference(agency),
    clinic: order.clinic && clinicReference(order.clinic),
    code: order.code,
    company: companyReference(order.company),
    createdAt: isoOf(order.createdAt),
    expiresAt: order.expiresAt && isoOf(order.expiresAt),
    externalId: order.externalId,
    id: order.id,
    isFinal: hasOutcome(order.status),
    jobCategory: agency && jobCategory && jobCategoryReference(agency, jobCategory),
    location: locationReference(order.location),
    object: 'order',
    otherTestReason: order.otherTestReason,
    packages: order.packages.map((each) => packageReference(each)),
    services: order.services.map((service) => presentService(service)),
    status: order.status,
    statusUpdatedAt: isoOf(order.statusUpdatedAt),
    testReason: order.testReason,
    updatedAt: isoOf(order.updatedAt),
    url: orderPath(order.id),
  }
}

export const presentParticipant = (participant: Participant): PresentedParticipant => ({
  address: addressOf(participant.address),
  birthDate: participant.birthDate,
  email: participant.email,
  firstName: participant.firstName,
  lastName: participant.lastName,
  middleName: participant.middleName,
  phone: participant.phone,
  identifiers: presentIdentifiers(participant.identifiers),
})

export const presentIdentifiers = (identifiers: Participant['identifiers']) =>
  identifiers.map((identifier) => ({ ...identifier, object: 'participantIdentifier' as const }))

function omitIdentifiers({ identifiers: _, ...participant }: PresentedParticipant) {
  return participant
}

function presentService(service: OrderService): PresentedOrder['services'][number] {
  // Until the medical reviewer has decided, no reader may learn the laboratory's result (49 CFR 40.97).
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
      occurredAt: isoOf(at),
      type,
    })),
    specimenId: service.specimenId,
    status,
    statusHistory: history.map((entry) => ({
      groupType: SERVICE_STATUSES[entry.status],
      object: 'orderServiceStatusHistory',
      occurredAt: isoOf(entry.at),
      status: entry.status,
    })),
    statusUpdatedAt: isoOf(statusUpdatedAt),
    trackingNumber: service.trackingNumber,
  }
}
