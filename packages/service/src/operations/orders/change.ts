import { makeId } from '../../domain/ids.ts'
import { planNotifications } from '../../domain/notifications/plan.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { NewNotification } from '../../store/notifications/notifications.ts'
import type { OutgoingEvent, RegisteredCallback } from '../../store/webhooks/outbox.ts'
import type { Presented } from '../../store/orders/rows.ts'
import type { Transaction } from '../../store/store.ts'
import { wordsOf } from '../matching/match.ts'
import type { Random } from '../operation.ts'
import { orderText, presentedTexts } from './answer.ts'
import { eventOf } from './events.ts'

/** An order that this transaction has locked, as it was and as it is to be. */
export interface Change {
  tenantId: string
  before: Order
  after: Order
}

/**
 * Writes changed orders and, for each that a reader will find changed, the event that tells of it. What no reader can
 * see leaves no trace in the times that readers see either. Gives back the orders as they were written.
 */
export async function changeOrders(changes: Change[], tx: Transaction, random: Random): Promise<Order[]> {
  const written = changes.map((change) => seenBy(change))
  const visible = written.filter(({ isVisible }) => isVisible)
  const messages = changes.flatMap(({ tenantId, before, after }) => messagesOf({ tenantId, before, after }, random))
  const [, callbacks] = await Promise.all([
    tx.orders.update(
      written.map(({ tenantId, order, presented }) => ({ tenantId, order, presented, words: wordsOf(order) })),
    ),
    visible.length > 0
      ? tx.outbox.registered(visible.map(({ tenantId, order }) => ({ tenantId, orderId: order.id })))
      : [],
    tx.notifications.queue(messages),
  ])
  if (visible.length > 0) await tx.outbox.put(visible.map((each) => outgoing(each, callbacks, random)))
  return written.map(({ order }) => order)
}

/** What is to be told of a change, or of a new order: those messages count for the token that places it. */
export function messagesOf(
  {
    tenantId,
    before,
    after,
    tokenId = null,
  }: Omit<Change, 'before'> & { before: Order | null; tokenId?: string | null },
  random: Random,
): NewNotification[] {
  const at = after.updatedAt
  return planNotifications(before, after, at).map((planned) => ({
    ...planned,
    tenantId,
    id: makeId('msg', at, random.bytes),
    orderId: after.id,
    tokenId,
    createdAt: at,
  }))
}

interface Written {
  tenantId: string
  order: Order
  presented: Presented
  isVisible: boolean
}

function seenBy({ tenantId, before, after }: Change): Written {
  const old = presentedTexts(before)
  const presented = presentedTexts(after)
  const head = presented.head.replace(updatedText(after), updatedText(before))
  const isVisible = old.head !== head || old.participant !== presented.participant
  return isVisible
    ? { tenantId, order: after, presented, isVisible }
    : { tenantId, order: { ...after, updatedAt: before.updatedAt }, presented: { ...presented, head }, isVisible }
}

/** The one member that every change moves. */
const updatedText = ({ updatedAt }: Order) => `"updatedAt":"${updatedAt.toISOString()}"`

function outgoing(
  { tenantId, order, presented }: Written,
  callbacks: RegisteredCallback[],
  random: Random,
): OutgoingEvent {
  const id = makeId('evt', order.updatedAt, random.bytes)
  const event = JSON.stringify(eventOf({ id, createdAt: order.updatedAt, orderId: order.id, code: order.code }))
  const hearing = callbacks.filter((callback) => callback.tenantId === tenantId && callback.orderId === order.id)
  return {
    tenantId,
    id,
    orderId: order.id,
    at: order.updatedAt,
    deliveries: hearing.map(({ id: callbackId, version, origin, showsParticipant }) => ({
      id: makeId('dlv', order.updatedAt, random.bytes),
      callbackId,
      version,
      origin,
      body:
        version === 'v2'
          ? event
          : orderText({ head: presented.head, participant: showsParticipant ? presented.participant : null }),
    })),
  }
}
