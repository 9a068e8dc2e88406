import { makeId } from '../../domain/ids.ts'
import { zoneOfOrder } from '../../domain/bookings/order-zone.ts'
import { needsFacts, planNotifications, type PlanFacts } from '../../domain/notifications/plan.ts'
import type { Order } from '../../domain/orders/order.ts'
import { changedView, composeView, renderView, withoutParticipant } from '../../domain/orders/view.ts'
import { endsDecline, endsHelp } from '../../domain/participants/help.ts'
import { knownZone } from '../../domain/places/zone-of.ts'
import { newlyReviewed } from '../../domain/results/reviewed.ts'
import { effectOf } from '../../domain/sandbox/trouble.ts'
import type { NewNotification } from '../../store/notifications/notifications.ts'
import type { WrittenOrder } from '../../store/orders/writing.ts'
import type { CommitWith } from '../../store/db/transaction.ts'
import type { Transaction } from '../../store/store.ts'
import type { NewEvent, OutgoingEvent, RegisteredCallback } from '../../store/webhooks/outbox.ts'
import { auditEntry, type AuditContext } from '../audit/audit.ts'
import { blockingKeysOf } from '../matching/match.ts'
import type { Random } from '../operation.ts'
import { composeEvent } from './events.ts'
import { auditStateOf } from './operator-view.ts'

/** A change of an order that this transaction has locked. */
export interface Change {
  tenantId: string
  before: Order
  /** The order that notifications of the change are compared with, if not `before`. */
  notifiedFrom?: Order
  after: Order
  /** The W3C trace of the request that makes it. */
  trace?: string | undefined
}

/**
 * Writes changed orders, with an event for each change that readers can see. A change that they cannot see leaves
 * `updatedAt` as it was. Returns the orders as written. With `commitWith`, nothing else may follow in the transaction.
 */
export async function changeOrders(
  changes: Change[],
  tx: Transaction,
  random: Random,
  { commitWith }: { commitWith?: CommitWith } = {},
): Promise<Order[]> {
  const [composed, callbacks] = await Promise.all([
    composeChanges(changes, tx, random),
    tx.outbox.registered(changes.map(({ tenantId, after }) => ({ tenantId, orderId: after.id }))),
  ])
  const sent = sendChanges(composed, callbacks, tx, random)
  await (commitWith ? commitWith(sent) : Promise.all(sent))
  return composed.written.map(({ order }) => order)
}

/** What `sendChanges` writes, except deliveries. */
export interface ComposedChanges {
  changes: Change[]
  written: Written[]
  notifications: NewNotification[]
}

export async function composeChanges(changes: Change[], tx: Transaction, random: Random): Promise<ComposedChanges> {
  const written = changes.map((change) => toWritten(change, random))
  const notifications = await Promise.all(
    changes.map(({ notifiedFrom, ...change }) =>
      planChange({ ...change, before: notifiedFrom ?? change.before }, tx, random),
    ),
  )
  return { changes, written, notifications: notifications.flat() }
}

/** Sends all statements that write changes and their deliveries, and returns their replies. */
export function sendChanges(
  { changes, written, notifications }: ComposedChanges,
  callbacks: RegisteredCallback[],
  tx: Transaction,
  random: Random,
): Promise<unknown>[] {
  const visible = written.filter((each): each is Visible => each.eventId !== null)
  return [
    tx.orders.update(written),
    tx.outbox.putEvents(visible.map((each) => eventOf(each))),
    tx.notifications.queue(notifications),
    tx.results.settleReviewed(
      changes.flatMap(({ tenantId, before, after }) =>
        newlyReviewed(before, after).map((serviceId) => ({
          tenantId,
          orderId: after.id,
          serviceId,
          at: after.updatedAt,
        })),
      ),
    ),
    tx.helpRequests.end(
      changes
        .map(({ tenantId, before, after }) => ({
          tenantId,
          orderId: after.id,
          at: after.updatedAt,
          isHelped: endsHelp(before, after),
          isSettled: endsDecline(before, after),
        }))
        .filter(({ isHelped, isSettled }) => isHelped || isSettled),
    ),
    ...(callbacks.length > 0
      ? [
          tx.outbox.putDeliveries(visible.map((each) => composeOutgoing(each, callbacks, random))),
          ...sendTroubles(visible, callbacks, tx),
        ]
      : []),
  ]
}

/** What the audit log says about a change, besides what it says about every change of an order. */
export interface ChangeRecord {
  action: string
  reason?: string | undefined
  /** Members before the change. */
  previous?: object
  /** Members after it. */
  details?: object
}

