import type { Order } from '../orders/order.ts'
import { normalisePhone } from '../phones.ts'
import {
  isForClinic,
  recipientOf,
  type Channel,
  type CopyKind,
  type NotificationKind,
  type PersonKind,
} from './plan.ts'

export interface Addresses {
  to: string
  /** Who gets a copy for their information. */
  cc: string[]
}

/** Requesters get e-mail, participants what their order says. Nobody gets a copy twice. */
export function addressesOf(
  kind: PersonKind | CopyKind,
  { requester, delivery }: Pick<Order, 'requester' | 'delivery'>,
): Addresses {
  if (recipientOf(kind) === 'requester') return { to: requester.email, cc: [] }
  if (delivery.type === 'mobile') return { to: delivery.phone, cc: [] }
  const { to, cc } = delivery
  const spelled = [to, ...cc].map((address) => address.toLowerCase())
  return { to, cc: cc.filter((_, i) => spelled.indexOf(spelled[i + 1]!) === i + 1) }
}

/** One spelling for all that reach the same person; undefined if it is no address of the channel. */
export function normaliseAddress(channel: Channel, address: string): string | undefined {
  const given = address.trim()
  if (channel === 'mobile') return normalisePhone(given) ?? undefined
  return given.includes('@') ? given.toLowerCase() : undefined
}

/** Where a notification goes, masked; null for clinics. */
export const maskedRecipient = (kind: NotificationKind, order: Pick<Order, 'requester' | 'delivery'>): string | null =>
  isForClinic(kind) ? null : maskAddress(addressesOf(kind, order).to)

/** Enough to recognize an address by somebody who knows it. */
export function maskAddress(address: string): string {
  const at = address.lastIndexOf('@')
  return at < 0 ? `•••${address.slice(-4)}` : `${address.slice(0, Math.min(1, at))}•••${address.slice(at)}`
}
