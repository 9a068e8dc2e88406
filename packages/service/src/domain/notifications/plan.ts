import { canChooseClinic } from '../bookings/bookings.ts'
import type { Order, Recipient } from '../orders/order.ts'
import { awaitsCheckIn } from '../orders/statuses.ts'
import { awaitsRequester, hasRequesterPage } from '../participants/stage.ts'
import { atHumaneHour } from './humane-hours.ts'

const RECIPIENTS = {
  link: 'participant',
  linkAgain: 'participant',
  booking: 'participant',
  bookingChanged: 'participant',
  bookingWithdrawn: 'participant',
  reminder: 'participant',
  bookingReminder: 'participant',
  cancellation: 'participant',
  authorizationCopy: 'participant',
  clinicRequest: 'requester',
  clinicRequestAgain: 'requester',
  clinicReminder: 'requester',
  clinicNotNeeded: 'requester',
  clinicChosen: 'requester',
  clinicLinkAgain: 'requester',
  timeBooked: 'clinic',
  timeChanged: 'clinic',
  timeCancelled: 'clinic',
} as const satisfies Record<string, Recipient | 'clinic'>

export type NotificationKind = keyof typeof RECIPIENTS
export type ClinicKind = 'timeBooked' | 'timeChanged' | 'timeCancelled'
/** The copy of a background check's texts, with a composer of its own. */
export type CopyKind = 'authorizationCopy'
/** The other kinds for participants and requesters. */
export type PersonKind = Exclude<NotificationKind, ClinicKind | CopyKind>
export type Channel = Order['delivery']['type']

export interface PlannedNotification {
  kind: NotificationKind
  channel: Channel
  dueAt: Date
  /** The appointment or expiry it is about, if any. */
  refersTo: Date | null
  /** The clinic that it is for, if it is for one. */
  clinicId?: string
}

/** What the catalog says about those who are notified. */
export interface PlanFacts {
  /** The zone of the person, so that no reminder comes at night; null if unknown. */
  zone: string | null
  /** Whether a clinic gets e-mail about booked times. */
  informsClinic: (id: string) => boolean
}

const NOTHING_KNOWN: PlanFacts = { zone: null, informsClinic: () => false }

const HOUR_MS = 3_600_000
const REMIND_BEFORE_EXPIRY_MS = [72 * HOUR_MS, 24 * HOUR_MS]
const REMIND_BEFORE_APPOINTMENT_MS = 24 * HOUR_MS

export const recipientOf = <Kind extends NotificationKind>(kind: Kind): (typeof RECIPIENTS)[Kind] => RECIPIENTS[kind]

export const isForClinic = (kind: NotificationKind): kind is ClinicKind => recipientOf(kind) === 'clinic'

/** The kinds that tell when and where to go, if a clinic is booked. */
const WITH_BOOKING = new Set<NotificationKind>([
  'booking',
  'bookingChanged',
  'bookingReminder',
  'reminder',
  'linkAgain',
  'clinicChosen',
  'clinicLinkAgain',
])

/** Whether a notification tells when and where to go. */
export const isForBooked = (kind: NotificationKind, { isBooked }: Pick<Order, 'isBooked'>) =>
  isBooked && WITH_BOOKING.has(kind)

/** The notifications that a change to an order calls for; `before` is null for a new order. */
export function planNotifications(
  before: Order | null,
  after: Order,
  now: Date,
  { zone, informsClinic }: PlanFacts = NOTHING_KNOWN,
): PlannedNotification[] {
  const people = [...planForParticipant(before, after, now), ...planForRequester(before, after, now)]
  const isAhead = ({ kind, dueAt }: PlannedNotification) => !REMINDERS.has(kind) || dueAt > now
  const moved = ({ kind, dueAt, refersTo }: PlannedNotification) =>
    refersTo && REMINDERS.has(kind) ? atHumaneHour(dueAt, refersTo, zone) : dueAt
  return [
    ...people
      .filter(isAhead)
      .map((planned) => ({ ...planned, dueAt: moved(planned) }))
      .filter(isAhead),
    ...planForClinics(before, after, now).filter(({ clinicId }) => informsClinic(clinicId)),
  ]
}

/** Whether a plan depends on the catalog: it has reminders, or tells a clinic about a time. */
export const needsFacts = (before: Order | null, after: Order, now: Date): boolean =>
  planNotifications(before, after, now, { zone: null, informsClinic: () => true }).some(
    ({ kind }) => REMINDERS.has(kind) || isForClinic(kind),
  )

