import type { Order } from '../domain/orders.ts'
import type { Keyring } from './keyring.ts'

/** An order as answers need it: ready text, and the identifiers still sealed. */
export interface ReadyOrder {
  id: string
  head: string
  participant: string
  identifiers: Buffer | null
}

/** The two texts that the row of an order keeps ready for answers: the order, and its participant. */
export interface Presented {
  head: string
  participant: string
}

/** The texts that orders were found with: what readers saw of them so far. */
export const storedTexts = new WeakMap<Order, Presented>()

type Identifiers = Order['participant']['identifiers']

/** Bound to the order, so that a sealed value cannot be passed off as another order's. */
const contextOf = (tenantId: string, orderId: string) => `order ${tenantId} ${orderId}`

export function sealIdentifiers(keyring: Keyring, tenantId: string, order: Order): Buffer | null {
  const { identifiers } = order.participant
  return identifiers.length === 0 ? null : keyring.seal(JSON.stringify(identifiers), contextOf(tenantId, order.id))
}

export function openIdentifiers(
  keyring: Keyring,
  tenantId: string,
  row: { id: string; identifiers: Buffer | null },
): Identifiers {
  return row.identifiers ? (JSON.parse(keyring.open(row.identifiers, contextOf(tenantId, row.id))) as Identifiers) : []
}

/** What the row of an order is found by: its words, so that they can be compared but not read. */
export const matchKeysOf = (keyring: Keyring, tenantId: string, words: string[]) =>
  words.map((word) => keyring.hash(`${tenantId} ${word}`).toString())

export const specimensOf = ({ services }: Order): string[] =>
  services.flatMap(({ specimenId }) => (specimenId === null ? [] : [specimenId]))

/** The order without what is kept sealed beside it. */
export function toContent(order: Order): string {
  return JSON.stringify({ ...order, participant: { ...order.participant, identifiers: [] } })
}

type Stored<T> = T extends Date
  ? string
  : T extends (infer I)[]
    ? Stored<I>[]
    : T extends object
      ? { [K in keyof T]: Stored<T[K]> }
      : T

/** The order as it was put in: dates are dates again. */
export function fromContent(content: Stored<Order>, identifiers: Identifiers): Order {
  return {
    ...content,
    participant: { ...content.participant, identifiers },
    services: content.services.map((service) => ({
      ...service,
      statusUpdatedAt: new Date(service.statusUpdatedAt),
      history: service.history.map(dated),
      screens: service.screens.map(dated),
    })),
    history: content.history.map(dated),
    createdAt: new Date(content.createdAt),
    updatedAt: new Date(content.updatedAt),
    statusUpdatedAt: new Date(content.statusUpdatedAt),
    expiresAt: content.expiresAt === null ? null : new Date(content.expiresAt),
    appointmentAt: content.appointmentAt ? new Date(content.appointmentAt) : null,
  }
}

export type StoredOrder = Stored<Order>

const dated = <T extends { at: string }>(entry: T) => ({ ...entry, at: new Date(entry.at) })
