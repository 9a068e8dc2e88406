import type { Order } from '../../domain/orders/order.ts'
import { prefixedIdsOf, searchKeysOf, type PrefixedId } from '../../domain/orders/search-keys.ts'
import { isWithRequester } from '../../domain/participants/stage.ts'
import { isClosed } from '../../domain/orders/statuses.ts'
import { presentIdentifiers, withExternalId, type FullView } from '../../domain/orders/view.ts'
import { fold } from '../../domain/text.ts'
import { sql, type Statement } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { pack, packOpen, shorten, unpack } from '../sealing/packing.ts'
import { formatOrder, parseOrder } from './order-text.ts'

/**
 * The text of an order is kept sealed, in one value of its row (`sealed_answer`): its participant and the rest of its view, as
 * responses show them, and the order as the rules see it. The other columns hold what queries need.
 *
 * Earlier builds kept the order as the rules see it in a value of its own (`sealed_content`), and before that everything as plain
 * text. Their rows are read as they are, until the order changes; plain text is sealed by `resealing.ts`.
 */

/** The columns of an order's view, still sealed. */
export interface ViewRow {
  id: string
  sealedAnswer: Buffer | null
  /** Plain text of an earlier build: the view, with the identifiers sealed on their own. */
  head: string | null
  participant: string | null
  identifiers: Buffer | null
}

/** The columns of an order as the rules see it, still sealed. */
export interface ContentRow {
  id: string
  sealedAnswer: Buffer | null
  /** From an earlier build. */
  sealedContent: Buffer | null
  /** Plain text of an earlier build, without the identifiers. */
  content: StoredOrder | null
  identifiers: Buffer | null
}

export const viewColumns = (): Statement => sql`id, sealed_answer, head, participant, identifiers`

export const contentColumns = (): Statement => sql`id, sealed_answer, sealed_content, content, identifiers`

/** Bound to the order and to the column, so that a sealed value cannot be passed off as another. */
const contextOf = (part: 'answer' | 'content', tenantId: string, orderId: string) =>
  `order ${part} ${tenantId} ${orderId}`

export function sealOrder(keyring: Keyring, tenantId: string, order: Order, view: FullView): Buffer {
  const texts = [shorten('order', view.participant), shorten('order', view.order), formatOrder(order)]
  const packed = isClosed(order.status) ? pack('order', ...texts) : packOpen('order', ...texts)
  return keyring.seal(packed, contextOf('answer', tenantId, order.id))
}

export function openView(keyring: Keyring, tenantId: string, row: ViewRow): FullView {
  const { id, sealedAnswer } = row
  if (!sealedAnswer)
    return { order: withExternalId(row.head!), participant: openPlainParticipant(keyring, tenantId, row) }
  const [participant, order] = unpack(keyring.openBytes(sealedAnswer, contextOf('answer', tenantId, id)), { most: 2 })
  return { order: withExternalId(order!), participant: participant! }
}

/** The participant of a view alone, which comes first so that the rest need not be read. */
export function openParticipant(keyring: Keyring, tenantId: string, row: Omit<ViewRow, 'head'>): string {
  const { id, sealedAnswer } = row
  if (!sealedAnswer) return openPlainParticipant(keyring, tenantId, row)
  return unpack(keyring.openBytes(sealedAnswer, contextOf('answer', tenantId, id)), { most: 1 })[0]!
}

export function openOrder(keyring: Keyring, tenantId: string, row: ContentRow): Order {
  const { id, sealedAnswer, sealedContent, content } = row
  if (sealedContent) {
    const [text] = unpack(keyring.openBytes(sealedContent, contextOf('content', tenantId, id)))
    return parseStored(JSON.parse(text!) as StoredOrder)
  }
  if (sealedAnswer) {
    const [participant, , lists] = unpack(keyring.openBytes(sealedAnswer, contextOf('answer', tenantId, id)))
    return parseOrder(lists!, participant!)
  }
  const participant = { ...content!.participant, identifiers: openPlainIdentifiers(keyring, tenantId, row) }
  return parseStored({ ...content!, participant })
}

/** Whether the row is sealed with an older key, in two values as earlier builds did, or not at all. */
export const isStale = (keyring: Keyring, { sealedAnswer, sealedContent }: ContentRow): boolean =>
  !sealedAnswer || sealedContent !== null || keyring.isStale(sealedAnswer)

/** Blocking keys as they are stored: they can be compared, but not read. */
export const hashBlockingKeys = (keyring: Keyring, tenantId: string, blockingKeys: string[]) =>
  blockingKeys.map((key) => keyring.hash(`${tenantId} ${key}`))

/** The keys that operators find an order by, as they are stored. */
export const hashSearchKeys = (keyring: Keyring, tenantId: string, order: Order) =>
  searchKeysOf(order).map((key) => keyring.hash(searchText(tenantId, key)))