const REMINDERS = new Set<NotificationKind>(['reminder', 'bookingReminder', 'clinicReminder'])

/** Whether a planned notification is still true and useful when it is due. */
export function isStillRelevant(
  { kind, refersTo, clinicId }: Pick<PlannedNotification, 'kind' | 'refersTo'> & { clinicId?: string | null },
  order: Order,
  now: Date,
): boolean {
  const isOpen = !order.ended && awaitsCheckIn(order)
  const isInTime = order.expiresAt === null || order.expiresAt > now
  switch (kind) {
    case 'authorizationCopy':
      return true
    case 'cancellation':
    case 'clinicNotNeeded':
      return order.ended === 'cancelled'
    case 'bookingWithdrawn':
      return isOpen && !order.isBooked
    case 'booking':
    case 'bookingChanged':
    case 'clinicChosen':
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
    case 'clinicLinkAgain':
      return hasRequesterPage(order) && !order.ended && isInTime
    case 'timeBooked':
    case 'timeChanged':
      return isOpen && isAt(bookedTime(order), clinicId, refersTo) && refersTo! > now
    case 'timeCancelled':
      return !isAt(bookedTime(order), clinicId, refersTo)
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
    ...bookingNews(before, after).map((kind) =>
      plan(kind, kind === 'bookingWithdrawn' ? bookedAt(before) : after.appointmentAt),
    ),
    ...(isNewlyCancelled && isInformed(before) ? [plan('cancellation', bookedAt(before))] : []),
    ...(isInformed(after) && !after.ended ? reminders : []),
  ]
}

/** The requester is asked to choose a clinic, and learns what was booked, or that it is no longer needed. */
function planForRequester(before: Order | null, after: Order, now: Date): PlannedNotification[] {
  const plan = (kind: NotificationKind, dueAt = now, refersTo: Date | null = null): PlannedNotification => ({
    kind,
    channel: 'email',
    dueAt,
    refersTo,
  })
  if (!canChooseClinic(after, 'requester')) return []
  const wasAwaited = before !== null && awaitsRequester(before)
  const gone = bookedAt(before)
  if (before !== null && !before.ended && after.ended === 'cancelled')
    return wasAwaited || gone ? [plan('clinicNotNeeded', now, gone)] : []
  if (!awaitsRequester(after))
    return bookingNews(before, after)
      .filter((kind) => kind !== 'bookingWithdrawn')
      .map(() => plan('clinicChosen', now, after.appointmentAt))
  return [
    ...(wasAwaited ? [] : [plan(before === null ? 'clinicRequest' : 'clinicRequestAgain', now, gone)]),
    ...expiryReminders(before, after).map((dueAt) => plan('clinicReminder', dueAt, after.expiresAt)),
  ]
}

/** A clinic learns of times that are booked, moved or cancelled. Bookings without a time are none of its business. */
function planForClinics(before: Order | null, after: Order, now: Date) {
  const [old, current] = [before && bookedTime(before), bookedTime(after)]
  const plan = (kind: ClinicKind, { clinicId, at }: BookedTime) => ({
    kind,
    channel: 'email' as const,
    dueAt: now,
    refersTo: at,
    clinicId,
  })
  if (old && current?.clinicId === old.clinicId) return isSame(old.at, current.at) ? [] : [plan('timeChanged', current)]
  // A participant who checks in, or an appointment that has passed, cancels nothing.
  const isCancelled = old !== null && old.at > now && (after.ended !== null || awaitsCheckIn(after))
  return [...(isCancelled ? [plan('timeCancelled', old)] : []), ...(current ? [plan('timeBooked', current)] : [])]
}

interface BookedTime {
  clinicId: string
  at: Date
}

const bookedTime = ({ isBooked, clinic, appointmentAt }: Order): BookedTime | null =>
  isBooked && clinic && appointmentAt ? { clinicId: clinic.id, at: appointmentAt } : null

/** The time that calendars have to forget if the booking is gone. */
const bookedAt = (before: Order | null): Date | null => (before?.isBooked ? before.appointmentAt : null)

const isAt = (booked: BookedTime | null, clinicId: string | null | undefined, at: Date | null) =>
  booked !== null && booked.clinicId === clinicId && isSame(booked.at, at)

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
