import { dueAt } from '../domain/order-life.ts'
import type { Order } from '../domain/orders.ts'
import { awaitedAt } from '../domain/participation.ts'
import { sql, type Statement } from './db/sql.ts'
import type { Keyring } from './keyring.ts'
import { arrayText, columnsOf, texts } from './lists.ts'
import { matchKeysOf, sealIdentifiers, specimensOf, toContent, type Presented } from './order-rows.ts'

/** An order as it is to be from now on: new, or changed. */
export interface WrittenOrder {
  tenantId: string
  order: Order
  presented: Presented
  words: string[]
}

/** The columns that every change may move, by name. */
export const moving = (): Statement =>
  sql`status, updated_at, expires_at, due_at, awaited_at, specimen_ids, head, participant, identifiers, content, match_keys`

/** The same of many orders, each as a list of texts. */
export function movingLists(keyring: Keyring, rows: readonly WrittenOrder[]): Statement {
  const column = columnsOf(rows)
  const json = (read: (row: WrittenOrder) => string) => texts(rows.map((row) => read(row)))
  return sql`
    ${column(({ order }) => order.status)}::text[],
    ${column(({ order }) => order.updatedAt)}::text[],
    ${column(({ order }) => order.expiresAt)}::text[],
    ${column(({ order }) => dueAt(order))}::text[],
    ${column(({ order }) => awaitedAt(order))}::text[],
    ${column(({ order }) => arrayText(specimensOf(order)))}::text[],
    ${json(({ presented }) => presented.head)},
    ${json(({ presented }) => presented.participant)},
    ${column(({ tenantId, order }) => sealIdentifiers(keyring, tenantId, order))}::text[],
    ${json(({ order }) => toContent(order))},
    ${column(({ tenantId, words }) => arrayText(matchKeysOf(keyring, tenantId, words)))}::text[]`
}

/** The same as they are stored, from the texts of the lists. */
export const movingValues = (): Statement => sql`
  status, updated_at::timestamptz, expires_at::timestamptz, due_at::timestamptz, awaited_at, specimen_ids::text[], head, participant,
  decode(identifiers, 'hex') as identifiers, content::jsonb, match_keys::bigint[]`
