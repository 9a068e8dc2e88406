import type { OperatorOrder } from '@order-testing/contract/operator'
import { recipientOf, type Channel } from '../../domain/notifications/plan.ts'
import type { Order, OrderService } from '../../domain/orders/order.ts'
import { orderStatusesAfter } from '../../domain/orders/outlook.ts'
import { nextStatuses } from '../../domain/orders/service-life.ts'
import type { Point } from '../../domain/places/postal-places.ts'
import { presentOrder, presentParticipant } from '../../domain/orders/view.ts'
import { maskDelivery, maskPresented } from '../../domain/orders/masked.ts'
import type { AuditRow } from '../../store/audit/audit.ts'
import type { NotificationWithOutcome } from '../../store/notifications/notifications.ts'
import type { AgreementRow } from '../../store/participants/agreements.ts'
import type { MatchRow } from '../../store/orders/orders.ts'
import type { ResultRow } from '../../store/results/results.ts'

export interface OrderActivity {
  /** In which the times of the order are shown. */
  timezone: string
  /** Around which its clinics are looked for. */
  near: Point | null
  results: readonly ResultRow[]
  matches: readonly MatchRow[]
  events: readonly { id: string; createdAt: Date; receivers: number }[]
  notifications: readonly NotificationWithOutcome[]
  actions: readonly AuditRow[]
  /** The names of people who acted, by their ids. */
  names: ReadonlyMap<string, string>
  /** The names of laboratories that reported, by their ids. */
  laboratories: ReadonlyMap<string, string>
  agreements: readonly AgreementRow[]
}

type Entry = OperatorOrder['timeline'][number]

/** An order as operators see it: all of it, except the participant for tokens without `operator.participants.read`. */
export function presentOperatorOrder(
  order: Order,
  activity: OrderActivity,
  { showsParticipant, isMasked }: { showsParticipant: boolean; isMasked: boolean },
): OperatorOrder {
  const participant = presentParticipant(order.participant)
  return {
    object: 'operatorOrder',
    order: {
      ...presentOrder(order),
      ...(showsParticipant && { participant: isMasked ? maskPresented(participant) : participant }),
    },
    source: order.source,
    requester: order.requester,
    delivery: showsParticipant ? (isMasked ? maskDelivery(order) : order.delivery) : { type: order.delivery.type },
    schedulingOption: order.scheduling.option,
    clinicSelectionMode: order.scheduling.mode,
    billingCode: order.billingCode,
    observedCollection: order.observed,
    isBooked: order.isBooked,
    appointmentAt: order.appointmentAt?.toISOString() ?? null,
    timezone: activity.timezone,
    near: activity.near,
    cancelReason: order.cancelReason,
    services: order.services.map((service) => presentService(service, order)),
    agreements: activity.agreements.map((row) => presentAgreement(row, showsParticipant && !isMasked)),
    timeline: composeTimeline(order, activity),
  }
}

const presentAgreement = (row: AgreementRow, showsSignature: boolean): OperatorOrder['agreements'][number] => ({
  id: row.id,
  object: 'agreement',
  kind: row.kind,
  version: row.version,
  language: row.language,
  text: row.text,
  textHash: row.textHash,
  agreedAt: row.agreedAt.toISOString(),
  ...(showsSignature && { signature: row.signature }),
})

/** What operators can change of an order, as the audit log keeps it. */
export const auditStateOf = ({ status, clinic, appointmentAt, services }: Order) => ({
  status,
  clinicId: clinic?.id ?? null,
  appointmentAt: appointmentAt?.toISOString() ?? null,
  services: services.map((service) => ({
    id: service.id,
    status: service.status,
    specimenId: service.specimenId,
    courierServiceName: service.courierServiceName,
    trackingNumber: service.trackingNumber,
  })),
})

const presentService = (service: OrderService, order: Order): OperatorOrder['services'][number] => ({
  id: service.id,
  object: 'orderService',
  serviceId: service.serviceId,
  status: service.status,
  nextStatuses: nextStatuses(service),
  orderStatusAfter: orderStatusesAfter(order, service),
  requiresMro: service.requiresMro,
  statusHistory: service.history.map(({ status, at }) => ({ status, at: at.toISOString() })),
  screenHistory: service.screens.map(({ type, at }) => ({
    type: type as OperatorOrder['services'][number]['screenHistory'][number]['type'],
    at: at.toISOString(),
  })),
})

/** Everything that happened to an order, oldest first. */
function composeTimeline(
  order: Order,
  { results, matches, events, notifications, actions, names, laboratories }: OrderActivity,
): Entry[] {
  const entry = (at: Date, type: Entry['type'], summary: string, details: object = {}): Entry => ({
    at: at.toISOString(),
    type,
    summary,
    details: { ...details },
  })
  const entries = [
    ...order.history.map(({ status, at }) => entry(at, 'status', `The order became ${status}.`, { status })),
    ...order.services.flatMap(({ id, name, history }) =>
      history.map(({ status, at }) =>
        entry(at, 'serviceStatus', `${name} became ${status}.`, { serviceId: id, status }),
      ),
    ),
    ...results.map(({ id, receivedAt, senderKind, senderId, event, state, why }) => {
      const name = laboratories.get(senderId) ?? null
      const sender = { kind: senderKind, id: senderId, name }
      return entry(receivedAt, 'result', `${senderKind} "${name ?? senderId}" reported ${event}: ${state}.`, {
        id,
        sender,
        event,
        state,
        why,
      })
    }),
    ...matches.map(({ at, tokenId, score, explanation }) =>
      entry(at, 'match', `A request of token "${tokenId}" matched this order.`, { score, ...explanation }),
    ),
    ...events.map(({ id, createdAt, receivers }) =>
      entry(createdAt, 'event', summarizeEvent(receivers), { id, receivers }),
    ),
    ...notifications.toSorted(byDue).map((notification) => {
      const { id, kind, channel, state, attempts, outcome, dueAt, endedAt, createdAt } = notification
      const details = { id, kind, recipient: recipientOf(kind), channel, state, attempts, outcome }
      return entry(endedAt ?? createdAt, 'message', summarize(notification), { ...details, dueAt: dueAt.toISOString() })
    }),
    ...actions.map(({ id, at, tokenId, userId, osUser, host, action, reason }) => {
      const person = userId == null ? undefined : (names.get(userId) ?? userId)
      const actor = person ?? (host == null ? `Token "${tokenId}"` : `${osUser} on ${host}`)
      return entry(at, 'action', `${actor}: ${action}.`, { id, actor, action, reason })
    }),
  ]
  return entries.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
}

const summarizeEvent = (receivers: number) =>
  receivers === 0
    ? 'An event was created. No callback was registered for it.'
    : `An event was created for ${receivers} ${receivers === 1 ? 'callback' : 'callbacks'}.`

/** Many are planned at the same time. */
const byDue = (a: NotificationWithOutcome, b: NotificationWithOutcome) => a.dueAt.getTime() - b.dueAt.getTime()

const CHANNELS: Record<Channel, string> = { email: 'e-mail', mobile: 'text message' }

function summarize({ kind, channel, state, outcome, dueAt }: NotificationWithOutcome): string {
  const last = outcome === null || state === 'sent' ? '' : `, last attempt ${outcome}`
  const due = state === 'waiting' ? `, due ${dueAt.toISOString()}` : ''
  return `Message "${kind}" for the ${recipientOf(kind)} by ${CHANNELS[channel]}: ${state}${due}${last}.`
}
