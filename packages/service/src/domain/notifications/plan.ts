import type { Order, Recipient } from '../orders/order.ts'
import { awaitsCheckIn } from '../orders/statuses.ts'
import { awaitsRequester } from '../participants/stage.ts'

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

export type NotificationKind = keyof typeof RECIPIENTS
export type Channel = Order['delivery']['type']

export interface PlannedNotification {
  kind: NotificationKind
  channel: Channel
  dueAt: Date
  /** The appointment or expiry it is about, if any. */
  refersTo: Date | null
}

const HOUR_MS = 3_600_000
const REMIND_BEFORE_EXPIRY_MS = [72 * HOUR_MS, 24 * HOUR_MS]
const REMIND_BEFORE_APPOINTMENT_MS = 24 * HOUR_MS

export const recipientOf = (kind: NotificationKind): Recipient => RECIPIENTS[kind]

/** The notifications that a change to an order calls for; `before` is null for a new order. */
export function planNotifications(before: Order | null, after: Order, now: Date): PlannedNotification[] {
  return [...planForParticipant(before, after, now), ...planForRequester(before, after, now)]
}

/** Whether a planned notification is still true and useful when it is due. */
export function isStillRelevant(
  { kind, refersTo }: Pick<PlannedNotification, 'kind' | 'refersTo'>,
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

function planForParticipant(before: Order | null, after: Order, now: Date): PlannedNotification[] {
  const channel = after.delivery.type
  const plan = (kind: NotificationKind, refersTo: Date | null = null, dueAt = now): PlannedNotification => ({
    kind,
    channel,
    dueAt,
    refersTo,
  })
  /** With the option `order` the participant first hears of the order when a clinic is booked. */
  const isInformed = (order: Order) => order.scheduling.option !== 'order' || order.isBooked
  const isNewlyCancelled = before !== null && !before.ended && after.ended === 'cancelled'
  const known = before && isInformed(before) ? before : null
  const reminders = [
    ...expiryReminders(known, after).map((dueAt) => plan('reminder', after.expiresAt, dueAt)),
    ...appointmentReminders(known, after).map((dueAt) => plan('bookingReminder', after.appointmentAt, dueAt)),
  ]
  return [
    ...(before === null && after.scheduling.option === 'link' ? [plan('link')] : []),
    ...bookingNews(before, after).map((kind) => plan(kind, after.appointmentAt)),
    ...(isNewlyCancelled && isInformed(before) ? [plan('cancellation')] : []),
    ...(isInformed(after) && !after.ended ? reminders.filter(({ dueAt }) => dueAt > now) : []),
  ]
}

/** The requester is asked to choose a clinic, and learns if that is no longer needed. */
function planForRequester(before: Order | null, after: Order, now: Date): PlannedNotification[] {
  const plan = (kind: NotificationKind, dueAt = now, refersTo: Date | null = null): PlannedNotification => ({
    kind,
    channel: 'email',
    dueAt,
    refersTo,
  })
  const wasAwaited = before !== null && awaitsRequester(before)
  if (!awaitsRequester(after)) return wasAwaited && after.ended === 'cancelled' ? [plan('clinicNotNeeded')] : []
  return [
    ...(wasAwaited ? [] : [plan(before === null ? 'clinicRequest' : 'clinicRequestAgain')]),
    ...expiryReminders(before, after)
      .filter((dueAt) => dueAt > now)
      .map((dueAt) => plan('clinicReminder', dueAt, after.expiresAt)),
  ]
}

/** When to remind of the expiry, if the order is new or its expiry has changed. */
const expiryReminders = (before: Order | null, { expiresAt }: Order): Date[] =>
  expiresAt && !isSame(before?.expiresAt ?? null, expiresAt)
    ? REMIND_BEFORE_EXPIRY_MS.map((lead) => new Date(expiresAt.getTime() - lead))
    : []

const appointmentReminders = (before: Order | null, { appointmentAt }: Order): Date[] =>
  appointmentAt && !isSame(before?.appointmentAt ?? null, appointmentAt)
    ? [new Date(appointmentAt.getTime() - REMIND_BEFORE_APPOINTMENT_MS)]
    : []

function bookingNews(before: Order | null, after: Order): NotificationKind[] {
  if (after.ended) return []
  // Without an open service the booking was kept or missed, not withdrawn.
  if (!after.isBooked) return before?.isBooked && awaitsCheckIn(after) ? ['bookingWithdrawn'] : []
  if (!before?.isBooked) return ['booking']
  const isMoved = before.clinic?.id !== after.clinic?.id || !isSame(before.appointmentAt, after.appointmentAt)
  return isMoved ? ['bookingChanged'] : []
}

const isSame = (a: Date | null, b: Date | null) => a?.getTime() === b?.getTime()
