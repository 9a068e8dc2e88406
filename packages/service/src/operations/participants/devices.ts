import { createHash } from 'node:crypto'
import type { Order } from '../../domain/orders/order.ts'
import type { Transaction } from '../../store/store.ts'

/** A cookie by which a browser shows that it may see an order. */
export interface DeviceMark {
  name: string
  value: string
  until: Date
}

const DAY_MS = 86_400_000
/** As long as links live. */
const LIFETIME_MS = { afterExpiry: 30 * DAY_MS, withoutExpiry: 90 * DAY_MS }

interface Visit {
  tx: Pick<Transaction, 'devices'>
  tenantId: string
  order: Order
  now: Date
}

/** Makes the device known. Links change with every message, the device stays known. */
export function markDevice(visit: Visit): DeviceMark {
  const { tx, tenantId, order, now } = visit
  const until = endOf(order, now)
  return { name: markName(visit), value: tx.devices.mark({ tenantId, orderId: order.id }, until), until }
}

function endOf({ expiresAt }: Order, now: Date): Date {
  const { afterExpiry, withoutExpiry } = LIFETIME_MS
  return new Date(expiresAt ? expiresAt.getTime() + afterExpiry : now.getTime() + withoutExpiry)
}

/** One cookie for each order, whose name tells nothing about it. */
export const markName = ({ tenantId, order }: Pick<Visit, 'tenantId' | 'order'>) =>
  `d_${createHash('sha256').update(`${tenantId} ${order.id}`).digest('base64url').slice(0, 12)}`
