import { zoneOfOrder } from '../domain/bookings/order-zone.ts'
import type { Order } from '../domain/orders/order.ts'
import type { NotificationRow } from '../store/notifications/notifications.ts'
import type { Transaction } from '../store/store.ts'
import { prepareEnvelope } from './prepare.ts'

/** In place of the link, whose secret acts for the recipient. The domain never resolves (RFC 2606). */
const NO_LINK = 'https://link-removed.invalid/'

/** What a notification would say if it were sent now. Undefined if nobody would get it. */
export async function composePreview(
  notification: NotificationRow,
  order: Order,
  { store, now }: { store: Transaction; now: Date },
): Promise<{ subject: string | null; text: string } | undefined> {
  const { tenantId, channel } = notification
  const zone = zoneOfOrder(await store.bookings.findPlaces(tenantId, order), order)
  const createLink = () => Promise.resolve(NO_LINK)
  const envelope = await prepareEnvelope(notification, order, { store, channel, zone, now, createLink })
  if (!envelope) return undefined
  const { subject, text, short } = envelope.content
  return channel === 'mobile' ? { subject: null, text: short } : { subject, text }
}
