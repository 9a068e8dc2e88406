import type { Order, Recipient } from '../orders/order.ts'
import { awaitsRequester } from '../participants/stage.ts'
import { awaitsCheckIn } from '../orders/statuses.ts'

/** What there is to be told, and whom. */
const RECIPIENTS = {
  link: 'participant',
  booking: 'participant',
  bookingChanged: 'participant',
  bookingWithdrawn: 'participant',
  reminder: 'participant',
  bookingReminder: 'participant',
  cancellation: 'participant',
  clinicRequest: 'requester',
  clinicRequestAgain: 'requester',
  clinicReminder: 'requester',
  clinicNotNeeded: 'requester',
} as const satisfies Record<string, Recipient>

export type MessageKind = keyof typeof RECIPIENTS
export type Channel = Order['delivery']['type']

/** A message that is to be sent, and what it tells of. */
export interface PlannedMessage {
  kind: MessageKind
  channel: Channel
  dueAt: Date
  refersTo: Date | null
}

const HOUR_MS = 3_600_000
/** Before an order expires, and before an appointment. */
const REMIND_BEFORE_EXPIRY = [72 * HOUR_MS, 24 * HOUR_MS]
const REMIND_BEFORE_APPOINTMENT = 24 * HOUR_MS

export const recipientOf = (kind: MessageKind): Recipient => RECIPIENTS[kind]

/** What is to be told of a change; of a new order where there is none before. */
export function planMessages(before: Order | null, after: Order, now: Date): PlannedMessage[] {
  return [...toParticipant(before, after, now), ...toRequester(before, after, now)]
}

function toParticipant(before: Order | null, after: Order, now: Date): PlannedMessage[] {
  const channel = after.delivery.type
  const at = (kind: MessageKind, refersTo: Date | null = null): PlannedMessage => ({
    kind,
    channel,
    dueAt: now,
    refersTo,
  })
  const isNew = before === null
  const isTold = (order: Order) => order.scheduling.option !== 'order' || order.isBooked
  return [
    ...(isNew && after.scheduling.option === 'link' ? [at('link')] : []),
    ...bookingNews(before, after).map((kind) => at(kind, after.appointmentAt)),
    ...(before && !before.ended && after.ended === 'cancelled' && isTold(before) ? [at('cancellation')] : []),
    ...(isTold(after) && !after.ended ? reminders(before && isTold(before) ? before : null, after, now) : []),
  ]
}

/** Whether a message still tells the truth and helps: much may have happened since it was planned. */
export function isWanted(
  { kind, refersTo }: Pick<PlannedMessage, 'kind' | 'refersTo'>,
  order: Order,
  now: Date,
): boolean {
  const isOpen = !order.ended && awaitsCheckIn(order)
  const isInTime = order.expiresAt === null || order.expiresAt > now
  switch (kind) {
    case 'cancellation':
    case 'clinicNotNeeded':
      return order.ended === 'cancelled'
    case 'bookingWithdrawn':
      return isOpen && !order.isBooked
    case 'booking':
    case 'bookingChanged':
      return isOpen && order.isBooked && isSame(refersTo, order.appointmentAt)
    case 'bookingReminder':
      return isOpen && isSame(refersTo, order.appointmentAt) && order.appointmentAt! > now
    case 'reminder':
      return isOpen && isInTime && isSame(refersTo, order.expiresAt)
    case 'clinicReminder':
      return awaitsRequester(order) && isInTime && isSame(refersTo, order.expiresAt)
    case 'clinicRequest':
    case 'clinicRequestAgain':
      return awaitsRequester(order) && isInTime
    default:
      return isOpen && isInTime
  }
}

/** The requester hears of a clinic that is to be chosen, and that none is any more. */
function toRequester(before: Order | null, after: Order, now: Date): PlannedMessage[] {
  const at = (kind: MessageKind, dueAt = now, refersTo: Date | null = null): PlannedMessage => ({
    kind,
    channel: 'email',
    dueAt,
    refersTo,
  })
  const wasOpen = before !== null && awaitsRequester(before)
  if (!awaitsRequester(after)) return wasOpen && after.ended === 'cancelled' ? [at('clinicNotNeeded')] : []
  return [
    ...(wasOpen ? [] : [at(before === null ? 'clinicRequest' : 'clinicRequestAgain')]),
    ...expiryReminders(before, after)
      .filter((dueAt) => dueAt > now)
      .map((dueAt) => at('clinicReminder', dueAt, after.expiresAt)),
  ]
}

/** When somebody is to be reminded of a new order, or of one that expires at another time than before. */
const expiryReminders = (before: Order | null, { expiresAt }: Order): Date[] =>
  expiresAt && !isSame(before?.expiresAt ?? null, expiresAt)
    ? REMIND_BEFORE_EXPIRY.map((lead) => new Date(expiresAt.getTime() - lead))
    : []

/** A booking that was missed or kept is not withdrawn. */
function bookingNews(before: Order | null, after: Order): MessageKind[] {
  if (after.ended) return []
  if (!after.isBooked) return before?.isBooked && awaitsCheckIn(after) ? ['bookingWithdrawn'] : []
  if (!before?.isBooked) return ['booking']
  const isMoved = before.clinic?.id !== after.clinic?.id || !isSame(before.appointmentAt, after.appointmentAt)
  return isMoved ? ['bookingChanged'] : []
}

function reminders(before: Order | null, after: Order, now: Date): PlannedMessage[] {
  const { expiresAt, appointmentAt } = after
  const planned = expiryReminders(before, after).map((dueAt): PlannedMessage => ({
    kind: 'reminder',
    channel: after.delivery.type,
    dueAt,
    refersTo: expiresAt,
  }))
  if (appointmentAt && !isSame(before?.appointmentAt ?? null, appointmentAt)) {
    const dueAt = new Date(appointmentAt.getTime() - REMIND_BEFORE_APPOINTMENT)
    planned.push({ kind: 'bookingReminder', channel: after.delivery.type, dueAt, refersTo: appointmentAt })
  }
  return planned.filter(({ dueAt }) => dueAt > now)
}

const isSame = (a: Date | null, b: Date | null) => a?.getTime() === b?.getTime()