/** The hashes of a search key under every key that rows may have been written with. */
export const searchHashes = (keyring: Keyring, tenantId: string, key: string) =>
  keyring.hashes(searchText(tenantId, key)).map(String)

const searchText = (tenantId: string, key: string) => `${tenantId} search ${key}`

/** The codes of an order's identifiers, by whose beginnings operators find it; once each. */
export const codeIds = (keyring: Keyring, tenantId: string, order: Order): string[] => [
  ...new Set(
    prefixedIdsOf(order).map(({ kind, text }) => toHex(keyring.prefixCode(text, prefixContext(tenantId, kind)))),
  ),
]

/** The codes of a beginning under every key that rows may have been written with. */
export const codesOfPrefix = (keyring: Keyring, tenantId: string, { kind, text }: PrefixedId): Buffer[] =>
  keyring.prefixCodes(text, prefixContext(tenantId, kind))

const prefixContext = (tenantId: string, kind: PrefixedId['kind']) => `${tenantId} prefix ${kind}`

/** As PostgreSQL reads and writes bytes. */
const toHex = (bytes: Buffer) => `\\x${bytes.toString('hex')}`

/** The specimen ids of an order as they are stored: they can be looked up, but not read. */
export const hashSpecimens = (keyring: Keyring, tenantId: string, { services }: Order) =>
  services.flatMap(({ specimenId }) => (specimenId === null ? [] : [keyring.hash(specimenText(tenantId, specimenId))]))

/** The hashes of a specimen id under every key that rows may have been written with. */
export const specimenHashes = (keyring: Keyring, tenantId: string, specimenId: string) =>
  keyring.hashes(specimenText(tenantId, specimenId)).map(String)

/** The hashes of an external id under every key that rows may have been written with. */
export const externalHashes = (keyring: Keyring, tenantId: string, externalId: string) =>
  keyring.hashes(externalText(tenantId, externalId)).map(String)

/** The external id of an order as it is stored: it can be looked up, but not read. */
export const hashExternalId = (keyring: Keyring, tenantId: string, { externalId }: Order) =>
  externalId === null ? null : keyring.hash(externalText(tenantId, externalId)).toString()

/** The requester's e-mail address as it is stored, while the requester can choose or change the clinic. */
export const hashRequester = (keyring: Keyring, tenantId: string, order: Order) =>
  isWithRequester(order) ? keyring.hash(requesterText(tenantId, order.requester.email)).toString() : null

/** The hashes of a requester's address under every key that rows may have been written with. */
export const requesterHashes = (keyring: Keyring, tenantId: string, email: string) =>
  keyring.hashes(requesterText(tenantId, email)).map(String)

const requesterText = (tenantId: string, email: string) => `${tenantId} requester ${fold(email)}`

const externalText = (tenantId: string, externalId: string) => `${tenantId} external ${externalId}`

const specimenText = (tenantId: string, specimenId: string) => `${tenantId} specimen ${specimenId}`

function openPlainParticipant(
  keyring: Keyring,
  tenantId: string,
  row: Pick<ViewRow, 'id' | 'participant' | 'identifiers'>,
): string {
  const identifiers = presentIdentifiers(openPlainIdentifiers(keyring, tenantId, row))
  return JSON.stringify({ ...(JSON.parse(row.participant!) as object), identifiers })
}

function openPlainIdentifiers(
  keyring: Keyring,
  tenantId: string,
  { id, identifiers }: Pick<ViewRow, 'id' | 'identifiers'>,
): Order['participant']['identifiers'] {
  if (!identifiers) return []
  return JSON.parse(keyring.open(identifiers, `order ${tenantId} ${id}`)) as Order['participant']['identifiers']
}

type Stored<T> = T extends Date
  ? string
  : T extends (infer I)[]
    ? Stored<I>[]
    : T extends object
      ? { [K in keyof T]: Stored<T[K]> }
      : T

/** An order as earlier builds stored it. */
export type StoredOrder = Stored<Order>

function parseStored(content: StoredOrder): Order {
  return {
    ...content,
    // Orders of earlier builds have none.
    externalId: content.externalId ?? null,
    services: content.services.map((service) => ({
      ...service,
      statusUpdatedAt: new Date(service.statusUpdatedAt),
      history: service.history.map(parseTime),
      screens: service.screens.map(parseTime),
    })),
    history: content.history.map(parseTime),
    createdAt: new Date(content.createdAt),
    updatedAt: new Date(content.updatedAt),
    statusUpdatedAt: new Date(content.statusUpdatedAt),
    expiresAt: content.expiresAt === null ? null : new Date(content.expiresAt),
    appointmentAt: content.appointmentAt ? new Date(content.appointmentAt) : null,
  }
}

const parseTime = <T extends { at: string }>(entry: T) => ({ ...entry, at: new Date(entry.at) })
