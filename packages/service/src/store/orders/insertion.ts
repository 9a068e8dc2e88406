import { overtaken, type Searched } from '../matching/searches.ts'
import { sealCallback } from '../webhooks/callback-sealing.ts'
import { sql, type Statement } from '../db/sql.ts'
import { keep, type KeptAnswer } from './idempotency.ts'
import type { Keyring } from '../sealing/keyring.ts'
import { columnsOf } from '../db/arrays.ts'
import { newRows, type NewNotification } from '../notifications/notifications.ts'
import { givenOrders, moving, movingValues, type WrittenOrder } from './columns.ts'
import type { Registration } from '../webhooks/outbox.ts'

/** An order to be placed, and who is to hear of it. */
export interface NewOrder extends WrittenOrder {
  registration?: Registration | undefined
  /** What is to be told of it. */
  messages?: NewNotification[]
  /** A search that found none like it: where one has come since, the order is not placed. */
  searched?: Searched
}

/**
 * One statement for any number of orders: each column comes as a list, so that the text is the same for all of them.
 * With an answer to keep for a request's key, nothing is written where the key is taken. Gives the ids of what was not.
 */
export function insertion(keyring: Keyring, added: NewOrder[], kept?: KeptAnswer): Statement {
  const column = columnsOf(added)
  const refused = refusals(keyring, added, kept)
  return sql`
    with ${refused ? sql`${refused},` : sql``}
    placed as (
      insert into orders (tenant_id, id, code, company_id, location_id, created_at, ${moving()})
      select tenant_id, id, code, company_id, location_id, created_at::timestamptz, ${movingValues()}
      from ${givenOrders(keyring, added, {
        names: sql`tenant_id, id, code, company_id, location_id, created_at`,
        lists: sql`
          ${column(({ tenantId }) => tenantId)}::text[],
          ${column(({ order }) => order.id)}::text[],
          ${column(({ order }) => order.code)}::text[],
          ${column(({ order }) => order.company.id)}::text[],
          ${column(({ order }) => order.location.id)}::text[],
          ${column(({ order }) => order.createdAt)}::text[]`,
      })}
      ${refused ? sql`where id not in (select id from refused)` : sql``}
      -- There already is only what an earlier try has written, whose answer was lost.
      on conflict (tenant_id, id) do nothing
      returning tenant_id, company_id, location_id, id, status, updated_at),
    ${added.some(({ registration }) => registration) ? registering(keyring, added) : sql``}
    ${added.some(({ messages = [] }) => messages.length > 0) ? telling(added) : sql``}
    changed as (
      insert into order_changes (tenant_id, company_id, location_id, order_id, new_status, new_updated_at)
      select * from placed)
    ${refused ? sql`select id from refused` : sql`select where false`}`
}

/** Which orders are not to be placed, where that has to be asked. A key is only ever for one. */
function refusals(keyring: Keyring, added: NewOrder[], kept?: KeptAnswer): Statement | undefined {
  if (kept) {
    return sql`
      kept as (${keep(keyring, kept)}),
      refused as (select ${added[0]!.order.id}::text as id where not exists (select from kept))`
  }
  const searched = added.flatMap(({ order, searched: made }) => (made ? [{ id: order.id, ...made }] : []))
  return searched.length > 0 ? sql`refused as materialized (${overtaken(keyring, searched)})` : undefined
}

function telling(added: NewOrder[]): Statement {
  const all = added.flatMap(({ messages = [] }) => messages)
  return sql`
    told as (
      insert into messages (tenant_id, id, order_id, kind, channel, refers_to, due_at, created_at, token_id)
      select queued.* from (${newRows(all)}) queued
      join placed on placed.tenant_id = queued.tenant_id and placed.id = queued.order_id),`
}

function registering(keyring: Keyring, added: NewOrder[]): Statement {
  const all = added.flatMap(({ tenantId, registration }) => (registration ? [{ tenantId, ...registration }] : []))
  const column = columnsOf(all)
  return sql`
    registered as (
      insert into callbacks (tenant_id, id, order_id, version, origin, secrets, shows_participant, registered_by, created_at)
      select given.tenant_id, given.id, order_id, version, origin, decode(secrets, 'hex'), shows_participant::boolean,
        registered_by, created_at::timestamptz
      from unnest(
        ${column(({ tenantId }) => tenantId)}::text[],
        ${column(({ id }) => id)}::text[],
        ${column(({ orderId }) => orderId)}::text[],
        ${column(({ version }) => version)}::text[],
        ${column(({ callback }) => new URL(callback.url).origin)}::text[],
        ${column(({ tenantId, orderId, id, callback }) => sealCallback(keyring, { tenantId, orderId, id, callback }))}::text[],
        ${column(({ showsParticipant }) => showsParticipant)}::text[],
        ${column(({ tokenId }) => tokenId)}::text[],
        ${column(({ at }) => at)}::text[]
      ) as given (tenant_id, id, order_id, version, origin, secrets, shows_participant, registered_by, created_at)
      join placed on placed.tenant_id = given.tenant_id and placed.id = given.order_id),`
}
