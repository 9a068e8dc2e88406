import { awaitingClinicId } from '../../domain/bookings/bookings.ts'
import { dueAt } from '../../domain/orders/life.ts'
import type { Order } from '../../domain/orders/order.ts'
import type { FullView } from '../../domain/orders/view.ts'
import { arrayText, givenRows, numbersText } from '../db/arrays.ts'
import { sql, type Statement } from '../db/sql.ts'
import type { Keyring } from '../sealing/keyring.ts'
import {
  codeIds,
  hashBlockingKeys,
  hashExternalId,
  hashRequester,
  hashSearchKeys,
  hashSpecimens,
  sealOrder,
} from './rows.ts'
import { rememberWritten } from './views.ts'

/** A new or changed order, as it will be stored. */
export interface WrittenOrder {
  tenantId: string
  order: Order
  view: FullView
  blockingKeys: string[]
  /** Names, birth date and contacts are as they were, and so are the search keys. */
  keepsSearchKeys?: boolean
  /** The event of the change, if readers can see it. */
  eventId?: string | null
}

/** One statement for any number of orders. They must be locked, since their counts follow from the previous rows. */
export function updateStatement(keyring: Keyring, changed: WrittenOrder[]): Statement {
  return sql`
    with given as (select tenant_id, id, event_id, ${changingValues()} from ${givenChanges(keyring, changed)}),
    before as (
      select o.tenant_id, o.company_id, o.location_id, o.id, o.status, o.updated_at
      from orders o join given g on o.tenant_id = g.tenant_id and o.id = g.id),
    changed as (
      update orders o set status = g.status, updated_at = g.updated_at, expires_at = g.expires_at, due_at = g.due_at,
        awaited_clinic_id = g.awaited_clinic_id, appointment_at = g.appointment_at, specimen_keys = g.specimen_keys, blocking_keys = g.blocking_keys,
        -- Rows of earlier builds get both in the background.
        search_keys = coalesce(g.search_keys, o.search_keys),
        search_codes = case when coalesce(g.search_keys, o.search_keys) is null then o.search_codes else g.search_codes end,
        requester_key = g.requester_key, sealed_answer = g.sealed_answer,
        -- What earlier builds stored in other columns.
        sealed_content = null, head = null, participant = null, identifiers = null, content = null, specimen_ids = '{}'
      from given g where o.tenant_id = g.tenant_id and o.id = g.id)
    insert into order_changes
      (tenant_id, company_id, location_id, order_id, old_status, new_status, old_updated_at, new_updated_at, event_id)
    select b.tenant_id, b.company_id, b.location_id, b.id, b.status, g.status, b.updated_at, g.updated_at, g.event_id
    from before b join given g on b.tenant_id = g.tenant_id and b.id = g.id
    where (b.status, b.updated_at) is distinct from (g.status, g.updated_at) or g.event_id is not null`
}

/** The columns that a change of the order may change. */
export const changingColumns = (): Statement => sql`
  status, updated_at, expires_at, due_at, awaited_clinic_id, appointment_at, specimen_keys, blocking_keys, search_keys,
  search_codes, requester_key, sealed_answer`

/**
 * What a change may change of the columns of an order, besides its sealed text. Spreading an order would cost ten times as much as
 * naming what is needed.
 */
const changingColumnsOf = (
  keyring: Keyring,
  { tenantId, order, blockingKeys, keepsSearchKeys = false, eventId }: Omit<WrittenOrder, 'view'>,
) => ({
  tenantId,
  id: order.id,
  status: order.status,
  updatedAt: order.updatedAt,
  expiresAt: order.expiresAt,
  appointmentAt: order.appointmentAt,
  dueAt: dueAt(order),
  eventId,
  requesterKey: hashRequester(keyring, tenantId, order),
  awaitedClinicId: awaitingClinicId(order),
  specimenKeys: numbersText(hashSpecimens(keyring, tenantId, order)),
  blockingKeys: numbersText(hashBlockingKeys(keyring, tenantId, blockingKeys)),
  // While there are older keys, every change renews what was hashed with one (`store/resealing.ts`).
  searchKeys:
    keepsSearchKeys && keyring.ids.length === 1 ? null : numbersText(hashSearchKeys(keyring, tenantId, order)),
  searchCodes: arrayText(codeIds(keyring, tenantId, order)),
})

/** All columns of a new order, besides its sealed text. */
export const columnsOfOrder = (keyring: Keyring, written: Omit<WrittenOrder, 'view'>) => {
  const { tenantId, order } = written
  return Object.assign(changingColumnsOf(keyring, written), {
    code: order.code,
    companyId: order.company.id,
    locationId: order.location.id,
    createdAt: order.createdAt,
    externalKey: hashExternalId(keyring, tenantId, order),
  })
}

/** The parameters of a statement that places orders. */
export const givenNewOrders = (keyring: Keyring, added: readonly WrittenOrder[]): Statement =>
  given(keyring, added, columnsOfOrder, {
    text: [...CHANGING.text, 'code', 'companyId', 'locationId', 'externalKey'],
    timestamptz: [...CHANGING.timestamptz, 'createdAt'],
  })

const givenChanges = (keyring: Keyring, changed: readonly WrittenOrder[]): Statement =>
  given(keyring, changed, changingColumnsOf, CHANGING)

type Columns = ReturnType<typeof changingColumnsOf>

const CHANGING: Record<'text' | 'timestamptz', (keyof Columns)[]> = {
  text: [
    'tenantId',
    'id',
    'status',
    'awaitedClinicId',
    'eventId',
    'requesterKey',
    'specimenKeys',
    'blockingKeys',
    'searchKeys',
    'searchCodes',
  ],
  timestamptz: ['updatedAt', 'expiresAt', 'dueAt', 'appointmentAt'],
}

function given<Row extends Columns>(
  keyring: Keyring,
  written: readonly WrittenOrder[],
  columnsOf: (keyring: Keyring, written: WrittenOrder) => Row,
  columns: Record<'text' | 'timestamptz', (keyof Row & string)[]>,
): Statement {
  const sealed = written.map(({ tenantId, order, view }) => {
    const value = sealOrder(keyring, tenantId, order, view)
    rememberWritten(keyring, tenantId, order.id, value, view)
    return value
  })
  const starts = startsOf(sealed)
  const rows = written.map((each, i) =>
    Object.assign(columnsOf(keyring, each), { startAt: starts[i]!, endAt: starts[i + 1]! }),
  )
  // All sealed values are in one parameter: an array of them would be sent as text, twice as long.
  return sql`
    ${givenRows(rows, { ...columns, int: ['startAt', 'endAt'] })}
    cross join (select ${Buffer.concat(sealed)}::bytea as bytes) as sealed`
}

/** Where each value begins when they are concatenated, counted from 1, and where the last one ends. */
function startsOf(values: readonly Buffer[]): number[] {
  let at = 1
  return [...values.map(({ length }) => (at += length) - length), at]
}

/** The values of `changingColumns`, from the parameters. */
export const changingValues = (): Statement => sql`
  status, updated_at, expires_at, due_at, awaited_clinic_id, appointment_at, specimen_keys::bigint[], blocking_keys::bigint[],
  search_keys::bigint[], search_codes::bytea[], requester_key::bigint as requester_key,
  substr(bytes, start_at, end_at - start_at) as sealed_answer`