/** Writes the change of an order and records it in the audit log. Returns the order as written. */
export async function changeWithRecord(
  { before, after }: Omit<Change, 'tenantId'>,
  { action, reason, previous, details }: ChangeRecord,
  { tx, ...context }: AuditContext & { tx: Transaction },
): Promise<Order> {
  const { tenantId } = context.caller
  const [written] = await changeOrders([{ tenantId, before, after, trace: context.trace }], tx, context.random)
  const subject = { type: 'order', id: before.id }
  const states = { before: { ...auditStateOf(before), ...previous }, after: { ...auditStateOf(after), ...details } }
  await tx.audit.append([auditEntry({ action, subject, reason, ...states }, context)])
  return written!
}

/** The notifications of a change, or of a new order; those of a new order count towards the quota of its token. */
export function composeNotifications(
  {
    tenantId,
    before,
    after,
    tokenId = null,
    facts,
  }: Omit<Change, 'before'> & { before: Order | null; tokenId?: string | null; facts?: PlanFacts | undefined },
  random: Random,
): NewNotification[] {
  const at = after.updatedAt
  return planNotifications(before, after, at, facts).map((planned) => ({
    ...planned,
    tenantId,
    id: makeId('msg', at, random.bytes),
    orderId: after.id,
    tokenId,
    createdAt: at,
  }))
}

/** The notifications of a change. The catalog is asked only if they depend on it. */
async function planChange(
  change: Omit<Change, 'notifiedFrom'>,
  tx: Transaction,
  random: Random,
): Promise<NewNotification[]> {
  const { tenantId, before, after } = change
  if (!needsFacts(before, after, after.updatedAt)) return composeNotifications(change, random)
  const places = await tx.bookings.findPlaces(tenantId, after)
  const clinics = [before.clinic, after.clinic].flatMap((clinic) => clinic?.id ?? [])
  const informed = await tx.bookings.informedClinics(tenantId, after, clinics)
  const zone = knownZone(zoneOfOrder(places, after))
  return composeNotifications({ ...change, facts: { zone, informsClinic: (id) => informed.includes(id) } }, random)
}

interface Written extends WrittenOrder {
  /** Null if readers cannot see the change. */
  eventId: string | null
  trace: string | undefined
}

type Visible = Written & { eventId: string }

function toWritten({ tenantId, before, after, trace }: Change, random: Random): Written {
  const keepsSearchKeys = before.participant === after.participant && before.delivery === after.delivery
  const shown = changedView(before, after)
  const order = shown ? after : { ...after, updatedAt: before.updatedAt }
  return {
    tenantId,
    order,
    view: shown ?? composeView(order),
    blockingKeys: blockingKeysOf(order),
    keepsSearchKeys,
    eventId: shown ? makeId('evt', after.updatedAt, random.bytes) : null,
    trace,
  }
}

/** In a sandbox, the trouble that was armed for an event is used up by it. */
function sendTroubles(visible: Visible[], callbacks: RegisteredCallback[], tx: Transaction): Promise<void>[] {
  const troubled = new Set(callbacks.filter(({ isTroubled }) => isTroubled).map(({ orderId }) => orderId))
  return visible
    .filter(({ order }) => troubled.has(order.id))
    .map(({ tenantId, order, eventId }) => tx.troubles.use({ tenantId, orderId: order.id, id: eventId }))
}

const eventOf = ({ tenantId, order, eventId: id, trace }: Visible): NewEvent => ({
  tenantId,
  id,
  orderId: order.id,
  at: order.updatedAt,
  trace,
})

/** The event of a change, with a delivery for each callback of the order: v2 gets the event, v1 the order itself. */
function composeOutgoing(written: Visible, callbacks: RegisteredCallback[], random: Random): OutgoingEvent {
  const { tenantId, order, view, eventId: id } = written
  const event = JSON.stringify(composeEvent(order, { id, createdAt: order.updatedAt }))
  const registered = callbacks.filter((callback) => callback.tenantId === tenantId && callback.orderId === order.id)
  return {
    ...eventOf(written),
    deliveries: registered.map(({ id: callbackId, version: own, origin, showsParticipant, trouble: kind }) => {
      const { isV1, wait, trouble } = effectOf(kind)
      const version = isV1 ? 'v1' : own
      const body = version === 'v2' ? event : renderView(showsParticipant ? view : withoutParticipant(view))
      return { id: makeId('dlv', order.updatedAt, random.bytes), callbackId, version, origin, body, wait, trouble }
    }),
  }
}
