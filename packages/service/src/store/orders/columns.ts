import { dueAt } from '../../domain/orders/life.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { FullView } from '../../domain/orders/view.ts'
import { awaitingClinicId } from '../../domain/bookings/bookings.ts'
import { sql, type Statement } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { arrayText, columnsOf } from '../db/arrays.ts'
import { hashBlockingKeys, hashSpecimens, sealOrder } from './rows.ts'

/** A new or changed order, as it will be stored. */
export interface WrittenOrder {
  tenantId: string
  order: Order
  view: FullView
  blockingKeys: string[]
}

/** The columns that a change of the order may change. */
export const changingColumns = (): Statement => sql`
  status, updated_at, expires_at, due_at, awaited_clinic_id, appointment_at, specimen_keys, blocking_keys, sealed_answer,
  sealed_content`

/** The parameters of a statement that writes many orders: its own columns, and those that a change may change. */
export function givenOrders(
  keyring: Keyring,
  rows: readonly WrittenOrder[],
  own: { names: Statement; lists: Statement },
): Statement {
  const column = columnsOf(rows)
  const sealed = rows.map(({ tenantId, order, view }) => sealOrder(keyring, tenantId, order, view))
  const values = sealed.flatMap(({ sealedAnswer, sealedContent }) => [sealedAnswer, sealedContent])
  const starts = startsOf(values)
  /** Where the first value of each row begins (0), the second (1), or the next row (2). */
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
      ${column(({ tenantId, order }) => arrayText(hashSpecimens(keyring, tenantId, order)))}::text[],
      ${column(({ tenantId, blockingKeys }) => arrayText(hashBlockingKeys(keyring, tenantId, blockingKeys)))}::text[],
      ${nth(0)}::int[], ${nth(1)}::int[], ${nth(2)}::int[]
    ) as given (${own.names}, status, updated_at, expires_at, due_at, awaited_clinic_id, appointment_at, specimen_keys, blocking_keys,
      answer_at, content_at, end_at)
    -- All sealed values in one parameter: an array of them would be sent as text, twice as long.
    cross join (select ${Buffer.concat(values)}::bytea as bytes) as sealed`
}

/** Where each value begins when they are concatenated, counted from 1, and where the last one ends. */
function startsOf(values: readonly Buffer[]): number[] {
  let at = 1
  return [...values.map(({ length }) => (at += length) - length), at]
}

/** The values of `changingColumns`, from the parameters. */
export const changingValues = (): Statement => sql`
  status, updated_at::timestamptz, expires_at::timestamptz, due_at::timestamptz, awaited_clinic_id, appointment_at::timestamptz,
  specimen_keys::bigint[], blocking_keys::bigint[], substr(bytes, answer_at, content_at - answer_at) as sealed_answer, substr(bytes, content_at, end_at - content_at) as sealed_content`
