import { Refusal } from '../refusal.ts'
import type { Order } from './order.ts'
import { publicStateOf } from './service-life.ts'

/**
 * Refuses a change of an order that somebody else has changed since the caller read it, and says what it is now. Without the time
 * of the version that was read, the caller takes what comes.
 */
export function refuseChangedSince(order: Order, basedOn: string | undefined): void {
  if (basedOn === undefined || new Date(basedOn).getTime() === order.updatedAt.getTime()) return
  const meta = {
    updatedAt: order.updatedAt.toISOString(),
    status: order.status,
    services: order.services.map(({ id, ...service }) => ({ id, status: publicStateOf({ id, ...service }).status })),
  }
  const detail = `Order ${order.code} was changed meanwhile: it is ${order.status}. Read it again and decide once more.`
  throw new Refusal([{ code: 'conflict', detail, pointer: '/basedOn', meta }])
}
