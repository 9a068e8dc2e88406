import type { Order } from '../../domain/orders/order.ts'
import { sql, type Statement } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { pack, shorten, unpack } from '../sealing/packing.ts'

/**
 * What an order says is kept sealed, in two values of its row: the order as answers show it (`answer`: the participant, and all
 * the rest), and the order as the rules see it (`content`). The columns beside them hold what queries ask for.
 *
 * Earlier builds kept the same as plain text, in other columns. Rows of theirs are read as they are, until they are sealed by
 * `resealing.ts` or written anew.
 */

/** The two texts that the row of an order keeps ready for answers: the order, and its participant. */
export interface Presented {
  head: string
  participant: string
}

/** The row of an order as answers need it, still sealed. */
export interface ReadyOrder {
  id: string
  sealedAnswer: Buffer | null
  /** Plain text of an earlier build. */
  head: string | null
  participant: string | null
  identifiers: Buffer | null
}

/** The row of an order as the rules need it, still sealed. */
export interface WholeOrder {
  id: string
  sealedContent: Buffer | null
  content: StoredOrder | null
  identifiers: Buffer | null
}

/** The columns of a `ReadyOrder`. */
export const readyColumns = (): Statement => sql`id, sealed_answer, head, participant, identifiers`

/** The columns of a `WholeOrder`. */
export const wholeColumns = (): Statement => sql`id, sealed_content, content, identifiers`

type Identifiers = Order['participant']['identifiers']

/** Bound to the order and to the column, so that a sealed value cannot be passed off as another. */
const contextOf = (part: 'answer' | 'content', tenantId: string, orderId: string) =>
  `order ${part} ${tenantId} ${orderId}`

export interface SealedOrder {
  sealedAnswer: Buffer
  sealedContent: Buffer
}

export function sealOrder(keyring: Keyring, tenantId: string, order: Order, presented: Presented): SealedOrder {
  const seal = (part: 'answer' | 'content', packed: Buffer) => keyring.seal(packed, contextOf(part, tenantId, order.id))
  const [participant, head] = [presented.participant, presented.head].map((text) => shorten('answer', text))
  return {
    sealedAnswer: seal('answer', pack('answer', participant!, head!)),
    sealedContent: seal('content', pack('content', shorten('content', JSON.stringify(order)))),
  }
}

/** The texts that a caller may see. */
export interface OrderTexts {
  head: string
  /** Null for those who may not read participants. */
  participant: string | null
}

export function openReady(keyring: Keyring, tenantId: string, row: ReadyOrder): Presented {
  const { id, sealedAnswer } = row
  if (!sealedAnswer) return { head: row.head!, participant: plainParticipant(keyring, tenantId, row) }
  const [participant, head] = unpack(keyring.openBytes(sealedAnswer, contextOf('answer', tenantId, id)))
  return { head: head!, participant: participant! }
}

/** The participant alone. */
export function openParticipant(keyring: Keyring, tenantId: string, row: Omit<ReadyOrder, 'head'>): string {
  const { id, sealedAnswer } = row
  if (!sealedAnswer) return plainParticipant(keyring, tenantId, row)
  return unpack(keyring.openBytes(sealedAnswer, contextOf('answer', tenantId, id)), { first: true })[0]!
}

export function openOrder(keyring: Keyring, tenantId: string, row: WholeOrder): Order {
  const { id, sealedContent, content } = row
  if (!sealedContent) {
    const participant = { ...content!.participant, identifiers: openIdentifiers(keyring, tenantId, row) }
    return fromContent({ ...content!, participant })
  }
  const [text] = unpack(keyring.openBytes(sealedContent, contextOf('content', tenantId, id)))
  return fromContent(JSON.parse(text!) as StoredOrder)
}

/** Whether something of the row is sealed with an older key, or not sealed at all. */
export const isStale = (keyring: Keyring, row: ReadyOrder & WholeOrder): boolean =>
  [row.sealedAnswer, row.sealedContent].some((value) => !value || keyring.isStale(value))

/** What the row of an order is found by: its blocking keys, so that they can be compared but not read. */
export const matchKeysOf = (keyring: Keyring, tenantId: string, words: string[]) =>
  words.map((word) => keyring.hash(`${tenantId} ${word}`).toString())

/** The specimens of an order, so that they can be looked up but not read. */
export const specimenKeysOf = (keyring: Keyring, tenantId: string, { services }: Order) =>
  services.flatMap(({ specimenId }) =>
    specimenId === null ? [] : [keyring.hash(specimenText(tenantId, specimenId)).toString()],
  )

/** What a specimen is looked up by: its key under each of the keys that rows may have been written with. */
export const specimenLookUp = (keyring: Keyring, tenantId: string, specimenId: string) =>
  keyring.hashes(specimenText(tenantId, specimenId)).map(String)

const specimenText = (tenantId: string, specimenId: string) => `${tenantId} specimen ${specimenId}`

/** Identifiers as answers show them. */
export const presentIdentifiers = (identifiers: Identifiers) =>
  identifiers.map((identifier) => ({ ...identifier, object: 'participantIdentifier' as const }))

/** The participant as answers show it, of a row of an earlier build: the identifiers were kept apart. */
function plainParticipant(
  keyring: Keyring,
  tenantId: string,
  { id, participant, identifiers }: Pick<ReadyOrder, 'id' | 'participant' | 'identifiers'>,
): string {
  const listed = presentIdentifiers(openIdentifiers(keyring, tenantId, { id, identifiers }))
  return `${participant!.slice(0, -1)},"identifiers":${JSON.stringify(listed)}}`
}

/** Of rows of earlier builds, which sealed nothing else. */
function openIdentifiers(
  keyring: Keyring,
  tenantId: string,
  { id, identifiers }: { id: string; identifiers: Buffer | null },
): Identifiers {
  return identifiers ? (JSON.parse(keyring.open(identifiers, `order ${tenantId} ${id}`)) as Identifiers) : []
}

type Stored<T> = T extends Date
  ? string
  : T extends (infer I)[]
    ? Stored<I>[]
    : T extends object
      ? { [K in keyof T]: Stored<T[K]> }
      : T

export type StoredOrder = Stored<Order>

/** The order as it was put in: dates are dates again. */
function fromContent(content: StoredOrder): Order {
  return {
    ...content,
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

const dated = <T extends { at: string }>(entry: T) => ({ ...entry, at: new Date(entry.at) })
