import { givenRows } from '../db/arrays.ts'
import { sql, type Statement } from '../db/sql.ts'
import { selectWithNewCandidates, type CompletedSearch } from '../matching/searches.ts'
import { NEW_COLUMNS, newRows, type NewNotification } from '../notifications/notifications.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { sealCallback } from '../webhooks/callback-sealing.ts'
import type { Registration } from '../webhooks/outbox.ts'
import { FIGURE_COLUMNS, firstFigureRows, givenFigures } from './figure-rows.ts'
import { saveStatement, type SavedResponse } from './idempotency.ts'
import { changingColumns, changingValues, givenNewOrders, type WrittenOrder } from './writing.ts'

/** A new order, with everything that is written together with it. */
export interface NewOrder extends WrittenOrder {
  registration?: Registration | undefined
  notifications?: NewNotification[]
  /** A search that found no equivalent order. If there are new candidates since, the order is not placed. */
  searched?: CompletedSearch
}

/**
 * One statement for any number of orders, with an array for each column, so that its text does not depend on their number.
 * Returns the ids of the orders that were not placed: with a response to save, because its idempotency key is taken.
 */
export function insertStatement(keyring: Keyring, added: NewOrder[], response?: SavedResponse): Statement {
  const refused = selectRefused(keyring, added, response)
  return sql`
    with ${refused ? sql`${refused},` : sql``}
    placed as (
      insert into orders (tenant_id, id, code, company_id, location_id, created_at, external_key, ${changingColumns()})
      select tenant_id, id, code, company_id, location_id, created_at, external_key::bigint, ${changingValues()}
      from ${givenNewOrders(keyring, added)}
      ${refused ? sql`where id not in (select id from refused)` : sql``}
      -- The id can only exist if an earlier try wrote it and its reply was lost.
      on conflict (tenant_id, id) do nothing
      returning tenant_id, company_id, location_id, id, status, updated_at),
    ${added.some(({ registration }) => registration) ? registerCallbacks(keyring, added) : sql``}
    ${added.some(({ notifications = [] }) => notifications.length > 0) ? queueNotifications(added) : sql``}
    ${addFigures(added)}
    changed as (
      insert into order_changes (tenant_id, company_id, location_id, order_id, new_status, new_updated_at, has_figures)
      select *, true from placed)
    ${refused ? sql`select id from refused` : sql`select where false`}`
}

/** The orders that must not be placed; undefined if none can be refused. A response belongs to a single order. */
function selectRefused(keyring: Keyring, added: NewOrder[], response?: SavedResponse): Statement | undefined {
  if (response) {
    return sql`
      saved as (${saveStatement(keyring, response)}),
      refused as (select ${added[0]!.order.id}::text as id where not exists (select from saved))`
  }
  const searched = added.flatMap(({ order, searched: search }) => (search ? [{ id: order.id, ...search }] : []))
  return searched.length > 0 ? sql`refused as materialized (${selectWithNewCandidates(keyring, searched)})` : undefined
}

/** A worker would have to open the order for them, which took a fifth of the processor time of creates (decision 41). */
const addFigures = (added: NewOrder[]): Statement => sql`
  added_figures as (
    insert into service_figures (${FIGURE_COLUMNS})
    select figures.* from (${givenFigures(added.flatMap(({ tenantId, order }) => firstFigureRows(tenantId, order)))}) figures
    join placed on placed.tenant_id = figures.tenant_id and placed.id = figures.order_id),`

const queueNotifications = (added: NewOrder[]): Statement => sql`
  queued_notifications as (
    insert into notifications (${NEW_COLUMNS})
    select queued.* from (${newRows(added.flatMap(({ notifications = [] }) => notifications))}) queued
    join placed on placed.tenant_id = queued.tenant_id and placed.id = queued.order_id),`

function registerCallbacks(keyring: Keyring, added: NewOrder[]): Statement {
  const rows = added.flatMap(({ tenantId, registration }) => {
    if (!registration) return []
    const { orderId, id, callback, tokenId, at } = registration
    const secrets = sealCallback(keyring, { tenantId, orderId, id, callback })
    const origin = new URL(callback.url).origin
    return [{ ...registration, tenantId, secrets, origin, registeredBy: tokenId, createdAt: at }]
  })
  return sql`
    registered as (
      insert into callbacks (tenant_id, id, order_id, version, origin, secrets, shows_participant, registered_by, created_at)
      select given.tenant_id, given.id, order_id, version, origin, secrets, shows_participant, registered_by, created_at
      from ${givenRows(rows, {
        text: ['tenantId', 'id', 'orderId', 'version', 'origin', 'registeredBy'],
        bytea: ['secrets'],
        boolean: ['showsParticipant'],
        timestamptz: ['createdAt'],
      })}
      join placed on placed.tenant_id = given.tenant_id and placed.id = given.order_id),`
}
