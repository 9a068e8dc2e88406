import { dueAt } from '../../domain/orders/life.ts'
import type { Order } from '../../domain/orders/order.ts'
import { awaitingClinicId } from '../../domain/bookings/bookings.ts'
import { sql, type Statement } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { arrayText, columnsOf } from '../db/arrays.ts'
import { matchKeysOf, sealOrder, specimenKeysOf, type Presented } from './rows.ts'

/** An order as it is to be from now on: new, or changed. */
export interface WrittenOrder {
  tenantId: string
  order: Order
  presented: Presented
  words: string[]
}

/** The columns that every change may move, by name. */
export const moving = (): Statement => sql`
  status, updated_at, expires_at, due_at, awaited_at, appointment_at, specimen_keys, match_keys, sealed_answer,
  sealed_content`

/** What a statement is given of many orders: columns of its own, and those that every change may move. */
export function givenOrders(
  keyring: Keyring,
  rows: readonly WrittenOrder[],
  own: { names: Statement; lists: Statement },
): Statement {
  const column = columnsOf(rows)
  const sealed = rows.map(({ tenantId, order, presented }) => sealOrder(keyring, tenantId, order, presented))
  const values = sealed.flatMap(({ sealedAnswer, sealedContent }) => [sealedAnswer, sealedContent])
  const starts = startsOf(values)
  /** Where the first or second value of each row begins, or the next row. */
  const nth = (n: number) => rows.map((_, i) => starts[2 * i + n]!)
  return sql`
    unnest(
      ${own.lists},
      ${column(({ order }) => order.status)}::text[],
      ${column(({ order }) => order.updatedAt)}::text[],
      ${column(({ order }) => order.expiresAt)}::text[],
      ${column(({ order }) => dueAt(order))}::text[],
      ${column(({ order }) => awaitingClinicId(order))}::text[],
      ${column(({ order }) => order.appointmentAt)}::text[],
      ${column(({ tenantId, order }) => arrayText(specimenKeysOf(keyring, tenantId, order)))}::text[],
      ${column(({ tenantId, words }) => arrayText(matchKeysOf(keyring, tenantId, words)))}::text[],
      ${nth(0)}::int[], ${nth(1)}::int[], ${nth(2)}::int[]
    ) as given (${own.names}, status, updated_at, expires_at, due_at, awaited_at, appointment_at, specimen_keys, match_keys,
      answer_at, content_at, end_at)
    -- All sealed values as one: a list of them would travel as text, twice as long.
    cross join (select ${Buffer.concat(values)}::bytea as bytes) as sealed`
}

/** Where each value begins when they stand one behind the other, counted from 1, and where the last one ends. */
function startsOf(values: readonly Buffer[]): number[] {
  let at = 1
  return [...values.map(({ length }) => (at += length) - length), at]
}

/** The moving columns as they are stored, from what was given. */
export const movingValues = (): Statement => sql`
  status, updated_at::timestamptz, expires_at::timestamptz, due_at::timestamptz, awaited_at, appointment_at::timestamptz,
  specimen_keys::bigint[], match_keys::bigint[], substr(bytes, answer_at, content_at - answer_at) as sealed_answer, substr(bytes, content_at, end_at - content_at) as sealed_content`
