import { dueAt } from '../domain/order-life.ts'
import type { Order } from '../domain/orders.ts'
import { awaitedAt } from '../domain/participation.ts'
import { sql, type Statement } from './db/sql.ts'
import type { Keyring } from './keyring.ts'
import { arrayText, columnsOf, texts } from './lists.ts'
import { matchKeysOf, sealOrder, specimenKeysOf, type Presented } from './order-rows.ts'

/** An order as it is to be from now on: new, or changed. */
export interface WrittenOrder {
  tenantId: string
  order: Order
  presented: Presented
  words: string[]
}

/** The columns that every change may move, by name. */
export const moving = (): Statement => sql`
  status, updated_at, expires_at, due_at, awaited_at, appointment_at, specimen_keys, match_keys, sealed_head, sealed_answer,
  sealed_content`

/** The same of many orders, each as a list of texts. */
export function movingLists(keyring: Keyring, rows: readonly WrittenOrder[]): Statement {
  const column = columnsOf(rows)
  const sealed = rows.map(({ tenantId, order, presented }) => sealOrder(keyring, tenantId, order, presented))
  const bytes = (values: Buffer[]) => texts(values.map((value) => value.toString('hex')))
  return sql`
    ${column(({ order }) => order.status)}::text[],
    ${column(({ order }) => order.updatedAt)}::text[],
    ${column(({ order }) => order.expiresAt)}::text[],
    ${column(({ order }) => dueAt(order))}::text[],
    ${column(({ order }) => awaitedAt(order))}::text[],
    ${column(({ order }) => order.appointmentAt)}::text[],
    ${column(({ tenantId, order }) => arrayText(specimenKeysOf(keyring, tenantId, order)))}::text[],
    ${column(({ tenantId, words }) => arrayText(matchKeysOf(keyring, tenantId, words)))}::text[],
    ${bytes(sealed.map(({ sealedHead }) => sealedHead))},
    ${bytes(sealed.map(({ sealedAnswer }) => sealedAnswer))},
    ${bytes(sealed.map(({ sealedContent }) => sealedContent))}`
}

/** The same as they are stored, from the texts of the lists. */
export const movingValues = (): Statement => sql`
  status, updated_at::timestamptz, expires_at::timestamptz, due_at::timestamptz, awaited_at, appointment_at::timestamptz,
  specimen_keys::bigint[], match_keys::bigint[], decode(sealed_head, 'hex') as sealed_head,
  decode(sealed_answer, 'hex') as sealed_answer, decode(sealed_content, 'hex') as sealed_content`
